// Summarizes a module for a comparison with another compilation.
#pragma once

#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/analysis/time/transfer_time.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/collective_sequence.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/checks/aliasing/free_leaves.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/lint/helper_module.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/compare/matched_entries.hpp>
#include <hlolint/tool/compare/module_summary.hpp>
#include <hlolint/tool/costs/step_summary.hpp>
#include <hlolint/tool/memory/memory_profile.hpp>
#include <hlolint/tool/memory/resident_memory.hpp>
#include <hlolint/tool/memory/value_place.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::compare {

namespace detail {

/// The bytes in use at a position that hold no elements. A chunk counts once, with the value of most elements.
inline byte_count padding_at(const buffer_dump& dump, const live_chunks& chunks, std::int64_t position) {
  std::map<std::tuple<std::int64_t, byte_count, byte_count>, byte_count> held;  // by allocation, offset and size
  for (const std::uint32_t i : values_at(chunks, position)) {
    const assigned_value& v = dump.values()[i];
    byte_count& most = held[{v.allocation, v.offset, v.size}];
    // A tuple table, or a value of unknown shape, counts as full.
    most = std::max(most, std::min(v.size, dense_size(dump.shape(v)).value_or(v.size)));
  }
  byte_count sum = 0;
  for (const auto& [where, elements] : held) sum = (checked_int64(sum) + std::get<2>(where) - elements).clamped();
  return sum;
}

/// Sums by name.
using sums_by_name = std::map<std::string, std::int64_t>;
inline std::vector<origin_summary> listed(const sums_by_name& sums) {
  std::vector<origin_summary> out;
  for (const auto& [name, amount] : sums)
    if (!name.empty() && amount > 0) out.push_back({name, amount});
  return out;
}

/// The name of an opcode without `-start`: synchronous and asynchronous collectives are of one kind.
inline std::string_view without_start(std::string_view opcode) {
  constexpr std::string_view ending = "-start";
  return opcode.ends_with(ending) ? opcode.substr(0, opcode.size() - ending.size()) : opcode;
}

/// The origins of the bytes in use at the peak. Precondition: the dump has live ranges.
inline origins_summary origins_at_peak(const context& dump) {
  const buffer_dump& buffers = *dump.buffers();
  const occupancy_curve curve = main_curve(dump.get<occupancy>(), dump.target());
  if (curve.empty()) return {};
  sums_by_name by_source, by_kind;
  const auto add = [](std::int64_t& sum, byte_count bytes) { sum = (checked_int64(sum) + bytes).clamped(); };
  for (const resident_item& item :
       resident_at(dump.get<live_chunks>(), curve.peak_positions().front().first, dump.target())) {
    if (!item.value) continue;
    const assigned_value& value = buffers.values()[*item.value];
    add(by_source[program_place_of(dump, value).text()], item.bytes);
    add(by_kind[std::string(without_start(opcode_of(dump, value)))], item.bytes);
  }
  return {listed(by_source), listed(by_kind)};
}

inline void summarize_memory(const context& dump, module_summary& out) {
  const buffer_dump& buffers = *dump.buffers();
  for (const memory_space_size& space : memory_space_sizes(buffers, dump.target()))
    if (dump.target() != target::tpu || !is_on_chip(space.color))
      out.spaces.push_back({space.color, space.bytes.value_or(0)});
  if (!out.has_live_ranges) return;
  out.at_peak = origins_at_peak(dump);
  const auto& packing = dump.get<packing_bound>();
  for (std::size_t a = 0; a < buffers.allocations().size(); ++a)
    if (const packed_allocation* const packed = packing.of_allocation(a);
        packed && buffers.allocations()[a].preallocated_temp &&
        memory_need::counts(buffers.allocations()[a], dump.target()))
      out.fragmentation = checked_add(out.fragmentation, packed->slack()).value_or(out.fragmentation);
  const occupancy_curve curve = main_curve(dump.get<occupancy>(), dump.target());
  if (!curve.empty() && is_tiled(dump.get<chosen_size_rule>().value))
    out.padding = padding_at(buffers, dump.get<live_chunks>(), curve.peak_positions().front().first);
}

inline void summarize_donations(const context& dump, module_summary& out) {
  const hlo_computation entry = dump.hlo()->entry();
  if (!entry) return;
  const size_rule rule = hlolint::detail::size_rule_of(dump);
  std::map<std::int64_t, hlo_instruction> parameters;
  for (const hlo_instruction i : entry.instructions())
    if (const auto number = i.parameter_number()) parameters.emplace(*number, i);
  for (const auto& [number, parameter] : parameters) out.parameters.emplace_back(parameter.name());
  const auto add = [&](std::int64_t number, const shape_index& index, std::optional<shape_index> output) {
    donation_summary& donation = out.donations.emplace_back();
    donation.parameter = number, donation.index = index, donation.output = std::move(output);
    const auto parameter = parameters.find(number);
    if (parameter == parameters.end()) return;
    donation.instruction = std::string(parameter->second.name());
    donation.op_name = program_place_of(parameter->second).op_name;
    const shape* const array = parameter->second.shape() ? parameter->second.shape()->at(index) : nullptr;
    if (array) donation.shape = to_string(*array), donation.bytes = byte_size(*array, rule).value_or(0);
  };
  if (const auto aliases = get<input_output_alias>(*dump.hlo()))
    for (const input_output_alias_entry& alias : aliases->entries)
      add(alias.parameter, alias.parameter_index, alias.output);
  if (const auto donors = get<buffer_donor>(*dump.hlo()))
    for (const buffer_donor_entry& donor : donors->entries) add(donor.parameter, donor.parameter_index, std::nullopt);
  std::stable_sort(out.donations.begin(), out.donations.end(),
                   [](const donation_summary& a, const donation_summary& b) {
                     return in_order(a.parameter, b.parameter, a.index, b.index);
                   });
}

inline void describe(hlo_instruction i, const context& dump, instruction_summary& out) {
  const program_place from = program_place_of(i);
  out.op_name = from.op_name;
  out.source = file_and_line(from.at.file, from.at.line);
  out.instruction = std::string(i.name());
  const repetition runs = dump.get<loops>().runs_of(i.computation());
  out.runs = runs.times, out.runs_known = runs.exact;
}

inline void summarize_collectives(const context& dump, const device& on, module_summary& out) {
  const hlo_module& module = *dump.hlo();
  const auto& graph = dump.get<call_graph>();
  const auto& windows = dump.get<async_windows>();
  std::vector<std::pair<id, collective_summary>> found;  // by the first instruction of each
  std::vector<double> before(1);  // work of all instructions before each; made for the first window
  hlolint::detail::device_table devices(module);
  const transfer_times transfers(module, on);
  const auto work_between = [&](const async_window& w) {
    if (before.size() == 1) {
      const work_times times(module, relative_device());
      hlolint::detail::summed_work work(times, module, 1);
      for (const hlo_instruction i : module.instructions())
        before.push_back(before.back() + (windows.is_real(i) ? work.with_calls(i) : 0));
    }
    return before[w.done.id()] - before[w.start.id() + 1];
  };
  const auto add = [&](hlo_instruction i, hlo_instruction transfer, hlo_opcode kind, const shape* result,
                       const std::optional<byte_count>& bytes) -> collective_summary& {
    collective_summary& c = found.emplace_back(i.id(), collective_summary{}).second;
    describe(i, dump, c);
    if (c.op_name.empty() && c.source.empty() && !(transfer == i)) {
      collective_summary inner;
      describe(transfer, dump, inner);
      c.op_name = inner.op_name, c.source = inner.source;
    }
    c.kind = name_of(kind);
    if (result) c.shape = to_string(*result, {.layout = false});  // it does not change what is transferred
    c.bytes = bytes.value_or(0);
    if (const transfer_time* const t = transfers.of(i)) c.sent = clamp_to_int64(t->wire_bytes);
    c.devices = hex16(devices.key(devices.add(transfer)));
    return c;
  };
  for (const async_window& w : windows) {
    if (!w.is_collective() || !graph.is_sequential(w.start.computation()) ||
        moves_nothing(w.transfer, dump.get<module_groups>()))
      continue;
    collective_summary& c = add(w.start, w.transfer, w.kind, hlolint::detail::result_part(w.transfer), w.bytes);
    c.synchronous = w.is_sync == true;
    c.has_done = bool(w.done);
    c.work = w.real;
    if (w.done && w.real > 0) c.hidden_by = work_between(w);
  }
  for (const hlo_instruction i : module.instructions()) {
    if (!is_synchronous_collective(i.opcode()) || !graph.is_sequential(i.computation()) ||
        moves_nothing(i, dump.get<module_groups>()))
      continue;
    add(i, i, i.opcode(), i.shape(), transfer_bytes(i)).synchronous = true;
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [position, c] : found) out.collectives.push_back(std::move(c));
}

/// Layouts and memory spaces do not decide how long a call takes that is not known anyway; its configuration does.
inline unknown_call unknown_call_of(hlo_instruction i) {
  const auto target = get<custom_call_target>(i);
  unknown_call out{target ? target->name : std::string(i.opcode_text()), {}, std::string(i.name())};
  out.key = joined_key(out.target, std::string(i.attribute(attribute_key::backend_config).value_or("")),
                       i.shape() ? to_string(*i.shape(), {.layout = false}) : std::string{});
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (const shape* const s = shape_of_operand(i, k)) out.key += to_string(*s, {.layout = false}) + ",";
  return out;
}
/// Whether the rate of a device's network is the preset's, not one that was measured or given.
inline bool is_guessed_network(const device& on) {
  const auto preset = find_device(on.name);
  return preset && preset->network_rate == on.network_rate;
}

/// Empty if no time can be estimated: without a schedule or an entry, and on a CPU, where no work runs beside
/// transfers.
inline std::optional<time_summary> time_of(const context& dump, const device& on) {
  if (!dump.has(need::scheduled) || dump.target() == target::cpu || !dump.hlo()->entry()) return std::nullopt;
  const exposed_time time(*dump.hlo(), on);
  const auto nanoseconds = [](double seconds) { return clamp_to_int64(seconds * 1e9); };
  time_summary out;
  if (!on.is_relative()) out.device = on.name;
  out.step = nanoseconds(time.step()), out.compute = nanoseconds(time.compute());
  out.exposed = nanoseconds(time.exposed());
  out.unknown_loops = time.loops_of_unknown_count().size();
  out.assumed_loops = time.loops_of_assumed_count().size();
  const work_by_source work(*dump.hlo(), time);
  for (const hlo_instruction i : work.unknown()) out.unknown_calls.push_back(unknown_call_of(i));
  if (is_guessed_network(on))
    for (const exposed_transfer& t : time.transfers())
      if (t.in_step && t.time.path == transfer_path::network) out.guessed += nanoseconds(t.exposed);
  sums_by_name by_source, by_kind;
  const auto add = [](std::int64_t& sum, std::int64_t more) { sum = (checked_int64(sum) + more).clamped(); };
  for (const source_work& w : work.list())
    add(by_source[w.source], nanoseconds(w.seconds)), add(by_kind[w.kind], nanoseconds(w.seconds));
  out.origins = {listed(by_source), listed(by_kind)};
  return out;
}

/// The types of parameters and results, from the module's header, or else from the entry.
inline std::string signature_of(const hlo_module& module) {
  std::string out(module.attribute(attribute_key::entry_computation_layout).value_or(std::string_view{}));
  if (!out.empty() || !module.entry()) return out;
  std::map<std::int64_t, std::string> parameters;
  for (const hlo_instruction i : module.entry().instructions())
    if (const auto number = i.parameter_number(); number && i.shape()) parameters[*number] = to_string(*i.shape());
  for (const auto& [number, shape] : parameters) out += shape + ",";
  if (module.entry().root() && module.entry().root().shape()) out += "->" + to_string(*module.entry().root().shape());
  return out;
}

/// How often each operation stands in a program: the opcode, of custom calls the target, and the type of the result.
/// Not where and under which name, and nothing that XLA adds or drops freely (parameters, tuples, bitcasts, copies).
inline void summarize_operations(const hlo_module& module, module_summary& out) {
  for (const hlo_instruction i : module.instructions()) {
    using enum hlo_opcode;
    if (opcode_set{parameter, tuple, get_tuple_element, bitcast, copy, constant, fusion, call, async_start,
                   async_update, async_done}
            .has(i.opcode()))
      continue;
    if (i.opcode_text().ends_with("-done") || i.opcode_text().ends_with("-update")) continue;  // counted as starts
    std::string name(without_start(i.opcode_text()));
    if (const auto target = i.opcode() == custom_call ? get<custom_call_target>(i) : std::nullopt)
      name += " " + target->name;
    if (i.shape() && i.shape()->is_array()) name += " of " + std::string(hlolint::name_of(i.shape()->type));
    ++out.operations[name];
  }
}

/// Leaves out arrays of fewer than `least` bytes.
inline void summarize_arrays(const context& dump, byte_count least, module_summary& out) {
  const auto& graph = dump.get<call_graph>();
  for (const hlo_instruction i : dump.hlo()->instructions()) {
    const bool constant = i.opcode() == hlo_opcode::constant;
    if (!constant && (!out.is_scheduled || !graph.is_sequential(i.computation()))) continue;
    const hlo_instruction operation = constant ? i : dump.get<sole_operations>().of(i);
    if (!operation || !i.shape()) continue;
    if (!constant && operation.opcode() != hlo_opcode::copy && operation.opcode() != hlo_opcode::transpose) continue;
    const auto bytes = dense_size_of_leaves(*i.shape());
    if (!bytes || *bytes < least) continue;
    instruction_summary& array = (constant ? out.constants : out.copies).emplace_back();
    describe(i, dump, array);
    array.kind = name_of(operation.opcode());
    array.shape = to_string(*i.shape());
    array.bytes = *bytes;
  }
}

}  // namespace detail

/// Leaves out copies and constants of fewer than `least` bytes. Estimates times on the device, and the memory if no
/// buffers were dumped.
inline module_summary module_summary_of(const context& dump, const device& on, byte_count least = 1_MiB) {
  module_summary out;
  out.name = std::string(module_without_number(dump.name()));
  for (const seen_file& file : dump.files()) out.files.push_back(file.path);
  out.target = dump.target();
  out.has_hlo = dump.has(need::hlo);
  out.is_scheduled = dump.has(need::scheduled);
  const context& memory = with_memory(dump);
  out.has_memory = memory.has(need::buffers);
  out.memory_is_estimated = memory.memory_is_estimated();
  out.has_live_ranges = out.has_memory && memory.has(need::live_ranges);
  out.memory = memory_summary_of(memory);
  if (out.has_memory) detail::summarize_memory(memory, out);
  if (!out.has_hlo) return out;
  out.time = detail::time_of(dump, on);
  out.signature = detail::signature_of(*dump.hlo());
  out.instructions = dump.hlo()->instruction_count();
  out.helper = is_helper_module(*dump.hlo());
  detail::summarize_donations(dump, out);
  detail::summarize_operations(*dump.hlo(), out);
  if (out.is_scheduled) detail::summarize_collectives(dump, on, out);
  detail::summarize_arrays(dump, least, out);
  return out;
}
/// Estimates times on the device that was named or found beside the dump.
inline module_summary module_summary_of(const context& dump) { return module_summary_of(dump, dump.device()); }

}  // namespace hlolint::compare
