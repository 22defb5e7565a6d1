#include "baseline_file.hpp"

#include "../output_file.hpp"

#include <hlolint/report/json_writer.hpp>
#include <hlolint/text/file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

constexpr int schema = 2;  // in 1, fingerprints left out only the numbers at the end of names

using json = nlohmann::json;

struct wrong_member : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const json* find(const json& from, const char* name) {
  const auto found = from.find(name);
  return found == from.end() ? nullptr : &*found;
}

const json& array(const json& from, const char* name) {
  const json* const value = find(from, name);
  if (!value || !value->is_array()) throw wrong_member("'" + std::string(name) + "' is not a list");
  for (const json& item : *value)
    if (!item.is_object()) throw wrong_member("an item of '" + std::string(name) + "' is not an object");
  return *value;
}

std::string text(const json& from, const char* name, bool required) {
  const json* const value = find(from, name);
  if (!value && !required) return {};
  if (!value || !value->is_string()) throw wrong_member("'" + std::string(name) + "' is not a text");
  return value->get<std::string>();
}

// Reads a whole number from 0 to the largest int64.
std::int64_t number(const json& from, const char* name, bool required) {
  const json* const value = find(from, name);
  if (!value && !required) return 0;
  if (!value || !value->is_number_unsigned() ||
      value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw wrong_member("'" + std::string(name) + "' is not a whole number from 0 to 2^63-1");
  return value->get<std::int64_t>();
}

}  // namespace

loaded_baseline load_baseline(const std::string& path) {
  loaded_baseline out;
  const loaded_file file = load_file(path);
  if (!file.text)
    return {{},
            "cannot read " + path + ": " + file.error +
                (std::filesystem::exists(path) ? "" : "; --update-baseline makes it")};
  try {
    const json whole = json::parse(file.text->text());
    if (!whole.is_object() || !find(whole, "schema")) throw wrong_member("this is no baseline");
    if (const std::int64_t version = number(whole, "schema", true); version == 1)
      out.content.keys = fingerprint_version::end_numbers;
    else if (version != schema)
      throw wrong_member("this baseline has schema " + std::to_string(version) +
                         ", and this hlolint reads schemas 1 to " + std::to_string(schema) +
                         "; write it again with --update-baseline");
    for (const json& entry : array(whole, "findings"))
      out.content.findings.push_back({text(entry, "key", true), text(entry, "rule", true), text(entry, "module", false),
                                      text(entry, "instruction", false),
                                      static_cast<std::size_t>(number(entry, "count", true)),
                                      number(entry, "bytes", false)});
    for (const json& entry : array(whole, "modules"))
      out.content.modules.push_back({text(entry, "module", true), number(entry, "total", false),
                                     number(entry, "temp", false), number(entry, "peak", false)});
  } catch (const json::parse_error& wrong) {
    return {{}, path + ": this is no JSON, from byte " + std::to_string(wrong.byte) + " on"};
  } catch (const json::exception& wrong) {
    return {{}, path + ": " + wrong.what()};
  } catch (const wrong_member& wrong) {
    return {{}, path + ": " + wrong.what()};
  }
  return out;
}

std::string save_baseline(const std::string& path, const baseline& content) {
  std::ostringstream text;
  json_writer writer(text);
  writer.object([&] {
    writer.member("schema", schema);
    writer.objects("findings", content.findings, [&](const baseline_entry& entry) {
      writer.members("key", entry.key, "rule", entry.rule);
      writer.members_if("module", entry.module, "instruction", entry.instruction);
      writer.member("count", entry.count);
      if (entry.bytes) writer.member("bytes", entry.bytes);
    });
    const auto bytes = [](byte_count count) { return std::max<byte_count>(count, 0); };
    writer.objects("modules", content.modules, [&](const memory_summary& module) {
      writer.members("module", module.module, "total", bytes(module.total));
      writer.members("temp", bytes(module.temp), "peak", bytes(module.peak));
    });
  });
  return write_file(path, text.str());
}

}  // namespace hlolint::command
