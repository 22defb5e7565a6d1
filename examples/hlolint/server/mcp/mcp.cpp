#include "mcp.hpp"

#include "../../command_run.hpp"
#include "../../complain.hpp"
#include "../../reading/kept_dumps.hpp"
#include "../../settings/configuration.hpp"
#include "../../version.hpp"
#include "../stdio.hpp"
#include "answers.hpp"
#include "kept_answers.hpp"
#include "resources.hpp"
#include "roots.hpp"
#include "tools.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

namespace hlolint::command::server {

namespace {

namespace fs = std::filesystem;

// Revisions that begin with `initialize`, the newest first, and those in which every request names its revision.
constexpr std::string_view session_versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr std::string_view stateless_versions[] = {"2026-07-28"};
constexpr const char *version_key = "io.modelcontextprotocol/protocolVersion",
                     *server_key = "io.modelcontextprotocol/serverInfo";

constexpr const char* instructions =
    "hlolint reads the dumps that the XLA compiler writes (XLA_FLAGS=--xla_dump_to=DIR). Ask `lint` for what is wrong "
    "or wasteful, `memory` for what memory goes to, `time` for what a step waits for; then `show` for one instruction "
    "that an answer names, and `explain` for a rule. `query` tells whether something is in the HLO, `diff` what a "
    "change of the program did, `advise` which edits would help. Answers take at most 8 KB: where `omitted` counts "
    "entries that are left out, its cursors go on, and a text that ends in `...` is whole with `top` 1.";

bool is_known(std::string_view version, const auto& list) {
  return std::find(std::begin(list), std::end(list), version) != std::end(list);
}

class mcp_server {
 public:
  mcp_server(connection& with, const arguments& given)
      : with_(with), given_(given), tools_(tools_of(given.tools)), fallback_({fallback_folder(given)}) {
    allowed_ = fallback_;
    kept_ = std::make_shared<kept_dumps>([this](const std::string& path) { return allowed_.refusal(path); });
  }

  void run() {
    with_.run(
        {.request = [this](call& asked) { return answer(asked); }, .notification = [this](call& sent) { take(sent); }});
  }

 private:
  static std::string fallback_folder(const arguments& given) {
    std::error_code error;
    return given.root.empty() ? fs::current_path(error).string() : given.root;
  }

  output server_info() const {
    return {{"name", "hlolint"}, {"title", "hlolint: dumps of the XLA compiler"}, {"version", HLOLINT_VERSION}};
  }
  static output capabilities() { return {{"tools", output::object()}, {"resources", output::object()}}; }

  output answer(call& asked) {
    const std::string named = text_member(member(asked.params, "_meta"), version_key);
    if (asked.method == "initialize") return initialize(asked);
    if (asked.method == "ping") return output::object();
    if (!named.empty() && !is_known(named, stateless_versions)) throw unsupported(named);
    const bool stateless = !named.empty() || asked.method == "server/discover";
    if (!stateless && version_.empty())
      throw request_failure{error_code::invalid_request, "the first request is initialize"};
    output out = result_of(asked);
    if (stateless) {
      out["resultType"] = "complete";
      out["_meta"] = {{server_key, server_info()}};
      if (asked.method != "tools/call") out["ttlMs"] = 0, out["cacheScope"] = "private";
    }
    return out;
  }

  static request_failure unsupported(const std::string& version) {
    output supported = output::array();
    for (const std::string_view known : stateless_versions) supported.push_back(known);
    for (const std::string_view known : session_versions) supported.push_back(known);
    return {error_code::unsupported_version,
            "Unsupported protocol version",
            {{"supported", std::move(supported)}, {"requested", echoed(version)}}};
  }

  // Which files can be asked for is known unless the client has roots, which it gives later.
  std::string instructions_now() const {
    std::string out = instructions;
    if (!gives_roots_ && !allowed_.folders().empty())
      out += " Paths are those of files and folders in " + allowed_.folders().front() +
             ", absolute or as seen from there.";
    return out;
  }

  output initialize(const call& asked) {
    if (!version_.empty()) throw request_failure{error_code::invalid_request, "initialize was answered already"};
    const std::string wanted = text_member(asked.params, "protocolVersion");
    if (wanted.empty()) throw request_failure{error_code::invalid_params, "initialize needs a protocolVersion"};
    version_ = is_known(wanted, session_versions) ? wanted : std::string(session_versions[0]);
    gives_roots_ = member(member(asked.params, "capabilities"), "roots").is_object();
    return {{"protocolVersion", version_},
            {"capabilities", capabilities()},
            {"serverInfo", server_info()},
            {"instructions", instructions_now()}};
  }

  output result_of(call& asked) {
    if (asked.method == "server/discover") {
      output versions = output::array();
      for (const std::string_view known : stateless_versions) versions.push_back(known);
      return {{"supportedVersions", std::move(versions)},
              {"capabilities", capabilities()},
              {"serverInfo", server_info()},
              {"instructions", instructions_now()}};
    }
    const std::string cursor = text_member(asked.params, "cursor");
    if (asked.method == "tools/list") {
      if (!cursor.empty()) throw request_failure{error_code::invalid_params, "tools/list has one page"};
      output list = output::array();
      for (const tool& each : tools_) list.push_back(each.described());
      return {{"tools", std::move(list)}};
    }
    if (asked.method == "resources/templates/list") return list_resource_templates();
    const bool reads =
        asked.method == "tools/call" || asked.method == "resources/list" || asked.method == "resources/read";
    if (!reads) throw request_failure{error_code::method_not_found, "there is no method " + asked.method};
    if (roots_are_asked_) throw not_yet{};
    if (asked.method == "resources/list") return list_resources(allowed_, cursor);
    if (asked.method == "resources/read") {
      if (!member(asked.params, "uri").is_string())
        throw request_failure{error_code::invalid_params, "resources/read needs a uri"};
      return read_resource(allowed_, *given_.checks, text_member(asked.params, "uri"));
    }
    return call_tool(asked);
  }

  void take(const call& sent) {
    if (sent.method == "notifications/initialized" || sent.method == "notifications/roots/list_changed")
      ask_for_roots();
  }

  void ask_for_roots() {
    if (!gives_roots_) return;
    roots_are_asked_ = true;
    with_.ask("roots/list", nullptr, [this](const input& result) {
      roots_are_asked_ = false;
      std::vector<std::string> folders;
      if (const input& list = member(result, "roots"); list.is_array())
        for (const input& root : list)
          if (const auto path = path_of_uri(text_member(root, "uri"))) folders.push_back(*path);
      allowed_ = folders.empty() ? fallback_ : roots(folders);
      kept_->clear(), answers_.clear();
    });
  }

  // The nearest configuration above a dump that may be read.
  std::string configuration_for(const std::vector<std::string>& paths) const {
    std::error_code error;
    fs::path folder = fs::absolute(paths.empty() ? "." : paths.front(), error);
    for (; !error && allowed_.allow(folder.string()); folder = folder.parent_path()) {
      const fs::path candidate = folder / ".hlolint.toml";
      if (fs::is_regular_file(candidate, error) && allowed_.allow(candidate.string())) return candidate.string();
      error.clear();
      if (folder == folder.parent_path()) break;
    }
    return {};
  }

  // Why a file that the configuration names is not read; empty if all may be.
  std::string refusal_in(const std::string& config) const {
    if (config.empty()) return {};
    const configuration settings = load_configuration(config).content;
    for (const std::optional<std::string>& file : {settings.baseline, settings.device})
      if (file && (file == settings.baseline || is_device_file(*file)))
        if (const std::string refused = allowed_.refusal(*file); !refused.empty()) return *file + " " + refused;
    return {};
  }

  output call_tool(const call& asked) {
    const std::string name = text_member(asked.params, "name");
    const auto found = std::find_if(tools_.begin(), tools_.end(), [&](const tool& t) { return t.name == name; });
    if (found == tools_.end()) {
      std::string all;
      for (const tool& each : tools_) all += (all.empty() ? "" : ", ") + each.name;
      throw request_failure{error_code::invalid_params, "Unknown tool: " + name + "; there are " + all};
    }
    const input& arguments = member(asked.params, "arguments");
    tool_words words;
    excerpt_options wanted;
    try {
      words = words_for(*found, arguments, [&](const std::string& path) { return allowed_.resolve(path); });
      wanted = limits_of(arguments);
    } catch (const std::string& wrong) {
      return refused_call(wrong);
    }
    for (const std::string& path : words.paths)
      if (const std::string refused = allowed_.refusal(path); !refused.empty())
        return refused_call(path + " " + refused);
    const std::string config = configuration_for(words.paths);
    if (const std::string refused = refusal_in(config); !refused.empty()) return refused_call(refused);
    const auto options = words.words.begin() + (found->name == "lint" ? 0 : 1);
    if (config.empty())
      words.words.insert(options, "--isolated");
    else
      words.words.insert(options, "--config=" + config);
    try {
      return answer_of(report_for(asked, *found, words, config), wanted);
    } catch (const wrong_cursor& wrong) {
      return refused_call(wrong.message + "; `omitted` of an answer names the cursors of its lists");
    }
  }

  static excerpt_options limits_of(const input& arguments) {
    excerpt_options out;
    const auto number = [&](const char* name, std::int64_t least, std::int64_t most) -> std::optional<std::size_t> {
      const input& value = member(arguments, name);
      if (value.is_null()) return std::nullopt;
      const std::int64_t given = number_member(arguments, name, -1);
      if (given < least || given > most)
        throw std::string("argument '") + name + "' is a whole number from " + std::to_string(least) + " to " +
            std::to_string(most);
      return static_cast<std::size_t>(given);
    };
    out.top = number("top", 0, 1'000'000);
    out.max_bytes = number("max_bytes", 2048, most_answer_bytes);
    if (const input& cursor = member(arguments, "cursor"); !cursor.is_null() && !cursor.is_string())
      throw std::string("argument 'cursor' is a text");
    out.cursor = text_member(arguments, "cursor");
    return out;
  }

  // Texts name options of the command, such as those that settle what was assumed.
  static void name_arguments(output& value, const tool& of) {
    if (value.is_structured())
      for (output& inner : value) name_arguments(inner, of);
    else if (value.is_string())
      if (auto& text = value.get_ref<std::string&>(); text.find("--") != std::string::npos)
        text = of.with_argument_names(std::move(text));
  }

  report_of_run report_for(const call& asked, const tool& of, const tool_words& words, const std::string& config) {
    progress_of_call progress(with_, member(member(asked.params, "_meta"), "progressToken"));
    std::vector<std::string> files = words.paths;
    if (!config.empty()) files.push_back(config);
    report_of_run out = answers_.find(words.words, files, [&] {
      arguments given;
      given.checks = given_.checks;
      given.kept = kept_;
      given.step = [&](std::string_view what, std::size_t done, std::size_t total) {
        asked.stop_if_cancelled();
        progress.step(what, done, total);
      };
      given.pause = [&] { asked.stop_if_cancelled(); };
      std::ostringstream written, errors;
      report_of_run made;
      made.status = run_command_line(words.words, std::move(given), written, errors);
      made.report = output::parse(written.str(), nullptr, false);
      if (made.report.is_discarded()) made.report = nullptr;
      name_arguments(made.report, of);
      made.errors = of.with_argument_names(errors.str());
      return made;
    });
    progress.end();
    return out;
  }

  // `notifications/progress` for a call that asks for them.
  class progress_of_call {
   public:
    progress_of_call(connection& with, const input& token) : with_(with), token_(token) { send("begins"); }
    void end() { send("done"); }
    // May be called by several threads, each in its turn.
    void step(std::string_view what, std::size_t done, std::size_t total) {
      send(std::string(what) + " " + std::to_string(done) + " of " + std::to_string(total));
    }

   private:
    void send(const std::string& message) {
      if (!token_.is_string() && !token_.is_number()) return;
      with_.notify("notifications/progress",
                   {{"progressToken", output(token_)}, {"progress", count_++}, {"message", message}});
    }
    connection& with_;
    const input& token_;
    std::size_t count_ = 0;
  };

  connection& with_;
  const arguments& given_;
  std::vector<tool> tools_;
  roots fallback_, allowed_;
  std::shared_ptr<kept_dumps> kept_;
  kept_answers answers_;
  std::string version_;  // of a session; empty = there is none
  bool gives_roots_ = false, roots_are_asked_ = false;
};

}  // namespace

protocol mcp_protocol() {
  return {.how = framing::lines,
          .cancel_method = "notifications/cancelled",
          .cancelled_id = "requestId",
          .answers_cancelled = false,
          .takes_batches = true,
          .answered_at_once = "ping"};
}

void serve_mcp(connection& with, const arguments& given) { mcp_server(with, given).run(); }

int serve_mcp(const arguments& given) {
  with_standard_streams(mcp_protocol(), [&](connection& with) { serve_mcp(with, given); });
  return exit_clean;
}

}  // namespace hlolint::command::server
