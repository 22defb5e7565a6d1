// The data of the page of html.hpp, as one JSON text that can stand in a script element.
#pragma once

#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/rule_list.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/tool/report/html/columns.hpp>
#include <hlolint/tool/report/html/deflate.hpp>
#include <hlolint/tool/report/html/module_data.hpp>
#include <hlolint/tool/report/module_picture.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <optional>
#include <sstream>
#include <unordered_map>
#include <vector>

namespace hlolint::report {

namespace detail {

/// Escapes characters that could end a script element, begin a comment or break a line of JavaScript. They occur only
/// inside strings, where an escape means the same.
inline void write_for_script(std::ostream& out, std::string_view json) {
  const auto escape_at = [&](std::size_t i) -> std::string_view {
    switch (json[i]) {
      case '<': return "\\u003c";
      case '>': return "\\u003e";
      case '&': return "\\u0026";
      case '\xE2':
        return json.substr(i, 3) == "\xE2\x80\xA8" ? "\\u2028" : json.substr(i, 3) == "\xE2\x80\xA9" ? "\\u2029" : "";
      default: return {};
    }
  };
  std::size_t plain = 0;
  const auto flush = [&](std::size_t end) {
    out.write(json.data() + plain, static_cast<std::streamsize>(end - plain));
  };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view escape = escape_at(i);
    if (escape.empty()) continue;
    flush(i);
    out << escape;
    i += json[i] == '\xE2' ? 2 : 0;
    plain = i + 1;
  }
  flush(json.size());
}

/// Writes all modules. Equal texts are written once and referred to by number; lists of records are written as columns.
class html_data_writer {
 public:
  explicit html_data_writer(std::ostream& out) : to_(out) {}

  void operator()(const run_result& run, const std::vector<module_picture>& modules,
                  const std::vector<rule_entry>& rules, bool checked) {
    json_.object([&] {
      json_.members("tool", run.tool_name, "version", run.tool_version, "ignored", run.ignored_files);
      if (!checked) json_.member("unchecked", true);
      json_.objects("inputs", run.inputs, [&](const input_summary& input) { members(input); });
      json_.objects("findings", run.diagnostics, [&](const diagnostic& found) { members(found, modules); });
      json_.objects("skipped", run.skipped, [&](const skipped_check& skipped) {
        json_.member("rule", skipped.rule);
        text_member("module", skipped.module);
        text_member("reason", skipped.reason);
      });
      write_rules(run, rules);
      json_.array("modules", [&] {
        for (const module_picture& module : modules) write_module(module, modules.size());
      });
      to_.column("packed", packed_, [](const std::string& one) { return std::string_view(one); });
      to_.column("texts", to_.texts(), [](std::string_view text) { return printable(text); });
    });
  }

 private:
  void text_member(std::string_view name, std::string_view text) { to_.text_member(name, text); }

  /// If there are many modules, the data of each are packed with their own texts, since a reader opens few of them.
  /// Equal modules share their data.
  void write_module(const module_picture& module, std::size_t count) {
    if (count <= most_unpacked) {
      json_.object([&] { html_module_writer{to_}(module); });
      return;
    }
    std::ostringstream text;
    html_columns own(text);
    own.json.object([&] {
      html_module_writer{own}.body(module);
      own.column("texts", own.texts(), [](std::string_view one) { return printable(one); });
    });
    json_.object([&] {
      html_module_writer{to_}.summary(module);
      const auto [at, is_new] = packed_numbers_.emplace(text.str(), packed_.size());
      if (is_new) packed_.push_back(base64(gzip(at->first)));
      json_.member("packed", at->second);
    });
  }
  static constexpr std::size_t most_unpacked = 64;

  void members(const input_summary& input) {
    text_member("path", input.path);
    json_.member("kind", name_of(input.kind));
    text_member("module", input.module);
    json_.members("target", name_of(input.target), "status", name_of(input.status), "modules", input.modules);
    json_.members("computations", input.computations, "instructions", input.instructions);
    json_.members("allocations", input.allocations, "values", input.values);
  }

  void members(const diagnostic& found, const std::vector<module_picture>& modules) {
    json_.members("rule", found.rule, "level", name_of(found.level));
    text_member("message", found.message);
    place(found.where);
    if (const auto at = picture_with(found, modules)) json_.member("picture", *at);
    text_member("module", found.module);
    text_member("computation", found.computation);
    text_member("instruction", found.instruction);
    text_member("file", found.source_file);
    if (found.source_line > 0) json_.member("line_of_file", found.source_line);
    text_member("op_name", found.op_name);
    json_.member_if("bytes", found.bytes);
    if (const impact_sums sums = detail::sums_of(found); weight_of(sums) > 0) {
      json_.member("impact", weight_of(sums));  // one order for all units
      text_member("cost", impact_text(sums));
    }
    buffer(found.buffer);
    json_.objects("related", found.related, [&](const related_place& other) {
      text_member("message", other.message);
      text_member("instruction", other.instruction);
      place(other.where);
      buffer(other.buffer);
    });
    text_member("advice", found.advice);
    if (found.dismissed)
      text_member("dismissed",
                  found.dismissed->by_baseline ? "in the baseline" : "suppressed: " + found.dismissed->reason);
    json_.member_if("fingerprint", found.fingerprint);
  }

  // The module of a finding: the one that was read from its file, else the one with its name.
  static std::optional<std::size_t> picture_with(const diagnostic& found, const std::vector<module_picture>& modules) {
    const std::string& path = found.where.in.path();
    for (std::size_t m = 0; m < modules.size(); ++m)
      if (!path.empty() && std::find(modules[m].files.begin(), modules[m].files.end(), path) != modules[m].files.end())
        return m;
    for (std::size_t m = 0; m < modules.size(); ++m)
      if (!found.module.empty() && modules[m].name == found.module) return m;
    return std::nullopt;
  }

  void place(const location& where) {
    text_member("path", where.in.path());
    if (!where.in.text().empty()) json_.member("line", where.begin().line);
  }

  void buffer(const std::optional<buffer_place>& at) {
    if (!at) return;
    json_.array("buffer", [&] {
      json_.value(at->allocation), json_.value(at->offset), json_.value(at->size);
      to_.cell(at->start);
    });
  }

  void write_rules(const run_result& run, const std::vector<rule_entry>& rules) {
    const auto named = [&](const rule_entry& entry) {
      const auto of_entry = [&](const auto& found) { return found.rule == entry.about.id; };
      return std::any_of(run.diagnostics.begin(), run.diagnostics.end(), of_entry);
    };
    json_.array("rules", [&] {
      for (const rule_entry& entry : rules)
        if (named(entry)) json_.object([&] { members(entry); });
    });
  }

  void members(const rule_entry& entry) {
    json_.members("id", entry.about.id, "name", entry.about.name, "level", name_of(entry.about.level));
    json_.members("what", entry.about.what, "why", entry.about.why, "advice", entry.about.advice);
    json_.members("example", entry.about.example, "source", entry.about.source, "reads", reads_text(entry));
  }

  html_columns to_;
  json_writer& json_ = to_.json;
  std::unordered_map<std::string, std::size_t> packed_numbers_;  // of texts of modules, into `packed_`
  std::vector<std::string> packed_;
};

}  // namespace detail

}  // namespace hlolint::report
