// A client of a server in this process: all messages at once, then all that came back.
#pragma once

#include <hlolint/settings/arguments.hpp>
#include <hlolint/server/lsp/lsp.hpp>
#include <hlolint/server/mcp/mcp.hpp>
#include <hlolint/server/rpc/connection.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace hlolint::command::server::testing {

using json = nlohmann::json;

/// A source of bytes that gives a text in pieces of a size.
inline byte_source bytes_of(std::string text, std::size_t piece = 4096) {
  return [text = std::move(text), piece, at = std::size_t{0}](char* to, std::size_t size) mutable {
    const std::size_t count = std::min({size, piece, text.size() - at});
    std::memcpy(to, text.data() + at, count);
    at += count;
    return count;
  };
}

/// The messages in what a server wrote.
inline std::vector<json> messages_in(const std::string& written, framing how) {
  std::vector<json> out;
  frame_reader reader(bytes_of(written), how);
  while (reader.next() == frame_reader::found::message) {
    json message;
    REQUIRE(read_message(reader, message) == reading::whole);
    out.push_back(std::move(message));
  }
  return out;
}

inline std::string joined(const std::vector<json>& messages, framing how) {
  std::string out;
  for (const json& one : messages) out += framed(one.dump(), how);
  return out;
}

/// The only message with an id; fails without one.
inline json answer_to(const std::vector<json>& messages, const json& id) {
  json found;
  for (const json& one : messages)
    if (one.value("id", json()) == id && !one.contains("method")) {
      CHECK_MESSAGE(found.is_null(), "two answers to ", id.dump());
      found = one;
    }
  REQUIRE_MESSAGE(!found.is_null(), "no answer to ", id.dump());
  return found;
}

inline std::vector<json> notifications(const std::vector<json>& messages, std::string_view method) {
  std::vector<json> out;
  for (const json& one : messages)
    if (one.value("method", "") == method) out.push_back(one["params"]);
  return out;
}

inline json request(int id, const std::string& method, json params = json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}
inline json notification(const std::string& method, json params = json::object()) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

/// The arguments of `hlolint WORD...`.
inline arguments arguments_of(std::vector<std::string> words) {
  words.insert(words.begin(), "hlolint");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  arguments out;
  REQUIRE_FALSE(read_arguments(static_cast<int>(words.size()), pointers.data(), out).has_value());
  return out;
}

/// What a server wrote, and its exit status.
struct outcome {
  std::vector<json> messages;
  int status = 0;
};

/// Something that a client sends as soon as the server has written `awaited`, or after ten seconds.
struct reply {
  std::string awaited, text;
};

/// A client that sends `first` at once, and each reply in turn.
class patient_client {
 public:
  patient_client(const std::string& first, const std::vector<reply>& replies) : sent_{{"", bytes_of(first)}} {
    for (const reply& each : replies) sent_.push_back({each.awaited, bytes_of(each.text)});
  }
  patient_client(const std::string& first, const std::string& last, const std::string& awaited)
      : patient_client(first, {{awaited, last}}) {}

  byte_source source() {
    return [this](char* to, std::size_t size) {
      for (; next_ < sent_.size(); ++next_) {
        std::unique_lock lock(guard_);
        changed_.wait_for(lock, std::chrono::seconds(10),
                          [&] { return written_.find(sent_[next_].awaited) != std::string::npos; });
        if (const std::size_t got = sent_[next_].text(to, size)) return got;
      }
      return std::size_t{0};
    };
  }
  byte_sink sink() {
    return [this](std::string_view bytes) {
      const std::lock_guard lock(guard_);
      written_ += bytes;
      changed_.notify_all();
      return true;
    };
  }
  /// What the server wrote. Precondition: it has ended.
  const std::string& written() const { return written_; }

 private:
  struct part {
    std::string awaited;
    byte_source text;
  };
  std::vector<part> sent_;
  std::size_t next_ = 0;
  std::string written_;
  std::mutex guard_;
  std::condition_variable changed_;
};

inline outcome talk_mcp(const std::string& input, const std::string& root, const std::string& last = {},
                        const std::string& awaited = {}) {
  patient_client client(input, last, awaited);
  connection with(client.source(), client.sink(), mcp_protocol());
  const arguments given = arguments_of({"mcp", "--root", root});
  serve_mcp(with, given);
  return {messages_in(client.written(), framing::lines), 0};
}

inline outcome talk_lsp(const std::string& input, const std::vector<reply>& replies) {
  patient_client client(input, replies);
  connection with(client.source(), client.sink(), lsp_protocol());
  const arguments given = arguments_of({"lsp"});
  outcome out;
  out.status = serve_lsp(with, given);
  out.messages = messages_in(client.written(), framing::headers);
  return out;
}
inline outcome talk_lsp(const std::string& input, const std::string& last = {}, const std::string& awaited = {}) {
  return talk_lsp(input, {{awaited, last}});
}

/// A folder that is there as long as the test runs.
class scratch {
 public:
  scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "hlolint_server_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path_ = std::filesystem::canonical(name);
  }
  ~scratch() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// A program with a fusion, an asynchronous all-gather, a loop-free schedule, and a 1.5 MiB value.
inline constexpr std::string_view program = R"(HloModule step, is_scheduled=true, num_partitions=4

%fused_computation (param_0: f32[1024,384]) -> f32[1024,384] {
  %param_0 = f32[1024,384]{1,0} parameter(0)
  ROOT %negate.2 = f32[1024,384]{1,0} negate(%param_0)
}

ENTRY %main (p: f32[1024,384]) -> f32[1024,384] {
  %p = f32[1024,384]{1,0} parameter(0)
  %fusion.1 = f32[1024,384]{1,0} fusion(%p), kind=kLoop, calls=%fused_computation, metadata={op_name="jit(f)/neg" source_file="f.py" source_line=2}
  %start = (f32[1024,384]{1,0}, f32[4096,384]{1,0}) all-gather-start(%fusion.1), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true
  %done = f32[4096,384]{1,0} all-gather-done(%start)
  ROOT %slice.1 = f32[1024,384]{1,0} slice(%done), slice={[0:1024], [0:384]}
}
)";

}  // namespace hlolint::command::server::testing
