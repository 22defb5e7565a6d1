// Defines a rule and runs it together with a built-in one: custom_check FILE...
#include <hlolint/check.hpp>
#include <hlolint/checks/aliasing/alias_duplicate.hpp>

#include <iostream>
#include <vector>

struct wide_all_reduce {
  static constexpr hlolint::rule about{.id = "TEAM001",
                                       .name = "wide-all-reduce",
                                       .what = "An all-reduce in f32.",
                                       .why = "In bf16 it would transfer half as much.",
                                       .advice = "Cast gradients to bf16 before they are summed."};

  void operator()(hlolint::hlo_instruction i, const hlolint::context&, hlolint::sink auto& emit) const {
    using enum hlolint::hlo_opcode;
    if ((i.opcode() != all_reduce && i.opcode() != all_reduce_start) || i.operand_count() == 0) return;
    const hlolint::shape* const sent = i.operand(0) ? i.operand(0).shape() : nullptr;
    if (sent && sent->type == hlolint::element_type::f32) emit(hlolint::finding_at(i, "sums in f32"));
  }
};

int main(int count, char** paths) {
  hlolint::text_report print(std::cout);
  std::vector<hlolint::parsed_file> files;
  for (int i = 1; i < count; ++i) {
    const auto file = hlolint::load_file(paths[i]);
    if (!file.text) return std::cerr << paths[i] << ": " << file.error << '\n', 2;
    files.push_back(hlolint::parse(*file.text));
    for (const auto& unreadable : files.back().diagnostics) print(unreadable);
  }

  for (const auto& finding : hlolint::lint(hlolint::checks(wide_all_reduce{}, hlolint::alias_duplicate{}), files))
    print(finding);
}
