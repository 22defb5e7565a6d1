#include "navigation.hpp"

#include "../mcp/roots.hpp"
#include "places.hpp"

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/grammar/attributes/source_positions.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace hlolint::command::server::lsp {

namespace {

constexpr std::size_t most_links = 5000;

output location_in(const document& in, span at) { return {{"uri", in.uri()}, {"range", in.positions().json(at)}}; }

// The instructions that run a computation.
std::vector<hlo_instruction> callers_of(const document& in, hlo_computation c) {
  std::vector<hlo_instruction> out;
  for (const hlo_module& m : in.modules())
    if (&m.data() == &c.data())
      for (const hlo_instruction i : m.instructions())
        for (const hlo_computation called : i.called_computations())
          if (called && called == c) {
            out.push_back(i);
            break;
          }
  return out;
}

// The other end of an asynchronous operation: its done for a start, its start for what follows.
hlo_instruction other_end(const document& in, hlo_instruction i) {
  const context* const module = in.context_of(i);
  if (!module) return {};
  for (const async_window& w : module->get<async_windows>()) {
    if (w.start == i) return w.done;
    if (w.done == i || std::find(w.steps.begin(), w.steps.end(), i) != w.steps.end()) return w.start;
  }
  return {};
}

output program_location(const session& of, hlo_instruction i) {
  const program_place from = program_place_of(i);
  const std::string path = source_file_here(of, from.at.file);
  if (path.empty()) return nullptr;
  const std::int64_t line = std::max<std::int64_t>(from.at.line, 1) - 1;
  const output at{{"line", line}, {"character", 0}};
  return {{"uri", uri_of_path(path)}, {"range", {{"start", at}, {"end", at}}}};
}

void add_if(output& list, output location) {
  if (!location.is_null()) list.push_back(std::move(location));
}

output list_or_null(output list) { return list.empty() ? output(nullptr) : list; }

std::string short_text(std::string_view text) {
  constexpr std::size_t most = 120;
  text = text.substr(0, text.find('\n'));
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

}  // namespace

output definition(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  const std::size_t offset = of.offset_of(in, asked.params);
  const place at = place_at(in, offset);
  output list = output::array();
  const hlo_instruction i = at.instruction;
  if (at.is == part::name && i) {
    if (i.opcode() == hlo_opcode::parameter) {
      for (const hlo_instruction caller : callers_of(in, i.computation()))
        for (const std::size_t given : operands_for(caller, i))
          if (const span operand = operand_name(caller, given); operand.end > operand.begin)
            list.push_back(location_in(in, operand));
    } else {
      need_contexts(of, in, asked);
      if (const hlo_instruction end = other_end(in, in.instruction_at(offset)); end && !end.is_synthesized())
        list.push_back(location_in(in, end.where().at));
    }
    if (list.empty()) list.push_back(location_in(in, i.where().at));
    return list;
  }
  if (i && (at.is == part::key || at.is == part::value) && at.key == attribute_key::metadata) {
    add_if(list, program_location(of, i));
    return list_or_null(std::move(list));
  }
  if (i && at.is == part::opcode) {
    for (const hlo_computation called : i.called_computations())
      if (called && !called.is_synthesized()) list.push_back(location_in(in, called.where().at));
    return list_or_null(std::move(list));
  }
  if (const meaning means = meaning_of(in, at)) {
    list.push_back(location_in(in, definition_of(means)));
    return list;
  }
  // A name in a dump of buffers.
  need_contexts(of, in, asked);
  const std::string_view word = at.word.of(in.text());
  for (const auto& module : in.contexts())
    if (module->hlo() && !word.empty() && module->hlo()->text().path() != in.path())
      for (const hlo_instruction named : module->hlo()->instructions())
        if (named.name() == word && !named.is_synthesized()) list.push_back(of.location_of(named.where()));
  return list_or_null(std::move(list));
}

output implementation(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  const place at = place_at(in, of.offset_of(in, asked.params));
  output list = output::array();
  const hlo_instruction i = at.instruction;
  if (!i || at.is != part::operand) return nullptr;
  std::vector<hlo_computation> called;  // each once
  for (const hlo_computation each : i.called_computations())
    if (each && !each.is_synthesized() && std::find(called.begin(), called.end(), each) == called.end())
      called.push_back(each);
  for (const hlo_computation each : called)
    for (const hlo_instruction p : each.instructions()) {
      if (p.opcode() != hlo_opcode::parameter) continue;
      const std::vector<std::size_t> given = operands_for(i, p);
      if (std::find(given.begin(), given.end(), at.operand) != given.end())
        list.push_back(location_in(in, p.where().at));
    }
  return list_or_null(std::move(list));
}

output references(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  const meaning means = meaning_of(in, place_at(in, of.offset_of(in, asked.params)));
  if (!means) return nullptr;
  output list = output::array();
  if (flag_member(member(asked.params, "context"), "includeDeclaration"))
    list.push_back(location_in(in, definition_of(means)));
  for (const span use : uses_of(in, means)) list.push_back(location_in(in, use));
  return list;
}

output highlights(session& of, const call& asked) {
  constexpr int read = 2, write = 3;
  document& in = of.document_of(asked.params);
  const meaning means = meaning_of(in, place_at(in, of.offset_of(in, asked.params)));
  if (!means) return nullptr;
  output list = output::array({{{"range", in.positions().json(definition_of(means))}, {"kind", write}}});
  for (const span use : uses_of(in, means)) list.push_back({{"range", in.positions().json(use)}, {"kind", read}});
  return list;
}

namespace {

constexpr int kind_function = 12;

// Which one of the text's modules a computation is in.
std::size_t number_of_module(const document& in, hlo_computation c) {
  const std::vector<hlo_module>& all = in.modules();
  const auto own = [&](const hlo_module& m) { return &m.data() == &c.data(); };
  return static_cast<std::size_t>(std::find_if(all.begin(), all.end(), own) - all.begin());
}

output hierarchy_item(const document& in, hlo_computation c) {
  const computation_record& record = c.record();
  return {{"name", c.name()},
          {"kind", kind_function},
          {"detail", std::to_string(c.instruction_count()) + " instructions"},
          {"uri", in.uri()},
          {"range", in.positions().json(record.text)},
          {"selectionRange", in.positions().json(c.where().at)},
          {"data", {{"name", c.name()}, {"module", number_of_module(in, c)}}}};
}

// The computation of an item, in the document as it is now.
std::pair<document*, hlo_computation> computation_of(session& of, const input& item) {
  const auto open = of.documents.find(text_member(item, "uri"));
  if (open == of.documents.end()) throw request_failure{error_code::invalid_params, "the item's document is not open"};
  std::string name = text_member(member(item, "data"), "name");
  if (name.empty()) name = text_member(item, "name");
  const std::int64_t number = number_member(member(item, "data"), "module");
  const std::vector<hlo_module>& all = open->second->modules();
  if (number >= 0 && static_cast<std::size_t>(number) < all.size())
    if (const hlo_computation found = all[static_cast<std::size_t>(number)].find_computation(name))
      return {open->second.get(), found};
  throw request_failure{error_code::content_modified, "there is no computation " + name + " any more"};
}

output ranges_of_calls(const document& in, hlo_instruction caller, hlo_computation called) {
  output ranges = output::array();
  const instruction_record& record = caller.data().instructions[caller.id()];
  for (const span use : uses_of(in, {{}, called}))
    if (record.text.begin <= use.begin && use.end <= record.text.end) ranges.push_back(in.positions().json(use));
  return ranges;
}

}  // namespace

output prepare_call_hierarchy(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  const place at = place_at(in, of.offset_of(in, asked.params));
  const meaning means = meaning_of(in, at);
  hlo_computation c = means.computation;
  if (!c && at.instruction && at.is == part::opcode) c = first_called(at.instruction);
  if (!c) c = at.computation;
  if (!c || c.is_synthesized()) return nullptr;
  return output::array({hierarchy_item(in, c)});
}

output incoming_calls(session& of, const call& asked) {
  const auto [in, c] = computation_of(of, member(asked.params, "item"));
  std::map<id, output> ranges;  // by the computation of the caller
  for (const hlo_instruction caller : callers_of(*in, c)) {
    output& list = ranges.try_emplace(caller.computation().id(), output::array()).first->second;
    for (const output& range : ranges_of_calls(*in, caller, c)) list.push_back(range);
  }
  output out = output::array();
  for (auto& [from, list] : ranges)
    if (const hlo_computation caller(&c.data(), from); !caller.is_synthesized())
      out.push_back({{"from", hierarchy_item(*in, caller)}, {"fromRanges", std::move(list)}});
  return out;
}

output outgoing_calls(session& of, const call& asked) {
  const auto [in, c] = computation_of(of, member(asked.params, "item"));
  std::map<id, output> ranges;  // by the called computation
  for (const hlo_instruction i : c.instructions())
    for (const hlo_computation called : i.called_computations()) {
      if (!called || called.is_synthesized()) continue;
      output& list = ranges.try_emplace(called.id(), output::array()).first->second;
      if (!i.is_synthesized())
        for (const output& range : ranges_of_calls(*in, i, called)) list.push_back(range);
    }
  output out = output::array();
  for (auto& [to, list] : ranges)
    out.push_back({{"to", hierarchy_item(*in, hlo_computation(&c.data(), to))}, {"fromRanges", std::move(list)}});
  return out;
}

output document_links(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  output out = output::array();
  std::map<std::string, std::string, std::less<>> here;  // paths on this machine, by the recorded ones
  const auto find_here = [&](std::string_view recorded) -> const std::string& {
    const auto known = here.find(recorded);
    if (known != here.end()) return known->second;
    return here.emplace(std::string(recorded), source_file_here(of, std::string(recorded))).first->second;
  };
  const auto add = [&](span at, std::string_view file, std::int64_t line) {
    if (out.size() >= most_links || at.end <= at.begin) return;
    const std::string& path = find_here(file);
    if (path.empty()) return;
    out.push_back({{"range", in.positions().json(at)},
                   {"target", uri_of_path(path) + (line > 0 ? "#L" + std::to_string(line) : std::string{})},
                   {"tooltip", short_text(file_and_line(path, line))}});
  };
  for (const hlo_module& m : in.modules()) {
    for (const span name : m.data().file_names) {
      const std::string_view quoted = m.data().written(name);
      if (quoted.size() >= 2) add({name.begin + 1, name.end - 1}, quoted.substr(1, quoted.size() - 2), 0);
    }
    for (const hlo_instruction i : m.instructions()) {
      if (out.size() >= most_links) break;
      if (i.is_synthesized() || !i.has(attribute_key::metadata)) continue;
      asked.stop_if_cancelled();
      const source_position from = resolve(i);
      const span whole = i.attribute_location(attribute_key::metadata).at;
      const std::size_t found = from.file.empty() ? std::string_view::npos : whole.of(in.text()).find(from.file);
      if (found == std::string_view::npos) continue;
      const auto begin = whole.begin + static_cast<std::uint32_t>(found);
      add({begin, begin + static_cast<std::uint32_t>(from.file.size())}, from.file, from.line);
    }
  }
  return out;
}

}  // namespace hlolint::command::server::lsp
