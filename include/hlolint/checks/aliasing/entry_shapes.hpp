// The shapes that aliases of a module's header refer to.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/str_cat.hpp>

#include <optional>
#include <vector>

namespace hlolint::detail {

/// Parameters and result of the entry: from `entry_computation_layout`, which is complete even if the rest of the file
/// is cut off; else from the entry computation, if it is complete and marks `ENTRY` and `ROOT`.
class entry_shapes {
 public:
  explicit entry_shapes(const hlo_module& module) : module_(module), header_(get<computation_layout>(module)) {
    if (header_) return;
    const hlo_computation entry = module.entry();
    const hlo_instruction root = root_of(entry);
    if (root && root.is_marked_root() && root.shape() && entry.is_marked_entry() && entry.is_complete())
      find_parameters(entry);
  }

  explicit operator bool() const { return header_ || entry_; }
  std::size_t parameter_count() const { return header_ ? header_->parameters.size() : parameters_.size(); }

  /// Null if there is no such parameter, or its shape is not written.
  const shape* parameter(std::int64_t number) const {
    if (number < 0 || static_cast<std::uint64_t>(number) >= parameter_count()) return nullptr;
    if (header_) return &header_->parameters[static_cast<std::size_t>(number)];
    return parameters_[static_cast<std::size_t>(number)];
  }
  const shape* result() const { return header_ ? &header_->result : entry_.root().shape(); }

  /// The place of a piece of the header.
  location where(std::string_view piece) const {
    return module_.text().contains(piece) ? location{module_.text(), span_of(module_.text().text(), piece)}
                                          : module_.where();
  }

 private:
  void find_parameters(hlo_computation entry) {
    entry_ = entry;
    parameters_.resize(entry.parameter_count());
    for (const hlo_instruction i : entry.instructions())
      if (const auto number = parameter_position(i); number && *number < parameters_.size())
        if (const shape*& known = parameters_[*number]; !known) known = i.shape();
  }

  hlo_module module_;
  std::optional<computation_layout> header_;
  hlo_computation entry_;
  std::vector<const shape*> parameters_;  // of the entry, by number
};

/// `parameter 1 at index {0}`
inline std::string parameter_text(std::int64_t number, const shape_index& index) {
  return str_cat({"parameter ", number, " at index ", to_string(index)});
}

/// Whether an alias may name this leaf: an array or buffer, and not the table of a tuple, a token or an opaque value.
inline bool is_shareable(const shape* leaf) { return leaf && (leaf->is_array() || leaf->type == element_type::buffer); }

}  // namespace hlolint::detail
