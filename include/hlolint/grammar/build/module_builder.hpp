// The builder fills the pools of a module while its text is parsed. Here are the functions that the rules of modules
// and files call, and the names that can be resolved only when a module is complete (hlo_text.md 2, 3, 12).
#pragma once

#include <hlolint/grammar/attributes/aliases.hpp>
#include <hlolint/grammar/build/computation_builder.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint::build {

/// A row of the stack tables as it is written. Attributes that are not written are 0.
template <class Record>
struct written_row {
  Record record;
  unsigned seen = 0;  ///< one bit per attribute
};

class module_builder {
 public:
  using context_tag = module_builder;

  module_builder(source text, parse_state& with, bool left_out) : in_(std::move(text), with) {
    in_.recovery.left_out = left_out;
    in_.open_module();
    reserve();
  }

  /// The part that a function called by a rule belongs to.
  template <class Part>
  Part& part() {
    if constexpr (std::is_same_v<Part, instruction_builder>)
      return instructions_;
    else if constexpr (std::is_same_v<Part, computation_builder>)
      return computations_;
    else if constexpr (std::is_same_v<Part, module_pools>)
      return in_.pools;
    else
      return in_;
  }

  std::vector<std::shared_ptr<module_data>> modules;  ///< those that are complete
  std::vector<diagnostic> take_diagnostics() { return std::move(in_.messages.diagnostics); }

  // ---------------------------------------------------------------- modules
  void begin_module(std::string_view where) {
    if (begun_) {
      in_.open_module();
      in_.pending.clear();
    }
    begun_ = true;
    in_.pools.data->extent.begin = in_.end = in_.text.offset(where);
    in_.pools.data->fragment = in_.recovery.left_out;
    in_.pools.computation_names.clear(in_.end);
    in_.recovery.begin_module(in_.text.indentation(in_.end));
  }
  void module_name(std::string_view name) {
    in_.pools.data->has_header = true;
    in_.pools.data->name = in_.text.at(name);
  }
  void end_header(std::string_view text) {
    in_.end = in_.text.at(text).end;
    keep_header();
  }
  /// A header cannot be read to its end. The attributes that were read stay.
  [[gnu::cold]] void lost_header(std::string_view lines) {
    pending_mark read;
    read.attributes = in_.pending.attributes.size();
    in_.rewind(read);
    if (computations_.is_cut_off(in_.text.offset(lines), lines))
      computations_.cut_off(in_.text.offset(lines), "the module header");
    else
      in_.messages.report_failure();
    keep_header();
    if (computations_.end_the_text(lines)) in_.end = in_.text.size();
  }
  void header_missing(std::string_view tables) {
    in_.messages.syntax(in_.text.offset(tables), "expected 'HloModule' before the stack tables");
  }
  /// Whether a line `// -----` ends the module after its last computation.
  bool is_separated(std::string_view next) const {
    if (in_.pools.data->computations.empty()) return false;
    const std::string_view between = in_.text.whole().substr(in_.end, in_.text.offset(next) - in_.end);
    for (std::size_t dashes = between.find("// -----"); dashes != between.npos;
         dashes = between.find("// -----", dashes + 1))
      if ((dashes == 0 || between[dashes - 1] == '\n') &&
          between.find_first_not_of(" \t\r", dashes + 8) == between.find('\n', dashes))
        return true;
    return false;
  }
  bool end_module() {
    in_.pools.data->extent.end = in_.end;
    const bool calls_ahead = resolve_calls();
    find_entry();
    if (!in_.recovery.cut) check_whole();
    if (calls_ahead) break_cycles();
    if (!in_.pools.data->computations.empty() || in_.pools.data->has_header) modules.push_back(in_.pools.data);
    return true;
  }
  void end_file() {
    report_open_comment();
    in_.messages.list_unlisted();
  }

  // ---------------------------------------------------------------- one instruction alone
  [[gnu::cold]] void begin_single(std::string_view where) {
    open_computation& c = in_.open_at(where);
    c.single = true;
    in_.name_nothing(c);
  }
  void end_single(std::string_view text) { computations_.close(in_.text.at(text).end); }
  [[gnu::cold]] void text_after_single(std::string_view where) {
    in_.open.drop(0);
    in_.messages.syntax(in_.text.offset(where),
                        str_cat({"expected the end of the text after an instruction that stands alone, found ",
                                 found_token(in_.text.from(in_.text.offset(where)))}));
  }
  [[gnu::cold]] void lost_single(std::string_view where) {
    in_.rewind({});
    if (in_.messages.failed_at_end())
      computations_.cut_off(in_.text.offset(where), "an instruction");
    else
      in_.messages.report_failure();
    in_.pools.data->complete = false;
  }

  // ---------------------------------------------------------------- instructions without their computation
  void begin_fragment(std::string_view where) {
    begin_module(where);
    in_.pools.data->fragment = true;
    in_.recovery.lost_computation_names = true;
    computations_.open_computation_here(where);
    in_.open.innermost().single = true;
    in_.name_nothing(in_.open.innermost());
  }
  void end_fragment() {
    if (in_.recovery.rest_is_lost) computations_.cut_off(in_.recovery.lost_at, "an instruction");
    computations_.close(std::max(in_.end, in_.open.innermost().begin));
    end_module();
  }

  // ---------------------------------------------------------------- stack tables
  void begin_tables() { in_.pools.data->has_stack_tables = true; }
  void file_name(std::string_view quoted) { in_.pools.data->file_names.push_back(in_.text.at(quoted)); }
  void function_name(std::string_view quoted) { in_.pools.data->function_names.push_back(in_.text.at(quoted)); }
  void file_location(written_row<file_location_record>&& row, std::string_view text) {
    static constexpr std::string_view keys[] = {"file_name_id", "function_name_id", "line",
                                                "end_line",     "column",           "end_column"};
    check_row(row.seen, keys, text);
    in_.pools.data->file_locations.push_back(row.record);
  }
  void stack_frame(written_row<stack_frame_record>&& row, std::string_view text) {
    static constexpr std::string_view keys[] = {"file_location_id", "parent_frame_id"};
    check_row(row.seen, keys, text);
    in_.pools.data->stack_frames.push_back(row.record);
  }
  void end_tables(std::string_view text) { in_.end = in_.text.at(text).end; }
  [[gnu::cold]] void lost_tables(std::string_view lines) {
    if (computations_.end_the_text(lines) && in_.messages.failed_at_end())
      computations_.cut_off(in_.text.offset(lines), "the stack tables");
    else
      in_.messages.report_failure();
    if (computations_.end_the_text(lines)) in_.end = in_.text.size();
  }

 private:
  /// Reports a comment that does not end: the text after it was not read.
  void report_open_comment() {
    std::size_t p = modules.empty() ? 0 : in_.end;
    while ((p = grammar::past_blanks(in_.text.whole(), p)) < in_.text.whole().size()) {
      const bool line = in_.text.whole().substr(p, 2) == "//";
      if (!line && in_.text.whole().substr(p, 2) != "/*") return;
      const std::size_t end = in_.text.whole().find(line ? "\n" : "*/", p + 2);
      if (end == in_.text.whole().npos) {
        if (!line) in_.messages.syntax(static_cast<std::uint32_t>(p), "expected '*/' at the end of this comment");
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
    for (std::size_t from = 0; from < in_.text.whole().size(); from += step) {
      const std::string_view sample = in_.text.whole().substr(from, part);
      seen += sample.size();
      for (std::size_t end = sample.find('\n'); end != sample.npos; end = sample.find('\n', end + 1))
        lines += end + 1 != sample.size() && sample[end + 1] != '\n' && sample[end + 1] != '\r';
      for (std::size_t at = sample.find('%'); at != sample.npos; at = sample.find('%', at + 1)) ++names;
    }
    if (seen == 0) return;
    // A sixteenth more costs nothing, since memory that is never touched is not used; a pool that moves needs twice its
    // size.
    const auto in_all = [&](std::size_t counted) {
      const std::size_t count = in_.text.whole().size() / seen * counted + counted;
      return std::min(count + count / 16, in_.text.whole().size() / shortest);
    };
    lines = in_all(lines);
    names = in_all(names);
    hlolint::detail::reserve_large(in_.pools.data->instructions, lines);
    hlolint::detail::reserve_large(in_.pools.data->operands,
                                   std::max(names - std::min(names, lines), lines) + lines / 4);
    hlolint::detail::reserve_large(in_.pools.data->attribute_pool, lines + lines / 4);
    hlolint::detail::reserve_large(in_.pools.data->shapes, lines / 8);
  }
  void keep_header() {
    in_.pools.data->attributes = move_from(in_.pending.attributes, 0, in_.pools.data->attribute_pool);
    for (const std::string_view quoted : std::exchange(in_.state.embedded_modules, {}))
      in_.pools.data->embedded_modules.push_back(in_.text.at(quoted));
    in_.messages.report_unknown();
    in_.messages.report_broken({});
  }
  template <std::size_t N>
  void check_row(unsigned seen, const std::string_view (&keys)[N], std::string_view row) {
    for (std::size_t k = 0; k != N; ++k)
      if (!(seen >> k & 1u))
        return in_.messages.warn(in_.text.offset(row) + static_cast<std::uint32_t>(row.size()) - 1,
                                 str_cat({"this row of the stack tables has no ", keys[k], "; 0 is used"}));
  }

  // ---------------------------------------------------------------- names
  /// Resolves calls of computations that come after the call, as XLA prints some modules. False if there are none: then
  /// no computation can call itself.
  bool resolve_calls() {
    std::unordered_set<std::string_view> missing;
    for (const auto& [slot, name] : in_.pools.unresolved_calls) {
      const id found = in_.pools.computation_names.find(name);
      in_.pools.data->called[slot] = found;
      if (found != none || !in_.pools.data->complete || in_.recovery.lost_computation_names ||
          in_.pools.data->fragment || !missing.insert(name).second)
        continue;
      in_.pools.data->name_faults.push_back(
          {name_fault::kind::undefined_computation, in_.text.at(name), none, none, none, 0});
    }
    return !in_.pools.unresolved_calls.empty();
  }
  /// Removes calls by which a computation calls itself, directly or through others. Does not recurse.
  [[gnu::cold]] void break_cycles() {
    enum : char { unseen, open, done };
    std::vector<char> seen(in_.pools.data->computations.size(), unseen);
    struct frame {
      id computation, instruction, call;
    };
    std::vector<frame> stack;
    for (id start = 0; start != in_.pools.data->computations.size(); ++start) {
      if (seen[start] != unseen) continue;
      stack.push_back({start, in_.pools.data->computations[start].instructions.first, 0});
      seen[start] = open;
      while (!stack.empty()) {
        frame& f = stack.back();
        const id_range range = in_.pools.data->computations[f.computation].instructions;
        if (f.instruction == range.first + range.count) {
          seen[f.computation] = done;
          stack.pop_back();
          continue;
        }
        const instruction_record& i = in_.pools.data->instructions[f.instruction];
        if (f.call == i.calls.count) {
          ++f.instruction, f.call = 0;
          continue;
        }
        id& called = in_.pools.data->called[i.calls.first + f.call++];
        if (called == none || seen[called] == done) continue;
        if (seen[called] == open) {
          in_.pools.data->name_faults.push_back({name_fault::kind::recursive_call,
                                                 i.origin == node_origin::written ? i.name : i.text, f.computation,
                                                 f.instruction, none, 0});
          called = none;
          continue;
        }
        seen[called] = open;
        stack.push_back({called, in_.pools.data->computations[called].instructions.first, 0});
      }
    }
  }

  // ---------------------------------------------------------------- the entry
  std::string_view header(attribute_key key) const {
    const attribute_record* const found = in_.pools.data->find(in_.pools.data->attributes, key);
    return found ? in_.text.written(found->value) : std::string_view{};
  }
  void find_entry() {
    for (id i = 0; i != in_.pools.data->computations.size() && in_.pools.data->entry == none; ++i)
      if (in_.pools.data->computations[i].entry) in_.pools.data->entry = i;
    marked_ = in_.pools.data->entry != none;
    if (!marked_ && !in_.recovery.cut) choose_entry();
    if (in_.pools.data->has_header || in_.pools.data->entry == none) return;
    const computation_record& c = in_.pools.data->computations[in_.pools.data->entry];
    if (c.anonymous && in_.pools.data->fragment) {
      in_.pools.data->implied_name = "fragment";
      return;
    }
    in_.pools.data->implied_name =
        str_cat({"module_", in_.pools.data->name_of(c.name, c.anonymous ? node_origin::synthesized : c.origin)});
  }
  /// Where ENTRY is not written, the last computation is the entry, unless the text may be cut off between two
  /// computations or the entry may be the computation that could not be read.
  [[gnu::cold]] void choose_entry() {
    id last = static_cast<id>(in_.pools.data->computations.size());
    while (last != 0 && in_.pools.data->computations[last - 1].origin != node_origin::written) --last;
    if (last == 0) return;
    const auto expected_layout = grammar::value_of<computation_layout>(grammar::entry_computation_layout,
                                                                       header(attribute_key::entry_computation_layout));
    if (expected_layout ? fits(last - 1, *expected_layout) : in_.pools.data->complete)
      in_.pools.data->entry = last - 1;
    else if (in_.pools.data->complete)
      report_cut();
  }
  bool is_rootless(const computation_record& c) const {
    return c.root == none || (c.damaged && !in_.pools.data->instructions[c.root].root);
  }
  /// Whether a computation has the parameters and the result of the entry layout, as far as both are written.
  bool fits(id number, const computation_layout& expected_layout) const {
    const computation_record& c = in_.pools.data->computations[number];
    const auto differs = [&](const instruction_record& i, const shape& wanted) {
      return i.shape != none && !compatible(wanted, *in_.pools.shape_of(i));
    };
    std::size_t count = 0;
    for (id k = c.instructions.first; k != c.instructions.first + c.instructions.count; ++k) {
      const instruction_record& i = in_.pools.data->instructions[k];
      if (i.opcode != hlo_opcode::parameter) continue;
      const auto at_number = leading_integer<std::uint64_t>(in_.text.written(i.argument)).value_or(0);
      if (at_number >= expected_layout.parameters.size() || differs(i, expected_layout.parameters[at_number]))
        return false;
      ++count;
    }
    if (count != expected_layout.parameters.size() && !c.damaged) return false;
    return is_rootless(c) || !differs(in_.pools.data->instructions[c.root], expected_layout.result);
  }
  /// Reports a text that is cut off between two computations: it has no ENTRY, and the aliases in its header do not fit
  /// its last computation.
  [[gnu::cold]] void check_whole() {
    if (in_.pools.data->has_header && in_.pools.data->computations.empty() && in_.pools.data->complete)
      return report_cut();
    if (marked_ || !in_.pools.data->complete || in_.pools.data->entry == none ||
        is_rootless(in_.pools.data->computations[in_.pools.data->entry]))
      return;
    const shape* const result =
        in_.pools.shape_of(in_.pools.data->instructions[in_.pools.data->computations[in_.pools.data->entry].root]);
    const auto aliases =
        grammar::value_of<input_output_alias>(grammar::input_output_alias, header(attribute_key::input_output_alias));
    if (!aliases || !result) return;
    for (const auto& entry : aliases->entries)
      if (!result->at(entry.output)) return report_cut();
  }
  [[gnu::cold]] void report_cut() {
    in_.messages.syntax(in_.pools.data->extent.end ? in_.pools.data->extent.end - 1 : 0,
                        "the text is cut off: the ENTRY computation is missing");
    in_.pools.data->complete = false;
    in_.pools.data->entry = none;
  }

  module_state in_;
  instruction_builder instructions_{in_};
  computation_builder computations_{in_, instructions_};
  bool begun_ = false, marked_ = false;
};

}  // namespace hlolint::build
