// Progress that the editor shows while the server works.
#pragma once

#include "../rpc/connection.hpp"

#include <cstdint>
#include <string>

namespace hlolint::command::server::lsp {

/// `$/progress` of one piece of work, which begins and ends with this object.
class shown_progress {
 public:
  /// Shows nothing with a token that is none.
  shown_progress(connection& with, output token, const std::string& title);
  ~shown_progress();
  shown_progress(const shown_progress&) = delete;
  shown_progress& operator=(const shown_progress&) = delete;

 private:
  void send(output value) const;
  connection& with_;
  output token_;
};

/// Tokens for work that no request with a token asks for. The editor has to accept each of them.
class progress_tokens {
 public:
  /// A token that the editor has accepted, or null if it refuses. Throws `not_yet` until it has answered.
  output take(connection& with);

 private:
  enum class state : std::uint8_t { none, asked, accepted, refused };
  state now_ = state::none;
  int last_ = 0;
};

}  // namespace hlolint::command::server::lsp
