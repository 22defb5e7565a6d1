// Joins a text in the short form of get-tuple-element (`%x#1`) with its buffer files, which name the instructions that
// the text leaves out (buffer_dumps.md 1.4).
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// Finds the names and places of the get-tuple-elements that a text leaves out, and makes a module with them.
class element_naming {
 public:
  element_naming(const hlo_module& module, const buffer_dump& dump)
      : module_(module), dump_(dump), by_values_(has_all_used_values(dump)) {}

  /// The module with these names and places; nothing if the text has no short form.
  std::optional<hlo_module> result() {
    const module_data& data = module_.data();
    const auto all = module_.instructions();
    const bool has_short_form =
        std::any_of(all.begin(), all.end(), [](const hlo_instruction& i) { return i.is_short_element(); });
    if (!has_short_form || !(dump_.live_ranges() || dump_.has_used_values())) return std::nullopt;
    read_values();
    bodies_.resize(module_.computation_count());
    for (const hlo_instruction i : all) {
      if (i.is_short_element()) {
        const id tuple = data.operands[data.instructions[i.id()].operands.first].instruction;
        shorts_.emplace(std::pair(tuple, element_of(i)), i.id());
        if (tuple != none) read_from_[tuple].push_back(i.id());
      } else {
        ids_.emplace(i.name(), i.id());
      }
    }
    for (const std::string_view name : names_)
      if (const auto known = ids_.find(name); known != ids_.end()) add_elements(name, known->second);
    place_by_sequence();
    name_by_positions();
    return rewritten();
  }

  /// How many elements of tuples were looked at, for a test of how this grows.
  std::size_t looked_at() const { return looked_at_; }

 private:
  /// A get-tuple-element that only the buffer files name.
  struct placed_element {
    std::string_view name;
    id tuple = none;  // id of the old module, or `first_placed` + position in placed_
    std::uint32_t index = 0;
    id computation = none;
    id after = none;            // the written instruction before it in the schedule
    const shape* of = nullptr;  // null: not known
  };
  static constexpr id first_placed = 0x80000000u;  // ids from here on are positions in placed_
  static constexpr std::int64_t any_tuple = -1;    // instead of the id of a value

  using value_ids = std::vector<std::int64_t>;      // sorted
  using places = std::map<shape_index, value_ids>;  // by the place in a result
  using key = std::pair<id, std::uint32_t>;         // a tuple and an element

  /// Elements with the same values, in the order of the text.
  struct alike {
    std::set<key> used, unused;  ///< by the text, those without a name
    key first;                   ///< of all
  };

  static constexpr std::int64_t unknown = -1;  // instead of a position
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// Short forms without a name whose tuples stand before a place of the schedule.
  struct waiting {
    std::set<std::pair<std::int64_t, id>> ready;  ///< by the position at which they are read at the latest
    std::map<std::int64_t, id> last;              ///< the last readers of tables, by their positions

    /// Takes the one at a position; nothing if there is none that is used later.
    std::optional<id> taken(std::int64_t at, const std::vector<std::int64_t>& user_at) {
      if (const auto here = last.find(at); here != last.end()) {
        const id found = here->second;
        last.erase(here);
        return found;
      }
      while (!ready.empty()) {
        const auto [latest, found] = *ready.begin();
        ready.erase(ready.begin());
        if (latest >= at) return found;
        // XLA ends a range early where the next value of its buffer begins.
        if (user_at[found] > at) ready.emplace(user_at[found], found);
      }
      if (last.empty()) return std::nullopt;
      const id found = last.begin()->second;
      last.erase(last.begin());
      return found;
    }
  };

  // Whether the used values are there, and those of all assigned values: XLA lists the same in both.
  static bool has_all_used_values(const buffer_dump& dump) {
    if (!dump.has_used_values()) return false;
    std::unordered_set<std::int64_t> used;
    for (const used_value& v : dump.used_values()) used.insert(v.name.id);
    return std::all_of(dump.values().begin(), dump.values().end(),
                       [&](const assigned_value& v) { return used.contains(v.name.id); });
  }

  static std::uint32_t element_of(hlo_instruction i) {
    return static_cast<std::uint32_t>(leading_integer(i.attribute(attribute_key::index).value_or("")).value_or(0));
  }

  void read_values() {
    for (const used_value& v : dump_.used_values()) {
      for (const value_position& p : dump_.positions(v)) {
        const auto [at, is_new] = values_at_.try_emplace(p.instruction);
        if (is_new) names_.push_back(p.instruction);
        at->second[p.index.value_or(shape_index{})].push_back(v.name.id);
      }
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

  const value_ids* values(std::string_view name, const shape_index& at) const {
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

  // Calls `f` with all that elements are found by: their values, and any tuple or one that an instruction reads.
  template <class F>
  void for_each_search(const value_ids& own, std::string_view tuple, id computation, F&& f) const {
    f(std::tuple(own, any_tuple, computation));
    constexpr std::size_t most = 4;  // values of a table; there is nearly always one
    if (const value_ids* const table = values(tuple, {}))
      for (std::size_t k = 0; k < table->size() && k < most; ++k) f(std::tuple(own, (*table)[k], computation));
  }
  // Makes the elements of a tuple known.
  void add_elements(std::string_view name, id tuple) {
    const auto found = values_at_.find(name);
    if (found == values_at_.end()) return;
    const shape* const whole = shape_of(tuple);
    for (const auto& [index, own] : found->second) {
      if (index.size() != 1 || own.empty()) continue;
      const key element(tuple, index[0]);
      if (whole && (!whole->is_tuple() || element.second >= whole->elements.size())) continue;
      for_each_search(own, name, computation_of(tuple), [&](auto search) {
        ++looked_at_;
        alike& others = alike_.try_emplace(std::move(search), alike{{}, {}, element}).first->second;
        (is_used(element) ? others.used : others.unused).insert(element);
      });
    }
  }
  // Notes that an element has its name.
  void set_named(key element, id instruction) {
    named_.emplace(element, instruction);
    const std::string_view tuple = name_of(element.first);
    if (const value_ids* const own = values(tuple, shape_index{element.second}))
      for_each_search(*own, tuple, computation_of(element.first), [&](const auto& search) {
        const auto found = alike_.find(search);
        if (found != alike_.end()) found->second.used.erase(element), found->second.unused.erase(element);
      });
  }

  // The first of alike elements that an instruction of this name can be.
  std::optional<key> first_of(const alike& elements, std::string_view name) {
    const auto fits = [&](key element) {
      ++looked_at_;
      const shape* const whole = shape_of(element.first);
      return has_same_values(name, name_of(element.first), element.second,
                             whole ? &whole->elements[element.second] : nullptr);
    };
    constexpr std::size_t most = 16;  // with the same values, but others inside: no consistent dump has any
    for (const std::set<key>* const some : {&elements.used, &elements.unused}) {
      std::size_t tried = 0;
      for (auto at = some->begin(); at != some->end() && tried < most; ++at, ++tried)
        if (fits(*at)) return *at;
    }
    return fits(elements.first) ? std::optional(elements.first) : std::nullopt;
  }

  // The element that an instruction of this name is. Of several, one whose tuple the instruction reads as a whole comes
  // first, else one that has no name yet, and one that the text uses.
  std::optional<key> element_named(std::string_view name, id computation) {
    const value_ids* const own = values(name, {});
    if (!own) return std::nullopt;
    if (const auto reads = read_whole_.find(name); reads != read_whole_.end())
      for (const std::int64_t table : reads->second)
        if (const auto found = alike_.find(std::tuple(*own, table, computation)); found != alike_.end())
          if (const auto element = first_of(found->second, name)) return element;
    const auto found = alike_.find(std::tuple(*own, any_tuple, computation));
    return found == alike_.end() ? std::nullopt : first_of(found->second, name);
  }
  // Whether the text has this element in its short form.
  bool is_used(key element) const {
    if (element.first >= first_placed) {
      const auto parent = short_of_.find(element.first);
      if (parent == short_of_.end()) return false;
      element.first = parent->second;
    }
    return shorts_.contains(element);
  }

  void place(std::string_view name, id after, id computation, key element) {
    const shape* const whole = shape_of(element.first);
    const auto number = first_placed + static_cast<id>(placed_.size());
    placed_.push_back(
        {name, element.first, element.second, computation, after, whole ? &whole->elements[element.second] : nullptr});
    ids_.emplace(name, number);
    set_named(element, number);
    key written = element;
    if (const auto parent = short_of_.find(element.first); parent != short_of_.end()) written.first = parent->second;
    if (const auto made = shorts_.find(written); made != shorts_.end()) {
      short_of_.emplace(number, made->second);
      placed_of_short_.emplace(made->second, number);
      const auto inner = read_from_.find(made->second);
      if (inner != read_from_.end() && !by_values_) make_ready(inner->second, computation);
    }
    add_elements(name, number);
    bodies_[computation].push_back(number);
  }

  // Names that the schedule has and the text has not belong to the computation of the name before them.
  void place_by_sequence() {
    if (!dump_.live_ranges()) return;
    if (!by_values_) read_times();
    id before = none;
    const std::vector<std::string_view>& sequence = dump_.live_ranges()->sequence;
    for (std::size_t at = 0; at != sequence.size(); ++at) {
      const std::string_view name = sequence[at];
      if (const auto known = ids_.find(name); known != ids_.end()) {
        if (known->second < first_placed) before = known->second;
      } else if (before != none) {
        const id computation = module_.data().instructions[before].computation;
        if (const auto element =
                by_values_ ? element_named(name, computation) : next_short(before, static_cast<std::int64_t>(at)))
          place(name, before, computation, *element);
      }
    }
  }

  // Without all used values: positions in the schedule, and until when an element can be read from its tuple: its user
  // comes later, and the range of the tuple's table ends where its last reader runs.
  void read_times() {
    const live_range_block& block = *dump_.live_ranges();
    const std::size_t count = module_.instruction_count();
    std::vector<std::int64_t> position(count, unknown);
    table_end_.assign(count, unknown), user_at_.assign(count, never);
    for (std::size_t at = 0; at != block.sequence.size(); ++at)
      if (const auto known = ids_.find(block.sequence[at]); known != ids_.end())
        position[known->second] = static_cast<std::int64_t>(at);
    for (const live_range& range : block.ranges)
      if (const auto known = ids_.find(range.instruction); range.index.empty() && known != ids_.end())
        table_end_[known->second] = range.end;
    // An element in the short form stands before its first user.
    for (id i = static_cast<id>(count), user = none; i-- > 0;) {
      if (!module_.instruction(i).is_short_element())
        user = i;
      else if (user != none && position[user] != unknown)
        user_at_[i] = position[user];
    }
  }
  // Elements of a tuple that stands before the place. If the last reader of its table is one of them, it is the last.
  void make_ready(const std::vector<id>& elements, id computation) {
    const id tuple = module_.data().operands[module_.data().instructions[elements.front()].operands.first].instruction;
    const std::int64_t end = table_end_.empty() ? unknown : table_end_[tuple];
    const auto& sequence = dump_.live_ranges()->sequence;
    const bool ends_at_element = end >= 0 && static_cast<std::size_t>(end) < sequence.size() &&
                                 !ids_.contains(sequence[static_cast<std::size_t>(end)]);
    waiting& of = waiting_[computation];
    for (const id i : elements) {
      const std::int64_t user = table_end_.empty() ? never : user_at_[i];
      if (ends_at_element && i == elements.back() && end < user && of.last.emplace(end, i).second) continue;
      of.ready.emplace(end == unknown ? user : std::min(user, end), i);
    }
  }

  // Without all used values: of the elements without a name whose tuple stands before a place, and whose user after it,
  // the one that has to be read first.
  std::optional<key> next_short(id after, std::int64_t at) {
    const module_data& data = module_.data();
    const id computation = data.instructions[after].computation;
    // The tuples that stand before the place, each once; schedules go on in the order of the text.
    for (id& i = reached_.try_emplace(computation, data.computations[computation].instructions.first).first->second;
         i <= after; ++i, ++looked_at_)
      if (const auto elements = read_from_.find(i);
          elements != read_from_.end() && !module_.instruction(i).is_short_element())
        make_ready(elements->second, computation);
    const std::optional<id> next = waiting_[computation].taken(at, user_at_);
    if (!next) return std::nullopt;
    const id tuple = data.operands[data.instructions[*next].operands.first].instruction;
    const auto parent = placed_of_short_.find(tuple);
    return key(parent == placed_of_short_.end() ? tuple : parent->second, element_of(module_.instruction(*next)));
  }

  // In computations without a schedule, reducers for example, names stand only among the positions of values.
  void name_by_positions() {
    // Where elements with given values are.
    std::map<value_ids, std::vector<id>> computations;
    for (const auto& [made, elements] : alike_) {
      if (std::get<std::int64_t>(made) != any_tuple || elements.used.empty()) continue;
      computations[std::get<value_ids>(made)].push_back(std::get<id>(made));
    }
    for (const std::string_view name : names_) {
      const value_ids* const own = ids_.contains(name) ? nullptr : values(name, {});
      const auto found = own ? computations.find(*own) : computations.end();
      if (found == computations.end()) continue;
      constexpr std::size_t most = 64;  // computations that one value is carried through
      for (std::size_t k = 0; k < found->second.size() && k < most; ++k) {
        const auto element = element_named(name, found->second[k]);
        if (!element || named_.contains(*element)) continue;
        const auto same = shorts_.find(*element);
        if (same == shorts_.end()) continue;
        renamed_.emplace(same->second, name);
        set_named(*element, same->second);
        break;
      }
    }
  }

  hlo_module rewritten() const {
    const module_data& old = module_.data();
    auto data = std::make_shared<module_data>(old);
    std::vector<id> number(old.instructions.size(), none);  // in the new module, by old id
    std::vector<id> placed_number(placed_.size(), none);
    data->instructions.clear();
    data->instructions.reserve(old.instructions.size() + placed_.size());
    for (id c = 0; c != old.computations.size(); ++c) {
      const id_range from = old.computations[c].instructions;
      const id first = static_cast<id>(data->instructions.size());
      std::size_t next = 0;  // in bodies_[c]
      for (id i = from.first; i != from.first + from.count; ++i) {
        if (placed_of_short_.contains(i)) continue;
        number[i] = static_cast<id>(data->instructions.size());
        data->instructions.push_back(old.instructions[i]);
        if (const auto name = renamed_.find(i); name != renamed_.end())
          data->instructions.back().name = added(*data, name->second);
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
      const auto named = placed_of_short_.find(i);
      return named == placed_of_short_.end() ? number[i] : placed_number[named->second - first_placed];
    };
    for (operand_record& o : data->operands) o.instruction = renumbered(o.instruction);
    for (computation_record& c : data->computations) c.root = renumbered(c.root);
    for (name_fault& f : data->name_faults) f.instruction = renumbered(f.instruction);
    return hlo_module(std::move(data));
  }

  static span added(module_data& data, std::string_view name) {
    const auto begin = static_cast<std::uint32_t>(data.synthesized_names.size());
    data.synthesized_names += name;
    return {begin, static_cast<std::uint32_t>(data.synthesized_names.size())};
  }
  instruction_record record_of(module_data& data, id position) const {
    const placed_element& e = placed_[position];
    instruction_record out;
    if (const auto made = short_of_.find(first_placed + position); made != short_of_.end()) {
      out = module_.data().instructions[made->second];
    } else {
      out.opcode = hlo_opcode::get_tuple_element;
      out.origin = node_origin::synthesized;
      out.computation = e.computation;
      out.argument = added(data, std::to_string(e.index));
      const std::uint32_t at = e.after == none ? 0 : module_.data().instructions[e.after].text.end;
      out.text = {at, at};
      if (e.of) out.shape = static_cast<id>(data.shapes.size()), data.shapes.push_back(*e.of);
      out.operands = {static_cast<id>(data.operands.size()), 1};
      data.operands.push_back({none, none, at});
    }
    out.name = added(data, e.name);
    data.operands[out.operands.first].instruction = e.tuple;
    return out;
  }

  const hlo_module& module_;
  const buffer_dump& dump_;
  const bool by_values_;                                        // else elements are placed by the times they are read
  std::unordered_map<std::string_view, places> values_at_;      // by instruction
  std::vector<std::string_view> names_;                         // of values_at_, as the dump has them
  std::unordered_map<std::string_view, value_ids> read_whole_;  // read as operand 0, by user
  std::unordered_map<std::string_view, id> ids_;                // of all but short forms
  std::map<key, id> shorts_;
  std::map<key, id> named_;
  std::unordered_map<id, std::vector<id>> read_from_;  // short forms by tuple
  // Elements by their values, a value of the tuple's table (or any) and the computation.
  std::map<std::tuple<value_ids, std::int64_t, id>, alike> alike_;
  std::map<id, waiting> waiting_;                     // by computation
  std::map<id, id> reached_;                          // the place up to which waiting_ has them
  std::vector<std::int64_t> table_end_;               // where the range of an instruction's table ends
  std::vector<std::int64_t> user_at_;                 // where the first user of a short form runs
  std::vector<placed_element> placed_;                // in the order of the schedule
  std::unordered_map<id, id> short_of_;               // placed element to short form
  std::unordered_map<id, id> placed_of_short_;        // and back
  std::unordered_map<id, std::string_view> renamed_;  // short forms that keep their place
  std::vector<std::vector<id>> bodies_;               // placed elements by computation
  std::size_t looked_at_ = 0;
};

}  // namespace detail

/// The module with the names and places that the buffer files give to the get-tuple-elements which its text leaves out
/// (`%x#1`); the same module if there are none. A name that only the schedule has belongs to the computation of the
/// name before it; it is the element whose values are the same at all places (buffer_dumps.md 1.4). Where used values
/// are missing, it is the one that has to be read first, by its user and by the range of its tuple's table.
inline hlo_module with_element_names(const hlo_module& module, const buffer_dump& dump) {
  return detail::element_naming(module, dump).result().value_or(module);
}

}  // namespace hlolint
