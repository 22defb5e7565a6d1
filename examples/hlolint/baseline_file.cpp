#include "baseline_file.hpp"

#include <hlolint/report/json_writer.hpp>

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace hlolint;

namespace {

template <class T>
T member(const nlohmann::json& from, const char* name) {
  return from.value(name, T{});
}

}  // namespace

loaded_baseline load_baseline(const std::string& path) {
  loaded_baseline out;
  std::ifstream file(path, std::ios::binary);
  if (!file) return {{}, "cannot read " + path + ": " + std::strerror(errno)};
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    if (member<int>(json, "schema") != 1) return {{}, path + ": this is no baseline of schema 1"};
    for (const nlohmann::json& entry : json.at("findings"))
      out.content.findings.push_back({entry.at("key"), entry.at("rule"), member<std::string>(entry, "module"),
                                      member<std::string>(entry, "instruction"), entry.at("count"),
                                      member<byte_count>(entry, "bytes")});
    for (const nlohmann::json& entry : json.at("modules"))
      out.content.modules.push_back({entry.at("module"), member<byte_count>(entry, "total"),
                                     member<byte_count>(entry, "temp"), member<byte_count>(entry, "peak")});
  } catch (const nlohmann::json::exception& wrong) {
    return {{}, path + ": " + wrong.what()};
  }
  return out;
}

std::string save_baseline(const std::string& path, const baseline& content) {
  std::ostringstream text;
  json_writer json(text);
  json.object([&] {
    json.member("schema", 1);
    json.objects("findings", content.findings, [&](const baseline_entry& entry) {
      json.member("key", entry.key);
      json.member("rule", entry.rule);
      json.member_if("module", entry.module);
      json.member_if("instruction", entry.instruction);
      json.member("count", entry.count);
      if (entry.bytes) json.member("bytes", entry.bytes);
    });
    json.objects("modules", content.modules, [&](const memory_summary& module) {
      json.member("module", module.module);
      json.member("total", module.total);
      json.member("temp", module.temp);
      json.member("peak", module.peak);
    });
  });
  std::ofstream file(path, std::ios::binary);
  file << text.str();
  file.close();
  return file ? std::string{} : "cannot write " + path + ": " + std::strerror(errno);
}
