// Names of findings that survive recompilation.
#include <hlolint/lint/accept/fingerprint.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

static_assert(after_module_number("pre.module_0012.jit_f.3") == "jit_f.3" && !after_module_number("jit_module_0012.f"));
static_assert(without_number("fusion.12.1") == "fusion" && without_number("a.b") == "a.b" &&
              without_number(".1") == ".1");
static_assert(module_without_number("pre.module_0012.jit_f.3") == "jit_f" &&
              module_without_number("jit_f.4") == "jit_f");

namespace {
diagnostic example() {
  diagnostic d;
  d.rule = "PAD001";
  d.module = "module_0012.jit_f.3";
  d.computation = "main.5";
  d.instruction = "fusion.12.1";
  d.shape = "f32[8]{0}";
  d.op_name = "jit(f)/add";
  return d;
}
std::string of(diagnostic d) {
  std::vector<diagnostic> one{std::move(d)};
  add_fingerprints(one);
  return one[0].fingerprint;
}
}  // namespace

TEST_CASE("FNV-1a, 64 bits") {
  fnv1a hash;
  CHECK(hex16(hash.value()) == "cbf29ce484222325");
  hash.add("foobar");
  CHECK(hex16(hash.value()) == "85944171f73967e8");
}

TEST_CASE("numbers and places do not count") {
  diagnostic later = example();
  later.module = "jit_f.99";
  later.computation = "main";
  later.instruction = "fusion.7";
  later.message = "other words";
  later.where.at = {5, 9};
  later.bytes = 12;
  later.level = severity::note;
  CHECK(of(later) == of(example()));
  CHECK(fingerprint_key(later) == fingerprint_key(example()));
}

TEST_CASE("numbers inside of names do not count; they did in baselines of schema 1") {
  diagnostic before = example(), later = example();
  before.computation = "region_30.3928_spmd", later.computation = "region_30.4011_spmd";
  before.instruction = "fusion.3.clone.clone.2", later.instruction = "fusion.17.clone.clone";
  CHECK(fingerprint_key(before) == fingerprint_key(later));
  CHECK(of(before) == of(later));
  constexpr fingerprint_version old = fingerprint_version::end_numbers;
  CHECK(fingerprint_key(before, old) != fingerprint_key(later, old));
  CHECK(fingerprint_key(example()) == fingerprint_key(example(), old));  // where only names end in numbers
}

TEST_CASE("a finding of another rule, module, computation, instruction, shape or op_name has another fingerprint") {
  std::set<std::string> seen{of(example())};
  for (const auto change :
       {+[](diagnostic& d) { d.rule = "PAD002"; }, +[](diagnostic& d) { d.module = "jit_g"; },
        +[](diagnostic& d) { d.computation = "body"; }, +[](diagnostic& d) { d.instruction = "copy.1"; },
        +[](diagnostic& d) { d.shape = "f32[9]{0}"; }, +[](diagnostic& d) { d.op_name = ""; },
        +[](diagnostic& d) { std::swap(d.shape, d.op_name); }}) {
    diagnostic d = example();
    change(d);
    CHECK(seen.insert(of(d)).second);
  }
}

TEST_CASE("equal findings are distinguished by their order, whatever stands between them") {
  diagnostic other = example();
  other.rule = "COL001";
  std::vector<diagnostic> two{example(), example()}, mixed{example(), other, example()};
  add_fingerprints(two);
  add_fingerprints(mixed);
  CHECK(two[0].fingerprint != two[1].fingerprint);
  CHECK(mixed[0].fingerprint == two[0].fingerprint);
  CHECK(mixed[2].fingerprint == two[1].fingerprint);
  CHECK(two[0].fingerprint.find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("names without any number") {
  CHECK(without_numbers("fusion.12.remat.3") == "fusion.remat");
  CHECK(without_numbers("region_0.5.clone.3") == "region_0.clone");
  CHECK(without_numbers("main.54_spmd") == "main_spmd");
  CHECK(without_numbers("all-reduce.7-start") == "all-reduce-start");
  CHECK(without_numbers("p") == "p");
  CHECK(without_numbers("") == "");
  CHECK(without_numbers(".1") == ".1");
  CHECK(without_numbers("a.b.1") == "a.b");
  CHECK(without_numbers("x.1y") == "x.1y");
  CHECK(without_numbers("x.") == "x.");
}

TEST_CASE("names without numbers at their end") {
  struct row {
    std::string_view name, bare;
  };
  for (const row& r :
       {row{"fusion.12.1", "fusion"}, row{"fusion", "fusion"}, row{"a.b", "a.b"}, row{"a.1b", "a.1b"}, row{".1", ".1"},
        row{"add.", "add."}, row{"", ""}, row{"x2", "x2"}, row{"loop_fusion.remat.3", "loop_fusion.remat"}})
    CHECK(without_number(r.name) == r.bare);
  for (const row& r : {row{"jit_f", "jit_f"}, row{"jit_f.4", "jit_f"}, row{"module_0012.jit_f", "jit_f"},
                       row{"pre.module_0012.jit_f.2", "jit_f"}, row{"module_0012", "module_0012"},
                       row{"module_x.y", "module_x.y"}, row{"my_module_0012.f", "my_module_0012.f"}})
    CHECK(module_without_number(r.name) == r.bare);
}
