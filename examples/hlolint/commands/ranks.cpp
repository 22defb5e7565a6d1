#include "ranks.hpp"

#include "../reading/inputs.hpp"
#include "../reading/parallel.hpp"

#include <hlolint/analysis/transfers/collective_sequence.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/accept/suppression.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/lint/rank_summary.hpp>
#include <hlolint/tool/compare/rank_digest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;
using namespace hlolint::compare;

namespace {

namespace fs = std::filesystem;

// The paths without their common beginning and end.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::vector<std::string>> parts;
  for (const std::string& path : paths) {
    parts.emplace_back();
    for (const fs::path& part : fs::path(path).lexically_normal())
      if (!part.empty()) parts.back().push_back(part.string());
  }
  const auto shortest =
      std::min_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const auto equal_at = [&](auto&& part_of, std::size_t i) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const auto& p) { return part_of(p, i) == part_of(parts.front(), i); });
  };
  const auto from_front = [](const auto& p, std::size_t i) { return p[i]; };
  const auto from_back = [](const auto& p, std::size_t i) { return p[p.size() - 1 - i]; };
  std::size_t front = 0, back = 0;
  while (front < shortest->size() && equal_at(from_front, front)) ++front;
  if (front == 1 && parts.front().front() == "/") front = 0;  // only the root is common
  while (front + back + 1 < shortest->size() && equal_at(from_back, back)) ++back;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::string name;
    for (std::size_t k = front; k + back < parts[i].size(); ++k)
      name += (name.empty() || name == "/" ? "" : "/") + parts[i][k];
    names.push_back(name.empty() ? paths[i] : name);
  }
  return names;
}

// The module itself is kept once for all equal ones.
using module_key = std::tuple<std::string, std::uint64_t, std::uint64_t>;
module_key key_of(const ranked_module& m) { return {m.name, m.signature, m.fingerprint}; }

struct read_rank {
  run_result result;
  std::vector<ranked_module> modules;
  bool has_dumps = true;
  bool whole = true;  // false if a file could not be read completely
};

class rank_reader {
 public:
  rank_reader(const arguments& given, const rule_settings& settings) : said_(given), settings_(settings) {}

  read_rank operator()(const rank_dumps& from, std::size_t rank) {
    const inputs read = read_rank_dumps(said_, from);
    read_rank out;
    out.result.ignored_files = read.ignored;
    if (from.found && is_no_rank(from, read)) {
      out.has_dumps = false;
      return out;
    }
    const std::vector<input_file> files = complete_files(read, said_, settings_, out.result);
    out.whole = read.problems.empty() && files.size() == read.files.size();
    for (const module_group& group : pair_files(files).groups)
      if (group.hlo) keep(*group.hlo, rank, out);
    return out;
  }

  const hlo_module& module(const ranked_module& m) const { return kept_.at(key_of(m)).second; }

 private:
  // The folder holds no dump, which is no error.
  bool is_no_rank(const rank_dumps& from, const inputs& read) const {
    std::error_code error;
    const fs::directory_iterator readable(from.path, error);
    return (!error || (said_.packed && said_.packed->holds(from.path))) && read.files.empty() &&
           read.unfinished.empty() && read.problems.size() == 1 && read.problems.front().where.in.path() == from.path;
  }

  void keep(const hlo_module& module, std::size_t rank, read_rank& out) {
    const collective_sequence sequence(module);
    out.modules.push_back({rank, std::string(module_without_number(module.name())), entry_signature(module),
                           sequence.fingerprint(), sequence.size()});
    // Kept from the first rank that has it, in whatever order the ranks were read.
    const std::lock_guard lock(guard_);
    const auto [kept, added] = kept_.try_emplace(key_of(out.modules.back()), rank, module);
    if (!added && rank < kept->second.first) kept->second = {rank, module};
  }

  const arguments& said_;
  const rule_settings& settings_;
  std::mutex guard_;
  std::map<module_key, std::pair<std::size_t, hlo_module>> kept_;
};

}  // namespace

inputs read_rank_dumps(const arguments& given, const rank_dumps& from) {
  reading_options how;
  how.only_hlo = true;
  how.max_size = given.max_size;
  how.outputs = outputs_of(given);
  how.shows_bar = false;  // one progress bar serves all ranks
  std::optional<packed_files> own;
  how.packed = given.packed ? given.packed.get() : &own.emplace(std::vector<std::string>{from.path}, given.max_size);
  how.read = [&](const std::string& path, std::uint64_t most) {
    const packed_files::content bytes = how.packed->find(path);
    return bytes ? read_bytes(bytes, path, most) : read_input(path, most);
  };
  return read_inputs({from.path}, how);
}

std::vector<input_file> complete_files(const inputs& read, const arguments& given, const rule_settings& settings,
                                       run_result& result) {
  for (const diagnostic& problem : read.problems) result.diagnostics.push_back(with_rule_texts(problem));
  std::vector<input_file> out;
  for (const input& file : read.files) {
    add_input(result, file.content, given, settings);
    // A module that was read in part must not count as a different program.
    if (file.content.status == parse_status::ok) out.push_back({file.path, &file.content, file.named});
  }
  return out;
}

rank_comparison comparison_of(const matched_modules& row, const std::vector<ranked_module>& modules,
                              const std::vector<std::string>& ranks, std::vector<std::size_t>& first) {
  rank_comparison out;
  out.module = modules[row.front()].name;
  std::map<std::uint64_t, std::size_t> side_of;  // by fingerprint
  std::vector<bool> has(ranks.size());
  for (const std::size_t at : row) {
    const ranked_module& m = modules[at];
    const auto [side, added] = side_of.emplace(m.fingerprint, out.sides.size());
    if (added) out.sides.push_back({{}, m.collectives, m.fingerprint}), first.push_back(at);
    out.sides[side->second].ranks.push_back(ranks[m.rank]);
    has[m.rank] = true;
  }
  for (std::size_t r = 0; r < has.size(); ++r)
    if (!has[r]) out.missing_on.push_back(ranks[r]);
  return out;
}

std::vector<rank_dumps> find_ranks(const std::vector<std::string>& paths, const packed_files* packed) {
  std::vector<rank_dumps> out;
  std::error_code error;
  const auto by_name = [](const rank_dumps& a, const rank_dumps& b) { return name_before(a.name, b.name); };
  if (paths.size() == 1 && packed && packed->holds(paths.front())) {
    for (const std::string& folder : packed->folders_of(paths.front()))
      out.push_back({folder.substr(folder.rfind('/') + 1), folder, true});
    std::sort(out.begin(), out.end(), by_name);
    return out;
  }
  if (paths.size() == 1 && fs::is_directory(paths.front(), error)) {
    for (fs::directory_iterator entry(paths.front(), error), end; !error && entry != end; entry.increment(error)) {
      std::error_code gone;
      if (entry->is_directory(gone)) out.push_back({entry->path().filename().string(), entry->path().string(), true});
    }
    std::sort(out.begin(), out.end(), by_name);
    return out;
  }
  const std::vector<std::string> names = names_of(paths);
  for (std::size_t i = 0; i < paths.size(); ++i) out.push_back({names[i], paths[i], false});
  return out;
}

linted compare_ranks(const arguments& given, const std::vector<rank_dumps>& ranks, const rule_settings& settings,
                     const configured_checks& checks) {
  rank_reader read(given, settings);
  std::vector<read_rank> of_rank(ranks.size());
  progress_bar bar("reading", ranks.size());
  for_each_index(ranks.size(), given.jobs, [&](std::size_t i) {
    of_rank[i] = read(ranks[i], i);
    bar.step();
  });

  linted out;
  run_result& result = out.result;
  result.tool_version = HLOLINT_VERSION;
  rank_summary& summary = result.compared.emplace();
  std::vector<ranked_module> modules;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    append(result.inputs, std::move(of_rank[i].result.inputs));
    append(result.diagnostics, std::move(of_rank[i].result.diagnostics));
    for (ranked_module& m : of_rank[i].modules) m.rank = summary.ranks.size();  // folders without dumps do not count
    append(modules, std::move(of_rank[i].modules));
    result.ignored_files += of_rank[i].result.ignored_files;
    (of_rank[i].has_dumps ? summary.ranks : summary.without_dumps).push_back(ranks[i].name);
    if (!of_rank[i].whole) summary.unread.push_back(ranks[i].name);
  }

  if (given.packed)  // the archive of all ranks
    for (const std::string& path : given.paths)
      for (const diagnostic& problem : given.packed->problems_of(path))
        result.diagnostics.push_back(with_rule_texts(problem));

  for (const matched_modules& row : match_modules(modules)) {
    std::vector<std::size_t> first;
    rank_comparison compared = comparison_of(row, modules, summary.ranks, first);
    std::vector<rank_module> sides;
    for (std::size_t k = 0; k < first.size(); ++k)
      sides.push_back({compared.sides[k].ranks, read.module(modules[first[k]])});
    std::stable_sort(compared.sides.begin(), compared.sides.end(),
                     [](const equal_ranks& a, const equal_ranks& b) { return a.ranks.size() > b.ranks.size(); });
    if (sides.size() > 1) {
      context::parts parts;
      parts.hlo = sides.front().hlo;
      parts.name = compared.module;
      parts.compared_with.ranks = std::move(sides);
      findings of_module = checks(context(std::move(parts)), settings);
      append(result.diagnostics, std::move(of_module.diagnostics));
    }
    summary.modules.push_back(std::move(compared));
  }
  dismiss(given.settings.suppressions, today(), result.diagnostics);
  add_fingerprints(result.diagnostics);
  return out;
}

}  // namespace hlolint::command
