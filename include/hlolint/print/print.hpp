// Prints modules as XLA does: in the long form, the short form, and older forms (hlo_text.md 11, 13).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// How a module is printed. The defaults are XLA's long form of today.
struct print_form {
  bool percent = true;                 ///< `%` before names
  bool signatures = true;              ///< `(p: f32[]) -> f32[]` after computation names
  bool operand_shapes = false;         ///< shapes before operand names (default of XLA until 2025-03)
  bool operand_index_comments = true;  ///< `/*index=5*/` before every fifth operand
  bool closing_names = false;          ///< ` // name` after the brace of a computation of more than 5 instructions

  friend bool operator==(const print_form&, const print_form&) = default;
};
/// XLA's long form: with `%` and signatures.
inline constexpr print_form long_form{};
/// XLA's short form: names, operands and attributes only.
inline constexpr print_form short_form{false, false, false, false, false};

/// The form in which a module was written, as far as its text shows it.
inline print_form form_of(const hlo_module& m) {
  const std::string_view text = m.text().text();
  print_form form = short_form;
  const auto before = [&](std::string_view name) { return name.data() == text.data() ? '\0' : name.data()[-1]; };
  for (const hlo_computation c : m.computations()) {
    if (c.is_synthesized() || c.is_anonymous()) continue;
    form.percent |= before(c.name()) == '%';
    form.signatures |= !c.signature().empty();
    const std::string_view rest = text.substr(c.record().text.end);
    form.closing_names |= rest.substr(0, 4 + c.name().size()) == " // " + std::string(c.name());
    for (const hlo_instruction i : c.instructions()) {
      if (i.is_synthesized()) continue;
      for (std::size_t k = 0; k < std::min<std::size_t>(i.operand_count(), 6); ++k) {
        form.operand_shapes |= i.operand_shape(k) != nullptr;
        if (k == 5) {
          const std::string_view upto = text.substr(i.operand_location(4).at.begin,
                                                    i.operand_location(5).at.begin - i.operand_location(4).at.begin);
          form.operand_index_comments |= upto.find("/*index=5*/") != std::string_view::npos;
        }
      }
    }
  }
  return form;
}

namespace detail {

class module_printer {
 public:
  module_printer(const hlo_module& m, print_form form) : m_(m), form_(form) {}

  std::string print() {
    out_.reserve(m_.data().extent.size() + 256);
    const module_data& d = m_.data();
    if (d.has_header) {
      append_to(out_, {"HloModule ", m_.name()});
      for (const hlo_attribute a : m_.attributes()) attribute(a);
      if (d.has_stack_tables) stack_tables();
      out_ += "\n\n";
    } else if (begins_with_other_than_entry()) {
      append_to(out_, {"HloModule ", m_.name(), "\n\n"});
    }
    for (const hlo_computation c : m_.computations()) {
      if (c.is_synthesized()) continue;
      if (!c.is_anonymous())
        computation(c);
      else if (c.is_entry())
        lone_instruction(c);
    }
    return std::move(out_);
  }

 private:
  /// Whether XLA would read the text as a single instruction, since no header and no `ENTRY` begins it.
  bool begins_with_other_than_entry() const {
    if (!m_.entry() || m_.entry().is_anonymous()) return false;
    for (const hlo_computation c : m_.computations())
      if (!c.is_synthesized() && !c.is_anonymous()) return !c.is_marked_entry();
    return false;
  }

  void name(std::string_view text) {
    if (form_.percent) out_ += '%';
    out_ += text;
  }

  void computation(hlo_computation c) {
    if (c.is_marked_entry()) out_ += "ENTRY ";
    name(c.name());
    out_ += ' ';
    if (form_.signatures && c.root() && c.root().shape()) signature(c);
    out_ += "{\n";
    for (const hlo_instruction i : c.instructions()) {
      if (i.is_short_element()) continue;
      out_ += "  ";
      if (i.is_root() && (i.is_marked_root() || !marked_root(c))) out_ += "ROOT ";
      instruction(i);
      out_ += '\n';
    }
    out_ += '}';
    if (c.execution_thread() != "main") out_ += ", execution_thread=\"" + std::string(c.execution_thread()) + "\"";
    for (const hlo_attribute a : c.attributes())
      if (a.key != attribute_key::execution_thread) attribute(a);
    if (form_.closing_names && c.instruction_count() > 5) out_ += " // " + std::string(c.name());
    out_ += "\n\n";
  }
  static bool marked_root(hlo_computation c) { return c.root() && c.root().is_marked_root(); }

  void signature(hlo_computation c) {
    std::vector<std::pair<std::int64_t, hlo_instruction>> parameters;
    for (const hlo_instruction i : c.instructions())
      if (i.opcode() == hlo_opcode::parameter) parameters.emplace_back(i.parameter_number().value_or(0), i);
    std::stable_sort(parameters.begin(), parameters.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    out_ += '(';
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      append_to(out_, {k ? ", " : "", parameters[k].second.name(), ": "});
      if (const shape* const s = parameters[k].second.shape()) append(out_, *s, {.layout = false});
    }
    out_ += ") -> ";
    append(out_, *c.root().shape(), {.layout = false});
    out_ += ' ';
  }

  /// A module of one instruction: the shapes before its operands are those of parameters that are not written.
  void lone_instruction(hlo_computation c) {
    for (const hlo_instruction i : c.instructions()) {
      if (i.opcode() == hlo_opcode::parameter && i.is_synthesized()) continue;
      if (i.is_short_element()) continue;
      form_.operand_shapes = true;
      if (i.is_marked_root()) out_ += "ROOT ";
      if (i.is_synthesized())
        right_hand_side(i);
      else
        instruction(i);
      out_ += '\n';
    }
  }

  void instruction(hlo_instruction i) {
    name(i.name());
    out_ += " = ";
    right_hand_side(i);
  }

  void right_hand_side(hlo_instruction i) {
    if (i.shape()) {
      append(out_, *i.shape());
      out_ += ' ';
    }
    append_to(out_, {i.opcode_text(), "("});
    if (i.opcode() == hlo_opcode::parameter || i.opcode() == hlo_opcode::constant) {
      out_ += i.argument();
    } else {
      for (std::size_t k = 0; k < i.operand_count(); ++k) {
        if (k) out_ += ", ";
        if (k && k % 5 == 0 && form_.operand_index_comments) out_ += "/*index=" + std::to_string(k) + "*/";
        operand(i, k);
      }
    }
    out_ += ')';
    for (const hlo_attribute a : i.attributes()) attribute(a);
  }

  void operand(hlo_instruction i, std::size_t k) {
    const hlo_instruction o = i.operand(k);
    if (form_.operand_shapes) {
      const shape* const written = i.operand_shape(k);
      const shape* const s = written ? written : o ? o.shape() : nullptr;
      if (s) {
        append(out_, *s);
        out_ += ' ';
      }
    }
    if (!o) {
      name(word_at(i.operand_location(k).at.begin));
    } else if (o.is_synthesized() && o.opcode() == hlo_opcode::parameter && o.name().starts_with("param_") &&
               o.text().empty()) {
      while (!out_.empty() && out_.back() == ' ') out_.pop_back();  // only the shape is written
    } else {
      operand_name(o);
    }
  }
  /// The name of an operand that no instruction has.
  std::string_view word_at(std::uint32_t offset) const {
    const std::string_view text = m_.text().text();
    const char* const last = text.data() + text.size();
    const char* const first = scan::blanks(text.data() + offset, last);
    const char* const end = scan::word(first, last);
    return end ? scan::view(first, end) : "_";
  }
  void operand_name(hlo_instruction o) {
    if (!o.is_short_element()) return name(o.name());
    operand_name(o.operand(0));
    // The name is made of that of the tuple: `a_0` of `a`.
    append_to(out_, {"#", o.name().substr(o.operand(0).name().size() + 1)});
  }

  void attribute(const hlo_attribute& a) {
    append_to(out_, {", ", a.name, "="});
    const auto names = holds_names(a.key) ? get_names(a) : std::nullopt;
    if (!names) {  // it holds no names, or a computation in place of a name
      out_ += a.value;
      return;
    }
    if (!names->listed) return name(names->names.front());
    out_ += '{';
    for (std::size_t k = 0; k != names->names.size(); ++k) {
      if (k) out_ += ", ";
      name(names->names[k]);
    }
    out_ += '}';
  }

  void stack_tables() {
    const module_data& d = m_.data();
    const auto texts = [&](const char* title, const std::vector<span>& list) {
      out_ += title;
      for (std::size_t i = 0; i < list.size(); ++i) append_to(out_, {i + 1, " ", d.written(list[i]), "\n"});
    };
    texts("\n\nFileNames\n", d.file_names);
    texts("\nFunctionNames\n", d.function_names);
    out_ += "\nFileLocations\n";
    for (std::size_t i = 0; i < d.file_locations.size(); ++i) {
      const file_location_record& l = d.file_locations[i];
      append_to(out_, {i + 1, " {file_name_id=", l.file_name_id, " function_name_id=", l.function_name_id, " line=",
                       l.line, " end_line=", l.end_line, " column=", l.column, " end_column=", l.end_column, "}\n"});
    }
    out_ += "\nStackFrames\n";
    for (std::size_t i = 0; i < d.stack_frames.size(); ++i)
      append_to(out_, {i + 1, " {file_location_id=", d.stack_frames[i].file_location_id,
                       " parent_frame_id=", d.stack_frames[i].parent_frame_id, "}\n"});
  }

  const hlo_module& m_;
  print_form form_;
  std::string out_;
};

}  // namespace detail

/// The module's text. Attributes keep their order and, names aside, their text.
inline std::string print(const hlo_module& m, print_form form = long_form) {
  return detail::module_printer(m, form).print();
}

}  // namespace hlolint
