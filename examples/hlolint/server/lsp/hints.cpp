#include "hints.hpp"

#include "facts.hpp"

#include <hlolint/text/bytes.hpp>

#include <utility>

namespace hlolint::command::server::lsp {

namespace {

constexpr std::size_t most_hints = 5000;
// Less needs no hint.
constexpr byte_count least_bytes = 1024;

}  // namespace

output inlay_hints(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  output out = output::array();
  need_contexts(of, in, asked);
  const input& range = member(asked.params, "range");
  const auto offset = [&](const char* end) {
    return static_cast<std::uint32_t>(in.positions().offset(position_of(member(range, end))));
  };
  const span wanted{offset("start"), offset("end")};
  for (const hlo_instruction i : in.instructions_in(wanted)) {
    const std::uint32_t at = i.where().at.end;
    if (at < wanted.begin || at > wanted.end) continue;
    if (out.size() >= most_hints) break;
    asked.stop_if_cancelled();
    const context* const module = in.context_of(i);
    std::string label, tooltip;
    const auto add = [&](const std::string& text, const char* what) {
      label += (label.empty() ? "" : ", ") + text;
      tooltip += (tooltip.empty() ? "" : "; ") + text + " " + what;
    };
    if (const auto bytes = bytes_of(i, module); bytes && *bytes >= least_bytes) add(human(*bytes), "of result");
    if (const step_times* const times = module ? times_of(*module) : nullptr)
      if (const double ms = times->ms_of(i); ms > 0) add(time_text(ms), "of a step");
    if (module)
      if (const auto bytes = in_use_at(*module, i); bytes && *bytes >= least_bytes)
        add(human(*bytes) + " in use", "while it runs");
    if (label.empty()) continue;
    out.push_back({{"position", in.positions().json(at)},
                   {"label", std::move(label)},
                   {"tooltip", std::move(tooltip)},
                   {"paddingLeft", true}});
  }
  return out;
}

}  // namespace hlolint::command::server::lsp
