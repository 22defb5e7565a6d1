// The builder fills the pools of a module while its text is parsed. Here are the functions that the rules of modules
// and files call, and the names that can be resolved only when a module is complete (hlo_text.md 2, 3, 12).
#pragma once

#include <hlolint/grammar/attributes/aliases.hpp>
#include <hlolint/grammar/build/computation_builder.hpp>
#include <hlolint/text/containers/hash_map.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace hlolint::build {

/// A row of the stack tables as it is written. Attributes that are not written are 0.
template <class Record>
struct written_row {
  Record record;
  unsigned seen = 0;  ///< one bit per attribute
};

class module_builder : public computation_builder {
 public:
  module_builder(source text, parse_state& with) : computation_builder(std::move(text), with) {
    open_module();
    reserve();
  }

  record_list<std::shared_ptr<module_data>> modules;  ///< those that are complete

  // ---------------------------------------------------------------- modules
  void begin_module(std::string_view where) {
    if (begun_) {
      open_module();
      pending_.clear();
      operands_.clear();
      attributes_.clear();
      calls_.clear();
      unresolved_calls_.clear();
    }
    begun_ = true;
    cut_ = head_moved_ = lost_computation_names_ = false;
    data->extent.begin = end_ = offset(where);
    computation_names.clear(end_);
    outermost_ = indentation(end_);
  }
  void module_name(std::string_view name) {
    data->has_header = true;
    data->name = at(name);
  }
  void end_header(std::string_view text) {
    end_ = at(text).end;
    keep_header();
  }
  /// A header cannot be read to its end. The attributes that were read stay.
  [[gnu::cold]] void lost_header(std::string_view lines) {
    mark read;
    read.attributes = attributes_.size();
    rewind(read);
    if (is_cut_off(offset(lines), lines))
      cut_off(offset(lines), "the module header");
    else
      report_failure();
    keep_header();
    if (end_the_text(lines)) end_ = size();
  }
  void header_missing(std::string_view tables) {
    syntax(offset(tables), "expected 'HloModule' before the stack tables");
  }
  /// Whether a line `// -----` ends the module after its last computation.
  bool is_separated(std::string_view next) const {
    if (data->computations.empty()) return false;
    const std::string_view between = whole_.substr(end_, offset(next) - end_);
    for (std::size_t dashes = between.find("// -----"); dashes != between.npos;
         dashes = between.find("// -----", dashes + 1))
      if ((dashes == 0 || between[dashes - 1] == '\n') &&
          between.find_first_not_of(" \t\r", dashes + 8) == between.find('\n', dashes))
        return true;
    return false;
  }
  bool end_module() {
    data->extent.end = end_;
    const bool calls_ahead = resolve_calls();
    find_entry();
    if (!cut_) check_whole();
    if (calls_ahead) break_cycles();
    if (!data->computations.empty() || data->has_header) modules.push_back(data);
    return true;
  }
  void end_file() {
    report_open_comment();
    list_unlisted();
  }

  // ---------------------------------------------------------------- one instruction alone
  [[gnu::cold]] void begin_single(std::string_view where) {
    open_computation& c = open_computation_at(offset(where));
    c.single = true;
    name_nothing(c);
  }
  void end_single(std::string_view text) { close(at(text).end); }
  [[gnu::cold]] void text_after_single(std::string_view where) {
    drop_computations(0);
    syntax(offset(where), str_cat({"expected the end of the text after an instruction that stands alone, found ",
                                   found_token(from(offset(where)))}));
  }
  [[gnu::cold]] void lost_single(std::string_view where) {
    rewind({});
    if (failed_at_end())
      cut_off(offset(where), "an instruction");
    else
      report_failure();
    data->complete = false;
  }

  // ---------------------------------------------------------------- stack tables
  void begin_tables() { data->has_stack_tables = true; }
  void file_name(std::string_view quoted) { data->file_names.push_back(at(quoted)); }
  void function_name(std::string_view quoted) { data->function_names.push_back(at(quoted)); }
  void file_location(written_row<file_location_record>&& row, std::string_view text) {
    static constexpr std::string_view keys[] = {"file_name_id", "function_name_id", "line",
                                                "end_line",     "column",           "end_column"};
    check_row(row.seen, keys, text);
    data->file_locations.push_back(row.record);
  }
  void stack_frame(written_row<stack_frame_record>&& row, std::string_view text) {
    static constexpr std::string_view keys[] = {"file_location_id", "parent_frame_id"};
    check_row(row.seen, keys, text);
    data->stack_frames.push_back(row.record);
  }
  void end_tables(std::string_view text) { end_ = at(text).end; }
  [[gnu::cold]] void lost_tables(std::string_view lines) {
    if (end_the_text(lines) && failed_at_end())
      cut_off(offset(lines), "the stack tables");
    else
      report_failure();
    if (end_the_text(lines)) end_ = size();
  }

 private:
  /// Reports a comment that does not end: the text after it was not read.
  void report_open_comment() {
    std::size_t p = modules.empty() ? 0 : end_;
    while ((p = grammar::past_blanks(whole_, p)) < whole_.size()) {
      const bool line = whole_.substr(p, 2) == "//";
      if (!line && whole_.substr(p, 2) != "/*") return;
      const std::size_t end = whole_.find(line ? "\n" : "*/", p + 2);
      if (end == whole_.npos) {
        if (!line) syntax(static_cast<std::uint32_t>(p), "expected '*/' at the end of this comment");
        return;
      }
      p = end + (line ? 1 : 2);
    }
  }
  /// Reserves memory for all records, which is cheaper than growing later. An instruction takes at least a line, and an
  /// operand a sign and a name: their numbers are estimated from every 128th part of the text. Empty lines do not
  /// count, and on average no instruction is as short as `shortest`, so that a text of short lines asks for no more
  /// than a few times its own size.
  void reserve() {
    constexpr std::size_t part = 2048, step = 128 * part, shortest = 40;
    std::size_t lines = 0, names = 0, seen = 0;
    for (std::size_t from = 0; from < whole_.size(); from += step) {
      const std::string_view sample = whole_.substr(from, part);
      seen += sample.size();
      for (std::size_t end = sample.find('\n'); end != sample.npos; end = sample.find('\n', end + 1))
        lines += end + 1 != sample.size() && sample[end + 1] != '\n' && sample[end + 1] != '\r';
      for (std::size_t at = sample.find('%'); at != sample.npos; at = sample.find('%', at + 1)) ++names;
    }
    if (seen == 0) return;
    // A sixteenth more costs nothing, since memory that is never touched is not used; a pool that moves needs twice its
    // size.
    const auto in_all = [&](std::size_t counted) {
      const std::size_t count = whole_.size() / seen * counted + counted;
      return std::min(count + count / 16, whole_.size() / shortest);
    };
    lines = in_all(lines);
    names = in_all(names);
    hlolint::detail::reserve_large(data->instructions, lines);
    hlolint::detail::reserve_large(data->operands, std::max(names - std::min(names, lines), lines) + lines / 4);
    hlolint::detail::reserve_large(data->attribute_pool, lines + lines / 4);
    hlolint::detail::reserve_large(data->shapes, lines / 8);
  }
  void keep_header() {
    data->attributes = move_from(attributes_, 0, data->attribute_pool);
    for (const std::string_view quoted : std::exchange(state.embedded_modules, {}))
      data->embedded_modules.push_back(at(quoted));
    report_unknown();
    report_broken({});
  }
  template <std::size_t N>
  void check_row(unsigned seen, const std::string_view (&keys)[N], std::string_view row) {
    for (std::size_t k = 0; k != N; ++k)
      if (!(seen >> k & 1u))
        return warn(offset(row) + static_cast<std::uint32_t>(row.size()) - 1,
                    str_cat({"this row of the stack tables has no ", keys[k], "; 0 is used"}));
  }

  // ---------------------------------------------------------------- names
  /// Resolves calls of computations that come after the call, as XLA prints some modules. False if there are none: then
  /// no computation can call itself.
  bool resolve_calls() {
    hash_set<std::string_view> missing;
    for (const auto& [slot, name] : unresolved_calls_) {
      const id found = computation_names.find(name);
      data->called[slot] = found;
      if (found != none || !data->complete || lost_computation_names_ || !missing.insert(name).second) continue;
      data->name_faults.push_back({name_fault::kind::undefined_computation, at(name), none, none, none, 0});
    }
    return !unresolved_calls_.empty();
  }
  /// Removes calls by which a computation calls itself, directly or through others. Does not recurse.
  [[gnu::cold]] void break_cycles() {
    enum : char { unseen, open, done };
    record_list<char> seen(data->computations.size(), unseen);
    struct frame {
      id computation, instruction, call;
    };
    record_list<frame> stack;
    for (id start = 0; start != data->computations.size(); ++start) {
      if (seen[start] != unseen) continue;
      stack.push_back({start, data->computations[start].instructions.first, 0});
      seen[start] = open;
      while (!stack.empty()) {
        frame& f = stack.back();
        const id_range range = data->computations[f.computation].instructions;
        if (f.instruction == range.first + range.count) {
          seen[f.computation] = done;
          stack.pop_back();
          continue;
        }
        const instruction_record& i = data->instructions[f.instruction];
        if (f.call == i.calls.count) {
          ++f.instruction, f.call = 0;
          continue;
        }
        id& called = data->called[i.calls.first + f.call++];
        if (called == none || seen[called] == done) continue;
        if (seen[called] == open) {
          data->name_faults.push_back({name_fault::kind::recursive_call,
                                       i.origin == node_origin::written ? i.name : i.text, f.computation, f.instruction,
                                       none, 0});
          called = none;
          continue;
        }
        seen[called] = open;
        stack.push_back({called, data->computations[called].instructions.first, 0});
      }
    }
  }

  // ---------------------------------------------------------------- the entry
  std::string_view header(attribute_key key) const {
    const attribute_record* const found = data->find(data->attributes, key);
    return found ? written(found->value) : std::string_view{};
  }
  void find_entry() {
    for (id i = 0; i != data->computations.size() && data->entry == none; ++i)
      if (data->computations[i].entry) data->entry = i;
    marked_ = data->entry != none;
    if (!marked_ && !cut_) choose_entry();
    if (data->has_header || data->entry == none) return;
    const computation_record& c = data->computations[data->entry];
    data->implied_name = str_cat({"module_", data->name_of(c.name, c.anonymous ? node_origin::synthesized : c.origin)});
  }
  /// Where ENTRY is not written, the last computation is the entry, unless the text may be cut off between two
  /// computations or the entry may be the computation that could not be read.
  [[gnu::cold]] void choose_entry() {
    id last = static_cast<id>(data->computations.size());
    while (last != 0 && data->computations[last - 1].origin != node_origin::written) --last;
    if (last == 0) return;
    const auto expected_layout = grammar::value_of<computation_layout>(grammar::entry_computation_layout,
                                                                       header(attribute_key::entry_computation_layout));
    if (expected_layout ? fits(last - 1, *expected_layout) : data->complete)
      data->entry = last - 1;
    else if (data->complete)
      report_cut();
  }
  bool is_rootless(const computation_record& c) const {
    return c.root == none || (c.damaged && !data->instructions[c.root].root);
  }
  /// Whether a computation has the parameters and the result of the entry layout, as far as both are written.
  bool fits(id number, const computation_layout& expected_layout) const {
    const computation_record& c = data->computations[number];
    const auto differs = [&](const instruction_record& i, const shape& wanted) {
      return i.shape != none && !compatible(wanted, *shape_of(i));
    };
    std::size_t count = 0;
    for (id k = c.instructions.first; k != c.instructions.first + c.instructions.count; ++k) {
      const instruction_record& i = data->instructions[k];
      if (i.opcode != hlo_opcode::parameter) continue;
      const auto at_number = leading_integer<std::uint64_t>(written(i.argument)).value_or(0);
      if (at_number >= expected_layout.parameters.size() || differs(i, expected_layout.parameters[at_number]))
        return false;
      ++count;
    }
    if (count != expected_layout.parameters.size() && !c.damaged) return false;
    return is_rootless(c) || !differs(data->instructions[c.root], expected_layout.result);
  }
  /// Reports a text that is cut off between two computations: it has no ENTRY, and the aliases in its header do not fit
  /// its last computation.
  [[gnu::cold]] void check_whole() {
    if (data->has_header && data->computations.empty() && data->complete) return report_cut();
    if (marked_ || !data->complete || data->entry == none || is_rootless(data->computations[data->entry])) return;
    const shape* const result = shape_of(data->instructions[data->computations[data->entry].root]);
    const auto aliases =
        grammar::value_of<input_output_alias>(grammar::input_output_alias, header(attribute_key::input_output_alias));
    if (!aliases || !result) return;
    for (const auto& entry : aliases->entries)
      if (!result->at(entry.output)) return report_cut();
  }
  [[gnu::cold]] void report_cut() {
    syntax(data->extent.end ? data->extent.end - 1 : 0, "the text is cut off: the ENTRY computation is missing");
    data->complete = false;
    data->entry = none;
  }

  bool begun_ = false, marked_ = false;
};

}  // namespace hlolint::build
