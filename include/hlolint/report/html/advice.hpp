// Advice on schedules as a page: what is in use over time, before and after, with the edits.
#pragma once

#include <hlolint/advise/schedule_edit.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/report/advise/advice_text.hpp>
#include <hlolint/report/html/style.hpp>
#include <hlolint/report/markup.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

namespace hlolint::report {

/// Bytes in use over a schedule, as steps.
struct drawn_curve {
  record_list<occupancy_step> steps;  ///< by position
  std::int64_t last_position = 0;     ///< of the schedule
};

/// Where what an edit moves, or computes again, stands in a schedule.
struct marked_block {
  std::size_t edit = 0;                  ///< its number, from 1 on
  optional<std::int64_t> before{};       ///< first position; nothing: not there
  optional<std::int64_t> after{};        ///< likewise, after the edit
};

/// One module's part of the page.
struct advice_picture {
  drawn_curve before;                ///< of the module as it is
  optional<drawn_curve> after;       ///< after the edits
  record_list<marked_block> blocks;  ///< in the order of the edits
};

/// Where the blocks of the edits stand before and after.
inline record_list<marked_block> marked_blocks(const hlo_module& before, const advise::schedule_advice& advice) {
  record_list<marked_block> out;
  if (!advice.edited) return out;
  const flat_schedule old_order(before), new_order(*advice.edited);
  const auto position = [](const hlo_module& module, const flat_schedule& order, const std::string& computation,
                           const std::string& name) -> optional<std::int64_t> {
    const hlo_computation c = module.find_computation(computation);
    const hlo_instruction i = c ? c.find(name) : hlo_instruction{};
    return i ? order.position_of(i) : std::nullopt;
  };
  for (const advise::schedule_edit& edit : advice.edits) {
    const std::string& name = edit.instructions.front();
    const bool again = edit.kind == advise::edit_kind::recompute;
    out.push_back({out.size() + 1, position(before, old_order, edit.computation, name),
                   position(*advice.edited, new_order, edit.computation, again ? name + ".remat" : name)});
  }
  return out;
}

namespace detail {

// A plot without scripts.
class advice_plot {
 public:
  advice_plot(std::ostream& out, const advice_picture& picture, const advise::schedule_advice& advice)
      : out_(out), picture_(picture), advice_(advice) {
    most_ = std::max<byte_count>(1, peak(picture.before));
    last_ = std::max<std::int64_t>(1, picture.before.last_position);
    if (picture.after) {
      most_ = std::max(most_, peak(*picture.after));
      last_ = std::max(last_, picture.after->last_position);
    }
  }
  void draw() {
    out_ << "<svg viewBox=\"0 0 1200 330\" role=\"img\" aria-label=\"bytes in use before and after the edits\" "
            "style=\"width:100%;height:auto;font:13px system-ui,sans-serif\">\n";
    curve(picture_.before, "fill:var(--area);fill-opacity:.45;stroke:var(--area-edge)", "before");
    if (picture_.after) curve(*picture_.after, "fill:none;stroke:var(--peak);stroke-width:1.5", "after");
    level(advice_.bound, "no order needs less: " + human(advice_.bound));
    text(left, 14, "var(--area-edge)",
         "before: " + human(peak(picture_.before)) + " in use, need " + human(advice_.need));
    if (picture_.after)
      text(left + 380, 14, "var(--peak)",
           "after: " + human(peak(*picture_.after)) + " in use, need " + human(advice_.after));
    for (const marked_block& block : picture_.blocks) mark(block);
    out_ << "<line x1=\"" << left << "\" y1=\"" << bottom << "\" x2=\"" << left + wide << "\" y2=\"" << bottom
         << "\" style=\"stroke:var(--line)\"/>\n";
    text(left, bottom + 62, "var(--soft)", "schedule position 0 to " + std::to_string(last_));
    out_ << "</svg>\n";
  }

 private:
  static constexpr std::int64_t left = 10, wide = 1180, top = 24, bottom = 260;

  static byte_count peak(const drawn_curve& curve) {
    byte_count most = 0;
    for (const occupancy_step& s : curve.steps) most = std::max(most, s.bytes);
    return most;
  }
  std::int64_t x_of(std::int64_t position) const {
    return left + static_cast<std::int64_t>(static_cast<double>(wide) * static_cast<double>(position) /
                                            static_cast<double>(last_ + 1));
  }
  std::int64_t y_of(byte_count bytes) const {
    return bottom - static_cast<std::int64_t>(static_cast<double>(bottom - top) * static_cast<double>(bytes) /
                                              static_cast<double>(most_));
  }
  void text(std::int64_t x, std::int64_t y, const char* color, const std::string& what) {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" style=\"fill:" << color << "\">" << xml_text(what)
         << "</text>\n";
  }
  // The most of each column, so that a text has no more points than the picture has columns.
  void curve(const drawn_curve& of, const char* style, const char* name) {
    record_list<byte_count> columns(static_cast<std::size_t>(wide), 0);
    for (std::size_t k = 0; k < of.steps.size(); ++k) {
      const std::int64_t from = of.steps[k].position;
      const std::int64_t to = k + 1 < of.steps.size() ? of.steps[k + 1].position : of.last_position + 1;
      const std::int64_t first = std::clamp<std::int64_t>(x_of(from) - left, 0, wide - 1);
      const std::int64_t end = std::clamp<std::int64_t>(x_of(to) - left, first + 1, wide);
      for (std::int64_t x = first; x < end; ++x) {
        byte_count& most = columns[static_cast<std::size_t>(x)];
        most = std::max(most, of.steps[k].bytes);
      }
    }
    out_ << "<path class=\"" << name << "\" style=\"" << style << "\" d=\"M" << left << ' ' << bottom;
    std::int64_t y = bottom;
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const std::int64_t next = y_of(columns[x]);
      if (next != y) out_ << 'H' << left + static_cast<std::int64_t>(x) << 'V' << next;
      y = next;
    }
    out_ << 'H' << left + wide << 'V' << bottom << "\"/>\n";
  }
  void level(byte_count bytes, const std::string& what) {
    if (bytes <= 0 || bytes > most_) return;
    const std::int64_t y = y_of(bytes);
    out_ << "<line x1=\"" << left << "\" y1=\"" << y << "\" x2=\"" << left + wide << "\" y2=\"" << y
         << "\" style=\"stroke:var(--soft);stroke-dasharray:4 4\"/>\n";
    text(left + 6, y - 4, "var(--soft)", what);
  }
  // From where the block stood to where it stands.
  void mark(const marked_block& block) {
    const std::int64_t high = bottom + 12, low = bottom + 36;
    const auto tick = [&](std::int64_t position, std::int64_t y, const char* color) {
      const std::int64_t x = x_of(position);
      out_ << "<circle class=\"moved\" cx=\"" << x << "\" cy=\"" << y << "\" r=\"8\" style=\"fill:" << color
           << "\"/><text x=\"" << x << "\" y=\"" << y + 4
           << "\" style=\"fill:var(--back);text-anchor:middle;font-size:11px\">" << block.edit << "</text>\n";
    };
    if (block.before && block.after)
      out_ << "<line x1=\"" << x_of(*block.before) << "\" y1=\"" << high << "\" x2=\"" << x_of(*block.after)
           << "\" y2=\"" << low << "\" style=\"stroke:var(--text)\"/>\n";
    if (block.before) tick(*block.before, high, "var(--area-edge)");
    if (block.after) tick(*block.after, low, "var(--peak)");
  }

  std::ostream& out_;
  const advice_picture& picture_;
  const advise::schedule_advice& advice_;
  byte_count most_ = 1;
  std::int64_t last_ = 1;
};

}  // namespace detail

/// The page up to its first module. It needs no script and no network.
inline void write_advice_page_head(std::ostream& out) {
  out << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>hlolint advise</title>\n"
         "<style>"
      << html_style << "</style>\n</head>\n<body>\n<header><h1>hlolint advise</h1></header>\n<main>\n";
}

/// One module: the curves of memory in use, one over the other, and each edit.
inline void write_advice_section(std::ostream& out, const advised_module& module, const advise::schedule_advice& advice,
                                 const advice_picture& picture) {
  out << "<section>\n<h2>" << xml_text(module.name.empty() ? module.path : module.name) << "</h2>\n<p class=\"soft\">"
      << xml_text(module.path) << "</p>\n";
  if (!module.missing.empty()) {
    out << "<p>" << xml_text(module.missing) << "</p>\n</section>\n";
    return;
  }
  out << "<p>Need " << xml_text(human(advice.need));
  if (!advice.edits.empty()) out << ", after the edits " << xml_text(after_text(advice));
  if (module.has_times && advice.step && advice.step_after && !advice.edits.empty())
    out << "; " << xml_text(detail::signed_milliseconds(*advice.step_after - *advice.step)) << " of "
        << xml_text(detail::signed_milliseconds(*advice.step).substr(1)) << " a step";
  out << ". " << xml_text(bound_text(advice)) << ".</p>\n";
  if (advice.wanted == advise::objective::time) out << "<p>" << xml_text(exposed_text(advice)) << ".</p>\n";
  if (module.wanted > 0) out << "<p>Target " << xml_text(target_text(module, advice)) << ".</p>\n";
  detail::advice_plot(out, picture, advice).draw();
  std::size_t number = 0;
  detail::first_mentions first;
  const bool for_time = advice.wanted == advise::objective::time;
  for (const advise::schedule_edit& edit : advice.edits) {
    out << "<h3>" << ++number << ". " << xml_text(edit_text(edit)) << "</h3>\n<p>"
        << xml_text(saving_text(edit, advice.wanted));
    if (module.has_times && advice.wanted == advise::objective::memory)
      out << "; "
          << xml_text(detail::signed_milliseconds(edit.extra_seconds) + ", of it exposed transfers " +
                      detail::signed_milliseconds(edit.extra_exposed));
    if (!edit.source.empty()) out << "; <code>" << xml_text(edit.source) << "</code>";
    out << "</p>\n<p>" << xml_text(first.text(how_to_get(edit, module.on, advice.wanted), number)) << "</p>\n";
    if (!for_time && detail::edits_to_report(advice.edits, number - 1).move)
      out << "<p class=\"soft\">" << xml_text(bug_report(advice, number - 1, module.name)) << "</p>\n";
  }
  if (for_time && !advice.edits.empty())
    out << "<p class=\"soft\">" << xml_text(time_report(advice, module.name)) << "</p>\n";
  if (advice.donation)
    out << "<h3>Donation</h3>\n<p>" << xml_text(donation_text(*advice.donation)) << ".</p>\n<p>"
        << xml_text(how_to_donate) << "</p>\n";
  if (advice.changes) {
    out << "<h3>Proposals</h3>\n<p>" << xml_text(changes_text(*advice.changes)) << ".</p>\n";
    std::size_t change_number = 0;
    detail::first_mentions first_change("change");
    for (const advise::program_change& change : advice.changes->list) {
      out << "<h3>Change " << ++change_number << ": " << xml_text(change_text(change)) << "</h3>\n<p>"
          << xml_text(change_saving_text(change));
      if (module.has_times) out << "; " << xml_text(detail::signed_milliseconds(change.extra_seconds));
      if (!change.source.empty()) out << "; <code>" << xml_text(change.source) << "</code>";
      out << "</p>\n<p>" << xml_text(first_change.text(how_to_change(change, module.on), change_number)) << "</p>\n";
    }
  }
  out << "</section>\n";
}

/// What follows the modules.
inline void write_advice_page_tail(std::ostream& out) { out << "</main>\n</body>\n</html>\n"; }

}  // namespace hlolint::report
