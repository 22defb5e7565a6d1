// One thing of a module, for programs.
#pragma once

#include <hlolint/tool/report/show/thing_facts.hpp>
#include <hlolint/tool/report/time/time_json.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <vector>

namespace hlolint::report {

namespace detail {

inline void write_list(json_writer& json, std::string_view name, const std::vector<listed_instruction>& items,
                       std::string_view depth) {
  if (items.empty()) return;
  json.objects(name, items, [&](const listed_instruction& item) {
    json.members("instruction", item.instruction.name(), "opcode", item.instruction.opcode_text());
    if (item.instruction.shape()) json.member("shape", to_string(*item.instruction.shape()));
    json.members("computation", item.instruction.computation().name(), "line", item.instruction.where().begin().line);
    if (!depth.empty()) json.member(depth, item.depth);
    if (item.us > 0) json.member("total_ms", finite(item.us / 1e3));
  });
}

inline void write_cost(json_writer& json, const cost_facts& cost) {
  if (cost.us > 0) json.member("us", finite(cost.us));
  json.members("runs", finite(cost.runs), "total_ms", finite(cost.ms), "exposed_ms", finite(cost.exposed_ms));
  json.members("share", finite(cost.share), "flops", finite(cost.flops));
  json.members("bytes", whole_bytes(cost.bytes), "transferred_bytes", whole_bytes(cost.transferred_bytes));
  json.members_if("bound", cost.bound, "category", cost.category);
  if (cost.us > 0) json.member("of_peak", finite(cost.of_peak));
}

inline void write_shown_value(json_writer& json, const value_facts& value) {
  json.members("value", value.name, "shape", value.shape, "allocation", value.allocation);
  json.members("kind", value.kind, "offset", value.offset, "size", value.size, "padding", value.padding);
  if (value.life) json.member("start", value.life->first), json.member("end", value.life->last);
  json.member("sharers", value.sharers);
  json.values("shares", value.shares);
}

}  // namespace detail

/// One object. Members without a value are left out.
inline void write_thing_json(json_writer& json, const thing_facts& thing) {
  json.object([&] {
    json.members("kind", name_of(thing.thing.kind), "name", thing.thing.name);
    json.member_if("module", thing.module);
    json.member("path", thing.path);
    if (thing.line > 0) json.member("line", thing.line), json.member("column", thing.column);
    json.members_if("computation", thing.computation, "opcode", thing.opcode, "shape", thing.shape);
    json.members_if("text", thing.text, "source_line", thing.source, "near", thing.near, "scope", thing.scope);
    json.members_if("weight", thing.weight, "sharding", thing.sharding, "position", thing.position);
    if (thing.positions > 0) json.member("positions", thing.positions);
    json.members_if("dump_position", thing.dump_position, "before", thing.before, "after", thing.after);
    if (!thing.beside.empty())
      json.objects("beside", thing.beside, [&](const beside_facts& b) {
        json.members("instruction", b.instruction, "us", detail::finite(b.us));
      });
    json.member_if("device", thing.device);
    if (thing.cost)
      json.object("cost", [&] { detail::write_cost(json, *thing.cost); });
    else
      json.member_if("no_cost", thing.no_cost);
    json.member_if("basis", thing.memory_words);
    if (!thing.values.empty())
      json.objects("values", thing.values, [&](const value_facts& value) { detail::write_shown_value(json, value); });
    detail::write_list(json, "body", thing.body, "depth");
    detail::write_list(json, "callers", thing.callers, {});
    detail::write_list(json, "operands", thing.operands, "depth");
    detail::write_list(json, "users", thing.users, "depth");
    detail::write_list(json, "instructions", thing.instructions, {});
    if (!thing.findings.empty())
      json.objects("findings", thing.findings, [&](const diagnostic* const found) {
        json.members("rule", found->rule, "level", hlolint::name_of(found->level), "message", found->message);
      });
  });
}

}  // namespace hlolint::report
