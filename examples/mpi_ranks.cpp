// `hlolint ranks` as an MPI program, for jobs whose dumps lie on many machines: each process reads the dumps of its
// own rank and makes their digest, and the process of rank 0 compares the digests of all and reports:
//   mpirun -n 8 mpi_ranks [OPTION OF hlolint ranks ...] dumps/rank%r
// %r is the number of the rank. Without %r, the path is a folder with one folder for each rank, whose name ends in its
// number, such as rank0 and rank1.
// Exit status, of every process: 0 all equal, 1 ranks differ, 2 unreadable dumps or wrong usage.
#include <hlolint/checks.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/source.hpp>

#define OMPI_SKIP_MPICXX 1  // C++ bindings that MPI has dropped
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

// The result of a run of the command.
struct outcome {
  int status = 0;
  std::string output;
};

// Runs the command within this program; error messages go to standard error.
outcome run(std::vector<std::string> words, std::map<std::string, hlolint::parsed_file> at_hand = {}) {
  words.insert(words.begin(), "mpi_ranks");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::ostringstream output, errors;
  const int status = hlolint_command(static_cast<int>(words.size()), pointers.data(), built_in_checks(),
                                     std::move(at_hand), output, errors);
  std::cerr << errors.str() << std::flush;
  return {status, output.str()};
}

// The number at the end of a name: 7 for `rank007`.
bool is_numbered(std::string_view name, const std::string& number) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::size_t first = std::min(name.find_first_not_of('0', digits), name.size());
  return digits < name.size() && (first == name.size() ? "0" : name.substr(first)) == number;
}

// The folder of a rank; empty if there is none or more than one.
std::string folder_of(const std::string& where, int rank) {
  const std::string number = std::to_string(rank);
  std::string out;
  if (where.find("%r") != std::string::npos) {
    for (std::size_t at = 0; at < where.size(); ++at) {
      if (where.compare(at, 2, "%r") == 0) out += number, ++at;
      else out += where[at];
    }
    return out;
  }
  std::error_code error;
  for (fs::directory_iterator entry(where, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (!entry->is_directory(gone) || !is_numbered(entry->path().filename().string(), number)) continue;
    if (!out.empty()) return {};
    out = entry->path().string();
  }
  return out;
}

// Gathers the texts of all processes on rank 0, in order of ranks.
std::vector<std::string> gather(const std::string& own, int rank, int count) {
  const std::int64_t size = static_cast<std::int64_t>(own.size());
  std::vector<std::int64_t> sizes(rank == 0 ? static_cast<std::size_t>(count) : 0);
  MPI_Gather(&size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  std::vector<int> lengths, begins;
  std::int64_t end = 0;
  for (const std::int64_t length : sizes) {
    if (length > std::numeric_limits<int>::max() - end) {
      std::cerr << "mpi_ranks: the digests of all ranks take more than 2 GiB\n" << std::flush;
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    lengths.push_back(static_cast<int>(length));
    begins.push_back(static_cast<int>(end));
    end += length;
  }
  std::string all(static_cast<std::size_t>(end), '\0');
  MPI_Gatherv(own.data(), static_cast<int>(size), MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR, 0,
              MPI_COMM_WORLD);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    out.push_back(all.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(lengths[i])));
  return out;
}

// Compares the digests of the processes, named by the folders that they read.
int compare(std::vector<std::string> options, const std::string& where, const std::vector<std::string>& digests) {
  std::map<std::string, hlolint::parsed_file> at_hand;
  options.insert(options.begin(), "ranks");
  options.push_back("--");
  for (std::size_t i = 0; i < digests.size(); ++i) {
    if (digests[i].empty()) continue;  // its process has reported an error
    std::string path = folder_of(where, static_cast<int>(i));
    if (path.empty()) path = where + "/" + std::to_string(i);  // the folder is on another machine
    at_hand[path].text = hlolint::source(digests[i], path);
    options.push_back(std::move(path));
  }
  if (at_hand.empty()) return 2;
  const outcome compared = run(std::move(options), std::move(at_hand));
  std::cout << compared.output << std::flush;
  return compared.status;
}

int work(std::vector<std::string> words, int rank, int count) {
  if (words.empty() || words.back().empty() || words.back().front() == '-') {
    if (rank == 0) std::cerr << "usage: mpirun -n N mpi_ranks [OPTION OF hlolint ranks ...] dumps/rank%r\n";
    return 2;
  }
  const std::string where = std::move(words.back());
  words.pop_back();
  const std::string folder = folder_of(where, rank);
  outcome own;
  if (folder.empty()) {
    std::cerr << "mpi_ranks: not one folder in " + where + " has the number of rank " + std::to_string(rank) + "\n";
    own.status = 2;
  } else {
    own = run({"digest", "--name", "rank" + std::to_string(rank), "--", folder});
  }
  const std::vector<std::string> digests = gather(own.output, rank, count);
  int status = own.status;
  if (rank == 0) status = std::max(status, compare(std::move(words), where, digests));
  int worst = 0;
  MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

}  // namespace

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int status = work(std::vector<std::string>(words + std::min(count, 1), words + count), rank, ranks);
  MPI_Finalize();
  return status;
}
