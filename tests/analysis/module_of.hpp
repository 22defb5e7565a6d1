// What tests of analyses and checks begin with: text to values, which must be right.
#pragma once

#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace hlolint::testing {

/// The one module of a text without faults.
inline hlo_module module_of(std::string_view text) {
  const parsed_file file = parse(std::string(text));
  for (const diagnostic& d : file.diagnostics)
    if (d.level == severity::error) throw std::runtime_error(d.message + " in " + std::string(text));
  if (file.modules().size() != 1) throw std::runtime_error("not one module: " + std::string(text));
  return file.modules()[0];
}

/// The one module of a text, whatever is wrong with it.
inline hlo_module faulty_module_of(std::string_view text) {
  const parsed_file file = parse(std::string(text));
  if (file.modules().size() != 1) throw std::runtime_error("not one module: " + std::string(text));
  return file.modules()[0];
}

/// The buffers of a text without faults.
inline buffer_dump buffers_of(std::string_view text) {
  const parsed_file file = parse(std::string(text));
  for (const diagnostic& d : file.diagnostics)
    if (d.level == severity::error) throw std::runtime_error(d.message + " in " + std::string(text));
  if (!file.buffers) throw std::runtime_error("no buffers: " + std::string(text));
  return *file.buffers;
}

/// A shape, by way of a parameter that has it.
inline shape shape_of(std::string_view text) {
  const hlo_module module =
      module_of("HloModule m\n\nENTRY %e {\n  ROOT %p = " + std::string(text) + " parameter(0)\n}\n");
  return *module.entry().root().shape();
}

/// An instruction by name, from any computation.
inline hlo_instruction instruction_of(const hlo_module& module, std::string_view name) {
  for (const hlo_instruction i : module.instructions())
    if (i.name() == name) return i;
  throw std::runtime_error("no instruction " + std::string(name));
}

/// The names of instructions or computations, in order: `a b c`.
template <class Range>
std::string names_in(const Range& list) {
  std::string out;
  for (const auto& i : list) out += (out.empty() ? "" : " ") + std::string(i.name());
  return out;
}

}  // namespace hlolint::testing
