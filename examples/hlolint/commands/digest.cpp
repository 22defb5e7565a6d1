#include "digest.hpp"

#include "../complain.hpp"
#include "../reading/inputs.hpp"
#include "../reading/parallel.hpp"
#include "ranks.hpp"

#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/transfers/collective_sequence.hpp>
#include <hlolint/checks/collectives/rank_divergence.hpp>
#include <hlolint/checks/collectives/rank_side.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/accept/suppression.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/tool/compare/rank_digest.hpp>
#include <hlolint/tool/report/reading_rules.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;
using namespace hlolint::compare;

namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

constexpr int digest_schema = 1;

struct wrong_digest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// --- modules ---

module_digest digest_of(const context& of) {
  const hlo_module& module = *of.hlo();
  hlolint::detail::rank_side side{{}, collective_sequence(module)};
  module_digest out;
  out.name = std::string(module_without_number(module.name()));
  out.signature = entry_signature(module);
  out.fingerprint = side.sequence.fingerprint();
  out.without_channels = side.sequence.fingerprint_without_channels();
  out.replicas = module.replica_count();
  out.partitions = module.num_partitions();
  out.scheduled = module.is_scheduled();
  std::map<std::uint64_t, std::uint32_t> kind_of;
  for (const collective_step& s : side.sequence) {
    const auto [kind, added] = kind_of.try_emplace(s.key, static_cast<std::uint32_t>(out.kinds.size()));
    if (added) {
      std::string text = s.again ? "another call of " + std::string(s.again.name())
                                 : hlolint::detail::transfer_text(s.kind, s.bytes()) +
                                       (s.result ? " to " + to_string(*s.result) : std::string()) + " over " +
                                       hlolint::detail::devices_text(side, s);
      if (s.loop || s.conditional) text += " " + hlolint::detail::repetition_text(s);
      out.kinds.push_back({s.key, std::move(text)});
    }
    out.steps.push_back(kind->second);
  }
  if (const context& memory = with_memory(of); memory.has(need::buffers)) {
    const memory_need takes(*memory.buffers(), memory.target());
    out.memory = {takes.total, takes.temporaries, memory.memory_is_estimated()};
  }
  return out;
}

rank_digest digest_of_rank(const arguments& given, const rank_dumps& from, const rule_settings& settings,
                           run_result& result) {
  const inputs read = read_rank_dumps(given, from);
  rank_digest out;
  digested_rank& rank = out.ranks.emplace_back();
  rank.name = from.name;
  const std::vector<input_file> files = complete_files(read, given, settings, result);
  rank.whole = read.problems.empty() && files.size() == read.files.size();
  for (const module_group& group : pair_files(files).groups) {
    if (!group.hlo) continue;
    rank.modules.push_back(out.modules.size());
    out.modules.push_back(digest_of(context(parts_of(group, files, given.target))));
  }
  return out;
}

// --- the file ---

// Writes runs of equal steps: `0*29 1 0*298`.
std::string steps_text(const std::vector<std::uint32_t>& steps) {
  std::string out;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = i + 1;
    while (end < steps.size() && steps[end] == steps[i]) ++end;
    out += (out.empty() ? "" : " ") + std::to_string(steps[i]);
    if (end - i > 1) out += "*" + std::to_string(end - i);
    i = end;
  }
  return out;
}
std::vector<std::uint32_t> read_steps(std::string_view text, std::size_t kinds) {
  constexpr std::size_t most = 10'000'000;  // a hostile file must not fill the memory
  std::vector<std::uint32_t> out;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  const auto number = [&] {
    std::uint64_t value = 0;
    const auto read = std::from_chars(at, end, value);
    if (read.ec != std::errc{}) throw wrong_digest("'steps' is no list of steps");
    at = read.ptr;
    return value;
  };
  while (at != end) {
    const std::uint64_t kind = number();
    std::uint64_t times = 1;
    if (at != end && *at == '*') ++at, times = number();
    if (at != end && *at++ != ' ') throw wrong_digest("'steps' is no list of steps");
    if (kind >= kinds || times == 0 || times > most - out.size()) throw wrong_digest("'steps' names no kind of step");
    out.insert(out.end(), static_cast<std::size_t>(times), static_cast<std::uint32_t>(kind));
  }
  return out;
}

void write_digest_json(const rank_digest& digest, std::ostream& out) {
  json_writer to(out);
  to.object([&] {
    to.member("digest", digest_schema);
    to.objects("modules", digest.modules, [&](const module_digest& m) {
      to.members("name", m.name, "signature", hex16(m.signature), "fingerprint", hex16(m.fingerprint));
      to.members("without_channels", hex16(m.without_channels), "replicas", m.replicas);
      to.members("partitions", m.partitions, "scheduled", m.scheduled);
      to.objects("kinds", m.kinds,
                 [&](const step_digest& kind) { to.members("key", hex16(kind.key), "text", kind.text); });
      to.member("steps", steps_text(m.steps));
      if (m.memory)
        to.object("memory", [&] {
          to.members("total", m.memory->total, "temporaries", m.memory->temporaries);
          to.member("estimated", m.memory->is_estimated);
        });
    });
    // Ranks with equal modules are written as one entry.
    std::map<std::pair<std::vector<std::size_t>, bool>, std::vector<std::string>> groups;
    for (const digested_rank& rank : digest.ranks) groups[{rank.modules, rank.whole}].push_back(rank.name);
    to.objects("ranks", groups, [&](const auto& group) {
      to.values("names", group.second);
      to.values("modules", group.first.first);
      if (!group.first.second) to.member("whole", false);
    });
  });
}

const json& member(const json& from, const char* name) {
  const auto found = from.find(name);
  if (found == from.end()) throw wrong_digest("there is no '" + std::string(name) + "'");
  return *found;
}
std::uint64_t read_hash(const json& from, const char* name) {
  const auto text = member(from, name).get<std::string>();
  const auto value = text.size() == 16 ? integer_in<std::uint64_t>(text, 16) : std::nullopt;
  if (!value) throw wrong_digest("'" + std::string(name) + "' is no number of 16 hexadecimal digits");
  return *value;
}

rank_digest read_json(const json& whole) {
  if (!whole.is_object() || whole.find("digest") == whole.end()) throw wrong_digest("this is no digest of ranks");
  if (whole["digest"] != digest_schema) throw wrong_digest("this digest was written by another version of hlolint");
  rank_digest out;
  for (const json& from : member(whole, "modules")) {
    module_digest& m = out.modules.emplace_back();
    m.name = member(from, "name").get<std::string>();
    m.signature = read_hash(from, "signature");
    m.fingerprint = read_hash(from, "fingerprint");
    m.without_channels = read_hash(from, "without_channels");
    m.replicas = member(from, "replicas").get<std::int64_t>();
    m.partitions = member(from, "partitions").get<std::int64_t>();
    m.scheduled = member(from, "scheduled").get<bool>();
    for (const json& kind : member(from, "kinds"))
      m.kinds.push_back({read_hash(kind, "key"), member(kind, "text").get<std::string>()});
    m.steps = read_steps(member(from, "steps").get<std::string>(), m.kinds.size());
    if (const auto memory = from.find("memory"); memory != from.end())
      m.memory = {member(*memory, "total").get<std::int64_t>(), member(*memory, "temporaries").get<std::int64_t>(),
                  member(*memory, "estimated").get<bool>()};
  }
  for (const json& from : member(whole, "ranks")) {
    digested_rank rank;
    rank.whole = from.value("whole", true);
    for (const json& position : member(from, "modules")) {
      const auto at = position.get<std::size_t>();
      if (!position.is_number_unsigned() || at >= out.modules.size()) throw wrong_digest("'modules' names no module");
      rank.modules.push_back(at);
    }
    std::sort(rank.modules.begin(), rank.modules.end());
    for (const json& name : member(from, "names")) {
      rank.name = name.get<std::string>();
      out.ranks.push_back(rank);
    }
  }
  return out;
}

// Throws wrong_digest.
rank_digest load_digest(const arguments& given, const std::string& path) {
  const auto known = given.at_hand.find(path);
  const loaded_file file = known != given.at_hand.end() ? loaded_file{known->second.text, {}} : load_file(path);
  if (!file.text) throw wrong_digest("cannot read " + path + ": " + file.error);
  try {
    return read_json(json::parse(file.text->text()));
  } catch (const json::exception& wrong) {
    throw wrong_digest(path + ": " + wrong.what());
  } catch (const wrong_digest& wrong) {
    throw wrong_digest(path + ": " + wrong.what());
  }
}

}  // namespace

bool is_digest(const arguments& given, const std::string& path) {
  if (const auto known = given.at_hand.find(path); known != given.at_hand.end())
    return known->second.kind == input_kind::unknown;
  std::error_code error;
  return path.ends_with(".json") && !fs::is_directory(path, error);
}

int write_digest(const arguments& given, const rule_settings& settings, std::ostream& out) {
  std::vector<std::string> folders;
  for (const std::string& path : given.paths)
    if (!is_digest(given, path)) folders.push_back(path);
  std::vector<rank_dumps> ranks;
  if (given.each_folder) {
    for (const std::string& folder : folders) {
      std::vector<rank_dumps> inside = find_ranks({folder}, given.packed.get());
      append(ranks, std::move(inside));
    }
  } else if (folders.size() == 1) {
    // Hosts often use one name for their folders of dumps, so the name of the output identifies the rank.
    const fs::path named = given.output.empty() ? fs::path(folders.front() + "/.").lexically_normal().parent_path()
                                                : fs::path(given.output).stem();
    ranks.push_back({given.rank_name.empty() ? named.filename().string() : given.rank_name, folders.front(), false});
  } else if (!folders.empty()) {
    ranks = find_ranks(folders, given.packed.get());
  }
  if (!given.rank_name.empty() && ranks.size() != 1) return complain("digest: --name is for one folder");
  std::vector<rank_digest> parts(ranks.size());
  std::vector<run_result> results(ranks.size());
  progress_bar bar("reading", ranks.size());
  for_each_index(ranks.size(), given.jobs, [&](std::size_t i) {
    parts[i] = digest_of_rank(given, ranks[i], settings, results[i]);
    bar.step();
  });
  int status = exit_clean;
  for (const run_result& result : results)
    for (const diagnostic& d : result.diagnostics)
      if (d.level == severity::error && is_reading_error(d.rule))
        status = complain(d.where.in.path() + ": " + d.message);
  try {
    for (const std::string& path : given.paths)
      if (is_digest(given, path)) parts.push_back(load_digest(given, path));
  } catch (const wrong_digest& wrong) {
    return complain(wrong.what());
  }
  write_digest_json(merged(std::move(parts)), out);
  return status;
}

linted compare_digests(const arguments& given, const rule_settings&) {
  std::vector<rank_digest> parts;
  std::map<std::string, std::string> file_of;  // by rank
  linted out;
  run_result& result = out.result;
  result.tool_version = HLOLINT_VERSION;
  rank_summary& summary = result.compared.emplace();
  const rule& about = rank_divergence::about;
  for (const std::string& path : given.paths) {
    input_summary& input = result.inputs.emplace_back();
    input.path = path;
    try {
      parts.push_back(load_digest(given, path));
      input.status = parse_status::ok;
      for (const digested_rank& rank : parts.back().ranks) file_of.try_emplace(rank.name, path);
    } catch (const wrong_digest& wrong) {
      diagnostic d;
      d.message = wrong.what();
      d.rule = "SYN000";
      d.where = {source(std::string_view{}, path, borrow), {}};
      result.diagnostics.push_back(with_rule_texts(std::move(d)));
    }
  }
  const rank_digest all = merged(std::move(parts));
  std::vector<ranked_module> modules;
  std::vector<std::size_t> digest_at;
  for (std::size_t r = 0; r < all.ranks.size(); ++r) {
    summary.ranks.push_back(all.ranks[r].name);
    if (!all.ranks[r].whole) summary.unread.push_back(all.ranks[r].name);
    for (const std::size_t m : all.ranks[r].modules) {
      const module_digest& of = all.modules[m];
      modules.push_back({r, of.name, of.signature, of.fingerprint, of.steps.size()});
      digest_at.push_back(m);
    }
  }
  for (const matched_modules& row : match_modules(modules)) {
    std::vector<std::size_t> first;
    rank_comparison compared = comparison_of(row, modules, summary.ranks, first);
    std::size_t most = 0;
    for (std::size_t i = 1; i < compared.sides.size(); ++i)
      if (compared.sides[i].ranks.size() > compared.sides[most].ranks.size()) most = i;
    for (std::size_t i = 0; i < compared.sides.size(); ++i) {
      if (i == most) continue;
      const equal_ranks& other = compared.sides[i];
      const digest_difference difference =
          difference_of(all.modules[digest_at[first[most]]], ranks_text(compared.sides[most].ranks),
                        all.modules[digest_at[first[i]]], ranks_text(other.ranks));
      diagnostic d;
      d.message = difference.text;
      d.rule = about.id, d.name = about.name, d.advice = about.advice;
      d.level = difference.certain ? about.level : severity::warning;
      d.module = compared.module;
      d.where = {source(std::string_view{}, file_of[other.ranks.front()], borrow), {}};
      result.diagnostics.push_back(std::move(d));
    }
    std::stable_sort(compared.sides.begin(), compared.sides.end(),
                     [](const equal_ranks& a, const equal_ranks& b) { return a.ranks.size() > b.ranks.size(); });
    summary.modules.push_back(std::move(compared));
  }
  dismiss(given.settings.suppressions, today(), result.diagnostics);
  add_fingerprints(result.diagnostics);
  return out;
}

}  // namespace hlolint::command
