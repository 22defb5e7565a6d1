// The loop of a server: one thread reads messages, the thread that calls `run` works on them one after the other.
#pragma once

#include "message.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command::server {

/// A request or notification that a handler works on.
struct call {
  std::string method;
  input params;
  input id;  ///< null for a notification
  std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);

  bool is_request() const { return !id.is_null(); }
  /// Throws `request_failure` if the client has cancelled it.
  void stop_if_cancelled() const {
    if (*cancelled) throw request_failure{error_code::request_cancelled, "cancelled"};
  }
};

/// Thrown by a handler: the request, or the work when idle, is to be tried again once the client has answered what the
/// server asked, or has not done so for some seconds.
struct not_yet {};

/// How the protocol of a connection differs from others.
struct protocol {
  framing how = framing::headers;
  std::string cancel_method;       ///< the notification that cancels a request
  std::string cancelled_id;        ///< its member with the id
  bool answers_cancelled = true;   ///< whether a cancelled request is answered, by an error
  bool takes_batches = false;      ///< whether an array of messages is a message
  std::string answered_at_once{};  ///< a request that is answered with an empty result while another one is worked on
};

/// What a server does. All of it is called on the thread of `run`.
struct handlers {
  /// Returns the result, or throws `request_failure`.
  std::function<output(call&)> request;
  std::function<void(call&)> notification;
  /// Called when no message waits; true if it left work for another call.
  std::function<bool()> idle = [] { return false; };
};

/// A connection with one client. Messages that are no JSON-RPC are answered by an error and do no other harm. What
/// waits to be worked on takes a bounded amount of memory.
class connection {
 public:
  /// `stop_reading` makes `from` return 0.
  connection(
      byte_source from, byte_sink to, protocol how, std::function<void()> stop_reading = [] {});

  /// Works until `stop` is called or the input ends.
  void run(const handlers& with);
  /// Ends `run` after the current message. Only to be called by a handler.
  void stop() { stopped_ = true; }
  /// Whether the input came to its end.
  bool input_ended() const { return ended_; }

  /// Sends a notification.
  void notify(std::string_view method, output params);
  /// Sends a request; `answered` is called with its result, or with a discarded value if the client refuses it or does
  /// not answer.
  void ask(std::string_view method, output params, std::function<void(const input& result)> answered);
  /// Whether a message of this method waits to be worked on.
  bool has_waiting(std::string_view method) const;
  /// Works on the requests that wait, in their order, up to the first message that `can` refuses. For `handlers::idle`,
  /// when it works for long.
  void answer_waiting(const std::function<bool(const call&)>& can);

 private:
  // Answers of the requests of one array, which are sent together.
  struct batch {
    std::size_t open = 0;
    output answers = output::array();
  };
  struct task {
    call what;
    std::shared_ptr<batch> in;
    std::function<void(const input&)> answered;  // of a response
    std::size_t bytes = 0;
  };

  void read_all(frame_reader& reader);
  void take(input message, std::size_t bytes);
  void take_one(input& message, const std::shared_ptr<batch>& in, std::size_t bytes);
  void cancel(const input& id);
  void add(task what);
  bool next(task& out, bool may_wait);
  task take_first();
  void work_on(task& now);
  bool waits_for_client() const;
  void resume_postponed();
  void give_up_asking();
  void answer(const input& id, const std::shared_ptr<batch>& in, output member);
  void close(const std::shared_ptr<batch>& in);
  void fail(const input& id, const std::shared_ptr<batch>& in, const request_failure& why);
  void send(const output& message);

  byte_source from_;
  byte_sink to_;
  protocol how_;
  std::function<void()> stop_reading_;

  mutable std::mutex guard_;  // of all below
  std::condition_variable changed_;
  std::deque<task> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool ended_ = false, closing_ = false;
  std::map<std::string, std::shared_ptr<std::atomic<bool>>> open_;  // requests that are not answered, by id
  std::map<std::int64_t, std::function<void(const input&)>> asked_;
  std::int64_t last_asked_ = 0;

  const handlers* with_ = nullptr;  // those of `run`
  std::vector<task> postponed_;
  bool idle_waits_ = false;  // for an answer of the client
  std::mutex writing_;
  bool stopped_ = false;
};

}  // namespace hlolint::command::server
