// The text of a module after an edit of its schedule: the same lines, moved or cloned.
#pragma once

#include <hlolint/advise/instruction_order.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace hlolint::advise {

/// A value that is computed again before its late users. All instructions stand in one computation.
struct recompute {
  id producer = none;          ///< what is cloned
  record_list<id> bitcasts;    ///< on the way to late users; cloned too, in order
  record_list<id> late_users;  ///< they read the clones
  std::size_t to = 0;          ///< place in the computation before which the clones go
  friend bool operator==(const recompute&, const recompute&) = default;
};

namespace detail {

// Replacements in a text, by place.
class text_changes {
 public:
  explicit text_changes(std::string_view text) : text_(text) {}
  void replace(std::size_t begin, std::size_t end, std::string with) { list_.push_back({begin, end, std::move(with)}); }
  std::string apply(std::size_t from, std::size_t to) {
    sort_records(list_, [](const change& a, const change& b) { return a.begin < b.begin; });
    std::string out;
    std::size_t at = from;
    for (const change& c : list_) {
      if (c.begin < at || c.end > to) continue;
      out.append(text_.substr(at, c.begin - at)).append(c.with);
      at = c.end;
    }
    return out.append(text_.substr(at, to - at));
  }

 private:
  struct change {
    std::size_t begin, end;
    std::string with;
  };
  std::string_view text_;
  record_list<change> list_;
};

// Where the lines of a computation's instructions begin, in text order, and where the last one ends; nothing if two of
// them share a line, or not all are written.
inline optional<record_list<std::size_t>> line_begins(hlo_computation c) {
  const std::string_view whole = c.data().text.text();
  record_list<std::size_t> out;
  for (const hlo_instruction i : c.instructions()) {
    if (i.is_synthesized() || i.text().empty()) return std::nullopt;
    const auto at = static_cast<std::size_t>(i.text().data() - whole.data());
    const std::size_t newline = whole.rfind('\n', at);
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    if (!out.empty() && begin <= out.back()) return std::nullopt;
    // Nothing but ROOT stands before it.
    const std::string_view before = whole.substr(begin, at - begin);
    if (before.find_first_not_of(" \tROT%") != std::string_view::npos) return std::nullopt;
    out.push_back(begin);
  }
  if (out.empty()) return std::nullopt;
  const std::string_view last = c.instruction(c.instruction_count() - 1).text();
  const std::size_t end = whole.find('\n', static_cast<std::size_t>(last.data() + last.size() - whole.data()));
  if (end == std::string_view::npos) return std::nullopt;
  out.push_back(end + 1);
  return out;
}

}  // namespace detail

/// Whether the lines of a computation can be moved: one instruction each.
inline bool has_own_lines(hlo_computation c) { return detail::line_begins(c).has_value(); }

/// The whole text that the module stands in, with the instructions of its computations in the given order.
/// Precondition: every computation that is not in the order of the text `has_own_lines`.
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
  return changes.apply(0, whole.size());
}

namespace detail {

// New names: `fusion.3.remat` for a clone, and a number behind it where that is taken.
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

inline std::size_t offset_of(std::string_view part, std::string_view whole) {
  return static_cast<std::size_t>(part.data() - whole.data());
}
// Where the name of an operand stands; npos if it does not.
inline std::size_t operand_name_at(hlo_instruction user, std::size_t operand, std::string_view whole) {
  const std::string_view name = user.operand(operand).name();
  const std::size_t end = offset_of(user.text(), whole) + user.text().size();
  const auto is_name = [](char c) {
    return c == '_' || c == '.' || c == '-' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
  };
  for (std::size_t at = user.operand_location(operand).at.begin; (at = whole.find(name, at)) < end; ++at)
    if (!is_name(whole[at - 1]) && !is_name(whole[at + name.size()])) return at;
  return std::string_view::npos;
}

}  // namespace detail

/// The whole text with the clones of a recompute. Nothing if the lines do not allow it.
inline optional<std::string> recomputed_text(const hlo_module& module, const recompute& edit) {
  const std::string_view whole = module.text().text();
  const hlo_instruction producer = module.instruction(edit.producer);
  const hlo_computation c = producer.computation();
  const auto lines = detail::line_begins(c);
  if (!lines || producer.called_computation_count() > 1) return std::nullopt;
  detail::new_names names(module);
  detail::text_changes changes(whole);
  std::string clones;
  record_list<std::pair<id, std::string>> renamed;
  const auto rewire = [&](detail::text_changes& into, hlo_instruction user) {
    for (std::size_t k = 0; k < user.operand_count(); ++k)
      for (const auto& [old, name] : renamed)
        if (user.operand(k).id() == old) {
          const std::size_t at = detail::operand_name_at(user, k, whole);
          if (at == std::string_view::npos) return false;
          into.replace(at, at + user.operand(k).name().size(), name);
        }
    return true;
  };
  const auto clone = [&](hlo_instruction i, const std::string& called_as) {
    detail::text_changes line(whole);
    if (!rewire(line, i)) return false;
    const std::string name = names.make(i.name());
    const std::size_t at = detail::offset_of(i.name(), whole);
    line.replace(at, at + i.name().size(), name);
    if (!called_as.empty()) {
      const std::string_view calls = *i.attribute(attribute_key::calls);
      const std::size_t begin = detail::offset_of(calls, whole) + (calls.front() == '%');
      line.replace(begin, detail::offset_of(calls, whole) + calls.size(), called_as);
    }
    const std::size_t number = i.index_in_computation();
    clones += line.apply((*lines)[number], (*lines)[number + 1]);
    renamed.emplace_back(i.id(), name);
    return true;
  };

  std::string called_as;
  if (producer.called_computation_count() == 1) {
    // A fused computation has one caller: it is cloned with its names.
    const hlo_computation called = producer.called_computation(0);
    if (!called || called.is_anonymous() || !producer.has(attribute_key::calls)) return std::nullopt;
    const std::string_view text = module.data().written(called.record().text);
    detail::text_changes copy(whole);
    called_as = names.make(called.name());
    const std::size_t name_at = detail::offset_of(called.name(), whole);
    copy.replace(name_at, name_at + called.name().size(), called_as);
    record_list<std::string> inner(called.instruction_count());
    for (const hlo_instruction i : called.instructions()) {
      if (i.is_synthesized()) return std::nullopt;
      inner[i.index_in_computation()] = names.make(i.name());
      const std::size_t at = detail::offset_of(i.name(), whole);
      copy.replace(at, at + i.name().size(), inner[i.index_in_computation()]);
      for (std::size_t k = 0; k < i.operand_count(); ++k) {
        if (!i.operand(k)) return std::nullopt;
        const std::size_t operand = detail::operand_name_at(i, k, whole);
        if (operand == std::string_view::npos) return std::nullopt;
        copy.replace(operand, operand + i.operand(k).name().size(), inner[i.operand(k).index_in_computation()]);
      }
    }
    const std::size_t begin = detail::offset_of(text, whole), end = begin + text.size();
    const std::size_t line = whole.rfind('\n', begin);
    const std::size_t from = line == std::string_view::npos ? 0 : line + 1;
    changes.replace(end, end, "\n\n" + copy.apply(from, end));
  }
  if (!clone(producer, called_as)) return std::nullopt;
  for (const id b : edit.bitcasts)
    if (!clone(module.instruction(b), {})) return std::nullopt;
  changes.replace((*lines)[edit.to], (*lines)[edit.to], clones);
  for (const id user : edit.late_users)
    if (!rewire(changes, module.instruction(user))) return std::nullopt;
  return changes.apply(0, whole.size());
}

}  // namespace hlolint::advise
