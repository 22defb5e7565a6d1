#include "places.hpp"

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/text/characters.hpp>

#include <algorithm>
#include <numeric>

namespace hlolint::command::server::lsp {

namespace {

bool is_word_character(char c) { return is_name_character(c) || c == '/'; }

bool has(span of, std::size_t offset) { return of.begin <= offset && offset <= of.end && of.end > of.begin; }

const instruction_record& record_of(hlo_instruction i) { return i.data().instructions[i.id()]; }

const attribute_record& attribute_of(hlo_instruction i, id n) {
  return i.data().attribute_pool[record_of(i).attributes.first + n];
}

// Whether one of the attributes is around an offset; it goes to `out`.
bool take_attribute(const module_data& in, id_range of, std::size_t offset, place& out) {
  for (id n = of.first; n < of.first + of.count; ++n) {
    const attribute_record& attribute = in.attribute_pool[n];
    const bool in_key = has(attribute.name, offset);
    if (!in_key && !has(attribute.value, offset)) continue;
    out.key = attribute.key, out.is = in_key ? part::key : part::value;
    return true;
  }
  return false;
}

// One past the operands: the first attribute, or the end of the text.
std::uint32_t end_of_operands(hlo_instruction i) {
  return i.attribute_count() > 0 ? attribute_of(i, 0).name.begin : record_of(i).text.end;
}

// The places of a name in a text, as a whole word.
void find_word(std::string_view text, std::string_view name, span in, std::vector<span>& out) {
  if (name.empty()) return;
  const std::string_view searched = text.substr(0, in.end);  // the next place of the name may be megabytes away
  for (std::size_t at = searched.find(name, in.begin); at != std::string_view::npos; at = searched.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_word_character(text[at - 1])) || (end < text.size() && is_word_character(text[end]))) continue;
    out.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
  }
}

// Whether it stands for the `#1` of a name.
bool is_short_element(hlo_instruction of) {
  return of && of.is_synthesized() && of.opcode() == hlo_opcode::get_tuple_element && of.operand_count() == 1;
}

}  // namespace

span word_at(std::string_view text, std::size_t offset) {
  std::size_t begin = std::min(offset, text.size()), end = begin;
  while (begin > 0 && is_word_character(text[begin - 1])) --begin;
  if (begin == end && end < text.size() && text[end] == '%') begin = ++end;
  while (end < text.size() && is_word_character(text[end])) ++end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

place place_at(const document& in, std::size_t offset) {
  place out;
  out.word = word_at(in.text(), offset);
  out.instruction = in.instruction_at(offset);
  out.computation = in.computation_at(offset);
  if (!out.instruction) {
    if (out.computation && has(out.computation.record().name, offset)) out.is = part::computation;
    if (!out.computation)
      for (const hlo_module& m : in.modules())
        if (take_attribute(m.data(), m.data().attributes, offset, out)) break;  // of its header
    return out;
  }
  const instruction_record& record = record_of(out.instruction);
  if (has(record.name, offset) || (out.word.end > out.word.begin && out.word.end == record.name.end)) {
    out.is = part::name;
    return out;
  }
  if (take_attribute(out.instruction.data(), record.attributes, offset, out)) return out;
  const span opcode{record.opcode_at,
                    record.opcode_at + static_cast<std::uint32_t>(out.instruction.opcode_text().size())};
  if (has(opcode, offset)) {
    out.is = part::opcode;
  } else if (record.name.end < offset && offset < record.opcode_at) {
    out.is = part::shape;
  } else if (record.opcode_at < offset && offset < end_of_operands(out.instruction)) {
    out.is = part::operand;
    while (out.operand + 1 < out.instruction.operand_count() &&
           out.instruction.operand_location(out.operand + 1).at.begin <= offset)
      ++out.operand;
  }
  return out;
}

meaning meaning_of(const document& in, const place& at) {
  const std::string_view word = at.word.of(in.text());
  if (word.empty()) return {};
  if (at.is == part::name) return {at.instruction, {}};
  if (at.is == part::computation) return {{}, at.computation};
  if (at.is == part::shape || at.is == part::opcode || at.is == part::key) return {};
  meaning out;
  for (const hlo_module& m : in.modules()) {
    if (at.computation && &at.computation.data() != &m.data()) continue;
    if (at.is == part::value && holds_names(at.key)) out.computation = m.find_computation(word);
    if (out) return out;
    if (at.computation) out.instruction = at.computation.find(word);
    if (!out && at.is == part::other) out.computation = m.find_computation(word);
    if (out) return out;
  }
  return out;
}

span definition_of(const meaning& what) {
  return what.instruction ? what.instruction.where().at : what.computation ? what.computation.where().at : span{};
}

span name_in_signature(const meaning& what) {
  const hlo_instruction i = what.instruction;
  if (!i || i.opcode() != hlo_opcode::parameter) return {};
  const span signature = i.computation().record().signature;
  const std::string_view text = i.data().text.text();
  std::vector<span> found;
  if (signature.end <= text.size()) find_word(text, i.name(), signature, found);
  // Only names stand before a colon.
  for (const span at : found)
    if (at.end < signature.end && text[at.end] == ':') return at;
  return {};
}

hlo_instruction named_operand(hlo_instruction i, std::size_t operand) {
  hlo_instruction of = i.operand(operand);
  while (is_short_element(of)) of = of.operand(0);
  return of;
}

std::string element_index(hlo_instruction i, std::size_t operand) {
  std::string out;
  for (hlo_instruction of = i.operand(operand); is_short_element(of); of = of.operand(0))
    out.insert(0, std::string(of.attribute(attribute_key::index).value_or("")) + (out.empty() ? "" : ","));
  return out;
}

span operand_name(hlo_instruction i, std::size_t operand) {
  const hlo_instruction of = named_operand(i, operand);
  if (!of || of.is_synthesized()) return {};
  const std::uint32_t begin = i.operand_location(operand).at.begin;
  const std::uint32_t end =
      operand + 1 < i.operand_count() ? i.operand_location(operand + 1).at.begin : end_of_operands(i);
  std::vector<span> found;
  // The shape before the name may hold words, too.
  find_word(i.data().text.text(), of.name(), {begin, std::max(begin, end)}, found);
  return found.empty() ? span{} : found.back();
}

std::vector<span> uses_of(const document& in, const meaning& what) {
  std::vector<span> out;
  const std::string_view name = what.instruction   ? what.instruction.name()
                                : what.computation ? what.computation.name()
                                                   : "";
  for (const hlo_module& m : in.modules()) {
    if (&m.data() != (what.instruction   ? &what.instruction.data()
                      : what.computation ? &what.computation.data()
                                         : nullptr))
      continue;
    for (const hlo_instruction i : m.instructions()) {
      if (i.is_synthesized() || (what.instruction && i.computation() != what.instruction.computation())) continue;
      if (what.instruction)
        for (std::size_t k = 0; k < i.operand_count(); ++k)
          if (named_operand(i, k) == what.instruction)
            if (const span at = operand_name(i, k); at.end > at.begin) out.push_back(at);
      for (id n = 0; n < i.attribute_count(); ++n) {
        const attribute_record& attribute = attribute_of(i, n);
        const bool of_instructions = attribute.key == attribute_key::control_predecessors;
        if (holds_names(attribute.key) && of_instructions == static_cast<bool>(what.instruction))
          find_word(m.text().text(), name, attribute.value, out);
      }
    }
  }
  std::sort(out.begin(), out.end(), [](span a, span b) { return a.begin < b.begin; });
  return out;
}

namespace {

// The same for parameter k of the nth computation that an instruction calls.
std::vector<std::size_t> operands_for(hlo_instruction caller, std::size_t nth, std::size_t k) {
  const std::size_t count = caller.operand_count();
  switch (caller.opcode()) {
    using enum hlo_opcode;
    case conditional: return {nth + 1};  // the first operand chooses
    case sort: return {k / 2};           // two elements of each
    case reduce:
    case reduce_window: {  // operands, then initial values; parameters the other way round
      const std::size_t half = count / 2;
      return {k < half ? k + half : k - half};
    }
    case scatter: {  // arrays, then where, then updates
      const std::size_t arrays = count / 2;
      return {k < arrays ? k : k + 1};
    }
    case select_and_scatter: {  // an array, its source and an initial value
      constexpr std::size_t array = 0, source = 1, initial = 2;
      return {nth == 0 ? array : k == 0 ? initial : source};
    }
    case all_reduce:
    case all_reduce_start:
    case reduce_scatter: {  // adds up each operand
      std::vector<std::size_t> all(count);
      std::iota(all.begin(), all.end(), std::size_t{0});
      return all;
    }
    default: return {k};
  }
}

}  // namespace

std::vector<std::size_t> operands_for(hlo_instruction caller, hlo_instruction parameter) {
  std::vector<std::size_t> out;
  const auto k = parameter_position(parameter);
  for (std::size_t nth = 0; k && nth < caller.called_computation_count(); ++nth)
    if (caller.called_computation(nth) == parameter.computation())
      for (const std::size_t operand : operands_for(caller, nth, *k))
        if (operand < caller.operand_count() && std::find(out.begin(), out.end(), operand) == out.end())
          out.push_back(operand);
  return out;
}

}  // namespace hlolint::command::server::lsp
