// Parallel work, and a progress bar.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace hlolint::command {

/// Calls `work(i)` for every i below `count`, in order if `jobs` is 1, else on `jobs` threads. The first exception ends
/// the work and is thrown again.
void for_each_index(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

/// A progress bar on standard error, shown if that is a terminal and the work takes a while. Safe to use from threads.
class progress_bar {
 public:
  /// Called after each item with what is done, how many are done, and of how many. May throw.
  using listener = std::function<void(std::string_view what, std::size_t done, std::size_t total)>;

  progress_bar(std::string what, std::size_t total, listener also = {});
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  /// Counts one more item as done.
  void step();

 private:
  struct state;
  state* state_;
};

}  // namespace hlolint::command
