#include "excerpt.hpp"

#include <hlolint/text/characters.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command {

namespace {

// Where a page of a list has its entries.
constexpr std::string_view page_entries = "/entries";

// Texts and lists of this length are cut last.
constexpr std::size_t most_text = 400, least_text = 80, most_omitted = 8;

// Members with what to do, of which the end counts as much as the begin.
constexpr std::string_view prose[] = {"how", "advice", "report"};
constexpr std::size_t most_prose = 2000;

// The list that `--by` asks for. Where it is, the others are beside the point, and show so many entries.
constexpr const char* asked_list = "groups";
constexpr std::size_t most_beside_asked = 3;

// A finding's place in the order of costs: by level, then by what could be saved. A second counts as a terabyte, which
// is about what a device's memory moves in it.
std::pair<int, double> finding_cost(const json_value& finding) {
  const std::string level = finding.value("level", "");
  json_value impacts = finding.value("impacts", json_value::array());
  if (impacts.empty() && finding.contains("impact")) impacts.push_back(finding["impact"]);
  double cost = 0;
  for (const json_value& impact : impacts) {
    const std::string unit = impact.value("unit", "");
    cost += impact.value("amount", 0.0) * (unit == "seconds" || unit == "relative_time" ? 1e12 : 1);
  }
  return {level == "error" ? 2 : level == "warning" ? 1 : 0, cost};
}

std::pair<int, double> number_of(const json_value& entry, const char* name) { return {0, entry.value(name, 0.0)}; }

// Puts the costliest entries of a list first. Returns where each entry was before.
template <class Cost>
std::vector<std::size_t> sort_by(json_value& list, Cost&& cost) {
  std::vector<std::pair<std::pair<int, double>, std::size_t>> order;
  for (std::size_t i = 0; i < list.size(); ++i)
    order.emplace_back(list[i].is_object() ? cost(list[i]) : std::pair(0, 0.0), i);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  json_value sorted = json_value::array();
  std::vector<std::size_t> before;
  for (const auto& [costs, i] : order) sorted.push_back(std::move(list[i])), before.push_back(i);
  list = std::move(sorted);
  return before;
}

// Most lists of a report begin with the costliest entry already; these are in the order of a text.
void put_costliest_first(json_value& report) {
  if (report.contains("diagnostics")) {
    const std::vector<std::size_t> before = sort_by(report["diagnostics"], finding_cost);
    std::vector<std::size_t> now(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) now[before[i]] = i;
    for (const char* const cost : {"time", "memory"})
      if (report.contains("costs") && report["costs"].contains(cost) && report["costs"][cost].contains("ranking"))
        for (json_value& at : report["costs"][cost]["ranking"]) at = now.at(at.get<std::size_t>());
  }
  if (report.contains("matches")) sort_by(report["matches"], [](const json_value& m) { return number_of(m, "bytes"); });
  // JAX compiles many small modules beside the program.
  if (report.contains("advice"))
    sort_by(report["advice"], [](const json_value& m) { return number_of(m, "need_bytes"); });
  if (report.contains("time")) sort_by(report["time"], [](const json_value& m) { return number_of(m, "step_ms"); });
  if (report.contains("memory")) {
    sort_by(report["memory"],
            [](const json_value& m) { return m.contains("need") ? number_of(m["need"], "bytes") : std::pair(0, 0.0); });
    for (json_value& module : report["memory"])
      if (module.contains("allocations"))
        sort_by(module["allocations"], [](const json_value& a) { return number_of(a, "size"); });
  }
}

bool is_series(const json_value& list) {
  return std::none_of(list.begin(), list.end(), [](const json_value& entry) {
    return entry.is_object() || entry.is_string() ||
           (entry.is_array() &&
            std::any_of(entry.begin(), entry.end(), [](const json_value& e) { return e.is_structured(); }));
  });
}

// Whether a list lies in no other list: that of the modules, or of a page.
bool is_outermost(const std::string& path) {
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
    if (at + 1 < path.size() && hlolint::is_digit(path[at + 1])) return false;
  return true;
}

struct limits {
  std::size_t entries = SIZE_MAX, text = SIZE_MAX;
  std::size_t beside = SIZE_MAX;  // entries of the lists beside the one that is asked for
  std::size_t least = 0;          // entries of the outermost lists, which have at least so many

  std::size_t length_of(std::string_view path) const {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const bool is_prose = std::find(std::begin(prose), std::end(prose), name) != std::end(prose);
    return is_prose && text >= most_text ? std::max(text, most_prose) : text;
  }
  std::size_t entries_of(const std::string& path) const {
    const bool asked = path.ends_with(std::string("/") + asked_list) || path == page_entries;
    const std::size_t most = asked ? entries : std::min(entries, beside);
    return is_outermost(path) ? std::max(most, least) : most;
  }
};

bool has_asked_list(const json_value& report) {
  for (const char* const views : {"memory", "time"})
    if (report.contains(views) && std::any_of(report[views].begin(), report[views].end(),
                                              [](const json_value& one) { return one.contains(asked_list); }))
      return true;
  return false;
}

struct left_out {
  std::string list;
  std::size_t shown = 0, count = 0;
};

std::string shortened(const std::string& text, std::size_t most) {
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // in the middle of a character
  return text.substr(0, end) + "...";
}

// The value within the limits, and the lists that were cut.
json_value cut(const json_value& from, const limits& most, const std::string& path, std::vector<left_out>& omitted) {
  if (from.is_string()) {
    const std::string& text = from.get_ref<const std::string&>();
    const std::size_t length = most.length_of(path);
    return text.size() <= length ? from : json_value(shortened(text, length));
  }
  if (from.is_object()) {
    json_value out = json_value::object();
    for (const auto& [name, value] : from.items()) out[name] = cut(value, most, path + "/" + name, omitted);
    return out;
  }
  if (!from.is_array()) return from;
  const bool is_pair = from.size() <= 2 && std::none_of(from.begin(), from.end(), [](const json_value& e) {
                         return e.is_structured() || e.is_string();
                       });
  std::size_t kept = is_pair ? from.size() : std::min(from.size(), most.entries_of(path));
  if (kept < from.size() && path != page_entries && is_series(from)) kept = 0;
  json_value out = json_value::array();
  for (std::size_t i = 0; i < kept; ++i) out.push_back(cut(from[i], most, path + "/" + std::to_string(i), omitted));
  if (kept < from.size()) omitted.push_back({path, kept, from.size() - kept});
  return out;
}

std::string cursor_of(const std::string& list, std::size_t from) { return list + "@" + std::to_string(from); }

// `first`: the place in the list of the entries' first one, for the cursors of a page.
json_value with_omitted(const json_value& report, const limits& most, std::size_t first, const std::string& page) {
  std::vector<left_out> omitted;
  json_value out = cut(report, most, {}, omitted);
  // An agent must not take what it sees for all there is, so whole modules are never left out of this list.
  std::stable_sort(omitted.begin(), omitted.end(), [](const left_out& a, const left_out& b) {
    const bool outer = is_outermost(a.list), other_outer = is_outermost(b.list);
    return outer != other_outer ? outer : a.count > b.count;
  });
  json_value rows = json_value::array();
  for (const left_out& one : omitted) {
    if (rows.size() == most_omitted) break;
    std::string list = one.list;
    std::size_t from = one.shown;
    if (!page.empty() && list == page_entries) {
      list = page, from += first;
    } else if (!page.empty() && list.starts_with("/entries/")) {
      const std::size_t digits = list.find('/', 9);
      const auto at = hlolint::integer_in(std::string_view(list).substr(9, digits - 9));
      list = page + "/" + std::to_string(static_cast<std::size_t>(at.value_or(0)) + first) +
             (digits == std::string::npos ? "" : list.substr(digits));
    }
    rows.push_back({{"list", list}, {"left_out", one.count}, {"cursor", cursor_of(list, from)}});
  }
  if (!rows.empty()) out["omitted"] = std::move(rows);
  return out;
}

std::size_t longest_list(const json_value& in) {
  std::size_t out = in.is_array() ? in.size() : 0;
  if (in.is_structured())
    for (const json_value& value : in) out = std::max(out, longest_list(value));
  return out;
}

struct page {
  std::string list;
  std::size_t from = 0;
};

page page_of(const std::string& cursor) {
  const std::size_t at = cursor.rfind('@');
  const auto from =
      at == std::string::npos ? std::nullopt : hlolint::integer_in(std::string_view(cursor).substr(at + 1));
  if (!from || *from < 0 || !cursor.starts_with('/')) throw wrong_cursor{"'" + cursor + "' is no cursor of a report"};
  return {cursor.substr(0, at), static_cast<std::size_t>(*from)};
}

// The rest of the list that the cursor names, as a report of its own.
json_value page_of(json_value report, const page& wanted) {
  const json_value* list = nullptr;
  try {
    const json_value::json_pointer where(wanted.list);
    if (report.contains(where)) list = &report.at(where);
  } catch (const json_value::exception&) {  // it is no pointer
  }
  if (!list || !list->is_array())
    throw wrong_cursor{"the report has no list " + wanted.list +
                       ": a cursor belongs to the question that it came with"};
  json_value entries = json_value::array();
  for (std::size_t i = wanted.from; i < list->size(); ++i) entries.push_back((*list)[i]);
  json_value out;
  for (const char* const name : {"schema", "tool"})
    if (report.contains(name)) out[name] = report[name];
  out["page"] = {{"list", wanted.list}, {"from", wanted.from}, {"of", list->size()}};
  out["entries"] = std::move(entries);
  return out;
}

}  // namespace

json_value excerpt_of(json_value report, const excerpt_options& wanted,
                      const std::function<bool(const json_value&)>& fits) {
  put_costliest_first(report);
  page of;
  if (!wanted.cursor.empty()) {
    of = page_of(wanted.cursor);
    report = page_of(std::move(report), of);
  }
  std::size_t beside = SIZE_MAX, least = 0;
  const auto made = [&](std::size_t entries, std::size_t text) {
    return with_omitted(report, {std::min(entries, wanted.top.value_or(SIZE_MAX)), text, beside, least}, of.from,
                        of.list);
  };
  json_value out = made(SIZE_MAX, SIZE_MAX);
  if (fits(out)) return out;
  if (has_asked_list(report)) beside = most_beside_asked;
  for (const std::size_t text : {most_text, least_text}) {
    std::size_t fit = 0, over = longest_list(report) + 1;  // numbers of entries that fit, and that do not
    least = 1;                                             // a page without an entry would lead to itself
    out = made(0, text);
    if (!fits(out)) least = 0, out = made(0, text);
    if (!fits(out)) continue;
    while (over - fit > 1) {
      const std::size_t middle = fit + (over - fit) / 2;
      json_value tried = made(middle, text);
      if (fits(tried))
        fit = middle, out = std::move(tried);
      else
        over = middle;
    }
    // A report without any entry is worth less than one with short texts.
    if (fit > 0 || text == least_text) return out;
  }
  return out;
}

std::string excerpt_of(const std::string& report, const excerpt_options& wanted, std::string& error) {
  json_value whole = json_value::parse(report, nullptr, false);
  if (whole.is_discarded()) {
    error = "--top, --max-bytes and --cursor need --format json";
    return {};
  }
  const auto text_of = [&](const json_value& value) {
    return value.dump(wanted.max_bytes ? -1 : 2, ' ', false, json_value::error_handler_t::replace) + "\n";
  };
  try {
    return text_of(excerpt_of(std::move(whole), wanted, [&](const json_value& part) {
      return !wanted.max_bytes || text_of(part).size() <= *wanted.max_bytes;
    }));
  } catch (const wrong_cursor& wrong) {
    error = "--cursor: " + wrong.message;
    return {};
  }
}

}  // namespace hlolint::command
