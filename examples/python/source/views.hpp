// Views of a module for Python; each keeps the module alive.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <hlolint/analysis/program/users.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::python {

namespace nb = nanobind;

/// Text of a dump as a Python string; bytes that are no UTF-8 become U+FFFD.
inline nb::str text(std::string_view bytes) {
  PyObject* const made = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
  if (!made) throw nb::python_error();
  return nb::steal<nb::str>(made);
}

/// A module with cached results, which Python's lock guards.
class shared_module {
 public:
  explicit shared_module(hlo_module module) : module_(std::move(module)) {}
  const hlo_module& module() const { return module_; }
  const hlolint::users& users() {
    if (!users_) users_.emplace(module_);
    return *users_;
  }
  /// The text of a shape of this module, made once for all instructions that share the shape.
  const nb::str& shape_text(const shape& of) {
    const auto at = static_cast<std::size_t>(&of - module_.data().shapes.data());
    if (shape_texts_.empty()) shape_texts_.resize(module_.data().shapes.size());
    std::optional<nb::str>& made = shape_texts_[at];
    if (!made) made = text(to_string(of));
    return *made;
  }

 private:
  hlo_module module_;
  std::optional<hlolint::users> users_;
  std::vector<std::optional<nb::str>> shape_texts_;
};
using module_handle = std::shared_ptr<shared_module>;

/// A view, and its module.
template <class View>
struct owned {
  module_handle owner;
  View view;
  friend bool operator==(const owned& a, const owned& b) { return a.view == b.view; }
};
using instruction = owned<hlo_instruction>;
using computation = owned<hlo_computation>;

/// Consecutive instructions of a module, converted on access.
struct instruction_range {
  module_handle owner;
  id first = 0;
  std::size_t count = 0;
  instruction at(std::size_t i) const {
    return {owner, hlo_instruction(&owner->module().data(), first + static_cast<id>(i))};
  }
};
struct instruction_iterator {
  instruction_range of;
  std::size_t next = 0;
};

/// `None` for an empty view.
template <class View>
nb::object or_none(const module_handle& owner, View view) {
  return view ? nb::cast(owned<View>{owner, view}) : nb::none();
}

/// The value of an attribute as a number, list, name or dictionary, else as its text.
nb::object value_of(hlo_instruction i, const hlo_attribute& attribute);

/// The collectives of a module, in text order: a list of dictionaries.
nb::list collectives_of(const module_handle& owner);

/// Adds the function that runs the command on dumps that were parsed already.
void add_command(nb::module_& to);

}  // namespace hlolint::python
