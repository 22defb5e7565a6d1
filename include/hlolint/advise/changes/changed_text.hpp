// Where in a module's text the parts of an instruction stand that a change of the program rewrites.
#pragma once

#include <hlolint/advise/edited_text.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::advise::detail {

// Whether a computation can be rewritten: instructions on lines of their own, and nothing but its name before its
// parameters. One fusion alone calls it.
inline bool is_plain_body(hlo_computation body) {
  if (!body || body.is_anonymous() || body.is_synthesized() || !body.is_complete() || !body.root() ||
      !has_own_lines(body) || body.execution_thread() != "main")
    return false;
  const std::string_view whole = body.data().text.text();
  const std::size_t name = offset_of(body.name(), whole), line = whole.rfind('\n', name);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const std::string_view text = body.data().written(body.record().text);
  return whole.substr(begin, name - begin).find_first_not_of(" \t%") == std::string_view::npos && !text.empty() &&
         text.back() == '}' && body.root().is_marked_root();
}

// Before a name as it is written: `%` or nothing.
inline std::string_view mark_of(std::string_view name, std::string_view whole) {
  const std::size_t at = offset_of(name, whole);
  return at > 0 && whole[at - 1] == '%' ? "%" : "";
}

// Replaces parts of the text of one module; false: the part is not written in a way that is known.
class program_text {
 public:
  explicit program_text(std::string_view whole) : whole_(whole), changes_(whole) {}

  std::string apply() { return apply(0, whole_.size()); }
  std::string apply(std::size_t from, std::size_t to) { return changes_.apply(from, to); }
  void replace(std::size_t begin, std::size_t end, std::string with) { changes_.replace(begin, end, std::move(with)); }
  void replace(std::string_view part, std::string with) {
    const std::size_t at = offset_of(part, whole_);
    changes_.replace(at, at + part.size(), std::move(with));
  }
  void insert(std::size_t at, std::string what) { changes_.replace(at, at, std::move(what)); }

  // Of the result: what stands between `=` and the opcode.
  bool set_shape(hlo_instruction i, const shape& to) {
    if (i.is_synthesized()) return false;
    const std::size_t opcode = offset_of(i.opcode_text(), whole_);
    std::size_t at = whole_.find('=', offset_of(i.name(), whole_) + i.name().size());
    if (at == std::string_view::npos || at >= opcode) return false;
    at = whole_.find_first_not_of(" \t", at + 1);
    if (at >= opcode) return false;
    changes_.replace(at, opcode, to_string(to) + " ");
    return true;
  }
  // Before the name of an operand, if one stands there.
  bool set_operand_shape(hlo_instruction user, std::size_t k, const shape& to) {
    const auto [begin, name] = operand_at(user, k);
    if (name == std::string_view::npos) return false;
    if (user.operand_shape(k)) changes_.replace(begin, name - mark_of(user, k).size(), to_string(to) + " ");
    return true;
  }
  bool set_operand(hlo_instruction user, std::size_t k, const std::string& to) {
    const std::size_t name = operand_name_at(user, k, whole_);
    if (name == std::string_view::npos) return false;
    changes_.replace(name, name + user.operand(k).name().size(), to);
    return true;
  }
  // An operand with the shape before it; empty: it is not written.
  std::string_view operand_text(hlo_instruction user, std::size_t k) const {
    const auto [begin, name] = operand_at(user, k);
    if (name == std::string_view::npos) return {};
    return whole_.substr(begin, name + user.operand(k).name().size() - begin);
  }

 private:
  // Where an operand begins, with its shape, and where its name does; npos: it is not written in a way that is known.
  std::pair<std::size_t, std::size_t> operand_at(hlo_instruction user, std::size_t k) const {
    constexpr std::size_t none_there = std::string_view::npos;
    const std::size_t name = operand_name_at(user, k, whole_);
    if (user.is_synthesized() || name == none_there) return {none_there, none_there};
    std::size_t begin = k == 0 ? offset_of(user.opcode_text(), whole_) + user.opcode_text().size()
                               : operand_name_at(user, k - 1, whole_);
    if (begin == none_there || (k == 0 && whole_[begin] != '(')) return {none_there, none_there};
    begin += k == 0 ? 1 : user.operand(k - 1).name().size();
    // What separates it from the one before it, with comments like /*index=5*/.
    while (begin < name && (whole_[begin] == ',' || whole_[begin] == ' ' || whole_[begin] == '/')) {
      if (whole_[begin] == '/') begin = whole_.find("*/", begin) + 1;
      ++begin;
    }
    const std::size_t until = name - mark_of(user, k).size();
    if (begin > until || (begin < until) != (user.operand_shape(k) != nullptr)) return {none_there, none_there};
    return {begin, name};
  }
  std::string_view mark_of(hlo_instruction user, std::size_t k) const {
    return whole_[operand_name_at(user, k, whole_) - 1] == '%' ? "%" : "";
  }

  std::string_view whole_;
  text_changes changes_;
};

// Parameters of a computation, by number, and its result.
struct typed_names {
  record_list<std::pair<std::string, shape>> parameters;
  shape result;
};
// `(p: f32[2]) -> f32[2]`
inline std::string signature_text(const typed_names& of) {
  std::string out = "(";
  for (const auto& [name, type] : of.parameters) {
    if (out.size() > 1) out += ", ";
    out += name + ": ";
    append(out, type, {.layout = false});
  }
  out += ") -> ";
  append(out, of.result, {.layout = false});
  return out;
}
// Nothing if a shape is not written, or parameters are not numbered from 0 on.
inline optional<typed_names> typed_names_of(hlo_computation body) {
  typed_names out;
  for (std::int64_t n = 0; const hlo_instruction p = body.parameter(n); ++n) {
    if (!p.shape()) return std::nullopt;
    out.parameters.emplace_back(std::string(p.name()), *p.shape());
  }
  if (!body.root().shape() || out.parameters.size() != body.parameter_count()) return std::nullopt;
  out.result = *body.root().shape();
  return out;
}

}  // namespace hlolint::advise::detail
