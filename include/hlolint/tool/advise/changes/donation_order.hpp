// What the compiler makes of a program whose caller donates arguments: copies that only saved them are gone, and what
// is written into an argument runs behind all that reads it (advise.md 12).
#pragma once

#include <hlolint/parse_hlo.hpp>
#include <hlolint/tool/advise/changes/program_change.hpp>
#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/edited_text.hpp>
#include <hlolint/tool/advise/instruction_order.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::advise::detail {

// Makes the text that the compiler would make with donated arguments, but for the aliases themselves.
class donation_order {
 public:
  /// Precondition: the state is complete.
  donation_order(const edited_module& now, const std::vector<donated_argument>& given, const assignment_rules& rules)
      : now_(now), flow_(now.made->flow()), given_(given), rules_(rules) {}

  /// Nothing if an argument would still be copied, or if the text has an unknown form.
  std::optional<std::string> text() {
    for (const donated_argument& one : given_)
      if (!add(one)) return std::nullopt;
    if (moved_.empty() && copies_.empty()) return std::string(now_.module().text().text());
    std::optional<std::string> out = without_copies();
    if (!out || moved_.empty()) return out;
    parsed_file file = parse_hlo(source(std::move(*out)));
    if (file.status != parse_status::ok || now_.number >= file.modules().size()) return std::nullopt;
    return reordered(file.modules()[now_.number]);
  }

  /// How certain it is that the compiler makes no copy: an estimate where it need not keep the order of the text, a
  /// bound where it has to run instructions in another one. Call `text` first.
  certainty promise() const {
    if (!is_ordered_) return certainty::estimate;
    return moved_.empty() ? certainty::proven : certainty::bound;
  }

 private:
  // An instruction that has to run behind others.
  struct moved_writer {
    hlo_instruction writer;
    std::vector<hlo_instruction> readers;
  };

  bool is_libtpu() const { return rules_.temporaries_apart; }
  bool is_gpu() const { return rules_.sharing == target::gpu; }

  std::optional<std::uint32_t> only_value(hlo_instruction i, const shape_index& index) const {
    const std::uint32_t part = flow_.tables().places.find(i.id(), index);
    std::optional<std::uint32_t> out;
    std::size_t count = 0;
    if (part != none) flow_.for_each_at({i.id(), part}, [&](std::uint32_t v) { out = v, ++count; });
    return count == 1 ? out : std::nullopt;
  }

  bool add(const donated_argument& one) {
    const hlo_computation entry = now_.module().entry();
    const hlo_instruction parameter = flow_.tables().parameters.of(entry, one.parameter);
    const auto argument = parameter ? only_value(parameter, one.index) : std::nullopt;
    const std::uint32_t at = flow_.tables().places.find(entry.root().id(), one.output);
    if (!argument || at == none) return false;
    std::optional<std::uint32_t> made;
    flow_.for_each_at({entry.root().id(), at}, [&](std::uint32_t v) { made = v; });
    if (!made) return false;
    const std::uint32_t into = now_.made->sets().set_of(*made);
    std::set<id> copied;
    for (const hlo_use& use : flow_.uses(flow_.values()[*argument])) {
      const hlo_instruction user = flow_.module().instruction(use.user);
      if (is_saving_copy(user, into)) copied.insert(user.id());
    }
    copies_.insert(copied.begin(), copied.end());
    return add_order(entry, *argument, into, copied);
  }
  // Whether an instruction copies the argument only because the caller keeps it.
  bool is_saving_copy(hlo_instruction i, std::uint32_t into) const {
    const auto made = i.opcode() == hlo_opcode::copy ? only_value(i, {}) : std::nullopt;
    return made && i.computation().is_entry() && i.operand_count() == 1 && i.operand(0) && i.shape() && !i.is_root() &&
           i.operand(0).opcode() == hlo_opcode::parameter && i.operand(0).shape() &&
           *i.shape() == *i.operand(0).shape() && now_.made->sets().set_of(*made) == into;
  }
  // Finds the first instruction that writes into the argument's memory, and what has to run before it.
  bool add_order(hlo_computation entry, std::uint32_t argument, std::uint32_t into, const std::set<id>& copied) {
    hlo_instruction writer;
    std::uint32_t written = 0;
    for (const std::uint32_t v : now_.made->sets().values(into)) {
      const hlo_instruction i = flow_.instruction(flow_.values()[v]);
      if (i.computation() != entry || copied.count(i.id()) > 0) continue;
      if (!writer || i.index_in_computation() < writer.index_in_computation()) writer = i, written = v;
    }
    if (!writer) return false;
    moved_writer moved{writer, {}};
    for (const hlo_instruction user : readers_of(argument)) {
      if (user.computation() != entry || copied.count(user.id()) > 0 || passes_on(user)) continue;
      if (user == writer) {
        if (reads(user, argument) && !now_.made->handover().in_place(argument, written, now_.plan->schedule))
          return false;
        continue;
      }
      if (!is_libtpu() && !is_gpu()) {
        // XLA for CPU decides on copies before it orders the program, so that the order of the text may not be kept.
        if (depends_on(writer, user)) continue;
        if (user.index_in_computation() > writer.index_in_computation()) return false;
        is_ordered_ = false;
      } else if (user.index_in_computation() > writer.index_in_computation()) {
        if (!is_libtpu()) return false;
        moved.readers.push_back(user);
      }
    }
    if (!moved.readers.empty()) moved_.push_back(std::move(moved));
    return true;
  }
  bool reads(hlo_instruction user, std::uint32_t value) const {
    const auto uses = flow_.uses(flow_.values()[value]);
    return std::any_of(uses.begin(), uses.end(), [&](const hlo_use& u) { return u.user == user.id(); });
  }
  // What reads a value, or its copy in another memory space, which the compiler may place otherwise the next time.
  std::vector<hlo_instruction> readers_of(std::uint32_t value) const {
    std::vector<hlo_instruction> out;
    for (const hlo_use& use : flow_.uses(flow_.values()[value])) {
      out.push_back(flow_.module().instruction(use.user));
      const auto copied = out.back().opcode() == hlo_opcode::copy_start ? only_value(out.back(), {0}) : std::nullopt;
      if (!copied || *copied == value) continue;
      for (const hlo_use& later : flow_.uses(flow_.values()[*copied]))
        if (later.user != use.user) out.push_back(flow_.module().instruction(later.user));
    }
    return out;
  }
  static bool passes_on(hlo_instruction i) {
    return i.opcode() == hlo_opcode::tuple || i.opcode() == hlo_opcode::get_tuple_element ||
           i.opcode() == hlo_opcode::bitcast;
  }
  bool depends_on(hlo_instruction i, hlo_instruction from) const {
    std::vector<bool> seen(i.computation().instruction_count());
    std::vector<hlo_instruction> open{i};
    while (!open.empty()) {
      const hlo_instruction one = open.back();
      open.pop_back();
      if (one == from) return true;
      for (const hlo_instruction operand : one.operands())
        if (operand && operand.computation() == i.computation() && !seen[operand.index_in_computation()])
          seen[operand.index_in_computation()] = true, open.push_back(operand);
    }
    return false;
  }

  // The lines of the entry's instructions, of those that are written; nothing if two share one.
  struct line {
    std::size_t begin = 0, end = 0;
  };
  static std::optional<std::vector<line>> lines_of(hlo_computation entry) {
    const std::string_view whole = entry.data().text.text();
    std::vector<line> out;
    std::size_t last = 0;
    for (const hlo_instruction i : entry.instructions()) {
      out.emplace_back();
      if (i.is_synthesized() || i.text().empty()) continue;
      const std::size_t at = offset_of(i.text(), whole), end = whole.find('\n', at + i.text().size());
      if (end == std::string_view::npos) return std::nullopt;
      out.back() = {line_begin_of(at, whole), end + 1};
      if (out.back().begin < last) return std::nullopt;
      last = out.back().end;
    }
    return out;
  }
  std::optional<std::string> without_copies() const {
    const hlo_module& module = now_.module();
    if (copies_.empty()) return std::string(module.text().text());
    const auto lines = lines_of(module.entry());
    if (!lines) return std::nullopt;
    text_changes changes(module.text().text());
    for (const id copy : copies_) {
      const hlo_instruction i = module.instruction(copy);
      const std::size_t number = i.index_in_computation();
      changes.replace((*lines)[number].begin, (*lines)[number].end, std::string());
      for (const instruction_use use : flow_.tables().all_users.of(i))
        if (copies_.count(use.user.id()) > 0 ||
            !changes.set_operand(use.user, use.operand, std::string(i.operand(0).name())))
          return std::nullopt;
    }
    return changes.apply();
  }
  // The text with each writer right behind its last reader, and all else in its order as far as possible.
  std::optional<std::string> reordered(const hlo_module& module) const {
    const hlo_computation entry = module.entry();
    const std::size_t count = entry.instruction_count();
    const auto lines = lines_of(entry);
    if (!lines) return std::nullopt;
    std::vector<std::vector<std::size_t>> behind(count);
    std::vector<std::size_t> waits(count);
    const auto add_edge = [&](std::size_t from, std::size_t to) { behind[from].push_back(to), ++waits[to]; };
    const alias_sets sets(dataflow(module, rules_.values));
    const schedule_constraints rules(sets, constraints::program);
    for (const hlo_instruction i : entry.instructions())
      for (const id to : rules.after(i.id()))
        add_edge(i.index_in_computation(), module.instruction(to).index_in_computation());
    for (const moved_writer& moved : moved_)
      for (const hlo_instruction reader : moved.readers) {
        const hlo_instruction from = entry.find(reader.name()), to = entry.find(moved.writer.name());
        if (!from || !to) return std::nullopt;
        add_edge(from.index_in_computation(), to.index_in_computation());
      }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t k = 0; k < count; ++k)
      if (waits[k] == 0) ready.push(k);
    const std::string_view whole = module.text().text();
    std::string body;
    std::size_t done = 0;
    for (; !ready.empty(); ++done) {
      const std::size_t k = ready.top();
      ready.pop();
      body.append(whole.substr((*lines)[k].begin, (*lines)[k].end - (*lines)[k].begin));
      for (const std::size_t next : behind[k])
        if (--waits[next] == 0) ready.push(next);
    }
    if (done != count) return std::nullopt;  // a circle
    text_changes changes(whole);
    std::size_t first = whole.size(), last = 0;
    for (const line& one : *lines)
      if (one.end > 0) first = std::min(first, one.begin), last = std::max(last, one.end);
    changes.replace(first, last, std::move(body));
    return changes.apply();
  }

  const edited_module& now_;
  const dataflow& flow_;
  const std::vector<donated_argument>& given_;
  const assignment_rules& rules_;
  std::set<id> copies_;
  std::vector<moved_writer> moved_;
  bool is_ordered_ = true;
};

}  // namespace hlolint::advise::detail
