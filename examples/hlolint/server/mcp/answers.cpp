#include "answers.hpp"

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/number_text.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace hlolint::command::server {

namespace {

// What only repeats the question, or is counted anew.
constexpr std::string_view unneeded[] = {"schema", "tool", "skipped", "costs", "omitted"};

bool is_plain(const output& value) {
  if (!value.is_object()) return !value.is_structured();
  return value.size() <= 4 &&
         std::all_of(value.begin(), value.end(), [](const output& v) { return !v.is_structured(); });
}

std::string scalar_text(std::string_view name, const output& value) {
  if (value.is_string()) return value.get<std::string>();
  constexpr std::string_view sizes[] = {"size",    "offset",   "arguments", "outputs",    "aliased",     "constants",
                                        "bound",   "slack",    "repacked",  "allocated",  "padding",     "temporaries",
                                        "forward", "backward", "optimizer", "recomputed", "thread_local"};
  const bool counts_bytes =
      name.ends_with("bytes") || std::find(std::begin(sizes), std::end(sizes), name) != std::end(sizes);
  if (counts_bytes && value.is_number_integer() && value.get<std::int64_t>() >= 1024)
    return hlolint::human(value.get<std::int64_t>());
  return value.dump();
}

// `27.00GiB moved`, `1.2 ms`: what a finding costs.
std::string impact_text(double amount, const std::string& unit) {
  if (unit == "seconds") return hlolint::duration_text(amount);
  if (const std::size_t bytes = unit.rfind("_bytes"); bytes != std::string::npos)
    return hlolint::human(static_cast<std::int64_t>(amount)) + " " + unit.substr(0, bytes);
  return output(amount).dump() + " " + unit;
}

std::string inline_text(std::string_view name, const output& value) {
  if (!value.is_object()) return scalar_text(name, value);
  if (value.contains("amount") && value["amount"].is_number() && value.contains("unit"))
    return impact_text(value["amount"].get<double>(), value.value("unit", ""));
  std::string out;
  for (const auto& [key, inner] : value.items()) out += (out.empty() ? "" : ", ") + key + " " + scalar_text(key, inner);
  return "(" + out + ")";
}

void write_object(std::string& out, const output& value, std::size_t indent, bool in_list);

void write_list(std::string& out, std::string_view name, const output& list, std::size_t indent) {
  const std::string blanks(indent, ' ');
  out += blanks + std::string(name) + ":";
  const bool one_line = std::none_of(list.begin(), list.end(), [](const output& v) { return v.is_object(); });
  if (one_line) {
    std::string words;
    for (const output& value : list)
      words += (words.empty() ? " " : ", ") + (value.is_structured() ? value.dump() : scalar_text("", value));
    out += (list.empty() ? " none" : words) + "\n";
    return;
  }
  out += '\n';
  for (const output& value : list)
    if (value.is_object())
      write_object(out, value, indent, true);
    else
      out += blanks + "- " + scalar_text("", value) + '\n';
}

// The words for a member in a line. What runs before a thing in the schedule would read as if the thing came first.
std::string words_of(const std::string& name, const output& of) {
  if (!of.contains("position")) return name;
  return name == "before" ? "runs after" : name == "after" ? "runs before" : name;
}

void write_object(std::string& out, const output& value, std::size_t indent, bool in_list) {
  std::string line;
  for (const auto& [name, inner] : value.items())
    if (is_plain(inner)) line += (line.empty() ? "" : ", ") + words_of(name, value) + " " + inline_text(name, inner);
  if (!line.empty()) out += std::string(indent, ' ') + (in_list ? "- " : "") + line + '\n';
  const std::size_t deeper = in_list ? indent + 2 : indent;
  for (const auto& [name, inner] : value.items()) {
    if (is_plain(inner)) continue;
    if (inner.is_array()) {
      if (!inner.empty()) write_list(out, name, inner, deeper);
    } else {
      out += std::string(deeper, ' ') + name + ":\n";
      write_object(out, inner, deeper + 2, false);
    }
  }
}

// Removes what an agent does not ask on with, and the path and module that all entries share.
void leave_out_repeated(output& value, const output& only_input) {
  if (value.is_object()) {
    for (const char* const name : {"path", "module"})
      if (value.contains(name) && only_input.contains(name) && value[name] == only_input[name]) value.erase(name);
    for (const char* const name : {"fingerprint", "column"}) value.erase(name);
    if (value.contains("impact")) value.erase("impacts");
    if (value.contains("live")) value.erase("resident");  // the same values, without their places
  }
  if (value.is_structured())
    for (output& inner : value) leave_out_repeated(inner, only_input);
}

// What the command itself has left out of its lists, which no cursor reaches, counts as left out of the answer.
void add_left_out(output& answer, const output& by_command) {
  for (const output& row : by_command) {
    if (answer.contains("page") && answer["page"]["list"] == row["list"])
      answer["page"]["of"] = answer["page"]["of"].get<std::size_t>() + row["left_out"].get<std::size_t>();
    output& rows = answer["omitted"];
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const output& r) { return r["list"] == row["list"]; });
    if (same == rows.end())
      rows.push_back({{"list", row["list"]}, {"left_out", row["left_out"]}});
    else
      (*same)["left_out"] = (*same)["left_out"].get<std::size_t>() + row["left_out"].get<std::size_t>();
  }
}

output call_result(std::string text, output structured, bool is_error) {
  output out{{"content", output::array({{{"type", "text"}, {"text", std::move(text)}}})}};
  if (!structured.is_null()) out["structuredContent"] = std::move(structured);
  if (is_error) out["isError"] = true;
  return out;
}

}  // namespace

std::string plain_text(const output& report) {
  std::string out;
  write_object(out, report, 0, false);
  return out;
}

output refused_call(const std::string& why) { return call_result(echoed(why), nullptr, true); }

output answer_of(const report_of_run& run, const excerpt_options& wanted) {
  const std::size_t most = std::min(wanted.max_bytes.value_or(most_answer_bytes), most_answer_bytes) - 256;  // envelope
  const std::string errors = echoed(run.errors);
  if (run.report.is_null())
    return call_result(errors.empty() ? "nothing was written" : errors, nullptr, run.status == 2);
  output report = run.report;
  const output left_out = report.value("omitted", output::array());
  for (const std::string_view name : unneeded) report.erase(std::string(name));
  const output inputs = report.value("inputs", output::array());
  const output only_input = inputs.size() == 1 ? inputs[0] : output::object();
  for (auto& [name, value] : report.items())
    if (name != "inputs") leave_out_repeated(value, only_input);
  output with_status{{"status", run.status}};
  for (auto& [name, value] : report.items()) with_status[name] = std::move(value);
  if (!errors.empty()) with_status["messages"] = errors;
  const auto result = [&](const output& part) {
    output structured = part;
    add_left_out(structured, left_out);
    if (!structured.contains("status")) structured["status"] = run.status;  // of a page
    return call_result(plain_text(structured), structured, run.status == 2);
  };
  const output part = excerpt_of(std::move(with_status), wanted, [&](const output& tried) {
    // What is much too long need not be written twice.
    return text_of(tried).size() <= most && text_of(result(tried)).size() <= most;
  });
  return result(part);
}

}  // namespace hlolint::command::server
