#include "outline.hpp"

#include "facts.hpp"
#include "places.hpp"

#include <hlolint/text/bytes.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <algorithm>
#include <utility>

namespace hlolint::command::server::lsp {

namespace {

constexpr int symbol_module = 2, symbol_function = 12, symbol_variable = 13, symbol_constant = 14, symbol_event = 24;
// An editor keeps all symbols: of a larger module only those of the entry and the first computations are instructions.
constexpr std::size_t most_instructions = 5'000, most_found = 200;

int kind_of(hlo_instruction i) {
  return i.opcode() == hlo_opcode::constant ? symbol_constant
         : i.called_computation_count() > 0 ? symbol_event
                                            : symbol_variable;
}

std::string detail_of(const context* module, hlo_instruction i) {
  std::string out(i.opcode_text());
  if (const auto bytes = bytes_of(i, module); bytes && *bytes > 0) out += ", " + human(*bytes);
  if (const step_times* const times = module ? times_of(*module) : nullptr)
    if (const double ms = times->ms_of(i); ms > 0) out += ", " + time_text(ms);
  return out;
}

std::string detail_of(const context* module, hlo_computation c) {
  std::string out = std::to_string(c.instruction_count()) + " instructions";
  if (const step_times* const times = module ? times_of(*module) : nullptr)
    if (const double ms = times->ms_of(c); ms > 0) out += ", " + time_text(ms);
  return out;
}

output symbol(const position_map& in, std::string_view name, std::string detail, int kind, span range, span selection) {
  // The selection must be in the range.
  range.begin = std::min(range.begin, selection.begin), range.end = std::max(range.end, selection.end);
  return {{"name", name.empty() ? "(no name)" : std::string(name)},
          {"detail", std::move(detail)},
          {"kind", kind},
          {"range", in.json(range)},
          {"selectionRange", in.json(selection)}};
}

}  // namespace

output document_symbols(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  output out = output::array();
  need_contexts(of, in, asked);
  std::size_t left = most_instructions;
  for (const hlo_module& m : in.modules()) {
    const context* const module = in.context_of(m.data());
    output children = output::array();
    std::vector<hlo_computation> order;
    for (const hlo_computation c : m.computations())
      if (!c.is_synthesized()) order.push_back(c);
    // The entry's instructions come first where not all are listed.
    const bool all = m.instruction_count() <= left;
    std::size_t of_entry = m.entry() ? m.entry().instruction_count() : 0;
    for (const hlo_computation c : order) {
      asked.stop_if_cancelled();
      output one =
          symbol(in.positions(), c.name(), detail_of(module, c), symbol_function, c.record().text, c.where().at);
      const std::size_t reserved = all || c.is_entry() ? 0 : std::min(of_entry, left);
      output inner = output::array();
      if (c.instruction_count() + reserved <= left)
        for (const hlo_instruction i : c.instructions())
          if (!i.is_synthesized())
            inner.push_back(symbol(in.positions(), i.name(), detail_of(module, i), kind_of(i),
                                   m.data().instructions[i.id()].text, i.where().at));
      left -= std::min(left, inner.size());
      if (!inner.empty() && of.can.nests_symbols) one["children"] = std::move(inner);
      children.push_back(std::move(one));
    }
    if (!of.can.nests_symbols) {
      for (const output& child : children)
        out.push_back({{"name", child["name"]},
                       {"kind", child["kind"]},
                       {"location", {{"uri", in.uri()}, {"range", child["range"]}}},
                       {"containerName", m.name()}});
      continue;
    }
    output whole = symbol(in.positions(), m.name(), std::to_string(m.instruction_count()) + " instructions",
                          symbol_module, m.data().extent, m.where().at);
    whole["children"] = std::move(children);
    out.push_back(std::move(whole));
  }
  return out;
}

output workspace_symbols(session& of, const call& asked) {
  const std::string query = text_member(asked.params, "query");
  output out = output::array();
  for (const auto& entry : of.documents) {
    const std::string& uri = entry.first;
    const document* const open = entry.second.get();
    const auto add = [&](std::string_view name, int kind, span at, std::string_view container) {
      if (out.size() < most_found && name.find(query) != std::string_view::npos)
        out.push_back({{"name", name},
                       {"kind", kind},
                       {"location", {{"uri", uri}, {"range", open->positions().json(at)}}},
                       {"containerName", container}});
    };
    for (const hlo_module& m : open->modules()) {
      for (const hlo_computation c : m.computations())
        if (!c.is_synthesized()) add(c.name(), symbol_function, c.where().at, m.name());
      if (query.empty()) continue;
      for (const hlo_instruction i : m.instructions()) {
        if (out.size() >= most_found) break;
        if (!i.is_synthesized()) add(i.name(), symbol_variable, i.where().at, i.computation().name());
      }
    }
  }
  return out;
}

output folding_ranges(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  output out = output::array();
  const auto add = [&](span at, const char* kind) {
    const std::size_t first = in.positions().at(at.begin).line;
    std::size_t last = in.positions().at(at.end).line;
    if (kind == nullptr && last > first) --last;  // the closing brace stays in sight
    if (last <= first) return;
    output range{{"startLine", first}, {"endLine", last}};
    if (kind) range["kind"] = kind;
    out.push_back(std::move(range));
  };
  for (const hlo_module& m : in.modules()) {
    const module_data& data = m.data();
    for (const std::vector<span>* const table : {&data.file_names, &data.function_names})
      if (table->size() > 1) add({table->front().begin, table->back().end}, "imports");
    for (const hlo_computation c : m.computations())
      if (!c.is_synthesized()) add(c.record().text, nullptr);
  }
  return out;
}

}  // namespace hlolint::command::server::lsp
