// One thing of a module, for people.
#pragma once

#include <hlolint/ir/source_position.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/report/show/thing_facts.hpp>
#include <hlolint/tool/report/time/time_text.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <vector>

namespace hlolint::report {

namespace detail {

class thing_writer {
 public:
  thing_writer(std::ostream& out, const show_options& options) : out_(out), options_(options) {}

  void operator()(const thing_facts& thing) {
    head(thing);
    if (!thing.text.empty()) row("text", shown(thing.text, 600));
    row("source", thing.source), row("near", thing.near), row("scope", thing.scope), row("weight", thing.weight);
    row("sharding", thing.sharding);
    schedule(thing);
    cost(thing);
    for (const value_facts& value : thing.values) write(value);
    row("", and_more(thing.more_values, 0, "", " values"));
    if (!thing.values.empty()) row("", thing.memory_words);
    list("fuses", thing.body, thing.more_body, true);
    list("called by", thing.callers, 0, false);
    list("reads", thing.operands, thing.more_operands, false);
    list("read by", thing.users, thing.more_users, false);
    const bool is_weight = thing.thing.kind == thing_kind::weight;
    list(is_weight ? "used in" : "holds", thing.instructions, thing.more_instructions, false);
    for (const diagnostic* const found : thing.findings)
      row("finding", found->rule + " (" + std::string(hlolint::name_of(found->level)) + "): " + found->message);
    out_ << '\n';
  }

 private:
  static std::string shown(std::string_view text, std::size_t most) {
    return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + " ...";
  }

  void head(const thing_facts& thing) {
    out_ << printable(thing.path);
    if (thing.line > 0) out_ << ':' << thing.line << ':' << thing.column;
    out_ << ": ";
    if (thing.thing.kind != thing_kind::allocation) out_ << name_of(thing.thing.kind) << ' ';  // `allocation:1`
    out_ << printable(thing.thing.name);
    if (thing.thing.kind == thing_kind::allocation) out_ << ", " << thing.opcode << ", " << thing.shape;
    if (thing.thing.kind == thing_kind::computation) out_ << ", " << thing.positions << " instructions";
    if (!thing.computation.empty()) out_ << " in " << printable(thing.computation);
    if (!thing.module.empty()) out_ << ", module " << printable(thing.module);
    out_ << '\n';
  }

  void row(std::string_view title, std::string_view text) {
    if (text.empty()) return;
    detail::write_beside(out_, title, printable(text), 13, options_.width == 0 ? std::string::npos : options_.width);
  }

  void schedule(const thing_facts& thing) {
    std::string text;
    if (thing.position)
      text = "number " + std::to_string(*thing.position) + " of " + std::to_string(thing.positions) + " in " +
             thing.computation + (thing.before.empty() ? "" : ", after " + thing.before) +
             (thing.after.empty() ? "" : ", before " + thing.after);
    if (thing.dump_position)
      text += (text.empty() ? "" : "; ") + ("position " + std::to_string(*thing.dump_position) + " of the step");
    row("schedule", text);
    std::string beside;
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < thing.beside.size() && i < most; ++i)
      beside += (i ? ", " : "") + thing.beside[i].instruction + " (" + duration_text(thing.beside[i].us / 1e6) + ")";
    beside += and_more(thing.beside.size(), most);
    row("beside", beside);
  }

  void cost(const thing_facts& thing) {
    if (!thing.cost) return row("time", thing.no_cost);
    const cost_facts& cost = *thing.cost;
    std::string text = "~" + duration_text(cost.ms / 1e3) + " of a step (" + share_text(cost.share, 1) + ")";
    if (cost.us > 0) text += " = " + count_text(cost.runs) + " x " + duration_text(cost.us / 1e6);
    if (cost.exposed_ms > 0) text += ", waiting " + duration_text(cost.exposed_ms / 1e3) + " of it";
    if (!cost.bound.empty()) text += ", bound by " + cost.bound;
    if (cost.of_peak > 0) text += ", " + share_text(cost.of_peak, 1) + " of what the device could do";
    row("time", text + ", on " + thing.device);
    std::string amount;
    const auto add = [&](const std::string& part) { amount += (amount.empty() ? "" : ", ") + part; };
    if (!cost.category.empty()) add(cost.category);
    if (cost.flops > 0) add(number_text(cost.flops / 1e9) + " GFLOP");
    if (cost.bytes > 0) add(human(whole_bytes(cost.bytes)) + " of memory");
    if (cost.transferred_bytes > 0) add(human(whole_bytes(cost.transferred_bytes)) + " transferred");
    row("work", amount.empty() ? amount : amount + (cost.category.empty() ? " in a step" : " in a run"));
  }

  void write(const value_facts& value) {
    std::string text = value.name + " " + value.shape + ": " + human(value.size) + " in allocation " +
                       std::to_string(value.allocation) + " (" + value.kind + ") at " + std::to_string(value.offset);
    if (value.padding && *value.padding > 0) text += ", " + human(*value.padding) + " of it padding";
    if (value.life) text += ", live " + std::to_string(value.life->first) + " to " + std::to_string(value.life->last);
    row("memory", text);
    std::string shares;
    for (const std::string& other : value.shares) shares += (shares.empty() ? "" : ", ") + other;
    shares += and_more(value.sharers, value.shares.size());
    if (!shares.empty()) row("", "shares bytes with " + shares);
  }

  void list(std::string_view title, const std::vector<listed_instruction>& items, std::size_t more, bool whole) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const listed_instruction& item = items[i];
      const hlo_instruction at = item.instruction;
      std::string text(2 * (whole ? item.depth : item.depth > 0 ? item.depth - 1 : 0), ' ');
      if (whole) {
        text += shown(at.text().substr(0, at.text().find('\n')), 200);
      } else {
        text += std::string(at.name()) + "  " + std::string(at.opcode_text());
        if (at.shape()) text += "  " + shown(to_string(*at.shape()), 80);
        if (const std::size_t line = at.where().begin().line) text += "  line " + std::to_string(line);
        if (item.us > 0) text += "  ~" + duration_text(item.us / 1e6);
      }
      std::string first = i == 0 ? "  " + std::string(title) : std::string{};
      first.resize(13, ' ');
      out_ << first << printable(text) << '\n';
    }
    row("", and_more(more, 0, ""));
  }

  std::ostream& out_;
  const show_options& options_;
};

}  // namespace detail

/// Writes the facts about a thing.
inline void write_thing(std::ostream& out, const thing_facts& thing, const show_options& options) {
  detail::thing_writer(out, options)(thing);
}

}  // namespace hlolint::report
