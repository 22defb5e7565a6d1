// Joins a text in the short form of get-tuple-element (`%x#1`) with its buffer files, which name the instructions that
// the text leaves out (buffer_dumps.md 1.4).
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// Whether the reader made this instruction for an operand `%x#1`.
inline bool is_short_element(const hlo_instruction& i) {
  return i.is_synthesized() && i.opcode() == hlo_opcode::get_tuple_element;
}

/// Finds the names and places of the get-tuple-elements that a text leaves out, and makes a module with them.
class element_naming {
 public:
  element_naming(const hlo_module& module, const buffer_dump& dump) : module_(module), dump_(dump) {}

  /// The module with these names and places; nothing if the text has no short form.
  std::optional<hlo_module> result() {
    const module_data& data = module_.data();
    const bool has_short_form =
        std::any_of(data.instructions.begin(), data.instructions.end(), [](const instruction_record& i) {
          return i.origin == node_origin::synthesized && i.opcode == hlo_opcode::get_tuple_element;
        });
    if (!has_short_form || !(dump_.live_ranges() || dump_.has_used_values())) return std::nullopt;
    read_values();
    bodies_.resize(module_.computation_count());
    for (const hlo_instruction i : module_.instructions()) {
      if (is_short_element(i)) {
        const id tuple = data.operands[data.instructions[i.id()].operands.first].instruction;
        shorts_.emplace(std::pair(tuple, element_of(i)), i.id());
      } else {
        ids_.emplace(i.name(), i.id());
      }
    }
    place_by_sequence();
    name_by_positions();
    return rewritten();
  }

 private:
  /// A get-tuple-element that only the buffer files name.
  struct element {
    std::string_view name;
    id tuple = none;  // id of the old module, or `first_placed` + position in placed_
    std::uint32_t index = 0;
    id computation = none;
    id after = none;            // the written instruction before it in the schedule
    const shape* of = nullptr;  // null: not known
  };
  static constexpr id first_placed = 0x80000000u;  // ids from here on are positions in placed_

  using places = std::map<shape_index, std::vector<std::int64_t>>;  // ids of values, sorted, by the place in a result

  static std::uint32_t element_of(hlo_instruction i) {
    return static_cast<std::uint32_t>(leading_integer(i.attribute(attribute_key::index).value_or("")).value_or(0));
  }

  void read_values() {
    for (const used_value& v : dump_.used_values()) {
      value_positions_[v.name.id] = &v;
      for (const value_position& p : dump_.positions(v))
        values_at_[p.instruction][p.index.value_or(shape_index{})].push_back(v.name.id);
      for (const value_use& u : dump_.uses(v))
        if (u.operand == 0 && u.index.value_or(shape_index{}).empty()) read_whole_[u.instruction].push_back(v.name.id);
    }
    for (auto& [name, at] : values_at_)
      for (auto& [index, values] : at) std::sort(values.begin(), values.end());
  }

  const shape* shape_of(id tuple) const {
    if (tuple >= first_placed) return placed_[tuple - first_placed].of;
    return hlo_instruction(&module_.data(), tuple).shape();
  }
  std::string_view name_of(id tuple) const {
    if (tuple >= first_placed) return placed_[tuple - first_placed].name;
    return hlo_instruction(&module_.data(), tuple).name();
  }
  id computation_of(id tuple) const {
    if (tuple >= first_placed) return placed_[tuple - first_placed].computation;
    return module_.data().instructions[tuple].computation;
  }

  const std::vector<std::int64_t>* values(std::string_view name, const shape_index& at) const {
    const auto found = values_at_.find(name);
    if (found == values_at_.end()) return nullptr;
    const auto place = found->second.find(at);
    return place == found->second.end() ? nullptr : &place->second;
  }

  // Whether each value in the instruction stands at the same place of the tuple's element.
  bool has_same_values(std::string_view name, std::string_view tuple, std::uint32_t index, const shape* of) const {
    const auto same = [&](const shape_index& at) {
      const auto *a = values(name, at), *b = values(tuple, shape_index{index} + at);
      return a && b ? *a == *b : (!a || a->empty()) && (!b || b->empty());
    };
    if (!of) return same({});
    bool all = true;
    for_each_subshape(*of, [&](const shape_index& at, const shape&) { all = all && same(at); });
    return all;
  }

  // The element that an instruction of this name is. Of several, one whose tuple the instruction reads as a whole, one
  // that has no name yet, and one that the text uses comes first.
  std::optional<std::pair<id, std::uint32_t>> element_named(std::string_view name, id computation) const {
    const std::vector<std::int64_t>* const own = values(name, {});
    if (!own) return std::nullopt;
    const auto reads = read_whole_.find(name);
    std::optional<std::pair<id, std::uint32_t>> best;
    int best_rank = -1;
    for (const std::int64_t value : *own) {
      const auto found = value_positions_.find(value);
      if (found == value_positions_.end()) continue;
      for (const value_position& p : dump_.positions(*found->second)) {
        if (!p.index || p.index->size() != 1) continue;
        const auto tuple = ids_.find(p.instruction);
        if (tuple == ids_.end() || computation_of(tuple->second) != computation) continue;
        const std::uint32_t index = (*p.index)[0];
        const shape* const whole = shape_of(tuple->second);
        if (whole && (!whole->is_tuple() || index >= whole->elements.size())) continue;
        if (!has_same_values(name, p.instruction, index, whole ? &whole->elements[index] : nullptr)) continue;
        const std::vector<std::int64_t>* const table = values(p.instruction, {});
        const bool reads_it = reads != read_whole_.end() && table &&
                              std::any_of(reads->second.begin(), reads->second.end(), [&](std::int64_t v) {
                                return std::binary_search(table->begin(), table->end(), v);
                              });
        const std::pair key(tuple->second, index);
        const int rank = 4 * reads_it + 2 * !named_.contains(key) + is_used(key);
        if (rank > best_rank) best = key, best_rank = rank;
      }
    }
    return best;
  }
  // Whether the text has this element in its short form.
  bool is_used(std::pair<id, std::uint32_t> key) const {
    if (key.first >= first_placed) {
      const auto parent = short_of_.find(key.first);
      if (parent == short_of_.end()) return false;
      key.first = parent->second;
    }
    return shorts_.contains(key);
  }

  void place(std::string_view name, id after, id computation, std::pair<id, std::uint32_t> key) {
    const shape* const whole = shape_of(key.first);
    const auto number = first_placed + static_cast<id>(placed_.size());
    placed_.push_back(
        {name, key.first, key.second, computation, after, whole ? &whole->elements[key.second] : nullptr});
    ids_.emplace(name, number);
    named_.emplace(key, number);
    std::pair<id, std::uint32_t> written = key;
    if (const auto parent = short_of_.find(key.first); parent != short_of_.end()) written.first = parent->second;
    if (const auto made = shorts_.find(written); made != shorts_.end()) short_of_.emplace(number, made->second);
    bodies_[computation].push_back(number);
  }

  // Names that the schedule has and the text has not belong to the computation of the name before them.
  void place_by_sequence() {
    if (!dump_.live_ranges()) return;
    id before = none;
    for (const std::string_view name : dump_.live_ranges()->sequence) {
      if (const auto known = ids_.find(name); known != ids_.end()) {
        if (known->second < first_placed) before = known->second;
      } else if (before != none) {
        const id computation = module_.data().instructions[before].computation;
        if (const auto key = dump_.has_used_values() ? element_named(name, computation) : next_short(before))
          place(name, before, computation, *key);
      }
    }
  }

  // Without used values: the first element without a name whose tuple stands before a place, and whose user after it.
  std::optional<std::pair<id, std::uint32_t>> next_short(id after) const {
    const module_data& data = module_.data();
    const id_range body = data.computations[data.instructions[after].computation].instructions;
    for (id i = after + 1; i < body.first + body.count; ++i) {
      if (!is_short_element(module_.instruction(i))) continue;
      const id tuple = data.operands[data.instructions[i].operands.first].instruction;
      if (tuple == none) continue;
      std::pair<id, std::uint32_t> key(tuple, element_of(module_.instruction(i)));
      if (is_short_element(module_.instruction(tuple))) {  // of an element that has its name already
        const auto parent =
            std::find_if(short_of_.begin(), short_of_.end(), [&](const auto& s) { return s.second == tuple; });
        if (parent == short_of_.end()) continue;
        key.first = parent->first;
      } else if (tuple > after) {
        continue;
      }
      if (!named_.contains(key)) return key;
    }
    return std::nullopt;
  }

  // In computations without a schedule, reducers for example, names stand only among the positions of values.
  void name_by_positions() {
    std::map<id, std::vector<id>> left;  // short forms without a name, by computation
    std::unordered_set<id> has_name;
    for (const auto& [placed, made] : short_of_) has_name.insert(made);
    for (const auto& [key, made] : shorts_)
      if (!has_name.contains(made)) left[module_.data().instructions[made].computation].push_back(made);
    if (left.empty()) return;
    for (const auto& [name, at] : values_at_) {
      if (ids_.contains(name)) continue;
      for (const auto& [computation, made] : left) {
        const auto key = element_named(name, computation);
        if (!key || named_.contains(*key)) continue;
        const auto same = shorts_.find(*key);
        if (same == shorts_.end()) continue;
        renamed_.emplace(same->second, name);
        named_.emplace(*key, same->second);
        break;
      }
    }
  }

  hlo_module rewritten() const {
    const module_data& old = module_.data();
    auto data = std::make_shared<module_data>(old);
    std::vector<id> number(old.instructions.size(), none);  // in the new module, by old id
    std::vector<id> placed_number(placed_.size(), none);
    std::unordered_map<id, id> element_of_short;  // the placed element that a short form stands for
    for (const auto& [placed, made] : short_of_) element_of_short.emplace(made, placed - first_placed);

    data->instructions.clear();
    data->instructions.reserve(old.instructions.size() + placed_.size());
    for (id c = 0; c != old.computations.size(); ++c) {
      const id_range from = old.computations[c].instructions;
      const id first = static_cast<id>(data->instructions.size());
      std::size_t next = 0;  // in bodies_[c]
      for (id i = from.first; i != from.first + from.count; ++i) {
        if (const auto named = element_of_short.find(i); named != element_of_short.end()) continue;
        number[i] = static_cast<id>(data->instructions.size());
        data->instructions.push_back(old.instructions[i]);
        if (const auto name = renamed_.find(i); name != renamed_.end())
          set_name(*data, data->instructions.back(), name->second);
        for (; next != bodies_[c].size() && placed_[bodies_[c][next] - first_placed].after == i; ++next) {
          const id position = bodies_[c][next] - first_placed;
          placed_number[position] = static_cast<id>(data->instructions.size());
          data->instructions.push_back(record_of(*data, position));
        }
      }
      data->computations[c].instructions = {first, static_cast<id>(data->instructions.size()) - first};
    }
    const auto renumbered = [&](id i) {
      if (i == none) return none;
      if (i >= first_placed) return placed_number[i - first_placed];
      const auto named = element_of_short.find(i);
      return named == element_of_short.end() ? number[i] : placed_number[named->second];
    };
    for (operand_record& o : data->operands) o.instruction = renumbered(o.instruction);
    for (computation_record& c : data->computations) c.root = renumbered(c.root);
    for (name_fault& f : data->name_faults) f.instruction = renumbered(f.instruction);
    return hlo_module(std::move(data));
  }

  static void set_name(module_data& data, instruction_record& i, std::string_view name) {
    i.name.begin = static_cast<std::uint32_t>(data.synthesized_names.size());
    data.synthesized_names += name;
    i.name.end = static_cast<std::uint32_t>(data.synthesized_names.size());
  }
  instruction_record record_of(module_data& data, id position) const {
    const element& e = placed_[position];
    instruction_record out;
    if (const auto made = short_of_.find(first_placed + position); made != short_of_.end()) {
      out = module_.data().instructions[made->second];
    } else {
      out.opcode = hlo_opcode::get_tuple_element;
      out.origin = node_origin::synthesized;
      out.computation = e.computation;
      out.argument.begin = static_cast<std::uint32_t>(data.synthesized_names.size());
      data.synthesized_names += std::to_string(e.index);
      out.argument.end = static_cast<std::uint32_t>(data.synthesized_names.size());
      const std::uint32_t at = e.after == none ? 0 : module_.data().instructions[e.after].text.end;
      out.text = {at, at};
      if (e.of) out.shape = static_cast<id>(data.shapes.size()), data.shapes.push_back(*e.of);
      out.operands = {static_cast<id>(data.operands.size()), 1};
      data.operands.push_back({none, none, at});
    }
    set_name(data, out, e.name);
    data.operands[out.operands.first].instruction = e.tuple;
    return out;
  }

  const hlo_module& module_;
  const buffer_dump& dump_;
  std::unordered_map<std::string_view, places> values_at_;                      // by instruction
  std::unordered_map<std::string_view, std::vector<std::int64_t>> read_whole_;  // read as operand 0, by user
  std::unordered_map<std::int64_t, const used_value*> value_positions_;
  std::unordered_map<std::string_view, id> ids_;       // of all but short forms
  std::map<std::pair<id, std::uint32_t>, id> shorts_;  // by tuple and element
  std::map<std::pair<id, std::uint32_t>, id> named_;
  std::vector<element> placed_;                       // in the order of the schedule
  std::unordered_map<id, id> short_of_;               // placed element to short form
  std::unordered_map<id, std::string_view> renamed_;  // short forms that keep their place
  std::vector<std::vector<id>> bodies_;               // placed elements by computation
};

}  // namespace detail

/// The module with the names and places that the buffer files give to the get-tuple-elements which its text leaves out
/// (`%x#1`); the same module if there are none. A name that only the schedule has belongs to the computation of the
/// name before it; it is the element whose values are the same at all places (buffer_dumps.md 1.4).
inline hlo_module with_element_names(const hlo_module& module, const buffer_dump& dump) {
  return detail::element_naming(module, dump).result().value_or(module);
}

}  // namespace hlolint
