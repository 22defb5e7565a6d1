#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iostream>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace hlolint::command {

void for_each_index(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  const std::size_t threads = std::min<std::size_t>(jobs, count);
  if (threads <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex guard;
  const auto run = [&] {
    for (std::size_t i; (i = next++) < count;) try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!thrown) thrown = std::current_exception();
        next = count;
      }
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(run);
  } catch (const std::system_error&) {  // continue with fewer threads
  }
  run();
  for (std::thread& other : others) other.join();
  if (thrown) std::rethrow_exception(thrown);
}

struct progress_bar::state {
  std::string what;
  std::size_t total = 0, done = 0;
  std::chrono::steady_clock::time_point shown = std::chrono::steady_clock::now();
  bool visible = false;
  listener also{};
  bool on_terminal = false;
  std::mutex guard{};
};

progress_bar::progress_bar(std::string what, std::size_t total, listener also) : state_(nullptr) {
  const bool on_terminal = total > 1 && !also && isatty(STDERR_FILENO);
  if (on_terminal || also)
    state_ = new state{.what = std::move(what), .total = total, .also = std::move(also), .on_terminal = on_terminal};
}

progress_bar::~progress_bar() {
  if (state_ && state_->visible) std::cerr << "\r\x1b[K" << std::flush;
  delete state_;
}

void progress_bar::step() {
  if (!state_) return;
  const std::lock_guard lock(state_->guard);
  ++state_->done;
  if (state_->also) state_->also(state_->what, state_->done, state_->total);
  if (!state_->on_terminal) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - state_->shown < std::chrono::milliseconds(state_->visible ? 100 : 500)) return;
  state_->shown = now;
  state_->visible = true;
  constexpr std::size_t width = 30;
  const std::size_t filled = width * state_->done / state_->total;
  std::cerr << '\r' << state_->what << " [" << std::string(filled, '#') << std::string(width - filled, '.') << "] "
            << state_->done << '/' << state_->total << "\x1b[K" << std::flush;
}

}  // namespace hlolint::command
