#include "connection.hpp"

#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <new>
#include <thread>
#include <utility>

namespace hlolint::command::server {

namespace {

// What waits beyond this is not read yet: the client has to wait, too.
constexpr std::size_t most_waiting = 4096, most_waiting_bytes = std::size_t{64} << 20;

// How long a client may take to answer what requests wait for.
constexpr std::chrono::seconds patience{3};

input refused() { return input(input::value_t::discarded); }

bool is_id(const input& id) { return id.is_string() || id.is_number_integer(); }

output error_member(const request_failure& why) {
  output out{{"code", static_cast<int>(why.code)}, {"message", echoed(why.message)}};
  if (!why.data.is_null()) out["data"] = why.data;
  return {{"error", std::move(out)}};
}

}  // namespace

connection::connection(byte_source from, byte_sink to, protocol how, std::function<void()> stop_reading)
    : from_(std::move(from)), to_(std::move(to)), how_(std::move(how)), stop_reading_(std::move(stop_reading)) {}

void connection::send(const output& message) {
  const std::string text = framed(text_of(message), how_.how);
  const std::lock_guard lock(writing_);
  to_(text);
}

void connection::answer(const input& id, const std::shared_ptr<batch>& in, output member) {
  output message{{"jsonrpc", "2.0"}, {"id", output(id)}};
  for (auto& each : member.items()) message[each.key()] = std::move(each.value());
  if (!in) return send(message);
  {
    const std::lock_guard lock(guard_);
    in->answers.push_back(std::move(message));
  }
  close(in);
}

void connection::close(const std::shared_ptr<batch>& in) {
  if (!in) return;
  output all;
  {
    const std::lock_guard lock(guard_);
    if (--in->open > 0 || in->answers.empty()) return;
    all = std::move(in->answers);
  }
  send(all);
}

void connection::fail(const input& id, const std::shared_ptr<batch>& in, const request_failure& why) {
  answer(id, in, error_member(why));
}

void connection::notify(std::string_view method, output params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void connection::ask(std::string_view method, output params, std::function<void(const input& result)> answered) {
  std::int64_t id = 0;
  {
    const std::lock_guard lock(guard_);
    id = ++last_asked_;
    asked_[id] = std::move(answered);
  }
  output message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  send(message);
}

bool connection::has_waiting(std::string_view method) const {
  const std::lock_guard lock(guard_);
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const task& each) { return each.what.method == method; });
}

void connection::add(task what) {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] {
    return closing_ || waiting_.empty() ||
           (waiting_.size() < most_waiting && waiting_bytes_ + what.bytes <= most_waiting_bytes);
  });
  if (closing_) return;
  if (what.what.is_request()) open_[what.what.id.dump()] = what.what.cancelled;
  waiting_bytes_ += what.bytes;
  waiting_.push_back(std::move(what));
  changed_.notify_all();
}

// A request that still waits is answered when its turn comes, which costs nothing: it is not worked on.
void connection::cancel(const input& id) {
  const std::lock_guard lock(guard_);
  if (const auto found = open_.find(id.dump()); found != open_.end()) *found->second = true;
}

void connection::take_one(input& message, const std::shared_ptr<batch>& in, std::size_t bytes) {
  const auto refuse = [&](const input& id, const char* why) {
    if (in) {
      const std::lock_guard lock(guard_);
      ++in->open;
    }
    fail(is_id(id) ? id : input(), in, {error_code::invalid_request, why});
  };
  if (!message.is_object()) return refuse({}, "a message is an object");
  const input id = member(message, "id");
  if (member(message, "jsonrpc") != "2.0") return refuse(id, "jsonrpc is \"2.0\"");
  if (!message.contains("method")) {
    if (!message.contains("result") && !message.contains("error")) return refuse(id, "there is no method");
    task response;
    {
      const std::lock_guard lock(guard_);
      const auto found = id.is_number_integer() ? asked_.find(id.get<std::int64_t>()) : asked_.end();
      if (found == asked_.end() || !found->second) return;  // no such request, or it was answered
      // The entry stays until the answer was worked on: requests wait for that.
      response.answered = std::exchange(found->second, nullptr);
      response.what.method = std::to_string(found->first);
    }
    response.what.params = message.contains("error") ? refused() : std::move(message["result"]);
    response.bytes = bytes;
    return add(std::move(response));
  }
  if (!message["method"].is_string()) return refuse(id, "the method is a string");
  if (message.contains("id") && !is_id(id)) return refuse(id, "an id is a string or a whole number");
  if (const input& params = member(message, "params"); !params.is_null() && !params.is_structured())
    return refuse(id, "params is an object or an array");
  task next;
  next.what.method = message["method"].get<std::string>();
  if (message.contains("params")) next.what.params = std::move(message["params"]);
  next.what.id = id;
  next.in = in;
  next.bytes = bytes;
  if (next.what.method == how_.cancel_method) return cancel(member(next.what.params, how_.cancelled_id));
  if (in && next.what.is_request()) {
    const std::lock_guard lock(guard_);
    ++in->open;
  }
  if (next.what.is_request() && !how_.answered_at_once.empty() && next.what.method == how_.answered_at_once)
    return answer(id, in, {{"result", output::object()}});
  add(std::move(next));
}

void connection::take(input message, std::size_t bytes) {
  if (!message.is_array() || !how_.takes_batches) return take_one(message, nullptr, bytes);
  if (message.empty()) return fail({}, nullptr, {error_code::invalid_request, "an empty array of messages"});
  const auto in = std::make_shared<batch>();
  in->open = 1;  // for as long as messages are added
  for (input& one : message) take_one(one, in, bytes / message.size());
  close(in);
}

void connection::read_all(frame_reader& reader) {
  while (true) {
    const frame_reader::found found = reader.next();
    if (found == frame_reader::found::end) return;
    {
      const std::lock_guard lock(guard_);
      if (closing_) return;
    }
    if (found == frame_reader::found::too_large) {
      fail({}, nullptr, {error_code::invalid_request, "the message is too large"});
      continue;
    }
    if (found == frame_reader::found::garbage) {
      fail({}, nullptr, {error_code::parse_error, "these bytes are no message"});
      continue;
    }
    input message;
    switch (read_message(reader, message)) {
      case reading::whole: take(std::move(message), reader.taken()); break;
      case reading::malformed: fail({}, nullptr, {error_code::parse_error, "the message is no JSON"}); break;
      case reading::too_deep: fail({}, nullptr, {error_code::invalid_request, "the message nests too deeply"}); break;
      case reading::too_many_values:
        fail({}, nullptr, {error_code::invalid_request, "the message has too many values"});
        break;
    }
  }
}

bool connection::waits_for_client() const {
  const std::lock_guard lock(guard_);
  return !asked_.empty();
}

void connection::resume_postponed() {
  const std::lock_guard lock(guard_);
  waiting_.insert(waiting_.begin(), std::make_move_iterator(postponed_.begin()),
                  std::make_move_iterator(postponed_.end()));
  for (const task& each : postponed_) waiting_bytes_ += each.bytes;
  postponed_.clear();
}

// A client that does not answer must not stop the server for ever.
void connection::give_up_asking() {
  std::map<std::int64_t, std::function<void(const input&)>> asked;
  {
    const std::lock_guard lock(guard_);
    asked.swap(asked_);
  }
  for (const auto& [id, answered] : asked)
    if (answered) answered(refused());
  resume_postponed();
}

bool connection::next(task& out, bool may_wait) {
  std::unique_lock lock(guard_);
  const auto has_come = [&] { return ended_ || !waiting_.empty(); };
  const bool waits_for_answer = idle_waits_ || !postponed_.empty();
  if (may_wait && !waits_for_answer) changed_.wait(lock, has_come);
  if (may_wait && waits_for_answer && (!changed_.wait_for(lock, patience, has_come) || waiting_.empty())) {
    lock.unlock();
    give_up_asking();
    lock.lock();
  }
  if (waiting_.empty()) return false;
  out = take_first();
  return true;
}

// Precondition: `guard_` is locked, and something waits.
connection::task connection::take_first() {
  task out = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= out.bytes;
  changed_.notify_all();
  return out;
}

void connection::answer_waiting(const std::function<bool(const call&)>& can) {
  while (true) {
    std::unique_lock lock(guard_);
    if (waiting_.empty() || !waiting_.front().what.is_request() || !can(waiting_.front().what)) return;
    task now = take_first();
    lock.unlock();
    work_on(now);
  }
}

void connection::work_on(task& now) {
  const input id = now.what.id;
  try {
    if (now.answered) {
      now.answered(now.what.params);
      {
        const std::lock_guard lock(guard_);
        asked_.erase(hlolint::integer_in(now.what.method).value_or(0));
      }
      return resume_postponed();
    }
    if (!now.what.is_request()) return with_->notification(now.what);
    output result;
    std::optional<request_failure> failed;
    try {
      now.what.stop_if_cancelled();
      result = with_->request(now.what);
      now.what.stop_if_cancelled();
    } catch (const not_yet&) {
      if (waits_for_client()) {
        postponed_.push_back(std::move(now));
        return;
      }
      failed = request_failure{error_code::internal_error, "the client has not answered what this needs"};
    } catch (request_failure& why) {
      failed = std::move(why);
    } catch (const std::bad_alloc&) {
      failed = request_failure{error_code::internal_error, "out of memory"};
    } catch (const std::exception& thrown) {
      failed = request_failure{error_code::internal_error, thrown.what()};
    }
    {
      const std::lock_guard lock(guard_);
      open_.erase(id.dump());
    }
    if (*now.what.cancelled && !how_.answers_cancelled) return close(now.in);
    if (failed) return fail(id, now.in, *failed);
    answer(id, now.in, {{"result", std::move(result)}});
  } catch (const request_failure&) {  // of a notification, which has no answer
  } catch (const std::exception&) {
  }
}

void connection::run(const handlers& with) {
  with_ = &with;
  const auto reader = std::make_unique<frame_reader>(from_, how_.how);
  std::thread reading([&] {
    read_all(*reader);
    const std::lock_guard lock(guard_);
    ended_ = true;
    changed_.notify_all();
  });
  bool more = true;  // to do when idle
  while (!stopped_) {
    task now;
    if (next(now, !more)) {
      work_on(now);
      more = true, idle_waits_ = false;
    } else if (more) {
      try {
        more = with.idle();
      } catch (const not_yet&) {
        more = false, idle_waits_ = true;
      } catch (const request_failure&) {
        more = false;
      } catch (const std::exception&) {
        more = false;
      }
    } else if (idle_waits_) {  // the client was given up
      more = true, idle_waits_ = false;
    } else {
      break;
    }
  }
  {
    const std::lock_guard lock(guard_);
    closing_ = true;
    changed_.notify_all();
  }
  stop_reading_();
  reading.join();
}

}  // namespace hlolint::command::server
