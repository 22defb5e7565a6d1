#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <vector>

namespace hlolint::fuzz {

namespace {

/// Part of a text, as offsets; the end is one past the last character.
struct part {
  std::size_t begin = 0, end = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c) || c == '.' || c == '-'; }

enum class part_kind { number, name, opening, line };

// Those that begin in a window of the text, so that a change in a long text does not cost its length many times over.
std::vector<part> parts(std::string_view text, part_kind kind, part window) {
  std::vector<part> out;
  for (std::size_t i = window.begin; i < window.end;) {
    const char c = text[i];
    const std::size_t begin = i++;
    if (kind == part_kind::line) {
      i = text.find('\n', begin);
      i = i == std::string_view::npos ? text.size() : i + 1;
      out.push_back({begin, i});
    } else if (is_name_start(c)) {
      while (i < text.size() && is_name(text[i])) ++i;
      if (kind == part_kind::name) out.push_back({begin, i});
    } else if (is_digit(c)) {
      while (i < text.size() && is_digit(text[i])) ++i;
      if (kind == part_kind::number) out.push_back({begin, i});
    } else if (kind == part_kind::opening && (c == '{' || c == '(' || c == '[')) {
      out.push_back({begin, i});
    }
  }
  return out;
}

part window_in(std::string_view text, dice& random) {
  constexpr std::size_t most = 4096;
  if (text.size() <= most) return {0, text.size()};
  std::size_t begin = random.below(text.size() - most);
  while (begin > 0 && text[begin - 1] != '\n') --begin;  // whole lines
  return {begin, std::min(text.size(), begin + most)};
}

part one_of(const std::vector<part>& all, dice& random) { return all[random.below(all.size())]; }

std::string_view slice(std::string_view text, part p) { return text.substr(p.begin, p.end - p.begin); }

void replace(std::string& text, part p, std::string_view by) { text.replace(p.begin, p.end - p.begin, by); }

// From an opening bracket to after the one that closes it, or to the end of the text.
part group_at(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '(' || c == '[') ++depth;
    if ((c == '}' || c == ')' || c == ']') && --depth == 0) return {at, i + 1};
  }
  return {at, text.size()};
}

constexpr std::array<std::string_view, 24> numbers{"0",
                                                   "1",
                                                   "-1",
                                                   "2",
                                                   "7",
                                                   "31",
                                                   "127",
                                                   "128",
                                                   "65535",
                                                   "65536",
                                                   "1000000",
                                                   "2147483647",
                                                   "2147483648",
                                                   "4294967295",
                                                   "4294967296",
                                                   "-2147483648",
                                                   "1099511627776",
                                                   "9223372036854775807",
                                                   "9223372036854775808",
                                                   "-9223372036854775808",
                                                   "18446744073709551615",
                                                   "18446744073709551616",
                                                   "1e300",
                                                   "0x7fffffff"};

constexpr std::array<std::string_view, 72> words{"HloModule ",
                                                 "ENTRY ",
                                                 "ROOT ",
                                                 "parameter(0)",
                                                 "tuple(",
                                                 "while(",
                                                 "conditional(",
                                                 "call(",
                                                 "fusion(",
                                                 "custom-call(",
                                                 "all-reduce-start(",
                                                 "all-reduce-done(",
                                                 "async-start(",
                                                 "async-update(",
                                                 "async-done(",
                                                 "send(",
                                                 "recv(",
                                                 "send-done(",
                                                 "recv-done(",
                                                 "copy-start(",
                                                 "copy-done(",
                                                 "get-tuple-element(",
                                                 "index=",
                                                 "dynamic-update-slice(",
                                                 "collective-permute(",
                                                 "all-gather(",
                                                 "reduce-scatter(",
                                                 "all-to-all(",
                                                 "constant(",
                                                 "broadcast(",
                                                 "iota()",
                                                 "reduce(",
                                                 "to_apply=",
                                                 "calls=",
                                                 "condition=",
                                                 "body=",
                                                 "branch_computations={",
                                                 "replica_groups={",
                                                 "replica_groups=[2,4]<=[8]",
                                                 "channel_id=",
                                                 "source_target_pairs={{0,1}}",
                                                 "metadata={",
                                                 "backend_config={",
                                                 "sharding={",
                                                 "is_scheduled=true",
                                                 "input_output_alias={ {}: (0, {}, may-alias) }",
                                                 "output_to_operand_aliasing={{}: (0, {})}",
                                                 "frontend_attributes={",
                                                 "control-predecessors={",
                                                 "custom_call_target=\"",
                                                 "known_trip_count",
                                                 "{1,0:T(8,128)(2,1)S(1)}",
                                                 "f32[",
                                                 "bf16[",
                                                 "pred[]",
                                                 "u8[<=4]",
                                                 "token[]",
                                                 "s4[",
                                                 "(f32[], ",
                                                 "allocation ",
                                                 ": size ",
                                                 " value: <",
                                                 "offset=",
                                                 "Used values:",
                                                 "HloLiveRange (max ",
                                                 "InstructionSequence:",
                                                 "BufferLiveRange:",
                                                 "Live ranges at ",
                                                 "preallocated-temp",
                                                 "maybe-live-out",
                                                 "/*index=5*/",
                                                 "\xEF\xBB\xBF"};

std::string another_number(std::string_view text, part old, const std::vector<part>& all, dice& random) {
  std::int64_t value = 0;
  const std::string_view digits = slice(text, old);
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  switch (random.below(6)) {
    case 0: return std::to_string(value < most ? value + 1 : value);
    case 1: return std::to_string(value - 1);
    case 2: return std::to_string(value <= most / 2 ? value * 2 : value);
    case 3: return std::string(slice(text, one_of(all, random)));
    default: return std::string(numbers[random.below(numbers.size())]);
  }
}

void change_number(std::string& text, dice& random) {
  const std::vector<part> all = parts(text, part_kind::number, window_in(text, random));
  if (all.empty()) return;
  const part old = one_of(all, random);
  replace(text, old, another_number(text, old, all, random));
}

void change_name(std::string& text, std::string_view other, dice& random) {
  const std::vector<part> all = parts(text, part_kind::name, window_in(text, random));
  if (all.empty()) return;
  const part old = one_of(all, random);
  std::string by(slice(text, one_of(all, random)));
  if (random.one_in(4)) by = words[random.below(words.size())];
  if (!other.empty() && random.one_in(4)) {
    const std::vector<part> theirs = parts(other, part_kind::name, window_in(other, random));
    if (!theirs.empty()) by = slice(other, one_of(theirs, random));
  }
  replace(text, old, by);
}

void change_group(std::string& text, dice& random) {
  const std::vector<part> all = parts(text, part_kind::opening, window_in(text, random));
  if (all.empty()) return;
  const part group = group_at(text, one_of(all, random).begin);
  const std::string old(slice(text, group));
  switch (random.below(8)) {
    case 0: return replace(text, group, {});
    case 1: return replace(text, {group.begin, group.begin + 1}, {});  // opened no more
    case 2: return replace(text, {group.end - 1, group.end}, {});      // not closed
    case 3: return replace(text, group, old + old);
    case 4: return replace(text, group, old + "," + old);
    case 5: return replace(text, group, old.substr(0, 1) + old.substr(old.size() - 1));  // nothing in it
    case 6: {
      const std::string by(slice(text, group_at(text, one_of(all, random).begin)));
      return replace(text, group, by);
    }
    default: {
      const std::size_t depth = std::size_t{1} << random.below(12);
      std::string nest(depth, old.front());
      nest += old;
      nest.append(depth, old.back());
      return replace(text, group, nest);
    }
  }
}

void change_line(std::string& text, std::string_view other, dice& random) {
  const std::vector<part> all = parts(text, part_kind::line, window_in(text, random));
  if (all.empty()) return;
  const part a = one_of(all, random), b = one_of(all, random);
  const std::string line_a(slice(text, a)), line_b(slice(text, b));
  switch (random.below(7)) {
    case 0: return replace(text, a, {});
    case 1: return replace(text, a, line_a + line_a);
    case 2: return replace(text, a, line_b + line_a);
    case 3: return replace(text, {a.begin + random.below(line_a.size()), a.end}, "\n");  // cut
    case 4:
      if (a.begin < b.begin)
        replace(text, b, line_a), replace(text, a, line_b);
      else if (b.begin < a.begin)
        replace(text, a, line_b), replace(text, b, line_a);
      return;
    case 5: {
      if (other.empty()) return;
      const std::vector<part> theirs = parts(other, part_kind::line, window_in(other, random));
      if (!theirs.empty()) text.insert(a.begin, slice(other, one_of(theirs, random)));
      return;
    }
    default: {  // many times
      std::string many;
      for (std::size_t n = std::size_t{2} << random.below(7); n > 0; --n) many += line_a;
      return replace(text, a, many);
    }
  }
}

constexpr std::array<std::string_view, 20> opcodes{"copy",
                                                   "bitcast",
                                                   "convert",
                                                   "tuple",
                                                   "get-tuple-element",
                                                   "fusion",
                                                   "call",
                                                   "while",
                                                   "conditional",
                                                   "custom-call",
                                                   "slice",
                                                   "dynamic-update-slice",
                                                   "copy-start",
                                                   "copy-done",
                                                   "async-start",
                                                   "async-done",
                                                   "all-gather",
                                                   "all-gather-done",
                                                   "all-reduce-start",
                                                   "all-reduce-done"};

// An instruction that can be read, and makes no sense: a program that nothing else makes.
void change_instruction(std::string& text, dice& random) {
  const std::vector<part> all = parts(text, part_kind::line, window_in(text, random));
  if (all.empty()) return;
  const part line = one_of(all, random);
  const std::size_t opening = slice(text, line).find("(%");
  if (opening == std::string_view::npos) return;
  const part operands = group_at(text, line.begin + opening);
  if (operands.end > line.end) return;
  switch (random.below(3)) {
    case 0: return replace(text, operands, "()");
    case 1: {  // an operand that is not there
      const std::vector<part> names = parts(text, part_kind::name, operands);
      if (!names.empty()) text.insert(one_of(names, random).end, "_gone");
      return;
    }
    default: {
      std::size_t begin = operands.begin;
      while (begin > line.begin && is_name(text[begin - 1])) --begin;
      return replace(text, {begin, operands.begin}, opcodes[random.below(opcodes.size())]);
    }
  }
}

void change_bytes(std::string& text, dice& random) {
  const std::size_t at = random.below(text.size());
  switch (random.below(5)) {
    case 0: text[at] = static_cast<char>(random.below(256)); return;
    case 1: text.erase(at, 1 + random.below(8)); return;
    case 2: text.insert(at, 1, static_cast<char>(random.below(256))); return;
    case 3: text.insert(at, words[random.below(words.size())]); return;
    default: text.insert(at, 1, "{}()[]<>,:=\"%/*\n "[random.below(17)]); return;
  }
}

}  // namespace

std::string mutate(std::string text, std::string_view other, std::size_t most, dice& random) {
  if (random.one_in(3)) {
    for (std::size_t n = 1 + random.below(40); n > 0; --n) change_instruction(text, random);
    return text.substr(0, most);
  }
  for (std::size_t n = 1 + random.below(4); n > 0; --n) {
    if (text.empty()) text = std::string(words[random.below(words.size())]);
    const std::size_t way = random.below(20);
    if (way < 6)
      change_number(text, random);
    else if (way < 10)
      change_name(text, other, random);
    else if (way < 13)
      change_group(text, random);
    else if (way < 17)
      change_line(text, other, random);
    else if (way < 19)
      change_bytes(text, random);
    else
      text.resize(random.below(text.size()));  // cut off
    if (text.size() > most) text.resize(most);
  }
  return text;
}

}  // namespace hlolint::fuzz
