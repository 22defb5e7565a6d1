#include "progress.hpp"

#include <utility>

namespace hlolint::command::server::lsp {

shown_progress::shown_progress(connection& with, output token, const std::string& title)
    : with_(with), token_(std::move(token)) {
  send({{"kind", "begin"}, {"title", title}});
}

shown_progress::~shown_progress() { send({{"kind", "end"}}); }

void shown_progress::send(output value) const {
  if (!token_.is_string() && !token_.is_number_integer()) return;
  with_.notify("$/progress", {{"token", token_}, {"value", std::move(value)}});
}

output progress_tokens::take(connection& with) {
  const auto token = [&] { return "hlolint." + std::to_string(last_); };
  if (now_ == state::refused) return nullptr;
  if (now_ == state::accepted) {
    now_ = state::none;
    return token();
  }
  if (now_ == state::none) {
    now_ = state::asked;
    ++last_;
    with.ask("window/workDoneProgress/create", {{"token", token()}},
             [this](const input& result) { now_ = result.is_discarded() ? state::refused : state::accepted; });
  }
  throw not_yet{};
}

}  // namespace hlolint::command::server::lsp
