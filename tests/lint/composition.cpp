// Composition of checks: forms, `|`, levels, what is skipped.
#include <hlolint/lint/lint.hpp>
#include <hlolint/parse.hpp>

#include "all_settings.hpp"
#include "first_module.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

hlo_module small(bool scheduled = true) {
  return first_module(
      parse(std::string("HloModule jit_f.7") + (scheduled ? ", is_scheduled=true" : "") +
            "\n\nENTRY %main (a: f32[2]) -> f32[2] {\n"
            "  %a = f32[2]{0} parameter(0)\n"
            "  %negate.1 = f32[2]{0} negate(f32[2]{0} %a), metadata={op_name=\"jit(f)/neg\" source_file=\"f.py\" "
            "source_line=3}\n"
            "  ROOT %add.2 = f32[2]{0} add(f32[2]{0} %a, f32[2]{0} %negate.1)\n}\n"));
}
buffer_dump no_buffers() { return buffer_dump{}; }
buffer_dump assigned() {
  auto data = std::make_shared<buffer_data>();
  data->has_assignment = true;
  return buffer_dump(std::move(data));
}

struct counts_instructions {
  static constexpr rule about{.id = "TST001",
                              .name = "many-instructions",
                              .level = severity::warning,
                              .what = "There are instructions.",
                              .advice = "Write fewer."};
  int most = 2;
  byte_count min_bytes = 1_KiB;
  static constexpr auto options = std::tuple{option{"most", &counts_instructions::most, "more are reported"},
                                             option{"min-bytes", &counts_instructions::min_bytes, "of each"}};
  void operator()(const hlo_module& module, sink auto& report) const {
    if (module.instruction_count() > static_cast<std::size_t>(most))
      report(finding_at(module, std::to_string(module.instruction_count()) + " instructions"));
  }
};

struct negates {
  static constexpr rule about{
      .id = "TST002", .name = "negation", .level = severity::note, .what = "Something is negated."};
  void operator()(hlo_instruction i, const context&, sink auto& report) const {
    if (i.opcode() == hlo_opcode::negate) report(finding_at(i, "negates"));
  }
};

/// Would report every instruction, but names the opcodes that it is called for.
struct names_opcodes {
  static constexpr rule about{
      .id = "USR013",
      .name = "names-opcodes",
      .level = severity::error,
      .looks_at = [](hlo_opcode opcode) { return opcode == hlo_opcode::add || opcode == hlo_opcode::unknown; },
      .what = "Any."};
  void operator()(hlo_instruction i, const context&, sink auto& report) const {
    report(finding_at(i, "seen: " + std::string(i.name())));
  }
};
/// The same without a choice.
struct sees_all {
  static constexpr rule about{.id = "USR014", .name = "sees-all", .level = severity::error, .what = "Any."};
  void operator()(hlo_instruction i, const context&, sink auto& report) const {
    report(finding_at(i, "all: " + std::string(i.name())));
  }
};

struct wants_target {
  static constexpr rule about{.id = "USR010",
                              .name = "wants-target",
                              .level = severity::error,
                              .needs = need::target | need::scheduled,
                              .what = "Always."};
  void operator()(const context& dump, sink auto& report) const {
    report(finding{std::string(name_of(dump.target()))});
  }
};

struct reads_buffers {
  static constexpr rule about{.id = "USR011", .name = "reads-buffers", .level = severity::error, .what = "Always."};
  void operator()(const buffer_dump& dump, sink auto& report) const {
    report(finding{std::to_string(dump.allocations().size()) + " allocations"});
  }
};

struct reads_both {
  static constexpr rule about{.id = "USR012",
                              .name = "reads-both",
                              .level = severity::error,
                              .needs = need::hlo | need::buffers,
                              .what = "Always."};
  void operator()(const context& dump, sink auto& report) const { report(finding{dump.name()}); }
};

inline constexpr rule no_add{.id = "ACME001", .name = "no-add", .level = severity::warning, .what = "An addition."};

std::vector<std::string> messages(const findings& found) {
  std::vector<std::string> out;
  for (const diagnostic& d : found) out.push_back(d.rule + ": " + d.message);
  return out;
}
using texts = std::vector<std::string>;

// What a checker is, decided by the compiler.
struct nothing {};
struct not_const {
  void operator()(const hlo_module&, sink auto&) {}
};
struct two_forms {
  void operator()(const hlo_module&, sink auto&) const {}
  void operator()(const buffer_dump&, sink auto&) const {}
};
static_assert(checker<counts_instructions> && checker<negates> && checker<wants_target> && checker<reads_both>);
static_assert(!checker<nothing> && !checker<not_const> && !checker<two_forms>);
static_assert(check_forms<two_forms> == 2);
static_assert(needs_of<negates>() == need::hlo && needs_of<reads_both>() == (need::hlo | need::buffers));
static_assert(needs_of<wants_target>() == (need::target | need::scheduled | need::hlo));

// A catalogue is a constant.
constexpr auto both_kinds = counts_instructions{} | negates{};
static_assert(both_kinds.size() == 2 && rules_of(both_kinds)[1].name == "negation");

}  // namespace

TEST_CASE("one check is linted as it is") {
  const findings found = lint(counts_instructions{}, small());
  REQUIRE(found.size() == 1);
  const diagnostic& d = found[0];
  CHECK(d.rule == "TST001");
  CHECK(d.name == "many-instructions");
  CHECK(d.level == severity::warning);
  CHECK(d.module == "jit_f.7");
  CHECK(d.advice == "Write fewer.");
  CHECK(d.where.begin() == line_column{1, 11});
  CHECK(d.fingerprint.size() == 16);
  CHECK(lint(counts_instructions{.most = 3, .min_bytes = 0}, small()).empty());
}

TEST_CASE("a finding at an instruction gives its place in the user's program") {
  const findings found = lint(
      [](hlo_instruction i, const context&, sink auto& report) {
        if (i.opcode() == hlo_opcode::negate) report(finding_at(i, "here"));
      },
      small());
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == "CUSTOM");
  CHECK(found[0].name == "custom-check");
  CHECK(found[0].level == severity::error);
  CHECK(found[0].computation == "main");
  CHECK(found[0].instruction == "negate.1");
  CHECK(found[0].source_file == "f.py");
  CHECK(found[0].source_line == 3);
  CHECK(found[0].op_name == "jit(f)/neg");
  CHECK(found[0].shape == "f32[2]{0}");
  CHECK(found[0].where.begin() == line_column{5, 4});
}

TEST_CASE("every form of a check runs, built in or lambda") {
  const auto list =
      counts_instructions{} | [](const hlo_module& m, sink auto& report) { report(finding{std::string(m.name())}); } |
      [](const buffer_dump& b, sink auto& report) { report(finding{std::to_string(b.values().size()) + " values"}); } |
      [](hlo_instruction i, const context&, sink auto& report) { report(finding{std::string(i.name())}); } |
      [](const context& dump, sink auto& report) { report(finding{"context of " + dump.name()}); };
  CHECK(list.size() == 5);
  findings found = lint(list, small(), assigned());
  CHECK(found.skipped.empty());
  std::vector<std::string> all_of_them = messages(found);
  std::sort(all_of_them.begin(), all_of_them.end());
  CHECK(all_of_them == texts{"CUSTOM: 0 values", "CUSTOM: a", "CUSTOM: add.2", "CUSTOM: context of jit_f.7",
                             "CUSTOM: jit_f.7", "CUSTOM: negate.1", "TST001: 3 instructions"});
}

TEST_CASE("lists are joined in any grouping, and `catalogue` makes one too") {
  const auto flat = counts_instructions{} | negates{} | wants_target{};
  const auto nested = counts_instructions{} | (negates{} | wants_target{});
  const catalogue listed{counts_instructions{}, negates{}, wants_target{}};
  static_assert(std::is_same_v<decltype(flat), decltype(nested)> && std::is_same_v<decltype(flat), decltype(listed)>);
  std::vector<std::string_view> ids;
  for (const rule& r : rules_of(flat)) ids.push_back(r.id);
  CHECK(ids == std::vector<std::string_view>{"TST001", "TST002", "USR010"});
}

namespace team {
struct renames {
  static constexpr rule about{.id = "TEAM1", .name = "renames", .level = severity::error, .what = "Always."};
  void operator()(const hlo_module& module, sink auto& report) const { report(finding{std::string(module.name())}); }
};
struct counts {
  static constexpr rule about{.id = "TEAM2", .name = "counts", .level = severity::error, .what = "Always."};
  void operator()(const hlo_module& module, sink auto& report) const {
    report(finding{std::to_string(module.instruction_count())});
  }
};
}  // namespace team

TEST_CASE("`checks` joins checks of any namespace, lambdas and catalogues, in order") {
  const auto ours = counts_instructions{} | negates{};
  const auto list = checks(
      ours, team::renames{}, [](const hlo_module&, sink auto& report) { report(finding{"lambda"}); },
      checks(team::counts{}));
  static_assert(list.size() == 5);
  const findings found = lint(list, small());
  CHECK(messages(found) == texts{"CUSTOM: lambda", "TEAM1: jit_f.7", "TEAM2: 3", "TST001: 3 instructions"});
  CHECK(checks().size() == 0);
}

namespace {
struct finds_at_level {
  static constexpr rule about = no_add;
  severity level;
  void operator()(const context&, sink auto& report) const {
    finding d{.message = "x"};
    d.level = level;
    report(std::move(d));
  }
};
}  // namespace

TEST_CASE("the level is the lower one of rule and finding; notes are for those who ask") {
  const auto with_level = [](severity level) { return finds_at_level{level}; };
  CHECK(lint(with_level(severity::error), small())[0].level == severity::warning);
  CHECK(lint(with_level(severity::note), small()).empty());
  const context dump(small());
  const auto note = as_catalogue(with_level(severity::note));
  CHECK(lint(note, dump, all_settings(note))[0].level == severity::note);
  rule_settings raised = default_settings(as_catalogue(with_level(severity::error)));
  raised[0].level = severity::error;
  CHECK(lint(with_level(severity::error), dump, raised)[0].level == severity::error);

  CHECK(lint(negates{}, small()).empty());
  CHECK(lint(negates{}, dump, all_settings(as_catalogue(negates{}))).size() == 1);
}

TEST_CASE("what a check needs and does not get is reported") {
  struct row {
    context::parts parts;
    texts skipped;
  };
  const auto list = wants_target{} | reads_buffers{} | reads_both{} | counts_instructions{};
  const row rows[] = {
      {{small(), assigned(), target::gpu}, {}},
      {{small(), assigned()}, {"USR010: the target is not known; give cpu, gpu or tpu"}},
      {{small(false), assigned(), target::gpu}, {"USR010: the module is not scheduled"}},
      {{small(), {}, target::gpu}, {"USR011: no buffer assignment", "USR012: no buffer assignment"}},
      {{small(), no_buffers(), target::gpu}, {"USR011: no buffer assignment", "USR012: no buffer assignment"}},
      {{{}, assigned(), target::gpu}, {"USR010: no HLO text", "USR012: no HLO text", "TST001: no HLO text"}},
  };
  for (const row& r : rows) {
    texts skipped;
    for (const skipped_check& s : lint(list, context(r.parts)).skipped) skipped.push_back(s.rule + ": " + s.reason);
    CHECK(skipped == r.skipped);
  }
  // A check that is switched off needs nothing.
  CHECK(lint(reads_buffers{}, context(small()), rule_settings{{false, false, severity::error}}).skipped.empty());
}

TEST_CASE("a context computes an analysis once, and only if it is asked for") {
  static int made = 0;
  struct instruction_total {
    explicit instruction_total(const hlo_module& module) : n(module.instruction_count()) { ++made; }
    std::size_t n;
  };
  struct pair_total {
    pair_total(const hlo_module& module, const buffer_dump& dump)
        : n(module.instruction_count() + dump.values().size()) {}
    std::size_t n;
  };
  struct either_total {
    explicit either_total(const hlo_module& module) : n(module.instruction_count()) {}
    either_total(const hlo_module&, const buffer_dump&) : n(100) {}
    explicit either_total(const buffer_dump&) : n(200) {}
    std::size_t n;
  };
  const context dump(small(), assigned());
  CHECK(dump.get<either_total>().n == 100);
  CHECK(context(small()).get<either_total>().n == 3);
  CHECK(context(assigned()).get<either_total>().n == 200);
  const auto asks = [](const context& about, sink auto& report) {
    report(finding{std::to_string(about.template get<instruction_total>().n)});
  };
  lint(asks | counts_instructions{}, dump,
       rule_settings{{false, false, severity::error}, {true, true, severity::error}});
  CHECK(made == 0);
  CHECK(messages(lint(asks | asks, dump)) == texts{"CUSTOM: 3", "CUSTOM: 3"});
  CHECK(made == 1);
  CHECK(&dump.get<instruction_total>() == &dump.get<instruction_total>());
  CHECK(dump.get<pair_total>().n == 3);
}

TEST_CASE("findings are in the order of the text, HLO before buffers") {
  const auto backwards = [](const context& dump, sink auto& report) {
    for (std::size_t i = dump.hlo()->instruction_count(); i-- > 0;)
      report(finding_at(dump.hlo()->instruction(i), std::string(dump.hlo()->instruction(i).name())));
  };
  CHECK(messages(lint(backwards | counts_instructions{}, small())) ==
        texts{"TST001: 3 instructions", "CUSTOM: a", "CUSTOM: negate.1", "CUSTOM: add.2"});
}

TEST_CASE("options are listed with their values as text") {
  std::vector<std::string> shown;
  for_each_check(catalogue{counts_instructions{}, negates{}}, [&](const rule&, const auto& check) {
    for_each_option(check, [&](const auto& o, const auto& value) {
      shown.push_back(std::string(o.name) + "=" + option_text(value));
    });
  });
  CHECK(shown == texts{"most=2", "min-bytes=1KiB"});
  CHECK(option_text(byte_count{0}) == "0B");
  CHECK(option_text(16_MiB) == "16MiB");
  CHECK(option_text(byte_count{1000}) == "1000B");
  CHECK(option_text(1.5) == "1.5");
}

TEST_CASE("a check on instructions is called for the opcodes that it names") {
  const auto seen = [](const auto& checks) {
    std::string out;
    for (const diagnostic& d : lint(checks, small())) out += d.message + ' ';
    return out;
  };
  CHECK(seen(names_opcodes{}) == "seen: add.2 ");
  CHECK(seen(sees_all{}) == "all: a all: negate.1 all: add.2 ");
  CHECK(seen(names_opcodes{} | sees_all{}) == "all: a all: negate.1 seen: add.2 all: add.2 ");
}
