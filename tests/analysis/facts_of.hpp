// The results of the analyses of values for a small module, as text that tests compare.
#pragma once

#include "module_of.hpp"

#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/named_values.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::testing {

/// The module of one entry computation `e`.
inline std::string entry_text(std::string_view instructions, std::string_view computations = {},
                              std::string_view header = {}) {
  return "HloModule m, is_scheduled=true" + std::string(header) + "\n" + std::string(computations) + "\nENTRY e {\n" +
         std::string(instructions) + "}\n";
}

class facts_of {
 public:
  explicit facts_of(std::string_view text, const xla_rules& rules = xla_rules())
      : ranges(alias_sets(dataflow(module_of(text), rules)), {}), names(ranges.flow()) {}
  facts_of(const facts_of&) = delete;
  facts_of& operator=(const facts_of&) = delete;

  /// By its text, such as `t{0}`.
  std::size_t value(std::string_view text) const {
    for (std::size_t v = 0; v < flow().values().size(); ++v)
      if (names.text_of(flow().values()[v]) == text) return v;
    throw std::runtime_error("no value " + std::string(text));
  }
  /// All values in XLA's order: `p t{} w{0}(phi)`.
  std::string values() const {
    std::string out;
    for (const hlo_value& v : flow().values()) add(out, names.text_of(v) + (v.phi ? "(phi)" : ""));
    return out;
  }
  /// Of a value: `p t{0}`, the defining one first.
  std::string positions(std::string_view of) const {
    std::string out;
    for (const hlo_position p : flow().positions(flow().values()[value(of)])) add(out, names.text_of(p));
    return out;
  }
  /// Of a value: `t.0 n.1{0}`: user, operand number and what it reads of the operand.
  std::string uses(std::string_view of) const {
    std::string out;
    for (const hlo_use& u : flow().uses(flow().values()[value(of)])) {
      const hlo_instruction user = flow().module().instruction(u.user);
      const id operand = user.operand(u.operand).id();
      const bool tuple = flow().tables().places.is_tuple(operand, 0);
      add(out, std::string(names.name_of(user)) + "." + std::to_string(u.operand) +
                   (tuple ? to_string(flow().index({operand, u.part})) : ""));
    }
    return out;
  }
  /// All alias sets of more than one value that has storage: `p n | a b c`.
  std::string sets() const {
    std::string out;
    for (std::uint32_t set = 0; set < ranges.sets().size(); ++set) {
      std::string members;
      for (const std::uint32_t v : ranges.sets().values(set))
        if (flow().is_allocated(flow().values()[v])) add(members, names.text_of(flow().values()[v]));
      if (members.find(' ') != members.npos) out += (out.empty() ? "" : " | ") + members;
    }
    return out;
  }
  /// `3-7`, or empty if there is none.
  std::string range(std::string_view of) const { return text(ranges.of(value(of))); }
  std::string untrimmed(std::string_view of) const { return text(ranges.untrimmed(value(of))); }

  const dataflow& flow() const { return ranges.flow(); }

  live_ranges ranges;
  named_values names;

 private:
  static void add(std::string& to, const std::string& what) { to += (to.empty() ? "" : " ") + what; }
  static std::string text(const std::optional<time_span>& span) {
    return span ? std::to_string(span->start) + "-" + std::to_string(span->end) : std::string{};
  }
};

}  // namespace hlolint::testing
