// Findings about values and allocations of a buffer dump, with the place in the user's program.
#pragma once

#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/parse/lone_instruction.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <utility>

namespace hlolint::detail {

/// The instructions that define the values of a buffer dump without HLO, read from the `from instruction` texts. Each
/// text is read once, on first use, so only one thread may use an object.
class dump_makers {
 public:
  struct maker {
    bool is_known = false;  ///< else there is no such text, or it is no instruction
    hlo_opcode opcode = hlo_opcode::unknown;
    finding_subject subject;  ///< source line, op_name and shape
  };
  explicit dump_makers(const buffer_dump& dump) : texts_(dump) {}

  const maker& of(std::string_view instruction) const {
    const auto [known, is_new] = makers_.try_emplace(std::string(instruction));
    if (is_new) {
      const lone_instruction alone(texts_.find(instruction));
      known->second.is_known = bool(alone.get());
      if (alone.get()) {
        known->second.opcode = alone.get().opcode();
        add_program_place(known->second.subject, alone.get());
      }
    }
    return known->second;
  }

 private:
  instruction_texts texts_;
  mutable std::map<std::string, maker> makers_;
};

/// Adds program place and computation from the HLO; without HLO, from the text after `from instruction:`.
inline void add_maker(const context& dump, std::string_view instruction, finding& d) {
  if (const hlo_instruction i = dump.hlo() ? dump.get<instruction_names>().find(instruction) : hlo_instruction{}) {
    d.subject.computation = std::string(written_instruction(i).computation().name());
    add_program_place(d.subject, i);
  } else if (const dump_makers::maker& maker = dump.get<dump_makers>().of(instruction); maker.is_known) {
    d.subject.from = maker.subject.from;
    if (d.subject.shape.empty()) d.subject.shape = maker.subject.shape;
  }
}

/// Precondition: the value is of the context's buffer dump.
inline finding value_finding(const context& dump, const assigned_value& value, const live_range* range,
                             std::string message, finding facts = {}) {
  finding d = finding_at(*dump.buffers(), value, range, std::move(message), std::move(facts));
  add_maker(dump, value.name.instruction, d);
  return d;
}

/// `allocation 3 (color 1)`
inline std::string allocation_text(const allocation& a) {
  return str_cat({"allocation ", a.number, a.color != 0 ? str_cat({" (color ", a.color, ")"}) : ""});
}

/// A finding about an allocation; its place is the allocation's line.
inline finding allocation_finding(const buffer_dump& dump, const allocation& a, std::string message,
                                  finding facts = {}) {
  facts.buffer = buffer_place{a.number, 0, a.size, {}, {}};
  return finding_at(dump.where(a.text), std::move(message), std::move(facts));
}

}  // namespace hlolint::detail
