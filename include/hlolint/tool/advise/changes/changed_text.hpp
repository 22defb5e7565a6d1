// Finds and replaces the parts of instructions that a change of the program rewrites in a module's text.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/advise/edited_text.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::advise::detail {

// Whether the text of a fused computation can be rewritten: each instruction has a line of its own, and only the name
// stands before the parameters.
inline bool is_plain_body(hlo_computation body) {
  if (!body || body.is_anonymous() || body.is_synthesized() || !body.is_complete() || !body.root() ||
      !has_own_lines(body) || body.execution_thread() != "main")
    return false;
  const std::string_view whole = body.data().text.text();
  const std::size_t name = offset_of(body.name(), whole), begin = line_begin_of(name, whole);
  const std::string_view text = body.data().written(body.record().text);
  return whole.substr(begin, name - begin).find_first_not_of(" \t%") == std::string_view::npos && !text.empty() &&
         text.back() == '}' && body.root().is_marked_root();
}

// The mark before a name in the text: `%` or nothing.
inline std::string_view mark_of(std::string_view name, std::string_view whole) {
  const std::size_t at = offset_of(name, whole);
  return at > 0 && whole[at - 1] == '%' ? "%" : "";
}

// Replaces shapes in the text of one module. Functions return false if the text has an unknown form there.
class program_text : public text_changes {
 public:
  using text_changes::text_changes;
  // Replaces the shape of a result: the text between `=` and the opcode.
  bool set_shape(hlo_instruction i, const shape& to) {
    if (i.is_synthesized()) return false;
    const std::size_t opcode = offset_of(i.opcode_text(), whole_);
    std::size_t at = whole_.find('=', offset_of(i.name(), whole_) + i.name().size());
    if (at == std::string_view::npos || at >= opcode) return false;
    at = whole_.find_first_not_of(" \t", at + 1);
    if (at >= opcode) return false;
    replace(at, opcode, to_string(to) + " ");
    return true;
  }
  // Replaces the shape before the name of an operand, if there is one.
  bool set_operand_shape(hlo_instruction user, std::size_t k, const shape& to) {
    const auto at = operand_at(user, k);
    if (at && user.operand_shape(k)) replace(at->begin, at->shape_end, to_string(to) + " ");
    return at.has_value();
  }
  // The text of an operand, with the shape before it; empty if it has an unknown form.
  std::string_view operand_text(hlo_instruction user, std::size_t k) const {
    const auto at = operand_at(user, k);
    return at ? whole_.substr(at->begin, at->name + user.operand(k).name().size() - at->begin) : std::string_view{};
  }

 private:
  struct operand_place {
    std::size_t begin, shape_end, name;  // the shape may be empty
  };
  std::optional<operand_place> operand_at(hlo_instruction user, std::size_t k) const {
    constexpr std::size_t none_there = std::string_view::npos;
    const std::size_t name = operand_name_at(user, k, whole_);
    if (user.is_synthesized() || name == none_there) return std::nullopt;
    std::size_t begin = k == 0 ? offset_of(user.opcode_text(), whole_) + user.opcode_text().size()
                               : operand_name_at(user, k - 1, whole_);
    if (begin == none_there || (k == 0 && whole_[begin] != '(')) return std::nullopt;
    begin += k == 0 ? 1 : user.operand(k - 1).name().size();
    // Skips the separator between operands, with comments like /*index=5*/.
    while (begin < name && (whole_[begin] == ',' || whole_[begin] == ' ' || whole_[begin] == '/')) {
      if (whole_[begin] == '/') begin = whole_.find("*/", begin) + 1;
      ++begin;
    }
    const std::size_t shape_end = name - (whole_[name - 1] == '%');
    if (begin > shape_end || (begin < shape_end) != (user.operand_shape(k) != nullptr)) return std::nullopt;
    return operand_place{begin, shape_end, name};
  }
};

// The names and shapes of a computation's parameters, by number, and the shape of its result.
struct typed_names {
  std::vector<std::pair<std::string, shape>> parameters;
  shape result;
};
// The signature as XLA writes it: `(p: f32[2]) -> f32[2]`.
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
// The parameters and the result; nothing if a shape is not written, or if the numbers of parameters have gaps.
inline std::optional<typed_names> typed_names_of(hlo_computation body) {
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
