// Work on several things at the same time, and a bar that shows how far it is.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

/// Calls `work(i)` for every i below `count`, in order if `jobs` is 1, else on so many threads. The first exception
/// ends it and is thrown again.
void for_each_index(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

/// A bar on standard error, if that is a terminal and the work takes longer than a moment. Safe to use from threads.
class progress_bar {
 public:
  progress_bar(std::string what, std::size_t total);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;
  /// One more is done.
  void step();

 private:
  struct state;
  state* state_;
};
