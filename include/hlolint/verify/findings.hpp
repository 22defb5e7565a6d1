// The findings of verify/: broken rules about names and numbers (SYN002), as diagnostics of one module.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint::module_rules {

/// A part of a message as text. @{
inline std::string in_words(const shape& s) { return to_string(s); }
constexpr std::string_view in_words(element_type type) { return name_of(type); }
constexpr std::string_view in_words(attribute_key key) { return name_of(key); }
constexpr std::string_view in_words(hlo_opcode opcode) { return name_of(opcode); }
template <class T>
requires std::is_constructible_v<hlolint::detail::text_part, const T&>
constexpr const T& in_words(const T& part) { return part; }
/// @}

/// The broken rules of one module, in the order in which they were found. Places are offsets in the module's text.
class findings {
 public:
  explicit findings(const hlo_module& m)
      : text_(m.text()), module_(m.data().has_header ? m.name() : std::string_view{}) {}

  /// Sets the computation that the next findings are about; empty for none, or for one without a name.
  void in_computation(std::string_view name) { computation_ = name; }

  /// Adds a finding. Its message is made of texts, numbers, shapes, and enumerators that have names.
  [[gnu::noinline, gnu::cold]] void add(std::uint32_t at, const auto&... parts) {
    list(at, str_cat({in_words(parts)...}));
  }
  /// Adds a finding with another place that the rule is about.
  [[gnu::noinline, gnu::cold]] void add_beside(std::uint32_t at, std::uint32_t other, std::string_view other_message,
                                               const auto&... parts) {
    list(at, str_cat({in_words(parts)...}));
    if (unlisted_ > 0) return;
    list_.back().related.push_back({{text_, {other, other}}, {}, std::nullopt, std::string(other_message)});
  }

  /// How many findings there are, up to the limit of the list.
  std::size_t size() const { return list_.size(); }

  /// Sets the instruction that all findings since the last call belong to. A nested operand belongs to the instruction
  /// around it.
  void are_of(std::string_view instruction) {
    for (; named_ != list_.size(); ++named_) list_[named_].instruction = instruction;
  }

  std::vector<diagnostic> take() && {
    if (unlisted_ > 0) list_.back().message = unlisted_text(unlisted_);
    return std::move(list_);
  }

 private:
  void list(std::uint32_t at, std::string message) {
    diagnostic& d = next();
    d = reading_problem("SYN002", std::move(message), {text_, {at, at}});
    d.module = module_;
    d.computation = computation_;
  }
  /// The first diagnostic beyond the limit stands for all further ones.
  diagnostic& next() {
    if (list_.size() < most_listed || unlisted_++ == 0) return list_.emplace_back();
    return unlisted_one_;
  }

  source text_;
  std::string module_;
  std::string computation_;
  std::vector<diagnostic> list_;
  diagnostic unlisted_one_;
  std::size_t named_ = 0, unlisted_ = 0;
};

}  // namespace hlolint::module_rules
