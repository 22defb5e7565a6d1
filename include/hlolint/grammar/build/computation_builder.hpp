// The functions of the builder that the rules of computations call: heads, bodies, recovery (hlo_text.md 3, 12).
#pragma once

#include <hlolint/grammar/build/instruction_builder.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::build {

class computation_builder {
 public:
  using context_tag = module_builder;

  computation_builder(module_state& all, instruction_builder& instructions) : in_(all), instructions_(instructions) {}

  // -------------------- heads
  void open_computation_here(std::string_view where) {
    open_computation& c = in_.open_at(where);
    in_.end = c.begin;
    c.record.damaged = in_.recovery.head_moved;
    c.lost_names = in_.recovery.head_moved || in_.recovery.left_out;
    in_.recovery.begin_computation(in_.text.indentation(c.begin));
  }
  open_computation& begin_head() { return in_.open.innermost(); }
  void end_head() {
    keep_head();
    in_.messages.report_broken({});
  }

  /// Instructions follow without the head of a computation.
  [[gnu::cold]] void begin_headless(std::string_view where) {
    in_.messages.expected(in_.text.offset(where), "the head of a computation");
    lose_name();
    in_.open.innermost().record.damaged = in_.open.innermost().lost_names = in_.recovery.headless = true;
  }
  /// A head cannot be read, but instructions follow it.
  [[gnu::cold]] void damaged_head() {
    in_.rewind(in_body);
    in_.messages.report_failure();
    in_.recovery.lost_computation_names = true;
  }
  /// Keeps the name in a damaged head, unless it is that of the first instruction.
  [[gnu::cold]] void end_damaged_head(std::string_view instruction) {
    keep_head();
    const std::string_view name = in_.open.innermost().name;
    if (name.empty() || in_.text.offset(name) >= in_.text.offset(instruction)) lose_name();
  }
  void stray_brace(std::string_view where) {
    in_.messages.syntax(in_.text.offset(where), "expected a computation, found '}'");
  }
  /// A head cannot be read and no instructions follow: the text is lost up to the next head.
  [[gnu::cold]] void lost_computation(std::string_view lines) {
    const std::uint32_t begin = in_.open.innermost().begin;
    in_.rewind({});
    in_.pools.data->complete = false;
    if (is_cut_off(begin, lines)) return cut_off(begin, "the head of a computation");
    in_.state.broken.clear();
    in_.messages.report_failure();
  }

  // -------------------- bodies
  void begin_body_instruction() {
    before_instruction_ = in_.open.innermost().here();
    pools_before_instruction_ = in_.pools.here();
    in_.recovery.touched_end = false;
  }
  /// False for an instruction that reaches the end of the text: it may be cut off. Those that stand alone have no brace
  /// after them.
  bool end_body_instruction(std::string_view text) {
    in_.recovery.touched_end = in_.text.offset(text) + text.size() == in_.text.size() && !in_.open.innermost().single;
    if (in_.recovery.touched_end) return false;
    instructions_.end_instruction(text);
    in_.end = in_.text.at(text).end;
    in_.recovery.just_lost = false;
    return true;
  }
  /// Keeps an instruction that was read in one go (grammar/printed/). Its operands and attributes stand in the pools
  /// already, from `first_operand` and `first_attribute` on.
  void keep_instruction(std::string_view name, std::uint64_t hash, std::size_t first_operand,
                        std::size_t first_attribute, const std::vector<named_call>& calls) {
    open_computation& c = in_.open.innermost();
    instruction_record& i = c.instructions.back();
    i.name = in_.text.at(name);
    i.operands = range_from(first_operand, in_.pools.data->operands);
    i.attributes = range_from(first_attribute, in_.pools.data->attribute_pool);
    i.calls = {static_cast<id>(in_.pools.data->called.size()), 0};
    if (!calls.empty()) {
      in_.pending.calls = calls;
      i.calls = in_.move_calls(0);
    }
    c.name_last(name, i.name, hash);
    in_.end = i.text.end;
    in_.recovery.just_lost = false;
  }
  /// Whether a brace alone on its line comes too early: an instruction that is set in further follows it without a
  /// blank line. Two lines have changed places then.
  bool closes_too_early(std::string_view brace) {
    const std::uint32_t where = in_.text.offset(brace);
    const std::size_t line_end = in_.text.whole().find('\n', where);
    if (!in_.text.is_first_in_line(where) || line_end == in_.text.whole().npos) return false;
    const std::string_view rest = in_.text.whole().substr(where + 1, line_end - where - 1);
    const std::size_t after = rest.find_first_not_of(" \t\r");  // XLA may write the name in a comment
    if (after != rest.npos && rest.substr(after, 2) != "//") return false;
    const auto next = static_cast<std::uint32_t>(line_end + 1);
    const std::size_t token = in_.text.whole().find_first_not_of(" \t\r", next);
    if (token == in_.text.whole().npos || in_.text.whole()[token] == '\n' ||
        in_.text.indentation(next) <= in_.text.indentation(where))
      return false;
    in_.messages.syntax(where, str_cat({"expected an instruction, found '}': computation '", in_.open.innermost().name,
                                        "' goes on after it"}));
    return in_.recovery.brace_too_early = true;
  }
  /// Whether a line begins here that is not set in further than the head of the computation.
  bool on_margin(std::string_view where) const {
    return in_.text.is_first_in_line(in_.text.offset(where)) &&
           in_.text.indentation(in_.text.offset(where)) <= in_.recovery.margin;
  }
  /// Whether the rest of a line after a name looks like a head. Without a percent sign, any word may be a name.
  bool looks_like_head(std::string_view line) const {
    if (line.find("->") != line.npos) return true;
    if (const std::size_t comment = line.find("//"); comment != line.npos) line = line.substr(0, comment);
    return line.find_last_not_of(" \t\r\n") == line.rfind('{');
  }

  /// An instruction cannot be read. Uses of its name must not be reported as undefined.
  [[gnu::cold]] void begin_lost_instruction(std::string_view where) {
    in_.recovery.lost_at = in_.text.offset(where);
    in_.recovery.lost_at_end =
        in_.recovery.touched_end || in_.messages.failed_at_end() || in_.text.on_last_line(in_.recovery.lost_at);
    const std::string_view line = in_.text.whole().substr(
        in_.recovery.lost_at, in_.text.whole().find('\n', in_.recovery.lost_at) - in_.recovery.lost_at);
    in_.recovery.lost_opens_body = !line.empty() && line.find_last_not_of(" \t\r") == line.rfind('{');
    in_.recovery.resume_at = in_.state.failed_deep_down() ? in_.messages.furthest() : 0;
    const std::string_view name =
        in_.pending.instructions.empty() ? std::string_view{} : in_.pending.instructions[0].name;
    in_.rewind(in_body);
    open_computation& c = in_.open.innermost();
    c.take_back(before_instruction_);
    in_.pools.take_back(pools_before_instruction_);
    c.record.damaged = true;
    if (name.empty())
      c.lost_names = true;
    else
      c.undefined.insert(name);
  }
  /// False if the lost instruction takes the rest of the text.
  bool may_be_whole() const { return !in_.recovery.touched_end; }
  /// Whether reading may go on at this line: it is not inside a body that the lost line opens.
  bool may_resume(std::string_view where) const {
    return in_.text.offset(where) >= in_.recovery.resume_at && in_.text.is_first_in_line(in_.text.offset(where)) &&
           !(in_.recovery.lost_opens_body &&
             in_.text.indentation(in_.text.offset(where)) > in_.text.indentation(in_.recovery.lost_at));
  }
  bool is_left_of_lost(std::string_view where) const {
    const std::size_t indent = in_.text.indentation(in_.text.offset(where));
    return indent == 0 || indent < in_.text.indentation(in_.recovery.lost_at);
  }
  [[gnu::cold]] void end_lost_instruction(std::string_view lines) {
    in_.recovery.rest_is_lost = end_the_text(lines);
    if (in_.recovery.rest_is_lost) return;
    in_.messages.report_failure();
    in_.recovery.just_lost = true;
  }

  // -------------------- the end
  /// Refuses a string that only a quote of a later line closes.
  bool keep_end_attribute(written_attribute&& a) {
    if (a.value.front() == '{' || a.value.find('\n') == a.value.npos)
      return instructions_.keep_attribute(std::move(a)), true;
    in_.messages.syntax(in_.text.offset(a.value), "expected the end of this string on its line");
    in_.recovery.string_too_long = true;
    return false;
  }
  /// The text after the closing brace cannot be read and is passed over to the end of its line.
  [[gnu::cold]] bool unreadable_end() {
    in_.pending.attributes.clear();
    if (in_.recovery.string_too_long) return in_.state.forget(), true;
    if (in_.messages.failed_at_end()) return false;
    in_.messages.report_failure();
    return true;
  }
  /// The end of a computation, from its closing brace on.
  void close_computation(std::string_view text) {
    open_computation& c = in_.open.innermost();
    if (c.instructions.empty() && !c.record.damaged)
      c.faults.push_back({name_fault::kind::empty_computation, in_.text.at(text.substr(0, 1)), none, none, none, 0});
    close(in_.text.at(text).end);
  }
  /// The text ends in the body.
  [[gnu::cold]] void body_ends_with_text() {
    if (in_.recovery.rest_is_lost && !in_.recovery.lost_at_end) {
      in_.messages.report_failure();
      in_.pools.data->complete = false;
      close(in_.recovery.lost_at);
    } else if (in_.recovery.brace_too_early && !in_.recovery.rest_is_lost) {
      close(in_.end);
    } else {
      cut_in_body(in_.recovery.rest_is_lost ? in_.recovery.lost_at : in_.text.size());
    }
  }
  /// The next computation begins although no brace has closed this one.
  [[gnu::cold]] void brace_missing(std::string_view next) {
    open_computation& c = in_.open.innermost();
    const std::string_view between = in_.text.whole().substr(in_.end, in_.text.offset(next) - in_.end);
    // The head and the first instruction have changed places.
    if (in_.recovery.headless && between.find('\n') == between.rfind('\n')) {
      in_.recovery.head_moved = true;
      return drop_computation();
    }
    if (!in_.recovery.brace_too_early && !in_.recovery.just_lost)
      in_.messages.expected(in_.text.offset(next), "an instruction or '}'");
    if (c.instructions.empty()) return drop_computation();
    c.record.damaged |= c.marked_root == none;
    close(in_.end);
  }

  // -------------------- a body in place of a name
  void begin_anonymous(std::string_view brace) {
    // The pool takes the body first, which is complete before the instruction around it.
    if (in_.open.innermost().instructions.set_apart())
      pools_before_instruction_.instructions = in_.pools.data->instructions.size();
    attribute_mark& around = in_.pending.before_attribute;
    if (!around.body_begun) around.before_body = in_.pools.here();
    around.body_begun = true;
    open_computation& c = in_.open_at(brace);
    c.before_attribute = around;
    in_.name_nothing(c);
  }
  void end_anonymous(std::string_view text) {
    in_.pending.before_attribute = in_.open.innermost().before_attribute;
    in_.pending.calls.push_back({close_record(in_.text.at(text).end), {}});
  }

  /// The mark between two instructions of an outermost computation.
  static constexpr pending_mark in_body{1, 0, 0, 0, 0, 0, 0};

  // -------------------- for modules as well
  bool end_the_text(std::string_view lines) const { return grammar::ends_with(in_.text.whole(), lines); }
  /// Whether lost lines may be cut off: reading failed at the end of the text or in its last line.
  bool is_cut_off(std::uint32_t begin, std::string_view lines) const {
    return end_the_text(lines) && (in_.messages.failed_at_end() || in_.text.on_last_line(begin));
  }
  [[gnu::cold]] void cut_off(std::uint32_t where, std::string what) {
    in_.pools.data->complete = false;
    in_.recovery.cut = true;
    in_.end = in_.text.size();
    in_.messages.syntax(where == in_.text.size() && where != 0 ? where - 1 : where,
                        str_cat({"the text is cut off inside ", what}));
    in_.state.forget();
  }
  /// Files the innermost computation under its name.
  void close(std::uint32_t end) {
    const std::string_view name = in_.open.innermost().name;
    in_.open.innermost().record.attributes = move_from(in_.pending.attributes, 0, in_.pools.data->attribute_pool);
    const id number = close_record(end);
    const id other = name.empty() ? none : in_.pools.computation_names.insert(name, number);
    if (other != none)
      in_.pools.data->name_faults.push_back(
          {name_fault::kind::second_computation, in_.text.at(name), number, none, other, 0});
    in_.end = end;
    in_.messages.report_broken({});
  }

 private:
  /// Keeps the parts of the head that were read.
  void keep_head() {
    open_computation& c = in_.open.innermost();
    c.record.entry = c.entry;
    c.record.name = c.name.empty() ? span{} : in_.text.at(c.name);
    c.record.signature = c.signature.empty() ? span{} : in_.text.at(c.signature);
    c.record.declared_result = c.declared_result;
  }
  void drop_computation() { in_.open.drop_innermost(); }
  [[gnu::cold]] void lose_name() {
    in_.name_nothing(in_.open.innermost());
    in_.pools.data->complete = false;
  }
  /// The text ends inside a computation: its whole instructions are kept.
  [[gnu::cold]] void cut_in_body(std::uint32_t where) {
    open_computation& c = in_.open.innermost();
    c.lost_names = c.record.damaged = true;
    cut_off(where, str_cat({"computation '", c.name, "'"}));
    if (c.instructions.empty()) return drop_computation();
    c.record.complete = false;
    close(in_.text.size());
  }

  /// Whether a name can be that of a get-tuple-element that the short form leaves out: XLA still prints it where others
  /// have to wait for it.
  static bool may_be_left_out(const open_computation& c, std::string_view name) {
    constexpr std::string_view stem = "get-tuple-element";
    if (c.elements.empty() || !name.starts_with(stem)) return false;
    name.remove_prefix(stem.size());
    return name.empty() || (name.size() > 1 && name.front() == '.' &&
                            name.find_first_not_of("0123456789", 1) == std::string_view::npos);
  }
  /// Moves the innermost computation into the pools. Returns its number.
  id close_record(std::uint32_t end) {
    open_computation& c = in_.open.innermost();
    if (!c.record.damaged)
      for (const auto& [name, instruction] : c.predecessors) {
        const id later = c.names.find(name);
        if (later == none && may_be_left_out(c, name)) continue;
        const auto what = later == none ? name_fault::kind::undefined_predecessor : name_fault::kind::later_predecessor;
        c.faults.push_back({what, in_.text.at(name), none, instruction, later, 0});
      }
    if (!c.implied.empty()) c.instructions.set_apart();
    for (const implied_computation& implied : c.implied) add_implied(c, implied);
    const id number = static_cast<id>(in_.pools.data->computations.size());
    const id count = static_cast<id>(c.instructions.size());
    const id base = static_cast<id>(c.instructions.close());
    for (id local = 0; local != count; ++local) {
      instruction_record& i = in_.pools.data->instructions[base + local];
      i.computation = number;
      for (id k = i.operands.first; k != i.operands.first + i.operands.count; ++k)
        if (in_.pools.data->operands[k].instruction != none) in_.pools.data->operands[k].instruction += base;
    }
    for (name_fault fault : c.faults) {
      fault.computation = number;
      c.record.lacks_names |= fault.what == name_fault::kind::undefined_operand;
      if (fault.instruction != none) fault.instruction += base;
      if (fault.other != none) fault.other += base;
      in_.pools.data->name_faults.push_back(fault);
    }
    computation_record& record = c.record;
    record.text = {c.begin, end};
    record.instructions = {base, count};
    const id last = count == 0 ? none : base + count - 1;
    record.root = c.marked_root == none ? last : base + c.marked_root;
    in_.pools.data->computations.push_back(record);
    in_.open.close();
    return number;
  }
  /// Adds the computation that `X-start` stands for, with its parameters and root.
  [[gnu::noinline]] void add_implied(open_computation& outer, const implied_computation& implied) {
    instruction_record& start = outer.instructions[implied.start];
    const id number = static_cast<id>(in_.pools.data->computations.size());
    const id base = static_cast<id>(in_.pools.data->instructions.size());
    const id count = static_cast<id>(implied.parameter_shapes.size());
    for (id k = 0; k != count; ++k) {
      instruction_record parameter;
      parameter.name = in_.pools.synthesize_name(k == 0 ? "async_param" : str_cat({"async_param.", k}));
      parameter.text = start.text;
      parameter.opcode = hlo_opcode::parameter;
      parameter.shape = implied.parameter_shapes[k];
      parameter.computation = number;
      parameter.origin = node_origin::synthesized;
      in_.pools.data->instructions.push_back(parameter);
    }
    instruction_record root;
    root.name = in_.pools.synthesize_name(hlolint::name_of(start.wrapped));
    root.text = start.text;
    root.opcode = start.wrapped;
    root.shape = implied.result_shape;
    root.computation = number;
    root.operands = {static_cast<id>(in_.pools.data->operands.size()), count};
    for (id k = 0; k != count; ++k) in_.pools.data->operands.push_back({base + k, none, start.text.begin});
    root.attributes = start.attributes;
    root.calls = implied.root_calls;
    root.opcode_at = start.opcode_at;
    root.origin = node_origin::synthesized;
    in_.pools.data->instructions.push_back(root);
    computation_record c;
    c.name = in_.pools.synthesize_name("async_wrapped");
    c.text = start.text;
    c.instructions = {base, count + 1};
    c.root = base + count;
    c.origin = node_origin::synthesized;
    in_.pools.data->computations.push_back(c);
    start.calls = {static_cast<id>(in_.pools.data->called.size()), 1};
    in_.pools.data->called.push_back(number);
  }

  module_state& in_;
  instruction_builder& instructions_;
  open_computation::mark before_instruction_;
  pool_mark pools_before_instruction_;
};

}  // namespace hlolint::build
