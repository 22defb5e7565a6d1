// TEAM003: a rule on shapes. Its level is note, so it is off unless it is selected.
#pragma once

#include <hlolint/check.hpp>

#include <string>
#include <tuple>

namespace team {

struct dot_dimensions {
  static constexpr hlolint::rule about{.id = "TEAM003",
                                       .name = "uneven-dot-dimension",
                                       .level = hlolint::severity::note,
                                       .what = "An operand of a dot with a dimension that is not a multiple of 128.",
                                       .why = "The matrix unit works on blocks of 128; the last one is not full.",
                                       .advice = "Choose sizes of the model that are multiples of 128.",
                                       .example = "%d = f32[256,1000]{1,0} dot(%a, %b), ..."};

  int multiple = 128;
  int smallest = 128;
  static constexpr auto options =
      std::tuple{hlolint::option{"multiple", &dot_dimensions::multiple, "what dimensions are to be a multiple of"},
                 hlolint::option{"smallest", &dot_dimensions::smallest, "smaller dimensions are not reported"}};

  void operator()(hlolint::hlo_instruction i, const hlolint::context&, hlolint::sink auto& emit) const {
    if (i.opcode() != hlolint::hlo_opcode::dot || multiple < 1) return;
    for (const hlolint::hlo_instruction operand : i.operands()) {
      if (!operand || !operand.shape()) continue;
      for (const hlolint::dimension& d : operand.shape()->dimensions)
        if (d.size >= smallest && d.size % multiple != 0)
          emit(hlolint::finding_at(i, "dimension of " + std::to_string(d.size) + " in " + std::string(operand.name())));
    }
  }
};

}  // namespace team
