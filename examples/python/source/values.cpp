#include "views.hpp"

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/integer.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hlolint::python {

namespace {

// Converts `true`, `12`, `"text"` or `%name`.
std::optional<nb::object> simple_value(std::string_view word) {
  if (word == "true") return nb::bool_(true);
  if (word == "false") return nb::bool_(false);
  if (const auto number = integer_in(word)) return nb::int_(*number);
  if (word.size() >= 2 && word.front() == '"' && word.back() == '"') return text(unescape(word));
  if (word.size() > 1 && word.front() == '%' && word.find_first_of(" ,{}()") == word.npos) return text(word.substr(1));
  return std::nullopt;
}

// Converts `{1,2}` or `{%a, %b}`; nothing if an entry is neither a number nor a name.
std::optional<nb::object> simple_list(std::string_view braces) {
  if (braces.size() < 2 || braces.front() != '{' || braces.back() != '}') return std::nullopt;
  std::string_view rest = braces.substr(1, braces.size() - 2);
  nb::list out;
  while (!rest.empty()) {
    const std::size_t end = rest.find(',');
    std::string_view entry = rest.substr(0, end);
    while (!entry.empty() && entry.front() == ' ') entry.remove_prefix(1);
    while (!entry.empty() && entry.back() == ' ') entry.remove_suffix(1);
    if (!entry.empty() && entry.front() == '"') return std::nullopt;
    const auto value = simple_value(entry);
    if (!value) return std::nullopt;
    out.append(*value);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  return out;
}

nb::object json_or_text(const std::string& written) {
  try {
    return nb::module_::import_("json").attr("loads")(text(written));
  } catch (const nb::python_error&) {  // the text need not be JSON
    return text(written);
  }
}

std::int64_t size_of_groups(const hlo_instruction& i, const module_groups& groups) {
  const written_groups* const found = groups.of(i);
  return found ? static_cast<std::int64_t>(found->first_size) : 0;
}

}  // namespace

nb::object value_of(hlo_instruction i, const hlo_attribute& attribute) {
  switch (attribute.key) {
    case attribute_key::replica_groups:
      if (const auto value = get<replica_groups>(i)) return nb::cast(value->groups);
      break;
    case attribute_key::source_target_pairs:
      if (const auto value = get<source_target_pairs>(i)) return nb::cast(value->pairs);
      break;
    case attribute_key::backend_config:
      if (const auto value = get<backend_config>(i)) return json_or_text(value->text);
      break;
    case attribute_key::frontend_attributes:
      if (const auto value = get<frontend_attributes>(i)) {
        nb::dict out;
        for (const auto& [name, entry] : value->entries) out[text(name)] = text(entry);
        return out;
      }
      break;
    default: break;
  }
  if (auto value = simple_value(attribute.value)) return *value;
  if (auto value = simple_list(attribute.value)) return *value;
  return text(attribute.value);
}

nb::list collectives_of(const module_handle& owner) {
  const hlo_module& module = owner->module();
  const module_groups groups(module);
  const async_windows windows(module);
  const transfer_sources sources(module);
  std::unordered_map<id, hlo_instruction> fusions;  // by the collective inside: `time` lists the fusion
  for (const hlo_instruction i : module.instructions())
    if (i.opcode() == hlo_opcode::fusion)
      if (const hlo_instruction inside = sources.transfer_of(i)) fusions.try_emplace(inside.id(), i);
  nb::list out;
  for (const hlo_instruction i : module.instructions()) {
    const async_window* const w = windows.around(i);
    const bool starts = w && w->start == i && w->is_collective();
    if (!starts && (w || !is_synchronous_collective(i.opcode()))) continue;  // listed as its start
    const hlo_instruction c = starts ? w->transfer : i;
    nb::dict entry;
    entry["instruction"] = nb::cast(instruction{owner, i});
    const auto fusion = fusions.find(i.id());
    entry["timed_as"] = nb::cast(instruction{owner, fusion == fusions.end() ? i : fusion->second});
    entry["kind"] = text(name_of(sources.kind_of(c)));
    entry["bytes"] = starts ? w->bytes : collective_bytes(i);
    entry["is_async"] = windows.is_asynchronous(i);
    if (const auto pairs = get<source_target_pairs>(c)) {
      entry["pairs"] = pairs->pairs;
    } else {
      const auto written = get<replica_groups>(c);
      entry["groups"] = written ? nb::cast(written->groups) : nb::object(nb::list());
      entry["group_size"] = size_of_groups(c, groups);
    }
    const shape* const sent = c.operand_count() && c.operand(0) ? c.operand(0).shape() : nullptr;
    entry["type"] = sent ? nb::object(text(name_of(sent->type))) : nb::none();
    out.append(std::move(entry));
  }
  return out;
}

}  // namespace hlolint::python
