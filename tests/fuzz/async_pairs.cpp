// Mutants of asynchronous pairs: programs with starts and dones of every kind, some of which are swapped, dropped,
// closed by another opcode or led to another operand. All that follows windows runs on them: hlolint_fuzz_async_pairs
// [COUNT [SEED]], 100,000 mutants if nothing else is given. The same seed makes the same mutants.
#include "../all_settings.hpp"
#include "mutate.hpp"

#include <hlolint/checks/collectives/collective_contract.hpp>
#include <hlolint/checks/collectives/cyclic_in_flight.hpp>
#include <hlolint/checks/collectives/empty_overlap_window.hpp>
#include <hlolint/checks/collectives/repeated_collective.hpp>
#include <hlolint/checks/collectives/start_order_inversion.hpp>
#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/collectives/thin_overlap_window.hpp>
#include <hlolint/checks/collectives/unpaired_async.hpp>
#include <hlolint/checks/collectives/wide_transfer.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/parse_hlo.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace hlolint;

constexpr std::string_view header =
    "HloModule m, is_scheduled=true, num_partitions=2\n\n%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] "
    "parameter(0)\n"
    "  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
    "%inner (ip: f32[524288]) -> f32[1048576] {\n  %ip = f32[524288]{0} parameter(0)\n"
    "  ROOT %ig = f32[1048576]{0} all-gather(%ip), channel_id=7, replica_groups={{0,1}}, dimensions={0}, "
    "use_global_device_ids=true\n}\n\n%wrapped (wp: f32[524288]) -> f32[1048576] {\n  %wp = f32[524288]{0} "
    "parameter(0)\n"
    "  ROOT %wf = f32[1048576]{0} fusion(%wp), kind=kCustom, calls=%inner\n}\n\n"
    "%begin (bp: f32[524288]) -> (f32[524288], f32[1048576]) {\n  %bp = f32[524288]{0} parameter(0)\n"
    "  %bg = f32[1048576]{0} all-gather(%bp), channel_id=8, replica_groups={{0,1}}, dimensions={0}, "
    "use_global_device_ids=true, frontend_attributes={chain_id=\"3\"}\n"
    "  ROOT %bc = (f32[524288]{0}, f32[1048576]{0}) custom-call(%bg), "
    "custom_call_target=\"AsyncCollectiveStart\"\n}\n\n"
    "%finish (fp: (f32[524288], f32[1048576])) -> f32[1048576] {\n"
    "  %fp = (f32[524288]{0}, f32[1048576]{0}) parameter(0)\n  %fe = f32[524288]{0} get-tuple-element(%fp), index=0\n"
    "  %fg = f32[1048576]{0} all-gather(%fe), channel_id=8, replica_groups={{0,1}}, dimensions={0}, "
    "use_global_device_ids=true, frontend_attributes={chain_id=\"3\"}\n"
    "  ROOT %fc = f32[1048576]{0} custom-call(%fg), custom_call_target=\"AsyncCollectiveDone\"\n}\n\n";

/// One line of a computation: what stands before the operand's name, the name, and the rest.
struct line {
  std::string before, operand, after;
  std::string text() const { return before + operand + after; }
};

struct kind {
  std::string_view start, start_rest, done, done_rest;
};
constexpr kind kinds[] = {
    {"f32[524288]{0} all-reduce-start(",
     "), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add",
     "f32[524288]{0} all-reduce-done(", ")"},
    {"(f32[524288]{0}, f32[1048576]{0}) all-gather-start(",
     "), channel_id=2, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true",
     "f32[1048576]{0} all-gather-done(", ")"},
    {"(f32[524288]{0}, f32[524288]{0}, u32[], u32[]) collective-permute-start(", "), source_target_pairs={{0,1},{1,0}}",
     "f32[524288]{0} collective-permute-done(", ")"},
    {"(f32[524288]{0:S(1)}, f32[524288]{0}, u32[]) copy-start(", ")", "f32[524288]{0:S(1)} copy-done(", ")"},
    {"(f32[524288]{0}, u32[], token[]) send(", ", %token), channel_id=5, is_host_transfer=false", "token[] send-done(",
     "), channel_id=5"},
    {"((f32[524288]{0}), f32[1048576]{0}, u32[]) async-start(",
     "), async_execution_thread=\"sparsecore\", calls=%wrapped", "f32[1048576]{0} async-done(", ")"},
    {"(f32[524288]{0}, f32[1048576]{0}) fusion(", "), kind=kCustom, calls=%begin", "f32[1048576]{0} fusion(",
     "), kind=kCustom, calls=%finish"},
};

/// Starts, dones, and work between them, in an order in which each start stands before its done.
std::vector<line> pairs(fuzz::dice& random, const std::string& prefix) {
  std::vector<line> out;
  std::vector<std::pair<std::size_t, std::string>> open;  // kind, and name of the start
  const std::size_t steps = 4 + random.below(12);
  for (std::size_t n = 0; n < steps || !open.empty(); ++n) {
    const std::string name = "%" + prefix + std::to_string(n);
    const std::size_t choice = n < steps ? random.below(3) : 1;
    if (choice == 0) {
      const std::size_t k = random.below(std::size(kinds));
      out.push_back(
          {"  " + name + " = " + std::string(kinds[k].start), "%" + prefix + "p", std::string(kinds[k].start_rest)});
      open.emplace_back(k, name);
    } else if (choice == 1 && !open.empty()) {
      const std::size_t at = random.below(open.size());
      const auto [k, start] = open[at];
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
      out.push_back({"  " + name + " = " + std::string(kinds[k].done), start, std::string(kinds[k].done_rest)});
    } else {
      out.push_back({"  " + name + " = f32[524288]{0} negate(", "%" + prefix + "p", ")"});
    }
  }
  return out;
}

void change(std::vector<line>& lines, fuzz::dice& random) {
  for (std::size_t changes = 1 + random.below(3); changes > 0 && !lines.empty(); --changes) {
    const std::size_t a = random.below(lines.size()), b = random.below(lines.size());
    switch (random.below(6)) {
      case 0: std::swap(lines[a], lines[b]); break;
      case 1: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(a)); break;
      case 2: std::swap(lines[a].operand, lines[b].operand); break;
      case 3: {  // closed, or started, by another opcode
        const kind& other = kinds[random.below(std::size(kinds))];
        const std::string name = lines[a].before.substr(0, lines[a].before.find('=') + 2);
        const bool starts = random.one_in(2);
        lines[a].before = name + std::string(starts ? other.start : other.done);
        lines[a].after = std::string(starts ? other.start_rest : other.done_rest);
        break;
      }
      case 4: {  // led to another instruction
        const std::size_t from = lines[b].before.find('%'), end = lines[b].before.find(' ', from);
        lines[a].operand = lines[b].before.substr(from, end - from);
        break;
      }
      default:
        lines[a].after += random.one_in(2) ? ", backend_config={\"is_sync\":true}" : ", control-predecessors={%w}";
    }
  }
}

std::string program(fuzz::dice& random) {
  std::vector<line> body = pairs(random, "b"), entry = pairs(random, "e");
  change(random.one_in(2) ? body : entry, random);
  if (random.one_in(3)) change(entry, random);
  std::string out(header);
  out +=
      "%body (bp: f32[524288]) -> f32[524288] {\n  %bp = f32[524288]{0} parameter(0)\n  %token = token[] after-all()\n";
  for (const line& l : body) out += l.text() + "\n";
  out +=
      "  ROOT %br = f32[524288]{0} negate(%bp)\n}\n\n%condition (cp: f32[524288]) -> pred[] {\n"
      "  %cp = f32[524288]{0} parameter(0)\n  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n"
      "  %ep = f32[524288]{0} parameter(0)\n  %token = token[] after-all()\n"
      "  %w = f32[524288]{0} while(%ep), condition=%condition, body=%body, "
      "backend_config={\"known_trip_count\":{\"n\":\"5\"}}\n";
  for (const line& l : entry) out += l.text() + "\n";
  return out + "  ROOT %er = f32[524288]{0} negate(%w)\n}\n";
}

/// How many findings there are, to show that something was looked at.
std::size_t look_at(std::string text, bool tpu, bool timed) {
  const parsed_file file = parse_hlo(source(std::move(text)));
  std::size_t findings = file.diagnostics.size();
  module_contract agreed;
  agreed.name = "c", agreed.opcode = "*", agreed.must_overlap = true, agreed.group_size = 2;
  collective_contract contract;
  contract.contracts.push_back(agreed);
  const auto list = catalogue{sync_collective{.min_bytes = 0},
                              empty_overlap_window{.min_bytes = 0},
                              thin_overlap_window{.min_bytes = 0},
                              unpaired_async{},
                              cyclic_in_flight{},
                              start_order_inversion{},
                              repeated_collective{.min_bytes = 0},
                              wide_transfer{},
                              std::move(contract)};
  for (const hlo_module& module : file.modules()) {
    context::parts parts;
    parts.hlo = module, parts.target = tpu ? target::tpu : target::gpu;
    if (timed) parts.device = find_device(tpu ? "tpu-v6e" : "h100-sxm");
    findings += lint(list, context(std::move(parts)), all_settings(list)).size();
  }
  return findings;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::size_t findings = 0;
  for (std::uint64_t n = 0; n < count; ++n) {
    fuzz::dice random(seed + n);
    std::string text = program(random);
    findings += look_at(std::move(text), n % 2 == 0, n % 3 == 0);
  }
  std::printf("%llu mutants, %llu findings\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(findings));
  return findings > 0 ? 0 : 1;
}
