// Looks up the facts about one thing of a module.
#pragma once

#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/costs/recorded_step.hpp>
#include <hlolint/tool/memory/value_place.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>
#include <hlolint/tool/report/show/sharding_words.hpp>
#include <hlolint/tool/report/show/thing_facts.hpp>
#include <hlolint/tool/report/show/value_lookup.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint::report {

namespace detail {

class thing_looker {
 public:
  thing_looker(const context& module, const shown_device& on, const show_options& options,
               const std::vector<diagnostic>& findings)
      : module_(module), on_(on), options_(options), findings_(findings) {}

  thing_facts operator()(const named_thing& thing) {
    out_.thing = thing, out_.module = module_.name();
    for (const seen_file& file : module_.files())
      if (out_.path.empty() || holds_hlo(file.kind)) out_.path = file.path;
    switch (thing.kind) {
      case thing_kind::instruction: add_instruction(module_.hlo()->instruction(thing.number)); break;
      case thing_kind::value: add_value(thing.number); break;
      case thing_kind::allocation: add_allocation(thing.number); break;
      case thing_kind::computation: add_computation(module_.hlo()->computation(thing.number)); break;
      case thing_kind::source_line:
        out_.source = thing.name;
        add_group([&](hlo_instruction i) {
          const program_place from = program_place_of(i);
          return file_and_line(from.at.file, from.at.line) == thing.name;
        });
        break;
      case thing_kind::weight: add_weight(module_.hlo()->instruction(thing.number)); break;
    }
    return std::move(out_);
  }

 private:
  void add_instruction(hlo_instruction i) {
    place(i);
    out_.opcode = std::string(i.opcode_text()), out_.text = std::string(i.text());
    if (i.shape()) out_.shape = to_string(*i.shape());
    add_body(i, 0);
    add_neighbors(i);
    add_schedule(i);
    add_time(i);
    add_values_of(i.name());
    add_callers(i.computation());
    if (const auto spread = get<sharding>(i)) out_.sharding = sharding_words(*spread);
    const program_place from = program_place_of(i);
    out_.source = file_and_line(from.at.file, from.at.line), out_.scope = from.op_name;
    if (const auto near = from ? std::nullopt : neighboring_place_of(i, module_.get<users>()))
      out_.near = text_of(*near);
    if (module_.hlo()->entry()) out_.weight = weight_of(i);
    add_findings([&](const diagnostic& d) { return is_about(d, i); });
  }

  // The weight that an instruction reads. An element of a tuple is one, or none, whatever stands beside it.
  std::string weight_of(hlo_instruction i) const {
    const weights_read& weights = module_.get<weights_read>();
    if (i.opcode() == hlo_opcode::get_tuple_element) return weights.name_of(i);
    return only_passes_on(i) ? std::string() : weights.of(i);
  }

  // Whether it only passes values on: it gets many weights but reads none itself.
  static bool only_passes_on(hlo_instruction i) {
    return i.opcode() == hlo_opcode::while_ || i.opcode() == hlo_opcode::conditional ||
           i.opcode() == hlo_opcode::call || i.opcode() == hlo_opcode::tuple;
  }

  void place(hlo_instruction i) {
    const location where = i.where();
    if (!where.in.path().empty()) out_.path = where.in.path();
    out_.line = where.begin().line, out_.column = where.begin().column;
    out_.computation = std::string(i.computation().name());
  }

  // The instructions that it fuses, also in nested fusions, up to a depth that XLA never reaches.
  void add_body(hlo_instruction i, std::size_t depth) {
    if (i.opcode() != hlo_opcode::fusion || depth > 8) return;
    for (const hlo_computation called : i.called_computations())
      if (called)
        for (const hlo_instruction inner : called.instructions()) {
          if (out_.body.size() >= most_in_body) {
            ++out_.more_body;
            continue;
          }
          out_.body.push_back({inner, depth, 0});
          add_body(inner, depth + 1);
        }
  }

  void add_neighbors(hlo_instruction i) {
    const users& all_users = module_.get<users>();
    const auto walk = [&](std::vector<listed_instruction>& list, std::size_t& more, auto&& next) {
      std::unordered_set<id> seen{i.id()};
      const auto add = [&](auto&& self, hlo_instruction at, std::size_t depth) -> void {
        if (depth > options_.depth) return;
        next(at, [&](hlo_instruction to) {
          if (!to || !seen.insert(to.id()).second) return;
          if (list.size() >= options_.top) {
            ++more;
            return;
          }
          list.push_back({to, depth, 0});
          self(self, to, depth + 1);
        });
      };
      add(add, i, 1);
    };
    walk(out_.operands, out_.more_operands, [](hlo_instruction at, auto&& use) {
      for (const hlo_instruction operand : at.operands()) use(operand);
    });
    walk(out_.users, out_.more_users, [&](hlo_instruction at, auto&& use) {
      for (const instruction_use user : all_users.of(at)) use(user.user);
    });
  }

  void add_schedule(hlo_instruction i) {
    if (!module_.hlo()->is_scheduled()) return;
    const hlo_computation c = i.computation();
    if (!module_.get<call_graph>().is_sequential(c)) return;
    out_.position = i.index_in_computation(), out_.positions = c.instruction_count();
    if (*out_.position > 0) out_.before = std::string(c.instruction(*out_.position - 1).name());
    if (*out_.position + 1 < out_.positions) out_.after = std::string(c.instruction(*out_.position + 1).name());
  }

  bool can_tell_time() {
    out_.no_cost = missing_for_time(module_);
    if (out_.no_cost.empty() && on_.device.is_relative()) out_.no_cost = "no device is known (--device names one)";
    if (out_.no_cost.empty()) out_.device = on_.device.name;
    return out_.no_cost.empty();
  }

  // The module's own if it is for the same device and trips.
  const recorded_step& step() {
    if (on_.device == module_.device() && options_.trips == assumed_trips{}) return module_.get<recorded_step>();
    if (!own_step_) own_step_ = std::make_unique<const recorded_step>(*module_.hlo(), on_.device, options_.trips);
    return *own_step_;
  }

  void add_time(hlo_instruction i) {
    if (!can_tell_time()) return;
    const instruction_costs& costs = step().costs;
    const auto row = std::find_if(costs.rows().begin(), costs.rows().end(),
                                  [&](const instruction_cost& c) { return c.instruction == i; });
    const std::vector<bool> inside =
        row == costs.rows().end() ? module_.get<call_graph>().computations_run_by(i) : std::vector<bool>{};
    if (!inside.empty()) {
      out_.cost = sum_of(costs, [&](hlo_instruction other) { return inside[other.computation().id()]; });
    } else if (row == costs.rows().end()) {
      const execution how = module_.get<call_graph>().execution_of(i.computation());
      out_.no_cost = how == execution::embedded                  ? part_of_caller
                     : step().time.runs_of(i.computation()) <= 0 ? "it does not run in the step that is estimated"
                                                                 : "it takes no time of its own";
    } else {
      cost_facts& cost = out_.cost.emplace();
      cost.us = (row->seconds + row->exposed) * 1e6, cost.runs = row->runs, cost.ms = row->total() * 1e3;
      cost.exposed_ms = row->exposed * row->runs * 1e3;
      cost.share = costs.step() > 0 ? row->total() / costs.step() : 0;
      cost.flops = row->flops, cost.bytes = row->bytes, cost.transferred_bytes = row->transferred_bytes;
      cost.of_peak = row->of_peak(), cost.bound = row->bound, cost.category = row->category;
    }
    add_beside(i, step().record);
  }

  // Looks at the last run: in a loop that is a typical iteration.
  void add_beside(hlo_instruction i, const schedule_record& record) {
    const std::vector<recorded_block>& all = record.blocks();
    const auto own = std::find_if(all.rbegin(), all.rend(), [&](const recorded_block& b) {
      return b.instruction == i.id() && b.waits_for == recorded_block::nothing;
    });
    if (own == all.rend()) return;
    std::map<id, double> together;
    for (const recorded_block& b : all) {
      const double common = std::min(b.end, own->end) - std::max(b.begin, own->begin);
      if (b.lane != own->lane && common > 0 && b.waits_for == recorded_block::nothing)
        together[b.instruction] += common;
    }
    for (const auto& [other, seconds] : together)
      out_.beside.push_back({std::string(module_.hlo()->instruction(other).name()), seconds * 1e6});
    std::stable_sort(out_.beside.begin(), out_.beside.end(),
                     [](const beside_facts& a, const beside_facts& b) { return a.us > b.us; });
    out_.beside.resize(std::min(out_.beside.size(), options_.top));
  }

  const context* with_values() {
    const context* const with = options_.only_known ? known_memory(module_) : &with_memory(module_);
    if (!with || !with->buffers() || !with->buffers()->has_assignment()) return nullptr;
    out_.memory_words = with->memory_words();
    return with;
  }

  void add_values_of(std::string_view instruction) {
    const context* const with = with_values();
    if (!with) return;
    const buffer_dump& dump = *with->buffers();
    const value_table& table = with->get<value_table>();
    out_.dump_position = dump.live_ranges() ? table.position_of(instruction) : std::nullopt;
    std::vector<std::size_t> held;
    for (std::size_t v = 0; v < dump.values().size(); ++v) {
      bool holds = dump.values()[v].name.instruction == instruction;
      if (const used_value* const used = holds ? nullptr : table.used(v))
        for (const value_position& at : dump.positions(*used)) holds = holds || at.instruction == instruction;
      if (holds) held.push_back(v);
    }
    list_values(dump, table, std::move(held));
  }

  // The largest first.
  void list_values(const buffer_dump& dump, const value_table& table, std::vector<std::size_t> of) {
    std::stable_sort(of.begin(), of.end(),
                     [&](std::size_t x, std::size_t y) { return dump.values()[x].size > dump.values()[y].size; });
    for (const std::size_t v : of) list_value(dump, table, v);
  }

  void list_value(const buffer_dump& dump, const value_table& table, std::size_t v) {
    if (out_.values.size() < options_.top)
      out_.values.push_back(value_facts_of(dump, table, v));
    else
      ++out_.more_values;
  }

  void add_value(std::size_t v) {
    const context* const with = with_values();
    if (!with) return;
    const buffer_dump& dump = *with->buffers();
    const assigned_value& value = dump.values()[v];
    list_value(dump, with->get<value_table>(), v);
    const hlo_instruction i =
        module_.hlo() ? module_.get<instruction_names>().find(value.name.instruction) : hlo_instruction{};
    if (i) {
      const named_thing kept = out_.thing;
      std::vector<value_facts> own = std::move(out_.values);
      add_instruction(i);
      out_.thing = kept, out_.values = std::move(own), out_.more_values = 0;
    } else {
      out_.dump_position =
          dump.live_ranges() ? with->get<value_table>().position_of(value.name.instruction) : std::nullopt;
      out_.text = std::string(with->get<instruction_texts>().find(value.name.instruction));
      const program_place from = program_place_of(*with, value);
      out_.source = file_and_line(from.at.file, from.at.line), out_.scope = from.op_name;
      out_.no_cost = missing_for_time(module_);
    }
  }

  void add_allocation(std::size_t a) {
    const context* const with = with_values();
    if (!with) return;
    const buffer_dump& dump = *with->buffers();
    const allocation& in = dump.allocations()[a];
    if (in.text.starts_with("allocation")) out_.text = std::string(in.text);
    out_.opcode = kind_of(in);
    out_.shape = human(in.size);
    std::vector<std::size_t> order;
    for (std::size_t v = in.first_value; v < std::size_t{in.first_value} + in.value_count; ++v) order.push_back(v);
    list_values(dump, with->get<value_table>(), std::move(order));
    add_findings([&](const diagnostic& d) { return d.buffer && d.buffer->allocation == in.number; });
  }

  void add_callers(hlo_computation c) {
    for (const hlo_instruction caller : module_.get<call_graph>().callers(c)) {
      if (out_.callers.size() == options_.top) break;
      if (std::none_of(out_.callers.begin(), out_.callers.end(),
                       [&](const listed_instruction& l) { return l.instruction == caller; }))
        out_.callers.push_back({caller, 0, 0});
    }
  }

  void add_computation(hlo_computation c) {
    const location where = c.where();
    if (!where.in.path().empty()) out_.path = where.in.path();
    out_.line = where.begin().line, out_.column = where.begin().column;
    out_.positions = c.instruction_count();
    add_callers(c);
    add_group([&](hlo_instruction i) { return i.computation() == c; });
    if (out_.cost && module_.get<call_graph>().execution_of(c) == execution::embedded)
      out_.cost.reset(), out_.no_cost = part_of_caller;
  }

  void add_weight(hlo_instruction parameter) {
    add_instruction(parameter);
    out_.weight = out_.thing.name;
    out_.instructions.clear();
    add_group([&](hlo_instruction i) { return weight_of(i) == out_.thing.name; });
  }

  // Adds several instructions: the costliest first if times are known, else in text order.
  template <class Belongs>
  void add_group(Belongs&& belongs) {
    std::vector<listed_instruction> all;
    if (can_tell_time()) {
      const instruction_costs& costs = step().costs;
      out_.cost = sum_of(costs, belongs);
      for (const instruction_cost& row : costs.rows())
        if (belongs(row.instruction)) all.push_back({row.instruction, 0, row.total() * 1e6});
      std::stable_sort(all.begin(), all.end(),
                       [](const listed_instruction& a, const listed_instruction& b) { return a.us > b.us; });
    }
    if (all.empty())
      for (const hlo_instruction i : module_.hlo()->instructions())
        if (belongs(i)) all.push_back({i, 0, 0});
    out_.more_instructions = all.size() - std::min(all.size(), options_.top);
    all.resize(all.size() - out_.more_instructions);
    out_.instructions = std::move(all);
    add_findings([&](const diagnostic& d) {
      return std::any_of(out_.instructions.begin(), out_.instructions.end(),
                         [&](const listed_instruction& l) { return is_about(d, l.instruction); });
    });
  }

  static bool is_about(const diagnostic& d, hlo_instruction i) {
    const auto names = [&](std::string_view name) { return name == i.name(); };
    if (names(d.instruction) && (d.computation.empty() || d.computation == i.computation().name())) return true;
    return std::any_of(d.related.begin(), d.related.end(),
                       [&](const related_place& r) { return names(r.instruction); });
  }
  template <class Belongs>
  void add_findings(Belongs&& belongs) {
    for (const diagnostic& d : findings_)
      if (belongs(d) && std::find(out_.findings.begin(), out_.findings.end(), &d) == out_.findings.end())
        out_.findings.push_back(&d);
  }

  static constexpr std::size_t most_in_body = 500;
  static constexpr const char* part_of_caller = "it is a part of what calls its computation";

  const context& module_;
  const shown_device& on_;
  const show_options& options_;
  const std::vector<diagnostic>& findings_;
  std::unique_ptr<const recorded_step> own_step_;
  thing_facts out_;
};

}  // namespace detail

/// The facts about a thing of the module. `findings`: of the module; the result refers to them.
inline thing_facts facts_of(const context& module, const named_thing& thing, const shown_device& on,
                            const show_options& options, const std::vector<diagnostic>& findings) {
  return detail::thing_looker(module, on, options, findings)(thing);
}

}  // namespace hlolint::report
