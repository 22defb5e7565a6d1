#include "virtual_text.hpp"

#include "../../command_run.hpp"
#include "../mcp/roots.hpp"

#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command::server::lsp {

namespace {

constexpr std::string_view scheme = "hlolint:", rule_prefix = "/rule/", question = "?computation=";

request_failure no_text(const std::string& uri, const std::string& why) {
  return {error_code::invalid_params, uri + ": " + why};
}

std::string run(session& of, std::vector<std::string> words, const std::string& uri) {
  arguments given;
  given.checks = of.given.checks;
  given.kept = of.kept;
  std::ostringstream written, errors;
  const int status = run_command_line(words, std::move(given), written, errors);
  if (status == exit_error && written.str().empty()) throw no_text(uri, errors.str());
  return written.str();
}

// What is called with a computation is left out where it is longer.
constexpr std::size_t most_called = std::size_t{4} << 20;

// The text of a computation after those that it calls.
void add_with_called(std::string& out, hlo_computation c, std::set<id>& added) {
  if (!added.insert(c.id()).second || out.size() > most_called) return;
  for (const hlo_instruction i : c.instructions())
    for (const hlo_computation called : i.called_computations())
      if (called && !called.is_synthesized()) add_with_called(out, called, added);
  out.append("\n").append(c.data().written(c.record().text)).append("\n");
}

// A computation as it stands in its dump, below a header that makes it HLO of its own; with those that it calls, since
// their names have to be known. It has no schedule: it runs as a part of its program, whose times and memory it has
// not.
std::string computation_text(hlo_computation c, const hlo_module& of) {
  std::string called;
  std::set<id> added{c.id()};
  for (const hlo_instruction i : c.instructions())
    for (const hlo_computation each : i.called_computations())
      if (each && !each.is_synthesized()) add_with_called(called, each, added);
  return "HloModule " + std::string(of.name()) + "\n" + called + "\n" +
         std::string(of.data().written(c.record().text)) + "\n";
}

std::string computation_text(session& of, const std::string& path, const std::string& name, const std::string& uri) {
  for (const auto& [open_uri, open] : of.documents)
    if (open->path() == path)
      for (const hlo_module& m : open->modules())
        if (const auto c = m.find_computation(name)) return computation_text(c, m);
  const read_file file = of.kept->read(path, static_cast<std::uint64_t>(default_max_size));
  for (const hlo_module& m : file.content.modules())
    if (const auto c = m.find_computation(name)) return computation_text(c, m);
  throw no_text(uri, "there is no computation " + name);
}

// What follows the scheme, decoded as addresses of files are; a question mark may be encoded, too.
std::optional<std::string> decoded(std::string_view rest) {
  while (rest.starts_with("//")) rest.remove_prefix(1);
  std::string encoded(rest);
  if (const std::size_t at = encoded.find('?'); at != std::string::npos) encoded.replace(at, 1, "%3F");
  return path_of_uri("file://" + encoded);
}

}  // namespace

bool is_part_of_dump(std::string_view uri) {
  if (!uri.starts_with(scheme)) return false;
  const std::optional<std::string> whole = decoded(uri.substr(scheme.size()));
  return whole && whole->find(question) != std::string::npos;
}

output virtual_text(session& of, const std::string& uri) {
  if (!uri.starts_with(scheme)) throw no_text(uri, "only hlolint: addresses have texts");
  const std::optional<std::string> whole = decoded(std::string_view(uri).substr(scheme.size()));
  if (!whole) throw no_text(uri, "this is no address");
  if (whole->starts_with(rule_prefix))
    return run(of, {"explain", "--isolated", "--", whole->substr(rule_prefix.size())}, uri);
  if (const std::size_t at = whole->rfind(question); at != std::string::npos)
    return computation_text(of, whole->substr(0, at), whole->substr(at + question.size()), uri);
  return run(of, {"print", "--isolated", "--", *whole}, uri);
}

}  // namespace hlolint::command::server::lsp
