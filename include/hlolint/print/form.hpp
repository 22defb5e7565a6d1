// The forms in which modules are written: XLA's long and short form, and older forms (hlo_text.md 11).
#pragma once

#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

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

}  // namespace hlolint
