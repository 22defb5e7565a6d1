// Compares what the ranks of a job have compiled, as an MPI program for dumps that lie on many machines:
//   mpirun -n 8 mpi_ranks dumps/rank%r
// %r is the number of the rank. Each process reads the dumps of its own rank, and the process of rank 0 prints which
// ranks run other collectives than the others; `hlolint ranks` on two folders then shows the first difference.
// Exit status, of every process: 0 all equal, 1 ranks differ, 2 unreadable dumps or wrong usage.
#include <hlolint/hlolint.hpp>
#include <hlolint/tool/compare/rank_digest.hpp>

#define OMPI_SKIP_MPICXX 1  // C++ bindings that MPI has dropped
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

using hlolint::compare::ranked_module;

// A line for each module of a rank: its signature, the hash of its collectives, its name. Sets the status to 2 if
// anything cannot be read.
std::string modules_in(const std::string& folder, int& status) {
  std::ostringstream out;
  std::deque<hlolint::parsed_file> read;
  std::vector<hlolint::input_file> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    const auto file = hlolint::load_file(path);
    if (file.text)
      files.push_back({path, &read.emplace_back(hlolint::parse(*file.text)), false});
    else
      std::cerr << path << ": " << file.error << '\n', status = 2;
  }
  for (const hlolint::module_group& group : hlolint::pair_files(files).groups)
    if (group.hlo)
      out << hlolint::compare::entry_signature(*group.hlo) << ' '
          << hlolint::collective_sequence(*group.hlo).fingerprint() << ' '
          << hlolint::module_without_number(group.hlo->name()) << '\n';
  if (out.str().empty()) std::cerr << folder << ": no HLO could be read\n", status = 2;
  return out.str();
}

// The texts of all processes in order of ranks, on rank 0.
std::vector<std::string> gather(const std::string& own, int ranks) {
  const int size = static_cast<int>(own.size());
  std::vector<int> sizes(static_cast<std::size_t>(ranks)), begins(static_cast<std::size_t>(ranks));
  MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::string all(static_cast<std::size_t>(begins.back() + sizes.back()), '\0');
  MPI_Gatherv(own.data(), size, MPI_CHAR, all.data(), sizes.data(), begins.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
  std::vector<std::string> out;
  for (std::size_t i = 0; i != sizes.size(); ++i)
    out.push_back(all.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(sizes[i])));
  return out;
}

// Prints modules whose collectives are not the same everywhere. Returns whether there are any.
bool report_differences(const std::vector<std::string>& of_ranks) {
  std::vector<ranked_module> modules;
  for (std::size_t rank = 0; rank != of_ranks.size(); ++rank) {
    std::istringstream lines(of_ranks[rank]);
    for (ranked_module m{rank, {}, 0, 0}; lines >> m.signature >> m.fingerprint >> m.name;) modules.push_back(m);
  }
  bool differ = false;
  for (const auto& same : hlolint::compare::match_modules(modules)) {
    std::map<std::uint64_t, std::set<std::size_t>> ranks;  // by what they run
    for (const std::size_t at : same) ranks[modules[at].fingerprint].insert(modules[at].rank);
    if (ranks.size() == 1 && same.size() == of_ranks.size()) continue;
    differ = true;
    std::vector<std::set<std::size_t>> groups;
    for (auto& [collectives, on] : ranks) groups.push_back(std::move(on));
    std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::cout << modules[same.front()].name << ':';
    for (const std::set<std::size_t>& on : groups) {
      std::cout << (on == groups.front() ? " ranks" : "; other collectives on");
      for (const std::size_t rank : on) std::cout << ' ' << rank;
    }
    std::cout << (same.size() == of_ranks.size() ? "\n" : "; missing elsewhere\n");
  }
  return differ;
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0, ranks = 0, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::string folder = count == 2 ? words[1] : "";
  if (const auto at = folder.find("%r"); at != folder.npos) folder.replace(at, 2, std::to_string(rank));
  if (folder.empty() && rank == 0) std::cerr << "usage: mpirun -n N mpi_ranks dumps/rank%r\n";
  const std::string own = folder.empty() ? "" : modules_in(folder, status);
  if (own.empty()) status = 2;
  const std::vector<std::string> all = gather(own, ranks);
  if (rank == 0 && status == 0 && report_differences(all)) status = 1;
  int worst = 0;
  MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return worst;
}
