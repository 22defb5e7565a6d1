// Reads instructions and heads of computations exactly as XLA prints them, one line in one go. Most lines are such. The
// grammar in hlo/ is the authority: it would read the lines that are taken here in the same way and report nothing.
// All other lines are refused here and left to the grammar.
#pragma once

#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/grammar/build/module_builder.hpp>
#include <hlolint/grammar/hlo/computation.hpp>
#include <hlolint/grammar/printed/shapes.hpp>
#include <hlolint/grammar/printed/values.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::grammar::printed {

/// What is kept from line to line.
struct line_cache {
  using context_tag = line_reader;
  bool on = true;         ///< false: every line is refused
  std::size_t taken = 0;  ///< how many instructions and heads were taken
  field_order fields;
  std::vector<build::named_call> calls;  ///< of the instruction that is being read
  struct new_element {
    std::size_t operand;  ///< its position among those of the instruction
    std::int64_t number;
  };
  std::vector<new_element> elements;     ///< of the instruction that is being read
  std::vector<operand_record> operands;  ///< while elements are made

  /// Takes instructions as long as they are as XLA prints them; false if there is none.
  template <class Context>
  bool take_instructions(const char*& first, const char* last, const Context& context);
  template <class Context>
  bool take_head(const char*& first, const char* last, const Context& context);
};

/// Reads lines of one computation. The shapes of a line keep their numbers when the line is refused: the rules number
/// the same shapes in the same order.
template <class Context>
class reader {
 public:
  explicit reader(const Context& context)
      : context_(context),
        in_(from<build::module_state>(context)),
        instructions_(from<of_instruction>(context)),
        computations_(from<of_computation>(context)),
        data_(*in_.pools.data),
        computation_(in_.open.innermost()),
        state_(from<parse_state>(context)),
        memory_(from<line_cache>(context)) {}

  /// `[ROOT ]%name = shape opcode(args){, key=value}` up to its line end. Refused if the next line goes on with a
  /// comma.
  bool take_instruction(const char*& first, const char* last) {
    const std::size_t operands = data_.operands.size(), attributes = data_.attribute_pool.size();
    ruled_ = false;
    place at{first, last};
    if (read_instruction(at, computation_.instructions.add(), operands, attributes)) {
      first = at.p;
      ++memory_.taken;
      return true;
    }
    computation_.instructions.pop_back();
    data_.operands.resize(operands);
    data_.attribute_pool.resize(attributes);
    if (ruled_) undo_rules();
    return false;
  }

  /// The token after the instruction that was taken.
  const char* next() const { return next_; }

  /// `[ENTRY ]%name (p: shape, q: shape) -> shape {` or `[ENTRY ]name {`, including the brace
  bool take_head(const char*& first, const char* last) {
    place at{first, last};
    const bool entry = at.take("ENTRY ");
    std::string_view name;
    if (!take_name(at, name) || !at.take(' ')) return false;
    const char* const signature = at.p;
    id result = none;
    if (at.is('(') && !read_signature(at, result)) return false;
    const char* const signature_end = at.p;
    if ((signature_end != signature && !at.take(' ')) || !at.take("{\n") || !state_.broken.empty()) return false;
    // A number or a colon would make a layout of the brace.
    const char* const next = scan::blanks(at.p, last);
    if (next == last || (*next != '%' && !scan::is(scan::name_start, *next))) return false;
    computation_.entry = entry;
    computation_.name = name;
    computation_.declared_result = result;
    computation_.signature = view(signature, signature_end);
    computations_.end_head();
    first = at.p - 1;
    ++memory_.taken;
    return true;
  }

 private:
  bool read_instruction(place& at, instruction_record& record, std::size_t first_operand, std::size_t first_attribute) {
    const char* const begin = at.p;
    record.root = at.take("ROOT ");
    std::string_view name;
    if (!take_name(at, name) || !at.take(" = ")) return false;
    const std::uint64_t hash = build::name_map::hash_of(name);
    computation_.names.expect(hash);
    if (!read_shape(at, record.shape) || !at.take(' ')) return false;
    const char* const word = at.p;
    const char* const word_end = scan::identifier(word, at.last);
    if (!word_end) return false;
    at.p = word_end;
    record.opcode = find_hlo_opcode(view(word, word_end));
    if (record.opcode == hlo_opcode::unknown || !at.take('(')) return false;
    record.opcode_at = in_.text.offset(view(word, word_end));
    memory_.calls.clear();
    memory_.elements.clear();
    if (!read_arguments(at, record, first_operand)) return false;
    if (record.opcode == hlo_opcode::all_reduce_start || record.opcode == hlo_opcode::all_reduce_done) {
      // That of a generic async operation is left to the grammar.
      const shape* const result = in_.pools.shape_of(record);
      if (result && result->is_tuple() && !result->elements.empty() && result->elements[0].is_tuple()) return false;
      if (record.opcode == hlo_opcode::all_reduce_done && data_.operands.size() > first_operand &&
          computation_.instructions[data_.operands[first_operand].instruction].opcode == hlo_opcode::async_start)
        return false;
    }
    while (at.take(", "))
      if (!read_attribute(at, record.opcode)) return false;
    if (!at.is('\n')) return false;  // at the end of the text the line may be cut off
    next_ = next_token(at);
    if (next_ != at.last && *next_ == ',') return false;
    if (!state_.broken.empty() || !state_.unknown_words.empty() || !in_.pools.shapes.unknown_types.empty())
      return false;
    record.text = in_.text.at(view(begin, at.p));
    if (!memory_.elements.empty()) first_operand = make_elements(first_operand);
    computations_.keep_instruction(name, hash, first_operand, first_attribute, memory_.calls);
    return true;
  }

  bool read_arguments(place& at, instruction_record& record, std::size_t first_operand) {
    const char* const begin = at.p;
    if (record.opcode == hlo_opcode::parameter) {
      if (!at.take_digits()) return false;
      record.argument = in_.text.at(view(begin, at.p));
    } else if (record.opcode == hlo_opcode::constant) {
      if (!read_literal(at, *in_.pools.shape_of(record))) return false;
      record.argument = in_.text.at(view(begin, at.p));
    } else if (!at.is(')')) {
      do {
        if (!read_operand(at, first_operand)) return false;
      } while (at.take(", "));
    }
    return at.take(')');
  }
  bool read_operand(place& at, std::size_t first_operand) {
    at.take_index_comment();
    id declared = none;
    // Shapes are numbered as they come, and the shape of a new element comes before this one.
    if (!at.is('%') && begins_shape(at) && (!memory_.elements.empty() || !read_shape(at, declared) || !at.take(' ')))
      return false;
    std::string_view name;
    if (!take_name(at, name)) return false;
    operand_record& o = data_.operands.emplace_back();
    o.instruction = computation_.names.find(name);
    o.declared_shape = declared;
    o.at = in_.text.offset(name);
    return o.instruction != none && (!at.is('#') || read_elements(at, o.instruction, first_operand));
  }
  /// `#0#1`: elements. Those that are not there yet are made when the whole line was read.
  bool read_elements(place& at, id& operand, std::size_t first_operand) {
    const auto& elements = computation_.elements;
    const shape* from = nullptr;  // not null once an element is new: those of a new element are new
    std::int64_t number = 0;
    while (at.take('#')) {
      if (!at.take_number(number) || number >= none) return false;
      if (!from) {
        const auto found =
            elements.find(static_cast<std::uint64_t>(operand) << 32 | static_cast<std::uint64_t>(number));
        if (found != elements.end()) {
          operand = found->second;
          continue;
        }
        from = in_.pools.shape_of(computation_.instructions[operand]);
      }
      if (!from || !from->is_tuple() || static_cast<std::size_t>(number) >= from->elements.size()) return false;
      from = &from->elements[static_cast<std::size_t>(number)];
      memory_.elements.push_back({data_.operands.size() - 1 - first_operand, number});
    }
    return true;
  }
  /// Makes the new elements. The instruction that uses them goes after them, and so do its operands, whose new place is
  /// returned.
  [[gnu::noinline]] std::size_t make_elements(std::size_t first_operand) {
    const instruction_record user = computation_.instructions.back();
    computation_.instructions.pop_back();
    memory_.operands.assign(data_.operands.begin() + static_cast<std::ptrdiff_t>(first_operand), data_.operands.end());
    data_.operands.resize(first_operand);
    for (const auto& [operand, number] : memory_.elements)
      instructions_.take_element(memory_.operands[operand], number);
    computation_.instructions.push_back(user);
    const std::size_t moved_to = data_.operands.size();
    data_.operands.insert(data_.operands.end(), memory_.operands.begin(), memory_.operands.end());
    return moved_to;
  }
  bool read_literal(place& at, const shape& type) {
    if (at.p == at.last || scan::is(scan::blank_bytes, *at.p)) return false;
    if (type.is_array() && type.rank() != 0 && at.take("{...}")) return true;
    note_rules();
    literal_fit fits(type, state_);
    const auto inner = with(fits, shared_context(context_));
    return literal.parse(at.p, at.last, inner, x3::unused, x3::unused) && nothing_noted();
  }

  bool read_attribute(place& at, hlo_opcode opcode) {
    written_attribute a;
    const char* const begin = at.p;
    if (at.left() > 9 && hlolint::detail::load8(at.p) == hlolint::detail::load8("metadata") && at.p[8] == '=') {
      at.p += 9;
      a.key = attribute_key::metadata;
      a.name = view(begin, at.p - 1);
      const char* const value = at.p;
      if (take_metadata(at, memory_.fields)) {
        a.value = view(value, at.p);
        return keep_attribute(a);
      }
    }
    const char* const value = scan::attribute_head(begin, at.last, a);
    if (!value || a.key == attribute_key::unknown) return false;
    at.p = value;
    if (holds_names(a.key)) {
      if (!read_names(at, a.key, opcode)) return false;
    } else if (!take_value(at, a.key, memory_.fields)) {
      return read_by_rules(at.p = begin, at.last, a) && keep_attribute(a);
    }
    a.value = view(value, at.p);
    return keep_attribute(a);
  }
  [[gnu::always_inline]] bool keep_attribute(const written_attribute& a) {
    attribute_record& kept = data_.attribute_pool.emplace_back();
    kept.key = a.key;
    kept.name = in_.text.at(a.name);
    kept.value = in_.text.at(a.value);
    return true;
  }
  bool read_by_rules(const char*& p, const char* last, written_attribute& a) {
    note_rules();
    return known_attribute.parse(p, last, context_, x3::unused, a) && nothing_noted();
  }
  bool read_names(place& at, attribute_key key, hlo_opcode opcode) {
    using enum attribute_key;
    if (!form_of(opcode, key)) return false;
    const bool listed = key == branch_computations || key == called_computations || key == control_predecessors;
    if (!listed || !at.take('{')) return !listed && read_name(at, key);
    do {
      if (!read_name(at, key)) return false;
    } while (at.take(", "));
    return at.take('}');
  }
  bool read_name(place& at, attribute_key key) {
    std::string_view name;
    if (!take_name(at, name)) return false;
    if (key == attribute_key::control_predecessors) return computation_.names.find(name) != none;
    memory_.calls.push_back({in_.pools.computation_names.find(name), name});
    return true;
  }

  bool read_signature(place& at, id& result) {
    at.take('(');
    id number = none;
    if (!at.is(')')) {
      do {
        // A word before a colon is a name, whatever the word is.
        const char* const end = scan::identifier(at.p, at.last);
        if (!end) return false;
        at.p = end;
        if (!at.take(": ") || !read_shape(at, number)) return false;
      } while (at.take(", "));
    }
    return at.take(") -> ") && read_shape(at, result);
  }

  static bool begins_shape(const place& at) {
    if (at.is('(')) return true;
    const char* const end = scan::identifier(at.p, at.last);
    return end && end != at.last && *end == '[';
  }
  bool read_shape(place& at, id& number) {
    if (at.is('%') || at.is(' ') || at.is('/')) return false;
    if (const auto [size, known] = in_.pools.shapes.recent(view(at.p, at.last)); size != 0) {
      at.p += size;
      number = known;
      return true;
    }
    const char* const end = shape_end(at.p, at.last);
    if (!end || !find_shape(view(at.p, end), number))
      return shape_number.parse(at.p, at.last, context_, x3::unused, number);
    in_.pools.shapes.remember(view(at.p, at.last), view(at.p, end), number);
    at.p = end;
    return true;
  }
  bool find_shape(std::string_view text, id& number) {
    id& known = in_.pools.shapes.number(text);
    if (known == none) {
      place at{text.data(), text.data() + text.size()};
      if (!take_shape(at, in_.pools.shapes.add()) || at.p != at.last) return in_.pools.shapes.drop(), false;
      known = in_.pools.shapes.keep_known();
    }
    number = known;
    return true;
  }

  // ------------------------------------------------------------------ rules of the grammar
  void note_rules() {
    if (ruled_) return;
    ruled_ = true;
    furthest_ = state_.furthest;
    expected_ = state_.expected;
    broken_ = state_.broken.size();
    words_ = state_.unknown_words.size();
  }
  bool nothing_noted() const { return state_.broken.size() == broken_ && state_.unknown_words.size() == words_; }
  [[gnu::noinline, gnu::cold]] void undo_rules() {
    state_.furthest = furthest_;
    state_.expected = expected_;
    state_.broken.resize(broken_);
    state_.unknown_words.resize(words_);
    ruled_ = false;
  }

  /// The first token after the line end and the blanks at `at`.
  static const char* next_token(const place& at) {
    if (at.left() > 4 && at.p[1] == ' ' && at.p[2] == ' ' && !scan::is(scan::blank_bytes, at.p[3])) return at.p + 3;
    return scan::blanks(at.p, at.last);
  }

  const Context& context_;
  build::module_state& in_;
  of_instruction& instructions_;
  of_computation& computations_;
  module_data& data_;
  build::open_computation& computation_;
  parse_state& state_;
  line_cache& memory_;
  const char* next_ = nullptr;  ///< the token after the instruction that was taken
  bool ruled_ = false;          ///< a rule of the grammar was used in this line; the next four are the state before it
  const char *furthest_ = nullptr, *expected_ = nullptr;
  std::size_t broken_ = 0, words_ = 0;
};

template <class Context>
[[gnu::noinline]] bool line_cache::take_instructions(const char*& first, const char* last, const Context& context) {
  if (!on) return false;
  const char* p = first;
  x3::skip_over(p, last, context);
  const char* end = nullptr;  // of the last instruction
  reader<Context> lines(context);
  for (; p != last && *p != '}' && lines.take_instruction(p, last); p = lines.next()) end = p;
  if (end) first = end;
  return end != nullptr;
}
template <class Context>
[[gnu::noinline]] bool line_cache::take_head(const char*& first, const char* last, const Context& context) {
  if (!on) return false;
  x3::skip_over(first, last, context);
  return reader<Context>(context).take_head(first, last);
}

}  // namespace hlolint::grammar::printed
