// One thing of a module, for programs.
#pragma once

#include <hlolint/report/show/thing_facts.hpp>
#include <hlolint/report/time/time_json.hpp>
#include <hlolint/report/writing.hpp>

namespace hlolint::report {

namespace detail {

inline void write_list(json_writer& json, std::string_view name, const record_list<listed_instruction>& items,
                       std::string_view depth) {
  if (items.empty()) return;
  json.objects(name, items, [&](const listed_instruction& item) {
    json.member("instruction", item.instruction.name());
    json.member("opcode", item.instruction.opcode_text());
    if (item.instruction.shape()) json.member("shape", to_string(*item.instruction.shape()));
    json.member("computation", item.instruction.computation().name());
    json.member("line", item.instruction.where().begin().line);
    if (!depth.empty()) json.member(depth, item.depth);
    if (item.us > 0) json.member("total_ms", finite(item.us / 1e3));
  });
}

inline void write_cost(json_writer& json, const cost_facts& cost) {
  if (cost.us > 0) json.member("us", finite(cost.us));
  json.member("runs", finite(cost.runs));
  json.member("total_ms", finite(cost.ms));
  json.member("exposed_ms", finite(cost.exposed_ms));
  json.member("share", finite(cost.share));
  json.member("flops", finite(cost.flops));
  json.member("bytes", whole_bytes(cost.bytes));
  json.member("transferred_bytes", whole_bytes(cost.transferred_bytes));
  json.member_if("bound", cost.bound);
  json.member_if("category", cost.category);
  if (cost.us > 0) json.member("of_peak", finite(cost.of_peak));
}

inline void write_shown_value(json_writer& json, const value_facts& value) {
  json.member("value", value.name);
  json.member("shape", value.shape);
  json.member("allocation", value.allocation);
  json.member("kind", value.kind);
  json.member("offset", value.offset);
  json.member("size", value.size);
  json.member_if("padding", value.padding);
  if (value.life) json.member("start", value.life->first), json.member("end", value.life->last);
  json.member("sharers", value.sharers);
  json.values("shares", value.shares);
}

}  // namespace detail

/// One object. Members without a value are left out.
inline void write_thing_json(json_writer& json, const thing_facts& thing) {
  json.object([&] {
    json.member("kind", name_of(thing.thing.kind));
    json.member("name", thing.thing.name);
    json.member_if("module", thing.module);
    json.member("path", thing.path);
    if (thing.line > 0) json.member("line", thing.line), json.member("column", thing.column);
    json.member_if("computation", thing.computation);
    json.member_if("opcode", thing.opcode);
    json.member_if("shape", thing.shape);
    json.member_if("text", thing.text);
    json.member_if("source_line", thing.source);
    json.member_if("scope", thing.scope);
    json.member_if("weight", thing.weight);
    json.member_if("sharding", thing.sharding);
    json.member_if("position", thing.position);
    if (thing.positions > 0) json.member("positions", thing.positions);
    json.member_if("dump_position", thing.dump_position);
    json.member_if("before", thing.before);
    json.member_if("after", thing.after);
    if (!thing.beside.empty())
      json.objects("beside", thing.beside, [&](const beside_facts& b) {
        json.member("instruction", b.instruction);
        json.member("us", detail::finite(b.us));
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
        json.member("rule", found->rule);
        json.member("level", hlolint::name_of(found->level));
        json.member("message", found->message);
      });
  });
}

}  // namespace hlolint::report
