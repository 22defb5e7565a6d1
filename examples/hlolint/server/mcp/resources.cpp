#include "resources.hpp"

#include "answers.hpp"

#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/tool/parse_parts.hpp>
#include <hlolint/tool/report/rule_tables.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace hlolint::command::server {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t entries_of_page = 50, most_resources = 10'000, most_looked_at = 200'000;
constexpr std::string_view rules_uri = "hlolint://rules", rule_uri = "hlolint://rule/";

bool is_dump(const std::string& path) {
  using enum hlolint::dump_role;
  const hlolint::dump_role role = hlolint::dump_file_of(path).role;
  if (role == program || role == buffers || role == copy) return true;
  if (role != unknown || !(path.ends_with(".txt") || path.ends_with(".hlo"))) return false;
  std::string head(4096, '\0');
  head.resize(hlolint::file_reader(path).read(head.data(), head.size()));
  return hlolint::kind_of_parts(head) != hlolint::input_kind::unknown;
}

// The dumps below the folders, by name.
std::vector<std::string> dumps_below(const roots& allowed) {
  std::vector<std::string> out;
  std::size_t seen = 0;
  for (const std::string& folder : allowed.folders()) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && entry != end && out.size() < most_resources && ++seen < most_looked_at; entry.increment(error)) {
      std::error_code gone;
      const std::string name = entry->path().filename().string();
      if (entry->is_directory(gone) && (name.starts_with(".") || name == "node_modules"))
        entry.disable_recursion_pending();
      else if (entry->is_regular_file(gone) && is_dump(entry->path().string()) && allowed.allow(entry->path().string()))
        out.push_back(entry->path().string());
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

output text_resource(const std::string& uri, const char* type, std::string text) {
  return {{"contents", output::array({{{"uri", uri}, {"mimeType", type}, {"text", std::move(text)}}})}};
}

request_failure no_resource(const std::string& uri) {
  return {error_code::resource_not_found, "there is no resource " + uri, {{"uri", echoed(uri)}}};
}

// A text that fits into an answer: whole lines of its beginning, and how to ask on.
std::string beginning_of(std::string_view text) {
  constexpr std::size_t most = most_answer_bytes - 1024;
  if (text.size() <= most) return std::string(text);
  const std::size_t line = text.rfind('\n', most);
  const std::string_view begin = text.substr(0, line == std::string_view::npos ? most : line + 1);
  return std::string(begin) + "\n... " + std::to_string(text.size() - begin.size()) +
         " more bytes: ask the tools lint, memory, time, show and query about them\n";
}

}  // namespace

output list_resources(const roots& allowed, const std::string& cursor) {
  const auto from = cursor.empty() ? std::optional<std::int64_t>(0) : hlolint::integer_in(cursor);
  if (!from || *from < 0) throw request_failure{error_code::invalid_params, "this is no cursor of resources/list"};
  const std::vector<std::string> all = dumps_below(allowed);
  output list = output::array();
  if (*from == 0)
    list.push_back(
        {{"uri", rules_uri}, {"name", "rules"}, {"title", "The rules of hlolint"}, {"mimeType", "text/plain"}});
  const std::size_t first = static_cast<std::size_t>(*from);
  for (std::size_t i = first; i < all.size() && i < first + entries_of_page; ++i) {
    std::error_code error;
    const auto size = fs::file_size(all[i], error);
    output one{
        {"uri", uri_of_path(all[i])}, {"name", fs::path(all[i]).filename().string()}, {"mimeType", "text/plain"}};
    if (!error) one["size"] = size;
    list.push_back(std::move(one));
  }
  output out{{"resources", std::move(list)}};
  if (first + entries_of_page < all.size()) out["nextCursor"] = std::to_string(first + entries_of_page);
  return out;
}

output list_resource_templates() {
  return {{"resourceTemplates", output::array({{{"uriTemplate", "hlolint://rule/{id}"},
                                                {"name", "rule"},
                                                {"title", "What a rule finds, why that is bad, and what to do"},
                                                {"mimeType", "text/plain"}},
                                               {{"uriTemplate", "file://{+path}"},
                                                {"name", "dump"},
                                                {"title", "The beginning of a dump"},
                                                {"mimeType", "text/plain"}}})}};
}

output read_resource(const roots& allowed, const command_checks& checks, const std::string& uri) {
  const std::vector<hlolint::report::rule_entry> rules = known_rules(checks);
  if (uri == rules_uri) {
    std::ostringstream text;
    for (const hlolint::report::rule_entry& entry : rules) text << entry.about.id << ' ' << entry.about.name << '\n';
    return text_resource(uri, "text/plain", text.str());
  }
  if (uri.starts_with(rule_uri)) {
    const hlolint::report::rule_entry* const entry = hlolint::report::find_rule(rules, uri.substr(rule_uri.size()));
    if (!entry) throw no_resource(uri);
    std::ostringstream text;
    hlolint::report::write_explanation(text, *entry);
    return text_resource(uri, "text/plain", text.str());
  }
  const auto path = path_of_uri(uri);
  std::error_code error;
  if (!path || !allowed.allow(*path) || !fs::is_regular_file(*path, error)) throw no_resource(uri);
  const hlolint::loaded_file file = hlolint::load_file(*path);
  if (!file.text)
    throw request_failure{error_code::resource_not_found, *path + ": " + file.error, {{"uri", echoed(uri)}}};
  return text_resource(uri, "text/plain", beginning_of(file.text->text()));
}

}  // namespace hlolint::command::server
