// A single instruction of HLO text, as buffer dumps print it after `from instruction:`.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/parse_hlo.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Reads one instruction. Operands and called computations that it only names are missing in the result.
class lone_instruction {
 public:
  /// `text`: one instruction of HLO, in one line.
  explicit lone_instruction(std::string_view text) {
    if (text.empty()) return;
    parsed_file file = parse_hlo(source("ENTRY %alone {\n  ROOT " + std::string(text) + "\n}\n", "<instruction>"));
    if (!file.modules().empty()) module_ = std::move(file.modules().front());
  }

  /// An empty view if the text is not an instruction.
  hlo_instruction get() const {
    const hlo_computation entry = module_.entry();
    return entry ? entry.root() : hlo_instruction{};
  }

 private:
  hlo_module module_;
};

}  // namespace hlolint
