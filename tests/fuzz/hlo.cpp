// libFuzzer target: any bytes read as HLO, or as instructions without their computation, give diagnostics, never a
// crash; all that records name is there; what is read whole is printed and read back as the same module.
#include <hlolint/parse_hlo.hpp>
#include <hlolint/print/print.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

template <class Record>
void expect_in(hlolint::id number, const std::vector<Record>& pool) {
  if (number != hlolint::none && number >= pool.size()) std::abort();
}
template <class Record>
void expect_in(hlolint::id_range part, const std::vector<Record>& pool) {
  if (part.count != 0 && (part.first >= pool.size() || part.count > pool.size() - part.first)) std::abort();
}

void expect_all_there(const hlolint::module_data& in) {
  expect_in(in.entry, in.computations);
  expect_in(in.attributes, in.attribute_pool);
  for (const hlolint::id called : in.called) expect_in(called, in.computations);
  for (const hlolint::computation_record& c : in.computations) {
    expect_in(c.instructions, in.instructions);
    expect_in(c.attributes, in.attribute_pool);
    expect_in(c.root, in.instructions);
    expect_in(c.declared_result, in.shapes);
  }
  for (const hlolint::instruction_record& i : in.instructions) {
    if (i.computation == hlolint::none) std::abort();
    expect_in(i.computation, in.computations);
    expect_in(i.shape, in.shapes);
    expect_in(i.operands, in.operands);
    expect_in(i.attributes, in.attribute_pool);
    expect_in(i.calls, in.called);
    for (hlolint::id k = i.operands.first; k < i.operands.first + i.operands.count; ++k) {
      const hlolint::operand_record& o = in.operands[k];
      expect_in(o.declared_shape, in.shapes);
      expect_in(o.instruction, in.instructions);
      if (o.instruction != hlolint::none && in.instructions[o.instruction].computation != i.computation) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hlolint::source text(std::string(reinterpret_cast<const char*>(data), size));
  const hlolint::parsed_file file = hlolint::parse_hlo(text);
  for (const hlolint::diagnostic& d : file.diagnostics) (void)d.where.begin();
  for (const hlolint::hlo_module& m : file.modules()) expect_all_there(m.data());
  const hlolint::parsed_file fragment = hlolint::parse_hlo(text, hlolint::hlo_extent::instruction_list);
  for (const hlolint::hlo_module& m : fragment.modules()) expect_all_there(m.data());
  if (file.status != hlolint::parse_status::ok) return 0;
  for (const hlolint::hlo_module& m : file.modules()) {
    const hlolint::parsed_file again = hlolint::parse_hlo(hlolint::source(hlolint::print(m, hlolint::form_of(m))));
    if (again.modules().size() != 1 || !(again.modules()[0] == m)) std::abort();
  }
  return 0;
}
