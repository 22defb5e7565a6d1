// Lines of buffer dumps exactly as XLA prints them, as in reader.hpp: the grammar in buffers/ is the authority, and what
// is not taken here is left to it.
#pragma once

#include <hlolint/grammar/buffers/state.hpp>
#include <hlolint/grammar/printed/shapes.hpp>
#include <hlolint/grammar/x3/instruction_scan.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hlolint::grammar::printed {

/// A name and what follows it. Names of other letters than those of HLO are left to the grammar.
template <std::size_t N>
bool take_name_before(place& at, std::string_view& name, const char (&next)[N]) {
  const char* const end = scan::name_end(at.p, at.last);
  name = view(at.p, end);
  at.p = end;
  return !name.empty() && at.take(next);
}
/// `{1,0}`
inline bool take_index(place& at, hlolint::shape_index& index) {
  if (!at.take('{')) return false;
  if (at.take('}')) return true;
  std::int64_t step = 0;
  do {
    if (!at.take_number(step) || step > 0xFFFFFFFF) return false;
    index.push_back(static_cast<std::uint32_t>(step));
  } while (at.take(','));
  return at.take('}');
}
/// An instruction, then an index if one is there.
inline bool take_place(place& at, std::string_view& instruction, std::optional<hlolint::shape_index>& index) {
  return take_name_before(at, instruction, "") && (!at.is('{') || take_index(at, index.emplace()));
}
/// `<12 fusion.1{0} (phi) @1>`
inline bool take_value(place& at, value_name& out) {
  if (!at.take('<') || !at.take_number(out.id) || !at.take(' ') || !take_place(at, out.instruction, out.index)) return false;
  out.phi = at.take(" (phi)");
  return (!at.take(" @") || at.take_number(out.color.emplace())) && at.take('>');
}

// Each takes a line with its end, and what it leaves behind when it refuses is of no use.
inline bool take_line(place& at, assigned_value& out, dump::dump_state& state) {
  const char* const begin = at.p;
  if (!at.take(" value: ") || !take_value(at, out.name) || !at.take(" (size=") || !at.take_number(out.size) ||
      !at.take(",offset=") || !at.take_number(out.offset) || !at.take("): "))
    return false;
  const char* const end = scan::find(at.p, at.last, '\n');
  if (!end || scan::lines::trimmed(at.p, end) != end || end == at.p) return false;
  id& number = state.shapes.number(view(at.p, end));
  if (number == none) {
    place inside{at.p, end};
    if (!take_shape(inside, state.shapes.add()) || inside.p != end) return state.shapes.drop(), false;
    number = state.shapes.keep({});
  }
  out.shape = number;
  out.text = view(begin, end);
  at.p = end + 1;
  return true;
}
inline bool take_shape_in_bars(place& at, std::string_view& out) {
  const char* const end = scan::lines::up_to<'|'>(at.p, at.last);
  if (end) out = view(at.p, end), at.p = end + 1;
  return end;
}
inline bool take_line(place& at, hlolint::allocation& out, dump::dump_state&) {
  const char* const begin = at.p;
  if (!at.take("allocation ") || !at.take_number(out.number) || !at.take(": size ") || !at.take_number(out.size)) return false;
  while (at.take(", ")) {
    if (at.take("color ")) {
      if (!at.take_number(out.color)) return false;
    } else if (at.take("page ")) {
      if (!at.take_number(out.page.emplace())) return false;
    } else if (at.take("parameter ")) {
      if (out.parameter) return false;
      allocation_parameter& from = out.parameter.emplace();
      if (!at.take_number(from.number) || !at.take(", shape |") || !take_shape_in_bars(at, from.shape) ||
          !at.take(" at ShapeIndex ") || !take_index(at, from.index))
        return false;
    } else if (at.take("output shape is |")) {
      if (!take_shape_in_bars(at, out.output_shape.emplace())) return false;
    } else {
      bool* const flag = at.take("constant")            ? &out.constant
                         : at.take("thread-local")      ? &out.thread_local_storage
                         : at.take("maybe-live-out")    ? &out.maybe_live_out
                         : at.take("preallocated-temp") ? &out.preallocated_temp
                                                        : nullptr;
      if (!flag) return false;
      *flag = true;
    }
  }
  out.text = view(begin, at.p + 1);
  return at.take(":\n");
}
inline bool take_line(place& at, std::string_view& out, dump::dump_state& state) {  // of the schedule
  std::int64_t position = 0;
  const live_range_block& block = *state.out.live_ranges;
  return at.take("    ") && at.take_number(position) && position + 1 == static_cast<std::int64_t>(block.sequence.size()) &&
         at.take(':') && take_name_before(at, out, "\n") && (state.sequence_gap = false, true);
}
inline bool take_line(place& at, hlolint::live_range& out, dump::dump_state&) {
  const char* const begin = at.p;
  if (!at.take("    ") || !take_name_before(at, out.instruction, "") || !take_index(at, out.index) || !at.take(':') ||
      !at.take_number(out.start) || !at.take('-') || !at.take_number(out.end))
    return false;
  out.text = view(begin, at.p);
  return at.take('\n');
}
inline bool take_line(place& at, peak_value& out, dump::dump_state&) {
  const char* const begin = at.p;
  if (!at.take("    ") || !take_place(at, out.instruction, out.index) || !at.take(": ") || !at.take_number(out.bytes) ||
      !at.take(" bytes") ||
      (at.take(" (cumulative: ") && (!at.take_number(out.cumulative.emplace()) || !at.take(" bytes)"))))
    return false;
  out.text = view(begin, at.p);
  return at.take('\n');
}
/// What a scan of the grammar takes, and what follows it.
template <std::size_t N>
bool take_scanned(place& at, const char* end, const char (&next)[N]) {
  return end && (at.p = end, at.take(next));
}
inline bool take_line(place& at, breakdown_line& out, dump::dump_state&) {
  const auto take_spaced = [&](byte_count& bytes, const auto& next) {
    return take_scanned(at, scan::lines::spaced_number(at.p, at.last, bytes), next);
  };
  if (!take_scanned(at, scan::lines::branch(at.p, at.last, out.depth), "")) return false;
  const char* const node = at.p;
  if (!take_scanned(at, scan::lines::up_to_last_parenthesis(at.p, at.last), "")) return false;
  out.node = view(node, at.p);
  return at.take(" (") && take_scanned(at, scan::lines::decimal(at.p, at.last), "%, total: ") &&
         take_spaced(out.total, " bytes, current: ") && take_spaced(out.current, " bytes, remaining: ") &&
         take_spaced(out.remaining, " bytes)\n");
}

/// A use or a position of a value: the end of its line, with an index if one is there.
inline bool take_line_end(place& at, std::optional<hlolint::shape_index>& index) {
  return (!at.take(' ') || take_index(at, index.emplace())) && at.take('\n');
}
/// A used value: several lines, its positions and uses among them.
inline bool take_used_value(place& at, hlolint::used_value& out, dump::read_dump& to) {
  const char* const begin = at.p;
  if (!take_value(at, out.name) || !at.take("\n positions:\n")) return false;
  out.text = view(begin, at.p - 13);
  while (at.take("  ")) {
    value_position& p = to.positions.emplace_back();
    if (!take_name_before(at, p.instruction, "") || !take_line_end(at, p.index)) return false;
  }
  if (!at.take(" uses:\n")) return false;
  if (!at.take("  (none)\n"))
    while (at.take("  ")) {
      value_use& u = to.uses.emplace_back();
      if (!take_name_before(at, u.instruction, ", operand ") || !at.take_number(u.operand) || !take_line_end(at, u.index))
        return false;
    }
  if (!at.take(" from instruction:")) return false;
  at.take(' ');
  const char* const text = at.p;
  if (!take_scanned(at, scan::lines::instruction_text(at.p, at.last), "\n")) return false;
  out.from_instruction = view(text, at.p - 1);
  return true;
}

/// as_printed<&T::list>: lines as they are printed, as many as follow each other, into a list of the rule's T.
template <auto List>
struct lines_parser : x3::parser<lines_parser<List>>, valued<x3::unused_type> {
  static constexpr bool has_action = true, handles_container = false;
  template <class Context, class Rule, class To>
  [[gnu::noinline]] bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
    dump::dump_state& state = from<dump::dump_state>(context);
    if (!state.printed_lines) return false;
    auto& list = rule.*List;
    const char* const begin = first;
    // What comes after an allocation belongs to it.
    constexpr bool one = std::is_same_v<decltype(list), std::vector<hlolint::allocation>&>;
    for (place at{first, last}; first == begin || !one; first = at.p, ++state.lines_taken)
      if (!take_line(at, list.emplace_back(), state)) {
        list.pop_back();
        break;
      }
    return first != begin;
  }
};
struct used_values_parser : x3::parser<used_values_parser>, valued<x3::unused_type> {
  static constexpr bool handles_container = false;
  template <class Context, class Rule, class To>
  [[gnu::noinline]] bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    dump::dump_state& state = from<dump::dump_state>(context);
    dump::read_dump& to = state.out;
    const char* const begin = first;
    for (place at{first, last}; state.printed_lines && at.is('<'); first = at.p) {
      hlolint::used_value& value = to.used_values.emplace_back();
      const std::size_t positions = to.positions.size(), uses = to.uses.size();
      if (!take_used_value(at, value, to)) {
        to.used_values.pop_back();
        to.positions.resize(positions);
        to.uses.resize(uses);
        break;
      }
      value.first_position = static_cast<std::uint32_t>(positions);
      value.position_count = static_cast<std::uint32_t>(to.positions.size()) - value.first_position;
      value.first_use = static_cast<std::uint32_t>(uses);
      value.use_count = static_cast<std::uint32_t>(to.uses.size()) - value.first_use;
      state.lines_taken += 4 + value.position_count + value.use_count;
    }
    return first != begin;
  }
};

}  // namespace hlolint::grammar::printed

namespace hlolint::grammar::dump {

template <auto List>
inline constexpr printed::lines_parser<List> as_printed{};
inline constexpr printed::used_values_parser printed_used_values{};

}  // namespace hlolint::grammar::dump
