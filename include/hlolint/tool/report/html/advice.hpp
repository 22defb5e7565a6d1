// Advice on schedules as a page: what is in use over time, before and after, with the edits. `parts::advice_head` and
// `parts::advice_tail` stand around it; it needs no script and no network.
#pragma once

#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/report/markup.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>
#include <hlolint/tool/report/advise/advice_table.hpp>
#include <hlolint/tool/report/advise/advice_text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// Bytes in use over a schedule, as steps.
struct drawn_curve {
  std::vector<occupancy_step> steps;  ///< by position
  std::int64_t last_position = 0;     ///< of the schedule
};

/// Where what an edit moves, or computes again, stands in a schedule.
struct marked_block {
  std::size_t edit = 0;                  ///< its number, from 1 on
  std::optional<std::int64_t> before{};  ///< first position; nothing: not there
  std::optional<std::int64_t> after{};   ///< likewise, after the edit
};

/// One module's part of the page.
struct advice_picture {
  drawn_curve before;                ///< of the module as it is
  std::optional<drawn_curve> after;  ///< after the edits
  std::vector<marked_block> blocks;  ///< in the order of the edits
};

/// Where the blocks of the edits stand before and after.
inline std::vector<marked_block> marked_blocks(const hlo_module& before, const advise::schedule_advice& advice) {
  std::vector<marked_block> out;
  if (!advice.edited) return out;
  const flat_schedule old_order(before), new_order(*advice.edited);
  const auto position = [](const hlo_module& module, const flat_schedule& order, const std::string& computation,
                           const std::string& name) -> std::optional<std::int64_t> {
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
    std::vector<byte_count> columns(static_cast<std::size_t>(wide), 0);
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

// Bytes against milliseconds of a step, with the present program among the points, and a list of them.
inline void write_curve_plot(std::ostream& out, const std::vector<curve_point>& curve) {
  if (curve.empty()) return;
  constexpr double left = 90, wide = 1080, top = 20, high = 200;
  const auto by_seconds = [](const curve_point& a, const curve_point& b) { return a.seconds < b.seconds; };
  const auto ends = std::minmax_element(curve.begin(), curve.end(), by_seconds);
  const double fastest = ends.first->seconds, slowest = ends.second->seconds;
  const auto bytes = static_cast<double>(std::max<byte_count>(1, curve.front().bytes));
  const double span = std::max(slowest - fastest, 1e-9);
  const auto x_of = [&](const curve_point& p) { return left + wide * static_cast<double>(p.bytes) / bytes; };
  const auto y_of = [&](const curve_point& p) { return top + high * (slowest - p.seconds) / span; };
  const auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return std::string(text);
  };
  const auto label = [&](double x, double y, std::string_view anchor, const std::string& what) {
    out << "<text x=\"" << number(x) << "\" y=\"" << number(y) << "\" text-anchor=\"" << anchor
        << "\" style=\"fill:var(--soft)\">" << xml_text(what) << "</text>\n";
  };
  out << "<h3>Bytes against time</h3>\n<svg viewBox=\"0 0 1200 270\" role=\"img\" aria-label=\"bytes that the program "
         "needs against milliseconds of a step\" style=\"width:100%;height:auto;font:13px system-ui,sans-serif\">\n"
         "<polyline style=\"fill:none;stroke:var(--area-edge)\" points=\"";
  for (const curve_point& p : curve) out << number(x_of(p)) << ',' << number(y_of(p)) << ' ';
  out << "\"/>\n";
  for (const curve_point& p : curve)
    out << "<circle class=\"" << name_of(p.by) << "\" cx=\"" << number(x_of(p)) << "\" cy=\"" << number(y_of(p))
        << "\" r=\"" << (p.by == curve_step::present ? 7 : 4) << "\" style=\"fill:var(--"
        << (p.by == curve_step::present ? "peak"
            : p.fits                    ? "area-edge"
                                        : "soft")
        << ")\"><title>"
        << xml_text(amount_text(p.bytes, certainty_of(p)) + ", " + number(p.seconds * 1e3) + " ms: " + p.what)
        << "</title></circle>\n";
  label(left - 8, top + 4, "end", number(slowest * 1e3) + " ms");
  label(left - 8, top + high, "end", number(fastest * 1e3) + " ms");
  label(left, top + high + 30, "start", "0");
  label(left + wide, top + high + 30, "end", "need " + human(curve.front().bytes));
  out << "</svg>\n<table>\n<tr><th>need</th><th>ms a step</th><th>by</th></tr>\n";
  for (const curve_point& p : curve)
    out << "<tr><td>" << xml_text(amount_text(p.bytes, certainty_of(p))) << "</td><td>" << number(p.seconds * 1e3)
        << "</td><td>" << (p.by == curve_step::present ? "<strong>" : "") << xml_text(p.what)
        << (p.by == curve_step::present ? "</strong>"
            : p.fits                    ? ""
                                        : " (more than the device has)")
        << "</td></tr>\n";
  out << "</table>\n";
}

}  // namespace detail

/// The table of many modules, with a link to the section of each that has one.
inline void write_advice_overview(std::ostream& out, const std::vector<advice_row>& rows, std::size_t worth,
                                  byte_count least) {
  out << "<section>\n<h2>" << rows.size() << " modules, by what can be saved</h2>\n";
  if (worth > 0) {
    out << "<table>\n<tr>";
    for (const std::string& title : advice_columns())
      out << "<th>" << xml_text(title.starts_with('#') ? title.substr(1) : title) << "</th>";
    out << "</tr>\n";
    const std::vector<std::string> files = file_names(rows);
    for (std::size_t k = 0; k < worth; ++k) {
      out << "<tr>";
      const std::vector<std::string> cells = advice_cells(rows[k], files[k]);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const bool is_name = c + 2 == cells.size();
        out << "<td>" << (is_name ? "<a href=\"#module-" + std::to_string(rows[k].number) + "\">" : std::string())
            << xml_text(cells[c]) << (is_name ? "</a>" : "") << "</td>";
      }
      out << "</tr>\n";
    }
    out << "</table>\n";
  }
  for (const std::string& remark : advice_remarks(rows, worth, least)) out << "<p>" << xml_text(remark) << "</p>\n";
  out << "</section>\n";
}

/// One module: the curves of memory in use, one over the other, and each edit. `number_of_module`: that links in an
/// overview have.
inline void write_advice_section(std::ostream& out, const advised_module& module, const advise::schedule_advice& advice,
                                 const advice_picture& picture, std::optional<std::size_t> number_of_module = {}) {
  out << "<section" << (number_of_module ? " id=\"module-" + std::to_string(*number_of_module) + "\"" : std::string())
      << ">\n<h2>" << xml_text(module.name.empty() ? module.path : module.name) << "</h2>\n<p class=\"soft\">"
      << xml_text(module.path) << "</p>\n";
  if (!module.missing.empty()) {
    out << "<p>" << xml_text(module.missing) << "</p>\n</section>\n";
    return;
  }
  out << "<p>Need " << xml_text(human(advice.need));
  if (!advice.edits.empty()) out << ", after the edits " << xml_text(after_text(advice));
  if (module.has_times && advice.step && advice.step_after && !advice.edits.empty())
    out << "; " << xml_text(signed_duration_text(*advice.step_after - *advice.step)) << " of "
        << xml_text(duration_text(*advice.step)) << " a step";
  out << ". " << xml_text(bound_text(advice)) << ".</p>\n";
  if (module.has_times)
    for (const advise::time_trade& trade : advice.trades)
      out << "<p>Trade: " << xml_text(trade_text(trade, advice)) << ".</p>\n";
  if (advice.wanted == advise::objective::time) out << "<p>" << xml_text(exposed_text(advice)) << ".</p>\n";
  if (module.wanted > 0) out << "<p>Target " << xml_text(target_text(module, advice)) << ".</p>\n";
  detail::advice_plot(out, picture, advice).draw();
  detail::write_curve_plot(out, module.curve);
  if (!module.how_to_keep.empty()) out << "<p>" << xml_text(module.how_to_keep) << "</p>\n";
  std::size_t number = 0;
  detail::first_mentions first;
  const bool for_time = advice.wanted == advise::objective::time;
  for (const advise::schedule_edit& edit : advice.edits) {
    out << "<h3>" << ++number << ". " << xml_text(edit_text(edit)) << "</h3>\n<p>"
        << xml_text(saving_text(edit, advice.wanted));
    if (module.has_times && advice.wanted == advise::objective::memory)
      out << "; "
          << xml_text(signed_duration_text(edit.extra_seconds) + ", of it exposed transfers " +
                      signed_duration_text(edit.extra_exposed));
    if (!edit.source.empty()) out << "; <code>" << xml_text(edit.source) << "</code>";
    out << "</p>\n<p>" << xml_text(first.text(how_to_get(edit, module.on, advice.wanted, module.flags), number))
        << "</p>\n";
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
      if (module.has_times) out << "; " << xml_text(signed_duration_text(change.extra_seconds));
      if (!change.source.empty()) out << "; <code>" << xml_text(change.source) << "</code>";
      out << "</p>\n<p>" << xml_text(first_change.text(how_to_change(change, module.on), change_number)) << "</p>\n";
    }
  }
  out << "</section>\n";
}

}  // namespace hlolint::report
