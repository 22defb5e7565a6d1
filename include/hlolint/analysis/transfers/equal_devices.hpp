// Which devices of a partitioned program certainly hold equal values. XLA's HloReplicationAnalysis asks this of all
// devices at once; here values may also be equal along some axes of a mesh only.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/same_sharding.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/parameter_shardings.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/text/inlined_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// Ways to divide the devices into classes of equal ones; equal ways share a number.
class device_classes {
 public:
  using number = std::uint32_t;

  explicit device_classes(std::size_t devices) {
    const std::vector<std::size_t> same(devices);
    std::vector<std::size_t> own(devices);
    for (std::size_t d = 0; d < devices; ++d) own[d] = d;
    all_equal_ = of(same), all_different_ = of(own);
  }

  std::size_t devices() const { return list_.front().of_device.size(); }
  number all_equal() const { return all_equal_; }
  number all_different() const { return all_different_; }
  /// The classes of devices with equal keys. Precondition: one key for each device.
  template <class Key>
  number of(const std::vector<Key>& keys) {
    std::map<Key, id> known;
    std::vector<id> classes;
    for (const Key& key : keys) classes.push_back(known.try_emplace(key, static_cast<id>(known.size())).first->second);
    const auto [found, is_new] = numbers_.try_emplace(std::move(classes), static_cast<number>(list_.size()));
    if (is_new) {
      std::vector<std::size_t> sizes(known.size());
      for (const id c : found->first) ++sizes[c];
      list_.push_back({found->first, *std::min_element(sizes.begin(), sizes.end())});
    }
    return found->second;
  }
  /// The classes of devices that are equal in both ways.
  number of_both(number a, number b) {
    if (a == b || b == all_equal_) return a;
    if (a == all_equal_) return b;
    const auto [found, is_new] = both_.try_emplace(std::minmax(a, b), 0);
    if (!is_new) return found->second;
    std::vector<std::pair<id, id>> keys;
    for (std::size_t d = 0; d < devices(); ++d) keys.emplace_back(list_[a].of_device[d], list_[b].of_device[d]);
    return found->second = of(keys);
  }
  /// The class of each device.
  const std::vector<id>& operator[](number n) const { return list_[n].of_device; }
  /// The devices of the smallest class.
  std::size_t smallest(number n) const { return list_[n].smallest; }

 private:
  struct way {
    std::vector<id> of_device;
    std::size_t smallest = 0;
  };
  std::vector<way> list_;
  std::map<std::vector<id>, number> numbers_;
  std::map<std::pair<number, number>, number> both_;
  number all_equal_ = 0, all_different_ = 0;
};

}  // namespace detail

/// The devices on which results are equal. What is not understood counts as different everywhere.
class equal_devices {
 public:
  /// The most devices, and the most instructions that are visited, as a multiple of those of the module: what several
  /// callers and the iterations of loops hand over may differ. Beyond, all values count as different. @{
  static constexpr std::size_t most_devices = std::size_t{1} << 14, most_visits = 64;
  /// @}

  /// `earlier`: see `parameter_shardings`; may be null. `groups`: of the module; used only here.
  equal_devices(const hlo_module& module, const hlo_module* earlier, const module_groups& groups)
      : groups_(groups),
        classes_(device_count_of(module)),
        of_(module.instruction_count()),
        operands_(module.instruction_count(), classes_.all_different()),
        called_(module.computation_count()),
        visits_left_(most_visits * module.instruction_count()) {
    if (classes_.devices() < 2 || !module.entry()) return;
    const auto shardings = parameter_shardings(module, earlier);
    // Mostly nothing is known of the arguments, and then next to nothing of the rest.
    if (std::ranges::none_of(shardings, [](const auto& known) { return known.has_value(); })) return;
    std::vector<value> arguments;
    for (std::size_t n = 0; n < shardings.size(); ++n) arguments.push_back(of_parameter(shardings[n]));
    result_of(module.entry(), arguments, 0);
    if (visits_left_ == 0) operands_.assign(operands_.size(), classes_.all_different());
  }

  /// The devices that certainly compute the same as any device does with an instruction, which is 1 if there may be
  /// none.
  std::size_t computing_same(hlo_instruction i) const { return classes_.smallest(operands_[i.id()]); }

 private:
  using number = detail::device_classes::number;
  // Of a tuple one number for each element, otherwise one; elements that are tuples have one for all their parts.
  using value = inlined_vector<number, 4>;

  static std::size_t device_count_of(const hlo_module& module) {
    const std::int64_t partitions = module.num_partitions();
    const bool counts =
        module.replica_count() == 1 && partitions > 1 && partitions <= static_cast<std::int64_t>(most_devices);
    return counts ? static_cast<std::size_t>(partitions) : 1;
  }

  number whole(const value& v) {
    number out = classes_.all_equal();
    for (const number n : v) out = classes_.of_both(out, n);
    return out;
  }
  value joined(const value& a, const value& b) {
    if (a.size() != b.size()) return {classes_.of_both(whole(a), whole(b))};
    value out;
    for (std::size_t k = 0; k < a.size(); ++k) out.push_back(classes_.of_both(a[k], b[k]));
    return out;
  }
  const value& different() const { return different_; }
  /// Of an operand that does not stand before, nothing is known.
  const value& value_of(hlo_instruction i) const { return i && !of_[i.id()].empty() ? of_[i.id()] : different(); }
  const value& value_of_operand(hlo_instruction i, std::size_t k) const { return value_of(operand_of(i, k)); }
  number all_operands(hlo_instruction i) {
    number out = classes_.all_equal();
    for (const hlo_instruction operand : i.operands()) out = classes_.of_both(out, whole(value_of(operand)));
    return out;
  }

  number of_sharding(const sharding& how) {
    const auto tiles = tiles_of(how);
    if (!tiles) return classes_.all_different();
    if (tiles->empty()) return classes_.all_equal();
    const auto count = detail::device_count(how);
    if (!count || *count != static_cast<std::int64_t>(classes_.devices())) return classes_.all_different();
    std::vector<std::int64_t> tile_of_device;
    for (const auto& [device, tile] : detail::tile_of_devices(how, *count)) {
      if (device != static_cast<std::int64_t>(tile_of_device.size())) return classes_.all_different();
      tile_of_device.push_back(tile);
    }
    return classes_.of(tile_of_device);
  }
  value of_parameter(const std::optional<sharding>& how) {
    if (!how) return different();
    if (how->written != sharding::kind::tuple) return {of_sharding(*how)};
    value out;
    for (const sharding& element : how->elements) out.push_back(of_sharding(element));
    return out.empty() ? different() : out;
  }

  // The result of a computation for these arguments, and for those that other callers gave it before.
  value result_of(hlo_computation c, const std::vector<value>& arguments, std::size_t depth) {
    constexpr std::size_t most_depth = 64;
    if (!c || depth == most_depth) return different();
    call_facts& known = called_[c.id()];
    std::vector<value> given = arguments;
    for (std::size_t n = 0; n < known.arguments.size(); ++n) {
      if (n == given.size()) given.push_back(known.arguments[n]);
      given[n] = joined(given[n], known.arguments[n]);
    }
    if (!known.result.empty() && given == known.arguments) return known.result;
    known.arguments = std::move(given);
    for (const hlo_instruction i : c.instructions()) {
      if (visits_left_ == 0) return different();
      --visits_left_;
      operands_[i.id()] = all_operands(i);
      of_[i.id()] = computed(i, depth + 1);
    }
    return called_[c.id()].result = value_of(c.root());
  }

  value computed(hlo_instruction i, std::size_t depth) {
    switch (i.opcode()) {
      using enum hlo_opcode;
      case parameter: {
        const std::vector<value>& given = called_[i.computation().id()].arguments;
        const auto n = parameter_position(i);
        return n && *n < given.size() ? given[*n] : different();
      }
      case constant:
      case iota:
      case replica_id: return {classes_.all_equal()};
      case partition_id:
      case rng:
      case rng_get_and_update_state:
      case infeed:
      case recv:
      case recv_done: return different();
      case tuple: {
        value out;
        for (const hlo_instruction operand : i.operands()) out.push_back(whole(value_of(operand)));
        return out.empty() ? value{classes_.all_equal()} : out;
      }
      case get_tuple_element: {
        const value& from = value_of_operand(i, 0);
        const auto k = element_position(i);
        return {from.size() > 1 && k && *k < from.size() ? from[*k] : whole(from)};
      }
      case add_dependency:
      case all_reduce_done:
      case async_update:
      case bitcast:
      case copy:
      case domain:
      case opt_barrier: return value_of_operand(i, 0);
      // The starts make tuples of operands and results.
      case all_gather_done:
      case async_done:
      case collective_permute_done: {
        const value& started = value_of_operand(i, 0);
        return {started.size() > 1 ? started[1] : whole(started)};
      }
      case all_gather_start:
      case collective_permute_start: return {all_operands(i), whole(sent(i))};
      case async_start: return {all_operands(i), whole(called(i, depth))};
      case call:
      case fusion: return called(i, depth);
      case while_: return looped(i, depth);
      case conditional: {
        value out;
        for (std::size_t k = 0; k < i.called_computation_count(); ++k) {
          const value one = result_of(i.called_computation(k), {{all_operands(i)}}, depth);
          out = out.empty() ? one : joined(out, one);
        }
        return out.empty() ? different() : with(out, whole(value_of_operand(i, 0)));
      }
      case custom_call: {
        const auto target = get<custom_call_target>(i);
        if (target && target->name == "AsyncCollectiveStart") return started_in_fusion(i);
        if (target && target->name == "AsyncCollectiveDone") return finished_in_fusion(i);
        const bool depends_on_operands_alone =
            target && (is_free_target(target->name) || target->name.starts_with("__") || target->name == "TopK");
        return depends_on_operands_alone ? value{all_operands(i)} : different();
      }
      default: return is_collective(i.opcode()) ? sent(i) : value{all_operands(i)};
    }
  }
  value called(hlo_instruction i, std::size_t depth) {
    std::vector<value> arguments;
    for (const hlo_instruction operand : i.operands()) arguments.push_back(value_of(operand));
    return result_of(first_called(i), arguments, depth);
  }
  // What the start of an async collective fusion hands on (scheduling.md 1): operand, result, and what only the done
  // reads.
  value started_in_fusion(hlo_instruction i) {
    const hlo_instruction collective = operand_of(i, 0);
    const std::size_t count = i.shape() && i.shape()->is_tuple() ? i.shape()->elements.size() : 0;
    if (!collective || !is_collective(collective.opcode()) || count < 2) return different();
    value out{whole(value_of_operand(collective, 0)), whole(value_of(collective))};
    while (out.size() < count) out.push_back(classes_.all_different());
    return out;
  }
  // Its done repeats the collective of the start's operand.
  value finished_in_fusion(hlo_instruction i) {
    for (const hlo_instruction operand : i.operands())
      if (operand && is_collective(operand.opcode())) return {whole(value_of(operand))};
    return different();
  }
  // A value that devices of different classes of `decided` get in different ways.
  value with(value v, number decided) {
    for (number& n : v) n = classes_.of_both(n, decided);
    return v;
  }
  value looped(hlo_instruction loop, std::size_t depth) {
    const auto [condition, body] = parts_of_while(loop);
    for (value state = value_of_operand(loop, 0);;) {
      const number goes_on = whole(result_of(condition, {state}, depth));
      value next = with(joined(state, result_of(body, {state}, depth)), goes_on);
      if (next == state || visits_left_ == 0) return next;
      state = std::move(next);
    }
  }

  // What a collective makes of its operands, each alone.
  value sent(hlo_instruction i) {
    value out;
    for (const hlo_instruction operand : i.operands()) out.push_back(sent(i, whole(value_of(operand))));
    return out.empty() ? different() : out;
  }
  number sent(hlo_instruction i, number from) {
    if (is_permute(i.opcode())) {
      const auto pairs = get<source_target_pairs>(i);
      return pairs ? of_pairs(pairs->pairs, from) : classes_.all_different();
    }
    const device_groups* const groups = groups_.devices_of(i);
    if (!groups) return classes_.all_different();
    const auto [found, is_new] = sent_.try_emplace({i.opcode(), groups, from}, from);
    if (is_new) found->second = of_groups(i.opcode(), groups->devices, from);
    return found->second;
  }
  number of_groups(hlo_opcode opcode, const std::vector<std::vector<std::int64_t>>& groups, number from) {
    using enum hlo_opcode;
    const bool takes_all = opcode == all_gather || opcode == all_gather_start || opcode == collective_broadcast;
    const bool adds_up = opcode == all_reduce || opcode == all_reduce_start, takes_part = opcode == reduce_scatter;
    if (!takes_all && !adds_up && !takes_part) return classes_.all_different();
    std::map<std::vector<id>, id> known;  // what the devices of a group hold
    std::vector<std::pair<id, std::size_t>> keys(classes_.devices(), {none, 0});
    for (const std::vector<std::int64_t>& group : groups) {
      std::vector<id> inputs;
      for (const std::int64_t device : group) inputs.push_back(classes_[from][static_cast<std::size_t>(device)]);
      if (!takes_all) std::sort(inputs.begin(), inputs.end());
      const id held = known.try_emplace(std::move(inputs), static_cast<id>(known.size())).first->second;
      for (std::size_t at = 0; at < group.size(); ++at)
        keys[static_cast<std::size_t>(group[at])] = {held, takes_part ? at : 0};
    }
    const bool has_all = std::ranges::all_of(keys, [](const auto& key) { return key.first != none; });
    return has_all ? classes_.of(keys) : classes_.all_different();
  }
  number of_pairs(const std::vector<device_pair>& pairs, number from) {
    std::vector<id> keys(classes_.devices(), none);  // what no device sends is zero
    for (const auto& [source, target] : pairs) {
      const auto end = static_cast<std::int64_t>(keys.size());
      if (source < 0 || target < 0 || source >= end || target >= end) return classes_.all_different();
      keys[static_cast<std::size_t>(target)] = classes_[from][static_cast<std::size_t>(source)];
    }
    return classes_.of(keys);
  }

  // What a computation was given, by all its callers together, and what it makes of that.
  struct call_facts {
    std::vector<value> arguments;
    value result;  // empty if it was not called yet
  };

  const module_groups& groups_;
  detail::device_classes classes_;
  value different_{classes_.all_different()};
  std::vector<value> of_;           // by instruction; empty where nothing was computed
  std::vector<number> operands_;    // by instruction, of all operands together
  std::vector<call_facts> called_;  // by computation
  std::map<std::tuple<hlo_opcode, const device_groups*, number>, number> sent_;  // by the classes of the operand
  std::size_t visits_left_;
};

}  // namespace hlolint
