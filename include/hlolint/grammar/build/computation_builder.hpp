// The functions of the builder that the rules of computations call: heads, bodies, recovery (hlo_text.md 3, 12).
#pragma once

#include <hlolint/grammar/build/open_computation.hpp>
#include <hlolint/grammar/build/instruction_builder.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::build {

class computation_builder : public instruction_builder {
 public:
  using instruction_builder::instruction_builder;

  // -------------------- heads
  void open_computation_here(std::string_view where) {
    open_computation& c = open_computation_at(offset(where));
    outermost_ = indentation(c.begin);
    end_ = c.begin;
    c.record.damaged = c.lost_names = head_moved_;
    head_moved_ = headless_ = brace_too_early_ = just_lost_ = rest_is_lost_ = string_too_long_ = false;
  }
  open_computation& begin_head() { return computation(); }
  void end_head() {
    keep_head();
    report_broken({});
  }

  /// Instructions follow without the head of a computation.
  [[gnu::cold]] void begin_headless(std::string_view where) {
    expected(offset(where), "the head of a computation");
    lose_name();
    computation().record.damaged = computation().lost_names = headless_ = true;
  }
  /// A head cannot be read, but instructions follow it.
  [[gnu::cold]] void damaged_head() {
    rewind(in_body);
    report_failure();
    lost_computation_names_ = true;
  }
  /// Keeps the name in a damaged head, unless it is that of the first instruction.
  [[gnu::cold]] void end_damaged_head(std::string_view instruction) {
    keep_head();
    const std::string_view name = computation().name;
    if (name.empty() || offset(name) >= offset(instruction)) lose_name();
  }
  void stray_brace(std::string_view where) { syntax(offset(where), "expected a computation, found '}'"); }
  /// A head cannot be read and no instructions follow: the text is lost up to the next head.
  [[gnu::cold]] void lost_computation(std::string_view lines) {
    const std::uint32_t begin = computation().begin;
    rewind({});
    data->complete = false;
    if (is_cut_off(begin, lines)) return cut_off(begin, "the head of a computation");
    state.broken.clear();
    report_failure();
  }

  // -------------------- bodies
  void begin_body_instruction() {
    before_instruction_ = computation().here();
    pools_before_instruction_ = pools();
    touched_end_ = false;
  }
  /// False for an instruction that reaches the end of the text: it may be cut off.
  bool end_body_instruction(std::string_view text) {
    touched_end_ = offset(text) + text.size() == size();
    if (touched_end_) return false;
    end_instruction(text);
    end_ = at(text).end;
    just_lost_ = false;
    return true;
  }
  /// Keeps an instruction that was read in one go (grammar/printed/). Its operands and attributes stand in the pools
  /// already, from `first_operand` and `first_attribute` on.
  void keep_instruction(std::string_view name, std::uint64_t hash, std::size_t first_operand,
                        std::size_t first_attribute, const record_list<named_call>& calls) {
    open_computation& c = computation();
    instruction_record& i = c.instructions.back();
    i.name = at(name);
    i.operands = range_from(first_operand, data->operands);
    i.attributes = range_from(first_attribute, data->attribute_pool);
    i.calls = {static_cast<id>(data->called.size()), 0};
    if (!calls.empty()) {
      calls_ = calls;
      i.calls = move_calls(0);
    }
    c.name_last(name, i.name, hash);
    end_ = i.text.end;
    just_lost_ = false;
  }
  /// Whether a brace alone on its line comes too early: an instruction that is set in further follows it without a
  /// blank line. Two lines have changed places then.
  bool closes_too_early(std::string_view brace) {
    const std::uint32_t where = offset(brace);
    const std::size_t line_end = whole_.find('\n', where);
    if (!is_first_in_line(where) || line_end == whole_.npos) return false;
    const std::string_view rest = whole_.substr(where + 1, line_end - where - 1);
    const std::size_t after = rest.find_first_not_of(" \t\r");  // XLA may write the name in a comment
    if (after != rest.npos && rest.substr(after, 2) != "//") return false;
    const auto next = static_cast<std::uint32_t>(line_end + 1);
    const std::size_t token = whole_.find_first_not_of(" \t\r", next);
    if (token == whole_.npos || whole_[token] == '\n' || indentation(next) <= indentation(where)) return false;
    syntax(where,
           str_cat({"expected an instruction, found '}': computation '", computation().name, "' goes on after it"}));
    return brace_too_early_ = true;
  }
  /// Whether a line begins here that is not set in further than the head of the computation.
  bool on_margin(std::string_view where) const {
    return is_first_in_line(offset(where)) && indentation(offset(where)) <= outermost_;
  }
  /// Whether the rest of a line after a name looks like a head. Without a percent sign, any word may be a name.
  bool looks_like_head(std::string_view line) const {
    if (line.find("->") != line.npos) return true;
    if (const std::size_t comment = line.find("//"); comment != line.npos) line = line.substr(0, comment);
    return line.find_last_not_of(" \t\r\n") == line.rfind('{');
  }

  /// An instruction cannot be read. Uses of its name must not be reported as undefined.
  [[gnu::cold]] void begin_lost_instruction(std::string_view where) {
    lost_at_ = offset(where);
    lost_at_end_ = touched_end_ || failed_at_end() || on_last_line(lost_at_);
    const std::string_view line = whole_.substr(lost_at_, whole_.find('\n', lost_at_) - lost_at_);
    lost_opens_body_ = !line.empty() && line.find_last_not_of(" \t\r") == line.rfind('{');
    resume_at_ = state.failed_deep_down() ? furthest() : 0;
    const std::string_view name = pending_.empty() ? std::string_view{} : pending_[0].name;
    rewind(in_body);
    open_computation& c = computation();
    c.take_back(before_instruction_);
    take_back(pools_before_instruction_);
    c.record.damaged = true;
    if (name.empty())
      c.lost_names = true;
    else
      c.undefined.insert(name);
  }
  /// False if the lost instruction takes the rest of the text.
  bool may_be_whole() const { return !touched_end_; }
  /// Whether reading may go on at this line: it is not inside a body that the lost line opens.
  bool may_resume(std::string_view where) const {
    return offset(where) >= resume_at_ && is_first_in_line(offset(where)) &&
           !(lost_opens_body_ && indentation(offset(where)) > indentation(lost_at_));
  }
  bool is_left_of_lost(std::string_view where) const {
    const std::size_t indent = indentation(offset(where));
    return indent == 0 || indent < indentation(lost_at_);
  }
  [[gnu::cold]] void end_lost_instruction(std::string_view lines) {
    rest_is_lost_ = end_the_text(lines);
    if (rest_is_lost_) return;
    report_failure();
    just_lost_ = true;
  }

  // -------------------- the end
  /// Refuses a string that only a quote of a later line closes.
  bool keep_end_attribute(written_attribute&& a) {
    if (a.value.find('\n') == a.value.npos) return keep_attribute(std::move(a)), true;
    syntax(offset(a.value), "expected the end of this string on its line");
    string_too_long_ = true;
    return false;
  }
  /// The text after the closing brace cannot be read and is passed over to the end of its line.
  [[gnu::cold]] bool unreadable_end() {
    attributes_.clear();
    if (string_too_long_) return state.forget(), true;
    if (failed_at_end()) return false;
    report_failure();
    return true;
  }
  /// The end of a computation, from its closing brace on.
  void close_computation(std::string_view text) {
    open_computation& c = computation();
    if (c.instructions.empty() && !c.record.damaged)
      c.faults.push_back({name_fault::kind::empty_computation, at(text.substr(0, 1)), none, none, none, 0});
    close(at(text).end);
  }
  /// The text ends in the body.
  [[gnu::cold]] void body_ends_with_text() {
    if (rest_is_lost_ && !lost_at_end_) {
      report_failure();
      data->complete = false;
      close(lost_at_);
    } else if (brace_too_early_ && !rest_is_lost_) {
      close(end_);
    } else {
      cut_in_body(rest_is_lost_ ? lost_at_ : size());
    }
  }
  /// The next computation begins although no brace has closed this one.
  [[gnu::cold]] void brace_missing(std::string_view next) {
    open_computation& c = computation();
    const std::string_view between = whole_.substr(end_, offset(next) - end_);
    // The head and the first instruction have changed places.
    if (headless_ && between.find('\n') == between.rfind('\n')) {
      head_moved_ = true;
      return drop_computation();
    }
    if (!brace_too_early_ && !just_lost_) expected(offset(next), "an instruction or '}'");
    if (c.instructions.empty()) return drop_computation();
    c.record.damaged |= c.marked_root == none;
    close(end_);
  }

  // -------------------- a body in place of a name
  void begin_anonymous(std::string_view brace) {
    // The pool takes the body first, which is complete before the instruction around it.
    if (computation().instructions.set_apart()) pools_before_instruction_.instructions = data->instructions.size();
    if (!body_begun_) before_body_ = pools();
    body_begun_ = true;
    name_nothing(open_computation_at(offset(brace)));
  }
  void end_anonymous(std::string_view text) { calls_.push_back({close_record(at(text).end), {}}); }

  /// The mark between two instructions of an outermost computation.
  static constexpr mark in_body{1, 0, 0, 0, 0, 0, 0};

 protected:
  /// Keeps the parts of the head that were read.
  void keep_head() {
    open_computation& c = computation();
    c.record.entry = c.entry;
    c.record.name = c.name.empty() ? span{} : at(c.name);
    c.record.signature = c.signature.empty() ? span{} : at(c.signature);
    c.record.declared_result = c.declared_result;
  }
  std::size_t indentation(std::uint32_t where) const { return indentations_.of(where); }
  bool is_first_in_line(std::uint32_t where) const {
    const std::size_t before = whole_.substr(0, where).find_last_not_of(" \t");
    return before == whole_.npos || whole_[before] == '\n';
  }
  bool end_the_text(std::string_view lines) const { return grammar::ends_with(whole_, lines); }
  /// Whether lost lines may be cut off: reading failed at the end of the text or in its last line.
  bool is_cut_off(std::uint32_t begin, std::string_view lines) const {
    return end_the_text(lines) && (failed_at_end() || on_last_line(begin));
  }
  void drop_computation() { drop_computations(open_ - 1); }
  [[gnu::cold]] void lose_name() {
    name_nothing(computation());
    data->complete = false;
  }
  [[gnu::cold]] void cut_off(std::uint32_t where, std::string what) {
    data->complete = false;
    cut_ = true;
    end_ = size();
    syntax(where == size() && where != 0 ? where - 1 : where, str_cat({"the text is cut off inside ", what}));
    state.forget();
  }
  /// The text ends inside a computation: its whole instructions are kept.
  [[gnu::cold]] void cut_in_body(std::uint32_t where) {
    open_computation& c = computation();
    c.lost_names = c.record.damaged = true;
    cut_off(where, str_cat({"computation '", c.name, "'"}));
    if (c.instructions.empty()) return drop_computation();
    c.record.complete = false;
    close(size());
  }

  /// Files the innermost computation under its name.
  void close(std::uint32_t end) {
    const std::string_view name = computation().name;
    computation().record.attributes = move_from(attributes_, 0, data->attribute_pool);
    const id number = close_record(end);
    const id other = name.empty() ? none : computation_names.insert(name, number);
    if (other != none)
      data->name_faults.push_back({name_fault::kind::second_computation, at(name), number, none, other, 0});
    end_ = end;
    report_broken({});
  }

  std::uint32_t end_ = 0;                ///< the end of the last part that was read
  std::size_t outermost_ = 0;            ///< indentation of the computation or module that is being read
  bool lost_computation_names_ = false;  ///< the name of a computation may have been misread
  bool cut_ = false;                     ///< the text ends inside the module
  bool head_moved_ = false;              ///< the next computation's first instruction came before its head

 private:
  /// Moves the innermost computation into the pools. Returns its number.
  id close_record(std::uint32_t end) {
    open_computation& c = computation();
    if (!c.record.damaged)
      for (const auto& [name, instruction] : c.predecessors)
        if (c.names.find(name) == none)
          c.faults.push_back({name_fault::kind::undefined_predecessor, at(name), none, instruction, none, 0});
    if (!c.implied.empty()) c.instructions.set_apart();
    for (const implied_computation& implied : c.implied) add_implied(c, implied);
    const id number = static_cast<id>(data->computations.size());
    const id count = static_cast<id>(c.instructions.size());
    const id base = static_cast<id>(c.instructions.close());
    for (id local = 0; local != count; ++local) {
      instruction_record& i = data->instructions[base + local];
      i.computation = number;
      for (id k = i.operands.first; k != i.operands.first + i.operands.count; ++k)
        if (data->operands[k].instruction != none) data->operands[k].instruction += base;
    }
    for (name_fault fault : c.faults) {
      fault.computation = number;
      c.record.lacks_names |= fault.what == name_fault::kind::undefined_operand;
      if (fault.instruction != none) fault.instruction += base;
      if (fault.other != none) fault.other += base;
      data->name_faults.push_back(fault);
    }
    computation_record& record = c.record;
    record.text = {c.begin, end};
    record.instructions = {base, count};
    const id last = count == 0 ? none : base + count - 1;
    record.root = c.marked_root == none ? last : base + c.marked_root;
    data->computations.push_back(record);
    --open_;
    return number;
  }
  /// Adds the computation that `X-start` stands for, with its parameters and root.
  [[gnu::noinline]] void add_implied(open_computation& outer, const implied_computation& implied) {
    instruction_record& start = outer.instructions[implied.start];
    const id number = static_cast<id>(data->computations.size());
    const id base = static_cast<id>(data->instructions.size());
    const id count = static_cast<id>(implied.parameter_shapes.size());
    for (id k = 0; k != count; ++k) {
      instruction_record parameter;
      parameter.name = synthesize_name(k == 0 ? "async_param" : str_cat({"async_param.", k}));
      parameter.text = start.text;
      parameter.opcode = hlo_opcode::parameter;
      parameter.shape = implied.parameter_shapes[k];
      parameter.computation = number;
      parameter.origin = node_origin::synthesized;
      data->instructions.push_back(parameter);
    }
    instruction_record root;
    root.name = synthesize_name(hlolint::name_of(start.wrapped));
    root.text = start.text;
    root.opcode = start.wrapped;
    root.shape = implied.result_shape;
    root.computation = number;
    root.operands = {static_cast<id>(data->operands.size()), count};
    for (id k = 0; k != count; ++k) data->operands.push_back({base + k, none, start.text.begin});
    root.attributes = start.attributes;
    root.calls = implied.root_calls;
    root.opcode_at = start.opcode_at;
    root.origin = node_origin::synthesized;
    data->instructions.push_back(root);
    computation_record c;
    c.name = synthesize_name("async_wrapped");
    c.text = start.text;
    c.instructions = {base, count + 1};
    c.root = base + count;
    c.origin = node_origin::synthesized;
    data->computations.push_back(c);
    start.calls = {static_cast<id>(data->called.size()), 1};
    data->called.push_back(number);
  }

  indentations indentations_{whole_};
  open_computation::mark before_instruction_;
  pool_mark pools_before_instruction_;
  std::uint32_t lost_at_ = 0, resume_at_ = 0;
  bool lost_at_end_ = false, lost_opens_body_ = false, just_lost_ = false, brace_too_early_ = false, headless_ = false,
       rest_is_lost_ = false, touched_end_ = false, string_too_long_ = false;
};

}  // namespace hlolint::build
