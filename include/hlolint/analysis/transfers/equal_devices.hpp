// Which devices of a program certainly hold equal values, and what makes others differ. XLA's HloReplicationAnalysis
// asks this of all devices at once; here values may also be equal along some axes of a mesh only.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/same_sharding.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/parameter_shardings.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/inlined_vector.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// What certainly makes values of devices differ.
enum class difference : std::uint8_t {
  device_id = 1,  ///< they depend on partition-id or replica-id
  received = 2,   ///< on infeed or recv
  shard = 4,      ///< on an argument of which each device holds a part
  unknown = 8     ///< they are not known to be equal
};
/// Bits of several. @{
constexpr difference operator|(difference a, difference b) {
  return static_cast<difference>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool has(difference all, difference one) {
  return (static_cast<std::uint8_t>(all) & static_cast<std::uint8_t>(one)) != 0;
}
/// @}

namespace detail {

/// A result of an operation on integers, given its operands; nothing if it is none, or is not understood. Arrays of one
/// element count as numbers.
inline std::optional<std::int64_t> integer_result(hlo_instruction i, const std::vector<std::int64_t>& operands) {
  const auto is_one = [](const shape* s) {
    return s && array_elements(*s) == 1 &&
           (s->type == element_type::pred || (s->type >= element_type::s1 && s->type < element_type::u64));
  };
  bool understood = is_one(i.shape());
  for (std::size_t k = 0; understood && k < i.operand_count(); ++k) understood = is_one(shape_of_operand(i, k));
  if (!understood || operands.size() != i.operand_count()) return std::nullopt;
  const std::size_t count = operands.size();
  const std::int64_t a = count > 0 ? operands[0] : 0, b = count > 1 ? operands[1] : 0;
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const element_type type = i.shape()->type;
  const int bits = type == element_type::pred ? 1 : bit_width(type);
  std::uint64_t out = 0;
  switch (i.opcode()) {
    using enum hlo_opcode;
    case constant: {
      if (type == element_type::pred && i.argument() == "true") return 1;
      if (type == element_type::pred && i.argument() == "false") return 0;
      return integer_in(i.argument());
    }
    case bitcast:
    case broadcast:
    case convert:
    case copy:
    case reshape: out = type == element_type::pred ? a != 0 : x; break;
    case add: out = x + y; break;
    case subtract: out = x - y; break;
    case multiply: out = x * y; break;
    case negate: out = 0 - x; break;
    case and_: out = x & y; break;
    case or_: out = x | y; break;
    case xor_: out = x ^ y; break;
    case not_: out = ~x; break;
    case maximum: return std::max(a, b);
    case minimum: return std::min(a, b);
    case divide:
      if (b <= 0) return std::nullopt;
      return a / b;
    case remainder:
      if (b <= 0) return std::nullopt;
      return a % b;
    case shift_left: out = b >= 0 && b < bits ? x << y : 0; break;
    case shift_right_logical:
      if (a < 0) return std::nullopt;
      return b >= 0 && b < bits ? a >> b : 0;
    case select: return count == 3 ? std::optional(a != 0 ? b : operands[2]) : std::nullopt;
    case compare: {
      const auto how = i.attribute(attribute_key::direction);
      if (!how) return std::nullopt;
      return *how == "EQ"   ? a == b
             : *how == "NE" ? a != b
             : *how == "LT" ? a < b
             : *how == "LE" ? a <= b
             : *how == "GT" ? a > b
             : *how == "GE" ? std::optional<std::int64_t>(a >= b)
                            : std::nullopt;
    }
    default: return std::nullopt;
  }
  // What does not fit is cut off.
  const int above = 64 - bits;
  const auto shifted = static_cast<std::int64_t>(out << above);
  return type != element_type::pred && value_follower::is_signed(type)
             ? shifted >> above
             : static_cast<std::int64_t>((out << above) >> above);
}

/// Ways to divide the devices into classes of equal ones, with what makes them differ; equal ways share a number. A way
/// may hold the integer that the devices of each class have.
class device_classes {
 public:
  using number = std::uint32_t;

  explicit device_classes(std::size_t devices) {
    std::vector<std::size_t> device(devices);
    for (std::size_t d = 0; d < devices; ++d) device[d] = d;
    all_equal_ = of(std::vector<std::size_t>(devices));
    all_different_ = of(device, difference::unknown);
  }

  std::size_t devices() const { return of_device(all_equal_).size(); }
  number all_equal() const { return all_equal_; }
  /// Nothing is known.
  number all_different() const { return all_different_; }
  /// The classes of devices with equal keys. Precondition: one key for each device.
  template <class Key>
  number of(const std::vector<Key>& keys, difference from = {}) {
    std::map<Key, id> known;
    std::vector<id> classes;
    for (const Key& key : keys) classes.push_back(known.try_emplace(key, static_cast<id>(known.size())).first->second);
    return way_of(parts_of(std::move(classes), known.size()), from, {});
  }
  /// The classes of devices with equal integers. Precondition: one for each device.
  number of_integers(const std::vector<std::int64_t>& by_device, difference from) {
    const number classes = of(by_device, from);
    std::vector<std::int64_t> integers;
    for (std::size_t d = 0; d < by_device.size(); ++d)
      if (of_device(classes)[d] == integers.size()) integers.push_back(by_device[d]);
    return way_of(list_[classes].parts, from, std::move(integers));
  }
  /// The integer that all devices have.
  number of_integer(std::int64_t everywhere) { return way_of(list_[all_equal_].parts, {}, {everywhere}); }
  /// The classes of devices that are equal in both ways. Integers are kept if the ways are the same.
  number of_both(number a, number b) {
    if (a == b) return a;
    a = list_[a].without_integers, b = list_[b].without_integers;
    if (a == b || b == all_equal_) return a;
    if (a == all_equal_) return b;
    const auto [found, is_new] = both_.try_emplace(std::minmax(a, b), 0);
    if (!is_new) return found->second;
    std::vector<std::pair<id, id>> keys;
    for (std::size_t d = 0; d < devices(); ++d) keys.emplace_back(of_device(a)[d], of_device(b)[d]);
    return found->second = of(keys, list_[a].from | list_[b].from);
  }
  /// The same classes for unknown reasons.
  number doubtful(number n) { return smallest(n) == devices() ? n : way_of(list_[n].parts, difference::unknown, {}); }
  /// The result of an operation on integers whose operands are these; nothing if it is not understood. All operations
  /// together have a limit, beyond which their results are doubtful.
  std::optional<number> integers_of(hlo_instruction i, const std::vector<number>& operands) {
    number classes = all_equal_;
    for (const number n : operands) {
      if (list_[n].integers.empty()) return std::nullopt;
      classes = of_both(classes, n);
    }
    classes = list_[classes].without_integers;
    if (classes != all_equal_ &&
        std::exchange(integers_left_, integers_left_ - std::min(integers_left_, devices())) == 0)
      return doubtful(classes);
    std::vector<std::int64_t> of_class, by_device, given(operands.size());
    for (std::size_t d = 0; d < devices(); ++d) {
      const id c = of_device(classes)[d];
      if (c == of_class.size()) {
        for (std::size_t k = 0; k < operands.size(); ++k)
          given[k] = list_[operands[k]].integers[of_device(operands[k])[d]];
        const auto result = integer_result(i, given);
        if (!result) return std::nullopt;
        of_class.push_back(*result);
        if (classes == all_equal_) return of_integer(*result);
      }
      by_device.push_back(of_class[c]);
    }
    return of_integers(by_device, list_[classes].from);
  }

  /// The class of each device.
  const std::vector<id>& of_device(number n) const { return list_[n].parts->first; }
  /// The devices of the smallest class.
  std::size_t smallest(number n) const { return list_[n].parts->second; }
  /// What makes the classes differ.
  difference from(number n) const { return list_[n].from; }

 private:
  using division = std::pair<const std::vector<id>, std::size_t>;  // the class of each device, the size of the smallest
  struct way {
    const division* parts = nullptr;
    difference from{};
    std::vector<std::int64_t> integers;  // by class; empty if they are not known
    number without_integers = 0;
  };

  const division* parts_of(std::vector<id> classes, std::size_t count) {
    const auto [found, is_new] = parts_.try_emplace(std::move(classes), 0);
    if (is_new) {
      std::vector<std::size_t> sizes(count);
      for (const id c : found->first) ++sizes[c];
      found->second = *std::min_element(sizes.begin(), sizes.end());
    }
    return &*found;
  }
  number way_of(const division* divided, difference from, std::vector<std::int64_t> integers) {
    if (divided->second == divided->first.size()) from = {};  // all are in one class
    const auto [found, is_new] = numbers_.try_emplace({divided, from, integers}, 0);
    if (!is_new) return found->second;
    const bool plain = integers.empty();
    const number without = plain ? static_cast<number>(list_.size()) : way_of(divided, from, {});
    list_.push_back({divided, from, std::move(integers), without});
    return found->second = static_cast<number>(list_.size() - 1);
  }

  std::vector<way> list_;
  std::map<std::vector<id>, std::size_t> parts_;
  std::map<std::tuple<const division*, difference, std::vector<std::int64_t>>, number> numbers_;
  std::map<std::pair<number, number>, number> both_;
  number all_equal_ = 0, all_different_ = 0;
  std::size_t integers_left_ = std::size_t{1} << 24;  // to compute for all devices
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
        carried_(module),
        partitions_(static_cast<std::size_t>(std::max<std::int64_t>(module.num_partitions(), 1))),
        visits_left_(most_visits * module.instruction_count()) {
    if (classes_.devices() < 2 || !module.entry()) return;
    std::vector<std::int64_t> device, replica, partition;
    for (std::size_t d = 0; d < classes_.devices(); ++d) {
      device.push_back(static_cast<std::int64_t>(d));
      replica.push_back(static_cast<std::int64_t>(d / partitions_));
      partition.push_back(static_cast<std::int64_t>(d % partitions_));
    }
    received_ = classes_.of(device, difference::received);
    replica_ = classes_.of_integers(replica, difference::device_id);
    partition_ = classes_.of_integers(partition, difference::device_id);
    std::vector<value> arguments;
    for (const std::optional<sharding>& how : parameter_shardings(module, earlier))
      arguments.push_back(of_parameter(how));
    result_of(module.entry(), arguments, {}, 0);
    if (visits_left_ > 0) return;
    operands_.assign(operands_.size(), classes_.all_different());
    of_.assign(of_.size(), different());
  }

  /// The devices that certainly compute the same as any device does with an instruction, which is 1 if there may be
  /// none.
  std::size_t computing_same(hlo_instruction i) const { return classes_.smallest(operands_[i.id()]); }
  /// The class of each device, by replica * num_partitions + partition: devices of one class have equal values of an
  /// array. In a loop those of one iteration count.
  const std::vector<id>& classes_of(hlo_instruction array) const { return classes_.of_device(value_of(array).front()); }
  /// What makes classes of devices differ.
  difference between_classes_of(hlo_instruction array) const { return classes_.from(value_of(array).front()); }

 private:
  using number = detail::device_classes::number;
  // Of a tuple one number for each element, otherwise one; elements that are tuples have one for all their parts.
  using value = inlined_vector<number, 4>;

  static std::size_t device_count_of(const hlo_module& module) {
    const auto count = checked_multiply(module.replica_count(), module.num_partitions());
    return count && *count > 1 && *count <= static_cast<std::int64_t>(most_devices) ? static_cast<std::size_t>(*count)
                                                                                    : 1;
  }

  number whole(const value& v) {
    if (v.size() == 1) return v[0];
    number out = classes_.all_equal();
    for (const number n : v) out = classes_.of_both(out, n);
    return out;
  }
  // The parts of a tuple together: which of them differ is lost.
  number merged(const value& v) { return v.size() == 1 ? v[0] : classes_.doubtful(whole(v)); }
  value joined(const value& a, const value& b) {
    if (a.size() != b.size()) return {classes_.of_both(merged(a), merged(b))};
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

  // The same in each replica; replicas have arguments of their own.
  number of_sharding(const sharding& how) {
    const auto tiles = tiles_of(how);
    if (!tiles) return classes_.all_different();
    std::vector<std::int64_t> tile_of_partition(partitions_);
    if (!tiles->empty()) {
      const auto count = detail::device_count(how);
      if (!count || *count != static_cast<std::int64_t>(partitions_)) return classes_.all_different();
      std::size_t next = 0;
      for (const auto& [device, tile] : detail::tile_of_devices(how, *count)) {
        if (device != static_cast<std::int64_t>(next)) return classes_.all_different();
        tile_of_partition[next++] = tile;
      }
    }
    std::vector<std::pair<std::size_t, std::int64_t>> keys;
    for (std::size_t d = 0; d < classes_.devices(); ++d)
      keys.emplace_back(d / partitions_, tile_of_partition[d % partitions_]);
    return classes_.of(keys, tiles->empty() ? difference{} : difference::shard);
  }
  value of_parameter(const std::optional<sharding>& how) {
    if (!how) return different();
    if (how->written != sharding::kind::tuple) return {of_sharding(*how)};
    value out;
    for (const sharding& element : how->elements) out.push_back(of_sharding(element));
    return out.empty() ? different() : out;
  }

  // The result of a computation for these arguments, and for those that other callers gave it before.
  value result_of(hlo_computation c, const std::vector<value>& arguments, hlo_instruction caller, std::size_t depth) {
    constexpr std::size_t most_depth = 64;
    if (!c || depth == most_depth) return different();
    call_facts& known = called_[c.id()];
    if (!known.result.empty() && known.caller != caller) known.has_several_callers = true;
    known.caller = caller;
    std::vector<value> given = arguments;
    for (std::size_t n = 0; n < known.arguments.size(); ++n) {
      if (n == given.size()) given.push_back(known.arguments[n]);
      given[n] = joined(given[n], known.arguments[n]);
    }
    for (value& v : given)
      for (number& n : v)
        if (known.has_several_callers) n = classes_.doubtful(n);
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
      case iota: return {classes_.all_equal()};
      case partition_id: return {partition_};
      case replica_id: return {replica_};
      case rng:
      case rng_get_and_update_state: return different();
      case infeed:
      case recv: return {received_};
      case tuple: {
        value out;
        for (const hlo_instruction operand : i.operands()) out.push_back(merged(value_of(operand)));
        return out.empty() ? value{classes_.all_equal()} : out;
      }
      case get_tuple_element: {
        const value& from = value_of_operand(i, 0);
        const auto k = element_position(i);
        return {from.size() > 1 && k && *k < from.size() ? from[*k] : merged(from)};
      }
      case add_dependency:
      case all_reduce_done:
      case async_update:
      case copy:
      case domain:
      case opt_barrier: return value_of_operand(i, 0);
      // The starts make tuples of operands and results.
      case all_gather_done:
      case async_done:
      case collective_permute_done: {
        const value& started = value_of_operand(i, 0);
        return {started.size() > 1 ? started[1] : merged(started)};
      }
      case all_gather_start:
      case collective_permute_start: return {all_operands(i), merged(sent(i))};
      case async_start: return {all_operands(i), merged(called(i, depth))};
      case call:
      case fusion: return called(i, depth);
      case while_: return looped(i, depth);
      case conditional: {
        value out;
        for (std::size_t k = 0; k < i.called_computation_count(); ++k) {
          const value one = result_of(i.called_computation(k), {value_of_operand(i, k + 1)}, i, depth);
          out = out.empty() ? one : joined(out, one);
        }
        return out.empty() ? different() : with(out, whole(value_of_operand(i, 0)));
      }
      case custom_call: {
        const auto target = get<custom_call_target>(i);
        if (target && target->name == "AsyncCollectiveStart") return started_in_fusion(i);
        if (target && target->name == "AsyncCollectiveDone") return finished_in_fusion(i);
        // Markers may stand between values of each device and of all together.
        if (target && is_free_target(target->name)) return {classes_.doubtful(all_operands(i))};
        const bool depends_on_operands_alone = target && (target->name.starts_with("__") || target->name == "TopK");
        return depends_on_operands_alone ? value{all_operands(i)} : different();
      }
      default: {
        if (is_collective(i.opcode())) return sent(i);
        std::vector<number> operands;
        for (const hlo_instruction operand : i.operands()) operands.push_back(whole(value_of(operand)));
        return {classes_.integers_of(i, operands).value_or(all_operands(i))};
      }
    }
  }
  value called(hlo_instruction i, std::size_t depth) {
    std::vector<value> arguments;
    for (const hlo_instruction operand : i.operands()) arguments.push_back(value_of(operand));
    return result_of(first_called(i), arguments, i, depth);
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
    for (number& n : v)
      if (classes_.smallest(decided) < classes_.devices()) n = classes_.of_both(n, decided);
    return v;
  }
  // Inside, devices that are in the same iteration count; after it, those that leave after the same number of them.
  value looped(hlo_instruction loop, std::size_t depth) {
    const auto [condition, body] = parts_of_while(loop);
    value state = value_of_operand(loop, 0);
    for (;;) {
      value next = joined(state, result_of(body, {state}, loop, depth));
      if (next == state || visits_left_ == 0) break;
      state = std::move(next);
    }
    const number goes_on = whole(result_of(condition, {state}, loop, depth));
    const hlo_instruction root = root_of(body);
    const bool is_tuple = root && root.opcode() == hlo_opcode::tuple;
    for (std::size_t k = 0; k < state.size(); ++k)
      if (!is_tuple || carried_.of(operand_of(root, k)) != static_cast<std::int64_t>(k))
        state[k] = with({state[k]}, goes_on).front();
    return state;
  }

  // What a collective makes of its operands, each alone.
  value sent(hlo_instruction i) {
    value out;
    for (const hlo_instruction operand : i.operands()) out.push_back(sent(i, whole(value_of(operand))));
    return out.empty() ? different() : out;
  }
  number sent(hlo_instruction i, number from) {
    if (is_permute(i.opcode())) {
      const bool one_kind = partitions_ == 1 || partitions_ == classes_.devices();
      const auto pairs = one_kind ? get<source_target_pairs>(i) : std::nullopt;
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
      for (const std::int64_t device : group)
        inputs.push_back(classes_.of_device(from)[static_cast<std::size_t>(device)]);
      if (!takes_all) std::sort(inputs.begin(), inputs.end());
      const id held = known.try_emplace(std::move(inputs), static_cast<id>(known.size())).first->second;
      for (std::size_t at = 0; at < group.size(); ++at)
        keys[static_cast<std::size_t>(group[at])] = {held, takes_part ? at : 0};
    }
    const bool has_all = std::ranges::all_of(keys, [](const auto& key) { return key.first != none; });
    if (!has_all) return classes_.all_different();
    const difference before = classes_.from(from);
    return classes_.of(keys, has(before, difference::unknown) ? difference::unknown : before);
  }
  number of_pairs(const std::vector<device_pair>& pairs, number from) {
    std::vector<id> keys(classes_.devices(), none);  // what no device sends is zero
    for (const auto& [source, target] : pairs) {
      const auto end = static_cast<std::int64_t>(keys.size());
      if (source < 0 || target < 0 || source >= end || target >= end) return classes_.all_different();
      keys[static_cast<std::size_t>(target)] = classes_.of_device(from)[static_cast<std::size_t>(source)];
    }
    return classes_.of(keys, difference::unknown);
  }

  // What a computation was given, by all its callers together, and what it makes of that.
  struct call_facts {
    std::vector<value> arguments;
    value result;                      // empty if it was not called yet
    hlo_instruction caller;            // the last one
    bool has_several_callers = false;  // what differs by one caller may not by another
  };

  const module_groups& groups_;
  detail::device_classes classes_;
  value different_{classes_.all_different()};
  std::vector<value> of_;           // by instruction; empty where nothing was computed
  std::vector<number> operands_;    // by instruction, of all operands together
  std::vector<call_facts> called_;  // by computation
  std::map<std::tuple<hlo_opcode, const device_groups*, number>, number> sent_;  // by the classes of the operand
  carried_elements carried_;
  std::size_t partitions_;
  number received_ = 0, replica_ = 0, partition_ = 0;
  std::size_t visits_left_;
};

}  // namespace hlolint
