// The text of a module after an edit of its schedule: its lines, moved or cloned.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/advise/instruction_order.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint::advise {

/// Computes a value again before its late users. All instructions are in one computation.
struct recompute {
  id producer = none;          ///< the instruction to clone
  std::vector<id> bitcasts;    ///< bitcasts between it and the late users; cloned too, in order
  std::vector<id> late_users;  ///< the users that shall read the clones
  std::size_t to = 0;          ///< the place in the computation before which the clones go
  friend bool operator==(const recompute&, const recompute&) = default;
};

namespace detail {

inline std::size_t offset_of(std::string_view part, std::string_view whole) {
  return static_cast<std::size_t>(part.data() - whole.data());
}
// The beginning of the line at a place.
inline std::size_t line_begin_of(std::size_t place, std::string_view whole) {
  return whole.rfind('\n', place) + 1;  // 0 in the first line
}
// The offset of the name of an operand; npos if the name is not written there.
inline std::size_t operand_name_at(hlo_instruction user, std::size_t operand, std::string_view whole) {
  const std::string_view name = user.operand(operand).name();
  const std::size_t end = offset_of(user.text(), whole) + user.text().size();
  for (std::size_t at = user.operand_location(operand).at.begin; (at = whole.find(name, at)) < end; ++at)
    if (!is_name_character(whole[at - 1]) && !is_name_character(whole[at + name.size()])) return at;
  return std::string_view::npos;
}

// Collects replacements in a text and makes the changed text.
class text_changes {
 public:
  explicit text_changes(std::string_view text) : whole_(text) {}
  void replace(std::size_t begin, std::size_t end, std::string with) { list_.push_back({begin, end, std::move(with)}); }
  void replace(std::string_view part, std::string with) {
    const std::size_t at = offset_of(part, whole_);
    replace(at, at + part.size(), std::move(with));
  }
  void insert(std::size_t at, std::string what) { replace(at, at, std::move(what)); }
  // Replaces the name of an operand; false if it is not written in a known way.
  bool set_operand(hlo_instruction user, std::size_t k, std::string to) {
    const std::size_t name = operand_name_at(user, k, whole_);
    if (name != std::string_view::npos) replace(name, name + user.operand(k).name().size(), std::move(to));
    return name != std::string_view::npos;
  }
  // Replaces the name of the computation that a fusion calls.
  void set_called(hlo_instruction i, std::string to) {
    const std::string_view calls = *i.attribute(attribute_key::calls);
    replace(calls.substr(calls.front() == '%'), std::move(to));
  }
  std::string apply() { return apply(0, whole_.size()); }
  std::string apply(std::size_t from, std::size_t to) {
    std::stable_sort(list_.begin(), list_.end(), [](const change& a, const change& b) { return a.begin < b.begin; });
    std::string out;
    std::size_t at = from;
    for (const change& c : list_) {
      if (c.begin < at || c.end > to) continue;
      out.append(whole_.substr(at, c.begin - at)).append(c.with);
      at = c.end;
    }
    return out.append(whole_.substr(at, to - at));
  }

 protected:
  std::string_view whole_;

 private:
  struct change {
    std::size_t begin, end;
    std::string with;
  };
  std::vector<change> list_;
};

// The offsets at which the lines of a computation's instructions begin, in text order, and the end of the last line;
// nothing if two instructions share a line, or if one is not written.
inline std::optional<std::vector<std::size_t>> line_begins(hlo_computation c) {
  const std::string_view whole = c.data().text.text();
  std::vector<std::size_t> out;
  for (const hlo_instruction i : c.instructions()) {
    if (i.is_synthesized() || i.text().empty()) return std::nullopt;
    const std::size_t at = offset_of(i.text(), whole), begin = line_begin_of(at, whole);
    if (!out.empty() && begin <= out.back()) return std::nullopt;
    // Only ROOT may stand before the instruction.
    const std::string_view before = whole.substr(begin, at - begin);
    if (before.find_first_not_of(" \tROT%") != std::string_view::npos) return std::nullopt;
    out.push_back(begin);
  }
  if (out.empty()) return std::nullopt;
  const std::string_view last = c.instruction(c.instruction_count() - 1).text();
  const std::size_t end = whole.find('\n', offset_of(last, whole) + last.size());
  if (end == std::string_view::npos) return std::nullopt;
  out.push_back(end + 1);
  return out;
}

// The operand as it is written: `a#1#0`.
inline std::string written_operand(hlo_instruction o) {
  if (!o.is_short_element()) return std::string(o.name());
  return str_cat({written_operand(o.operand(0)), "#", *o.attribute(attribute_key::index)});
}
// Whether two modules have the same instructions in the same order, with the same operands.
inline bool same_instructions(const hlo_module& a, const hlo_module& b) {
  const auto same = [](hlo_instruction x, hlo_instruction y) {
    bool out = x.opcode() == y.opcode() && x.name() == y.name() && !x.shape() == !y.shape() &&
               (!x.shape() || *x.shape() == *y.shape()) && x.operand_count() == y.operand_count();
    for (std::size_t k = 0; out && k < x.operand_count(); ++k)
      out = !x.operand(k) == !y.operand(k) && (!x.operand(k) || x.operand(k).id() == y.operand(k).id());
    return out;
  };
  const auto left = a.instructions(), right = b.instructions();
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

}  // namespace detail

/// The whole file of a module, with a line for each get-tuple-element that stands only in operands (`%a#1`,
/// hlo_text.md 4), before the first user as XLA reads it. Nothing if there is none, or if one is written in an
/// unknown way.
inline std::optional<std::string> text_with_elements(const hlo_module& module) {
  const std::string_view whole = module.text().text();
  detail::text_changes changes(whole);
  bool found = false;
  for (const hlo_instruction i : module.instructions()) {
    if (i.is_short_element()) {
      const std::size_t at = i.where().at.begin, line = detail::line_begin_of(at, whole);
      if (at == 0 || !i.shape() || !i.operand(0)) return std::nullopt;
      const std::string_view mark = whole[at - 1] == '%' ? "%" : "";
      changes.insert(line, str_cat({whole.substr(line, whole.find_first_not_of(" \t", line) - line), mark, i.name(),
                                    " = ", to_string(*i.shape()), " get-tuple-element(", mark, i.operand(0).name(),
                                    "), index=", *i.attribute(attribute_key::index), "\n"}));
      found = true;
      continue;
    }
    for (std::size_t k = 0; k < i.operand_count(); ++k) {
      if (!i.operand(k) || !i.operand(k).is_short_element()) continue;
      const std::string written = detail::written_operand(i.operand(k));
      const std::size_t at = i.operand_location(k).at.begin;
      if (whole.substr(at, written.size()) != written) return std::nullopt;
      changes.replace(at, at + written.size(), std::string(i.operand(k).name()));
    }
  }
  return found ? std::optional(changes.apply()) : std::nullopt;
}

/// Whether the lines of a computation can be moved: each has one instruction.
inline bool has_own_lines(hlo_computation c) { return detail::line_begins(c).has_value(); }

/// The whole file of a module, with the instructions of its computations in the given order.
/// Precondition: every computation whose order differs from the text `has_own_lines`.
inline std::string reordered_text(const hlo_module& module, const instruction_order& order) {
  const std::string_view whole = module.text().text();
  detail::text_changes changes(whole);
  for (const hlo_computation c : module.computations()) {
    bool same = true;
    for (std::size_t p = 0; same && p < c.instruction_count(); ++p) same = order.at(c, p) == c.instruction(p).id();
    if (same) continue;
    const auto lines = detail::line_begins(c);
    if (!lines) continue;
    std::string body;
    for (std::size_t p = 0; p < c.instruction_count(); ++p) {
      const std::size_t line = order.at(c, p) - c.instruction(0).id();
      body.append(whole.substr((*lines)[line], (*lines)[line + 1] - (*lines)[line]));
    }
    changes.replace(lines->front(), lines->back(), std::move(body));
  }
  return changes.apply();
}

namespace detail {

// Makes new names: `fusion.3.remat` for a clone, followed by a number if that name is taken.
class new_names {
 public:
  explicit new_names(const hlo_module& module) {
    for (const hlo_computation c : module.computations()) taken_.emplace(c.name());
    for (const hlo_instruction i : module.instructions()) taken_.emplace(i.name());
  }
  std::string make(std::string_view from, std::string_view ending = ".remat") {
    const std::string name = std::string(from).append(ending);
    std::string out = name;
    for (int n = 2; !taken_.insert(out).second; ++n) out = name + std::to_string(n);
    return out;
  }

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace detail

/// The whole file with the clones of a recompute; nothing if the form of the text does not allow it.
inline std::optional<std::string> recomputed_text(const hlo_module& module, const recompute& edit) {
  const std::string_view whole = module.text().text();
  const hlo_instruction producer = module.instruction(edit.producer);
  const auto lines = detail::line_begins(producer.computation());
  if (!lines || producer.called_computation_count() > 1) return std::nullopt;
  detail::new_names names(module);
  detail::text_changes changes(whole);
  std::string clones;
  std::vector<std::pair<id, std::string>> renamed;
  const auto rewire = [&](detail::text_changes& into, hlo_instruction user) {
    for (std::size_t k = 0; k < user.operand_count(); ++k)
      for (const auto& [old, name] : renamed)
        if (user.operand(k).id() == old && !into.set_operand(user, k, name)) return false;
    return true;
  };
  const auto clone = [&](hlo_instruction i, const std::string& called_as) {
    detail::text_changes line(whole);
    if (!rewire(line, i)) return false;
    const std::string name = names.make(i.name());
    line.replace(i.name(), name);
    if (!called_as.empty()) line.set_called(i, called_as);
    const std::size_t number = i.index_in_computation();
    clones += line.apply((*lines)[number], (*lines)[number + 1]);
    renamed.emplace_back(i.id(), name);
    return true;
  };

  std::string called_as;
  if (producer.called_computation_count() == 1) {
    // A fused computation has one caller, so it is cloned too, with new names.
    const hlo_computation called = producer.called_computation(0);
    if (!called || called.is_anonymous() || !producer.has(attribute_key::calls)) return std::nullopt;
    const std::string_view text = module.data().written(called.record().text);
    detail::text_changes copy(whole);
    called_as = names.make(called.name());
    copy.replace(called.name(), called_as);
    std::vector<std::string> inner(called.instruction_count());
    for (const hlo_instruction i : called.instructions()) {
      if (i.is_synthesized()) return std::nullopt;
      inner[i.index_in_computation()] = names.make(i.name());
      copy.replace(i.name(), inner[i.index_in_computation()]);
      for (std::size_t k = 0; k < i.operand_count(); ++k)
        if (!i.operand(k) || !copy.set_operand(i, k, inner[i.operand(k).index_in_computation()])) return std::nullopt;
    }
    const std::size_t begin = detail::offset_of(text, whole), end = begin + text.size();
    changes.insert(end, "\n\n" + copy.apply(detail::line_begin_of(begin, whole), end));
  }
  if (!clone(producer, called_as)) return std::nullopt;
  for (const id b : edit.bitcasts)
    if (!clone(module.instruction(b), {})) return std::nullopt;
  changes.insert((*lines)[edit.to], clones);
  for (const id user : edit.late_users)
    if (!rewire(changes, module.instruction(user))) return std::nullopt;
  return changes.apply();
}

}  // namespace hlolint::advise
