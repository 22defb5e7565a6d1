// Which files belong together, and what their names and contents show.
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/ir/join_buffers.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

static_assert(file_stem_of("d/m.x-live-range.txt") == file_stem{"d/", "m.x", "-live-range.txt"});
static_assert(is_earlier_stage("m.0001.spmd.after_a.before_b.txt") &&
              !is_earlier_stage("m.cpu_after_optimizations.txt"));
static_assert(unoptimized_stem("d/m.f.before_optimizations.txt") == "d/m.f" &&
              unoptimized_stem("d/m.after_optimizations.txt").empty());
static_assert(find_unoptimized_stem("d/m.f.sm_8.0_gpu_after_optimizations.txt",
                                    [](std::string_view stem) { return stem == "d/m.f"; }));
static_assert(dump_file_of("d/module_0001.jit_f.cl_1.after_codegen.txt").module == "module_0001.jit_f.cl_1");
static_assert(dump_file_of("d/module_0001.jit_f.snapshot.-14.pb").module == "module_0001.jit_f");
static_assert(dump_file_of("d/module_0001.jit_f.execution_0003.hlo_unoptimized_snapshot.pb").module ==
              "module_0001.jit_f");
static_assert(dump_file_of("module_0001.jit_f.sm_9.0a_gpu_after_optimizations-live-range.txt").module ==
              "module_0001.jit_f.sm_9.0a_gpu");
static_assert(target_of_file_name("module_0001.jit_f.cl_1014260217.after_codegen.txt") == target::tpu);
static_assert(module_name_of("module_0012.jit_f.cl_1.after_codegen") == "jit_f");
static_assert(may_be_of_one_module("module_0001.jit_f.cpu_after_optimizations.txt",
                                   "a/module_0001.jit_f.gpu_after_optimizations-live-range.txt"));
static_assert(!may_be_of_one_module("module_0001.jit_f.cpu_after_optimizations.txt",
                                    "module_0002.jit_g.cpu_after_optimizations-buffer-assignment.txt"));
static_assert(may_be_of_one_module("f.txt", "module_0002.jit_g.cpu_after_optimizations-buffer-assignment.txt"));
static_assert(module_name_of("module_0012.jit_f.sm_8.0_gpu_after_optimizations") == "jit_f");
static_assert(target_of_file_name("gpu/output.txt") == target::unknown);
static_assert(target_of_file_name("module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt") == target::gpu);

static_assert(!may_be_of_one_module("d/module_0001.jit_f.cpu_after_optimizations.txt",
                                    "d/module_0002.jit_f.cpu_after_optimizations-buffer-assignment.txt"));
static_assert(!may_be_of_one_module("module_0001.jit_f.txt", "module_0001.jit_fg-buffer-assignment.txt"));
static_assert(may_be_of_one_module("a/module_0001.jit_f.before_optimizations.txt",
                                   "b/module_0001.jit_f.cl_1.after_optimizations-live-range.txt"));
static_assert(may_be_of_one_module("a/train.txt", "b/module_0001.jit_f.cl_1.after_optimizations-live-range.txt"));

namespace {

// A module whose entry has instructions of the given names.
std::string hlo(const std::string& name, const std::vector<std::string>& instructions) {
  std::string out = "HloModule " + name + ", is_scheduled=true\n\nENTRY %main () -> f32[] {\n";
  for (const std::string& i : instructions)
    out += std::string(i == instructions.back() ? "  ROOT %" : "  %") + i + " = f32[] constant(1)\n";
  return out + "}\n";
}
std::string assignment(const std::vector<std::string>& instructions) {
  std::string out = "BufferAssignment:\nallocation 0: size 4, preallocated-temp:\n";
  int id = 0;
  for (const std::string& i : instructions)
    out += " value: <" + std::to_string(id++) + " " + i + " @0> (size=4,offset=0): f32[]\n";
  return out;
}
std::string ranges(const std::vector<std::string>& instructions) {
  std::string out = "HloLiveRange (max " + std::to_string(instructions.size()) + "):\n  InstructionSequence:\n";
  for (std::size_t i = 0; i < instructions.size(); ++i)
    out += "    " + std::to_string(i) + ":" + instructions[i] + "\n";
  return out + "  BufferLiveRange:\n  Live ranges at 0 (peak):\n";
}
const std::string report = "Total bytes used: 4 (4B)\n\nAllocations sorted by size:\n\n";

struct named_text {
  std::string path, text;
  bool named = true;
};

// `jit_f:a+b; c`: per group the HLO's name, then the files; `!` before one that is left out; `~` before one beside; `^`
// before what the module was before optimization; `?` before HLO that only its name keeps apart.
std::string outcome(const std::vector<named_text>& files) {
  std::vector<parsed_file> parsed;
  for (const named_text& f : files) parsed.push_back(parse(source(std::string(f.text), f.path)));
  std::vector<input_file> inputs;
  for (std::size_t i = 0; i < files.size(); ++i) inputs.push_back({files[i].path, &parsed[i], files[i].named});
  const paired_files pairs = pair_files(inputs);
  std::string out;
  for (const module_group& g : pairs.groups) {
    out += (out.empty() ? "" : "; ") + (g.hlo ? std::string(g.hlo->name()) : "-") + ":";
    for (const std::size_t file : g.files) out += " " + files[file].path;
    for (const std::size_t file : g.beside) out += " ~" + files[file].path;
    if (g.unpaired) out += " ?" + files[*g.unpaired].path;
    if (g.earlier) out += " ^" + files[*g.earlier].path;
  }
  for (const std::size_t file : pairs.left_out) out += " !" + files[file].path;
  return out;
}

// A module in the short form of get-tuple-element, and a dump that has their names.
std::string short_hlo(const std::string& name, const std::string& p) {
  return "HloModule " + name + ", is_scheduled=true\n\nENTRY %main {\n  %" + p +
         " = (f32[4]{0}, f32[4]{0}) parameter(0)\n"
         "  ROOT %" +
         p + ".y = f32[4]{0} add(%" + p + "#0, %" + p + "#1)\n}\n";
}
std::string short_ranges(const std::string& p) {
  return ranges({p, "get-tuple-element.7", "get-tuple-element", p + ".y"});
}

const std::vector<std::string> one{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
const std::vector<std::string> two{"k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};
const std::vector<std::string> mostly_one{"a", "b", "c", "d", "e", "f", "g", "h", "i", "x"};
const std::vector<std::string> partly_one{"a", "b", "c", "d", "e", "f", "g", "h", "y", "x"};

}  // namespace

TEST_CASE("files pair by folder and stem, else by names") {
  struct row {
    const char* what;
    std::vector<named_text> files;
    std::string groups;
  };
  const row rows[] = {
      {"nothing", {}, ""},
      {"one HLO", {{"x.txt", hlo("jit_f", one)}}, "jit_f: x.txt"},
      {"only buffers", {{"x.txt", assignment(one)}}, "-: x.txt"},
      {"a pair by stem",
       {{"x.txt", hlo("jit_f", one)}, {"x-buffer-assignment.txt", assignment(two)}},
       "jit_f: x.txt x-buffer-assignment.txt"},
      {"buffers first",
       {{"x-buffer-assignment.txt", assignment(one)}, {"x.txt", hlo("jit_f", one)}},
       "jit_f: x.txt x-buffer-assignment.txt"},
      {"two pairs by stem, names crossed",
       {{"x.txt", hlo("jit_f", one)},
        {"y.txt", hlo("jit_g", two)},
        {"x-buffer-assignment.txt", assignment(two)},
        {"y-buffer-assignment.txt", assignment(one)}},
       "jit_f: x.txt x-buffer-assignment.txt; jit_g: y.txt y-buffer-assignment.txt"},
      {"the files of 2026",
       {{"x-live-range.txt", ranges(one)}, {"x.txt", hlo("jit_f", one)}, {"x-buffer-assignment.txt", assignment(one)}},
       "jit_f: x.txt x-live-range.txt x-buffer-assignment.txt"},
      {"exactly one of each always pairs",
       {{"p.txt", hlo("jit_f", one)}, {"q.txt", assignment(two)}},
       "jit_f: p.txt q.txt"},
      {"unless their names belong to different modules",
       {{"module_0001.jit_f.cpu_after_optimizations.txt", hlo("jit_f", one)},
        {"module_0002.jit_f.cpu_after_optimizations-buffer-assignment.txt", assignment(one)}},
       "jit_f: module_0001.jit_f.cpu_after_optimizations.txt; "
       "-: module_0002.jit_f.cpu_after_optimizations-buffer-assignment.txt "
       "?module_0001.jit_f.cpu_after_optimizations.txt"},
      {"two HLO, by names, of which one has the name of another module",
       {{"module_0001.jit_f.cpu_after_optimizations.txt", hlo("jit_f", one)},
        {"mine.txt", hlo("jit_f", one)},
        {"module_0002.jit_f.cpu_after_optimizations-buffer-assignment.txt", assignment(one)}},
       "jit_f: module_0001.jit_f.cpu_after_optimizations.txt; "
       "jit_f: mine.txt module_0002.jit_f.cpu_after_optimizations-buffer-assignment.txt"},
      {"two HLO, by names",
       {{"p.txt", hlo("jit_f", one)}, {"q.txt", hlo("jit_g", two)}, {"r.txt", assignment(mostly_one)}},
       "jit_f: p.txt r.txt; jit_g: q.txt"},
      {"two HLO in the short form, by names that only the buffers have",
       {{"p.txt", short_hlo("jit_f", "p")}, {"q.txt", short_hlo("jit_g", "q")}, {"r.txt", short_ranges("q")}},
       "jit_f: p.txt; jit_g: q.txt r.txt"},
      {"two HLO in the short form, too few names",
       {{"p.txt", short_hlo("jit_f", "p")},
        {"q.txt", short_hlo("jit_g", "q")},
        {"r.txt", ranges({"q", "get-tuple-element.7", "get-tuple-element", "q.y", "a", "b"})}},
       "jit_f: p.txt; jit_g: q.txt; -: r.txt"},
      {"two HLO, too few names",
       {{"p.txt", hlo("jit_f", one)}, {"q.txt", hlo("jit_g", two)}, {"r.txt", assignment(partly_one)}},
       "jit_f: p.txt; jit_g: q.txt; -: r.txt"},
      {"two HLO with the same names",
       {{"p.txt", hlo("jit_f", one)}, {"q.txt", hlo("jit_g", one)}, {"r.txt", assignment(one)}},
       "jit_f: p.txt; jit_g: q.txt; -: r.txt"},
      {"two dumps of one HLO: the first",
       {{"p.txt", hlo("jit_f", one)}, {"q.txt", assignment(one)}, {"r.txt", assignment(one)}},
       "jit_f: p.txt q.txt; -: r.txt"},
      {"two parts of one HLO: both",
       {{"p.txt", hlo("jit_f", one)}, {"q.txt", assignment(one)}, {"r.txt", ranges(one)}},
       "jit_f: p.txt q.txt r.txt"},
      {"an HLO that has its stem is no candidate",
       {{"x.txt", hlo("jit_f", one)},
        {"x-buffer-assignment.txt", assignment(one)},
        {"r.txt", assignment(one)},
        {"q.txt", hlo("jit_g", two)}},
       "jit_f: x.txt x-buffer-assignment.txt; -: r.txt; jit_g: q.txt"},
      {"folders keep stems apart",
       {{"d/x.txt", hlo("jit_f", one)}, {"e/x-buffer-assignment.txt", assignment(two)}, {"e/y.txt", hlo("jit_g", one)}},
       "jit_f: d/x.txt; -: e/x-buffer-assignment.txt; jit_g: e/y.txt"},
      {"several modules in one file",
       {{"p.txt", hlo("jit_f", one) + "\n" + hlo("jit_g", two)}, {"r.txt", assignment(two)}},
       "jit_f: p.txt; jit_g: p.txt r.txt"},
      {"an earlier stage that was found is left out",
       {{"d/m.0003.a.after_b.before_c.txt", hlo("jit_f", two), false},
        {"d/m.cpu_after_optimizations.txt", hlo("jit_f", one), false}},
       "jit_f: d/m.cpu_after_optimizations.txt !d/m.0003.a.after_b.before_c.txt"},
      {"what a module was before optimization goes with it",
       {{"d/m.f.before_optimizations.txt", hlo("jit_f", two), false},
        {"d/m.f.sm_8.0_gpu_after_optimizations.txt", hlo("jit_f", one), false},
        {"d/m.f.sm_8.0_gpu_after_optimizations-buffer-assignment.txt", assignment(one), false}},
       "jit_f: d/m.f.sm_8.0_gpu_after_optimizations.txt d/m.f.sm_8.0_gpu_after_optimizations-buffer-assignment.txt "
       "^d/m.f.before_optimizations.txt !d/m.f.before_optimizations.txt"},
      {"also if both were named",
       {{"m.cpu_after_optimizations.txt", hlo("jit_f", one)}, {"m.before_optimizations.txt", hlo("jit_f", two)}},
       "jit_f: m.cpu_after_optimizations.txt ^m.before_optimizations.txt !m.before_optimizations.txt"},
      {"each of two modules its own",
       {{"m1.f.before_optimizations.txt", hlo("f", two)},
        {"m1.f.after_optimizations.txt", hlo("f", one)},
        {"m2.f.before_optimizations.txt", hlo("f", two)},
        {"m2.f.after_optimizations.txt", hlo("f", one)}},
       "f: m1.f.after_optimizations.txt ^m1.f.before_optimizations.txt; f: m2.f.after_optimizations.txt "
       "^m2.f.before_optimizations.txt "
       "!m1.f.before_optimizations.txt !m2.f.before_optimizations.txt"},
      {"named, of another folder, by the module's name",
       {{"a/x.before_optimizations.txt", hlo("jit_f", two)},
        {"b/y.txt", hlo("jit_f", one)},
        {"b/z.txt", hlo("jit_g", one)}},
       "jit_f: b/y.txt ^a/x.before_optimizations.txt; jit_g: b/z.txt !a/x.before_optimizations.txt"},
      {"but not if there are two of that name",
       {{"a/x.before_optimizations.txt", hlo("jit_f", two)},
        {"b/y.txt", hlo("jit_f", one)},
        {"b/z.txt", hlo("jit_f", one)}},
       "jit_f: a/x.before_optimizations.txt; jit_f: b/y.txt; jit_f: b/z.txt"},
      {"nor of an earlier stage",
       {{"a/x.before_optimizations.txt", hlo("jit_f", two)}, {"a/x.0001.p.after_a.before_b.txt", hlo("jit_f", one)}},
       "jit_f: a/x.before_optimizations.txt; jit_f: a/x.0001.p.after_a.before_b.txt"},
      {"found and alone, an earlier stage stays out",
       {{"d/m.before_optimizations.txt", hlo("jit_f", two), false}},
       " !d/m.before_optimizations.txt"},
      {"and linted if it was named",
       {{"d/m.before_optimizations.txt", hlo("jit_f", two)}},
       "jit_f: d/m.before_optimizations.txt"},
      {"of one stem one HLO is linted",
       {{"x.hlo", hlo("jit_f", one), false}, {"x.txt", hlo("jit_f", one), false}},
       "jit_f: x.hlo ~x.txt !x.txt"},
      {"reports go with their stem",
       {{"x-memory-usage-report.txt", report}, {"x.txt", hlo("jit_f", one)}, {"y.txt", hlo("jit_g", two)}},
       "jit_f: x.txt x-memory-usage-report.txt; jit_g: y.txt"},
      {"reports are no set of buffers",
       {{"z-memory-usage-report.txt", report}, {"x.txt", hlo("jit_f", one)}, {"y.txt", assignment(two)}},
       "-: z-memory-usage-report.txt; jit_f: x.txt y.txt"},
      {"unreadable files belong to no module",
       {{"x.png", "\x89PNG"}, {"x.txt", hlo("jit_f", one)}},
       "jit_f: x.txt ~x.png"},
  };
  for (const row& r : rows) {
    CAPTURE(r.what);
    CHECK(outcome(r.files) == r.groups);
  }
}

TEST_CASE("what a context gets of a group") {
  const parsed_file module_file =
      parse(source(hlo("jit_f", one), "d/module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt"));
  const parsed_file buffer_file =
      parse(source(assignment(one), "d/module_0001.jit_f.sm_8.0_gpu_after_optimizations-buffer-assignment.txt"));
  const std::vector<input_file> inputs{{module_file.text.path(), &module_file},
                                       {buffer_file.text.path(), &buffer_file}};
  const paired_files pairs = pair_files(inputs);
  REQUIRE(pairs.groups.size() == 1);
  const context dump(parts_of(pairs.groups[0], inputs));
  CHECK(dump.name() == "jit_f");
  CHECK(dump.target() == target::gpu);
  CHECK(dump.files() ==
        std::vector<seen_file>{{inputs[0].path, input_kind::hlo}, {inputs[1].path, input_kind::buffer_assignment}});
  CHECK(dump.has(need::hlo | need::buffers | need::scheduled | need::target));
  CHECK(dump.missing(need::hlo | need::live_ranges) == need::live_ranges);
  CHECK(context(parts_of(pairs.groups[0], inputs, target::cpu)).target() == target::cpu);

  const std::vector<input_file> alone{{buffer_file.text.path(), &buffer_file}};
  CHECK(context(parts_of(pair_files(alone).groups.at(0), alone)).name() == "jit_f");
}

TEST_CASE("a context gets what its module was before optimization") {
  const parsed_file last = parse(source(hlo("jit_f", one), "m.cpu_after_optimizations.txt")),
                    first = parse(source(hlo("jit_f", two), "m.before_optimizations.txt"));
  const std::vector<input_file> inputs{{first.text.path(), &first}, {last.text.path(), &last}};
  const paired_files pairs = pair_files(inputs);
  REQUIRE(pairs.groups.size() == 1);
  const context dump(parts_of(pairs.groups[0], inputs));
  REQUIRE(dump.earlier());
  CHECK(*dump.earlier() == first.modules()[0]);
  CHECK(*dump.hlo() == last.modules()[0]);
  CHECK(dump.has(need::earlier));
  CHECK(dump.files() == std::vector<seen_file>{{inputs[1].path, input_kind::hlo}, {inputs[0].path, input_kind::hlo}});
  CHECK(context(last.modules()[0]).missing(need::hlo | need::earlier) == need::earlier);
}

TEST_CASE("joined buffers keep every section once") {
  const buffer_dump first = *parse(assignment(one)).buffers, second = *parse(ranges(one)).buffers;
  const buffer_dump whole = join({second, first, *parse(assignment(two)).buffers});
  CHECK(whole.values().size() == 10);
  CHECK(whole.values()[0].name.instruction == "a");
  REQUIRE(whole.live_ranges());
  CHECK(whole.live_ranges()->sequence.size() == 10);
  CHECK(whole.where(whole.values()[3].text).begin() == line_column{6, 1});
}

TEST_CASE("targets from file names") {
  struct row {
    std::string_view name;
    target backend;
  };
  for (const row& r :
       {row{"module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt", target::gpu},
        row{"module_0001.jit_f.cpu_after_optimizations.txt", target::cpu},
        row{"module_0042.jit_f.tpu_after_optimizations.txt", target::tpu}, row{"a.gfx942_gpu_after.txt", target::gpu},
        row{"gpu/tpu/output.txt", target::unknown}, row{"output_small_1.txt", target::unknown},
        row{"tpuv5e.txt", target::tpu}, row{"x-gpu.hlo", target::gpu}, row{"", target::unknown}}) {
    CAPTURE(r.name);
    CHECK(target_of_file_name(r.name) == r.backend);
  }
  for (const target backend : {target::cpu, target::gpu, target::tpu, target::unknown})
    CHECK(find_target(name_of(backend)) == backend);
  CHECK(!find_target("TPU"));
}

TEST_CASE("targets from contents") {
  struct row {
    std::string_view instruction;
    target backend;
  };
  for (const row& r :
       {row{"f32[8]{0} constant({...})", target::unknown},
        row{"f32[8,128]{1,0:T(8,128)} constant({...})", target::unknown},
        row{"(f32[8]{0:T(1024)}, f32[]) custom-call(), custom_call_target=\"tpu_custom_call\"", target::tpu},
        row{"f32[8]{0} custom-call(), custom_call_target=\"__cublas$gemm\"", target::gpu},
        row{"f32[8]{0} custom-call(), custom_call_target=\"AsyncCollectiveStart\"", target::tpu},
        row{"f32[8]{0} custom-call(), custom_call_target=\"mine\"", target::unknown},
        row{"f32[8]{0} custom-call(), custom_call_target=\"mine\", backend_config={\"operation_queue_id\":\"0\"}",
            target::gpu},
        row{"f32[8]{0} custom-call(), custom_call_target=\"mine\", "
            "backend_config={\"outer_dimension_partitions\":[\"4\"]}",
            target::cpu}}) {
    CAPTURE(r.instruction);
    const std::string text = std::string(r.instruction);
    const parsed_file file = parse("HloModule m\n\nENTRY %main () -> f32[8] {\n  ROOT %x = " + text + "\n}\n");
    REQUIRE(file.modules().size() == 1);
    CHECK(target_of_module(file.modules()[0]) == r.backend);
    CHECK(decide_target(target::cpu, std::vector<std::string>{}, &file.modules()[0], nullptr) == target::cpu);
    CHECK(decide_target({}, std::vector<std::string>{"x.tpu_after.txt"}, &file.modules()[0], nullptr) == target::tpu);

    const std::string shape = text.substr(0, text.find(text[0] == '(' ? ") " : " ") + (text[0] == '('));
    const parsed_file dump = parse(
        "BufferAssignment:\nallocation 0: size 32, preallocated-temp:\n value: <0 x @0> (size=32,offset=0): " + shape +
        "\n\nTotal bytes used: 32 (32B)\n\nUsed values:\n<0 x @0>\n positions:\n  x\n uses:\n from instruction: %x = " +
        text + "\n\n\n");
    REQUIRE(dump.buffers);
    CHECK(target_of_buffers(*dump.buffers) == r.backend);
  }
}

TEST_CASE("tiles stand for a TPU where no assignment says otherwise") {
  const auto target_of = [](std::string_view layout, std::string_view header) {
    const std::string text = "HloModule m" + std::string(header) +
                             "\n\nENTRY %e (p: f32[8,128]) -> f32[8,128] {\n  ROOT %p = f32[8,128]" +
                             std::string(layout) + " parameter(0)\n}\n";
    const parsed_file file = parse_hlo(source(text));
    return decide_target({}, std::vector<std::string>{}, &file.modules()[0], nullptr);
  };
  CHECK(target_of("{1,0:T(8,128)}", ", is_scheduled=true") == target::tpu);
  CHECK(target_of("{1,0}", ", is_scheduled=true") == target::unknown);
  CHECK(target_of("{1,0:T(8,128)}", "") == target::unknown);  // tests of XLA's passes have tiles, too
}

TEST_CASE("tiles show a TPU only beside sizes that they explain") {
  const auto found = [](const std::string& size) {
    const parsed_file dump =
        parse("BufferAssignment:\nallocation 0: size " + size + ", preallocated-temp:\n value: <0 x @0> (size=" + size +
              ",offset=0): f32[8]{0:T(1024)}\n");
    REQUIRE(dump.buffers);
    return target_of_buffers(*dump.buffers);
  };
  CHECK(found("4096") == target::tpu);
  CHECK(found("32") == target::unknown);
  CHECK(found("100") == target::unknown);
}

TEST_CASE("parts of XLA's file names") {
  struct row {
    std::string_view path, folder, stem, ending, module;
  };
  for (const row& r :
       {row{"/d/pre.module_0012.jit_f.3.sm_8.0_gpu_after_optimizations-buffer-assignment-values.txt", "/d/",
            "pre.module_0012.jit_f.3.sm_8.0_gpu_after_optimizations", "-buffer-assignment-values.txt", "jit_f.3"},
        row{"module_0012.jit_f.cpu_after_optimizations.txt", "", "module_0012.jit_f.cpu_after_optimizations", ".txt",
            "jit_f"},
        row{"module_0012.after_optimizations.txt", "", "module_0012.after_optimizations", ".txt",
            "after_optimizations"},
        row{"foo.hlo", "", "foo", ".hlo", "foo"}, row{"foo", "", "foo", "", "foo"},
        row{".hidden", "", ".hidden", "", ".hidden"}, row{"-live-range.txt", "", "-live-range", ".txt", "-live-range"},
        row{"a.b/c", "a.b/", "c", "", "c"}}) {
    CAPTURE(r.path);
    CHECK(file_stem_of(r.path) == file_stem{r.folder, r.stem, r.ending});
    CHECK(module_name_of(r.stem) == r.module);
  }
}

TEST_CASE("a protobuf message and the text of the same module are one module") {
  const std::string text = "HloModule m\n\nENTRY %e (a: f32[4]) -> f32[4] {\n  ROOT %a = f32[4]{0} parameter(0)\n}\n";
  const std::string assignment =
      "BufferAssignment:\nallocation 0: size 16, parameter 0, shape |f32[4]| at ShapeIndex {}:\n"
      " value: <0 a @0> (size=16,offset=0): f32[4]{0}\n";
  const parsed_file from_text = parse(text);
  parsed_file from_message = parse(text);
  from_message.kind = input_kind::hlo_proto;
  from_message.buffers = parse(assignment).buffers;
  const parsed_file buffers = parse(assignment);
  const auto pair = [](std::vector<input_file> files) { return pair_files(files); };

  SUBCASE("the text gives the places, the message its buffers") {
    const paired_files pairs = pair({{"d/m.hlo.pb", &from_message}, {"d/m.txt", &from_text}});
    REQUIRE(pairs.groups.size() == 1);
    CHECK(pairs.groups[0].files == std::vector<std::size_t>{1, 0});
    CHECK(pairs.groups[0].hlo->text().same_as(from_text.text));
    CHECK(pairs.groups[0].buffers.has_value());
  }
  SUBCASE("buffers that are there as text, too, are those of the text") {
    const paired_files pairs =
        pair({{"d/m.hlo.pb", &from_message}, {"d/m.txt", &from_text}, {"d/m-buffer-assignment.txt", &buffers}});
    REQUIRE(pairs.groups.size() == 1);
    CHECK(pairs.groups[0].files == std::vector<std::size_t>{1, 2});
    CHECK(pairs.left_out == std::vector<std::size_t>{0});
  }
  SUBCASE("alone it is a module with buffers, and one file") {
    const paired_files pairs = pair({{"d/m.hlo.pb", &from_message}});
    REQUIRE(pairs.groups.size() == 1);
    CHECK(pairs.groups[0].files == std::vector<std::size_t>{0});
    CHECK(pairs.groups[0].buffers.has_value());
  }
  SUBCASE("one with another name beside it is another module") {
    parsed_file other =
        parse("HloModule n\n\nENTRY %e (a: f32[4]) -> f32[4] {\n  ROOT %a = f32[4]{0} parameter(0)\n}\n");
    other.kind = input_kind::hlo_proto;
    CHECK(pair({{"d/n.hlo.pb", &other}, {"d/m.txt", &from_text}}).groups.size() == 2);
  }
}

TEST_CASE("what each file of a dump folder is, by its name") {
  struct row {
    std::string_view name;
    dump_role role;
  };
  using enum dump_role;
  for (const row& r :
       {row{"module_0001.jit_f.cpu_after_optimizations.txt", program},
        row{"module_0001.jit_f.cpu_after_optimizations.hlo.pb", program},
        row{"module_0001.jit_f.sm_9.0a_gpu_after_optimizations.txt", program},
        row{"module_0001.jit_f.cl_1.after_codegen.txt", program},
        row{"module_0001.jit_f.cl_1.after_optimizations.txt", program},
        row{"module_0001.jit_f.cl_1.after_optimizations_after_buffer_assignment.txt", copy},
        row{"module_0001.jit_f.cl_1.after_codegen_after_hlo_sanitization.txt", copy},
        row{"module_0001.jit_f.cl_1.oom_intermediate_module.txt", copy},
        row{"module_0001.jit_f.cl_1.after_optimizations_before_buffer_assignment.txt", stage},
        row{"module_0001.jit_f.before_optimizations.txt", stage},
        row{"module_0001.jit_f.after_spmd_partitioner.txt", stage},
        row{"module_0001.jit_f.cl_1.0012.simplification-1.after_dce.before_cse.txt", stage},
        row{"module_0001.jit_f.cl_1.0041.tpu-tiling-rewriter.after_tiling_propagation.txt", stage},
        row{"module_0001.jit_f.0004.After_X64_rewriter,_before_optimizations.after_pipeline-start.before_cse.txt",
            stage},
        row{"module_0001.jit_f.cl_1.after_optimizations-buffer-assignment.txt", buffers},
        row{"module_0001.jit_f.thunk_sequence.txt", buffers},
        row{"module_0001.jit_f.cl_1.flagfile", facts},
        row{"module_0001.jit_f.cl_1.target_arguments.txt", facts},
        row{"module_0001.jit_f.gpu_target_config.pbtxt", facts},
        row{"module_0001.jit_f/topology.textproto", facts},
        row{"module_0001.jit_f.cl_1.target_arguments.pb", facts},
        row{"module_0001.jit_f.snapshot.-1487048986.pb", snapshot},
        row{"module_0001.jit_f.execution_0003.hlo_unoptimized_snapshot.pb", stage},
        row{"module_0001.jit_f.gemm_fusion_dot.5.hlo", piece},
        row{"module_0001.jit_f.gemm_fusion_dot.5.before.txt", piece},
        row{"module_0001.jit_f.gemm_fusion_dot.5.ttir.txt", left_out},
        row{"module_0001.jit_f.gemm_fusion_dot.5.before_validation.ttir", left_out},
        row{"triton_ir.module_0001.jit_f.ttir", left_out},
        row{"module_0001.jit_f.ir-with-opt.ll", left_out},
        row{"1714000000000000-fusion.3-07-final.txt", left_out},
        row{"1-TLP-hlo.txt", left_out},
        row{"my.hlo", unknown},
        row{"notes.txt", unknown},
        row{"after_optimizations.txt", unknown},
        row{"", unknown}}) {
    CAPTURE(r.name);
    CHECK(dump_file_of(r.name).role == r.role);
  }
}

TEST_CASE("of the final texts of a module one counts") {
  const std::string text = hlo("jit_f", one);
  const std::string stem = "module_0001.jit_f.cl_1.";
  CHECK(outcome({{stem + "after_optimizations.txt", text, false},
                 {stem + "after_codegen.txt", text, false},
                 {stem + "after_optimizations_before_buffer_assignment.txt", hlo("jit_f", two), false},
                 {stem + "after_optimizations_after_buffer_assignment.txt", text, false},
                 {stem + "after_optimizations-buffer-assignment.txt", assignment(two), false}})
            .starts_with("jit_f: " + stem + "after_codegen.txt " + stem + "after_optimizations-buffer-assignment.txt"));
  // Named together, too: they are the same program.
  CHECK(outcome({{stem + "after_optimizations.txt", text}, {stem + "after_codegen.txt", text}})
            .starts_with("jit_f: " + stem + "after_codegen.txt ~"));
  // Without after_codegen, after_optimizations is the final text.
  CHECK(outcome({{stem + "oom_intermediate_module.txt", text, false}, {stem + "after_optimizations.txt", text, false}})
            .starts_with("jit_f: " + stem + "after_optimizations.txt"));
}

TEST_CASE("files whose names belong to different modules never pair") {
  const std::string f = "module_0001.jit_f.cpu_after_optimizations.txt";
  const std::string g = "module_0002.jit_g.cpu_after_optimizations-buffer-assignment.txt";
  CHECK(outcome({{f, hlo("jit_f", one)}, {g, assignment(one)}}) == "jit_f: " + f + "; -: " + g + " ?" + f);
  CHECK(outcome({{f, hlo("jit_f", one)}, {"other.txt", hlo("jit_h", two)}, {g, assignment(one)}}) ==
        "jit_f: " + f + "; jit_h: other.txt; -: " + g + " ?" + f);
  CHECK(outcome({{f, hlo("jit_f", one)}, {"g-buffer-assignment.txt", assignment(one)}}) ==
        "jit_f: " + f + " g-buffer-assignment.txt");
}
