#include "tokens.hpp"

#include "places.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hlolint::command::server::lsp {

namespace {

enum type : std::uint8_t {
  type_namespace,
  type_function,
  type_parameter,
  type_variable,
  type_type,
  type_keyword,
  type_property,
  type_string,
  type_number
};
constexpr const char* type_names[] = {"namespace", "function", "parameter", "variable", "type",
                                      "keyword",   "property", "string",    "number"};
constexpr std::uint32_t declaration = 1;

constexpr std::size_t most_text = std::size_t{4} << 20;

struct token {
  span at;
  type is;
  std::uint32_t modifiers = 0;
};

type type_of(hlo_instruction i) { return i.opcode() == hlo_opcode::parameter ? type_parameter : type_variable; }

type type_of_value(std::string_view value) {
  return value.starts_with('"')                                                        ? type_string
         : !value.empty() && (value[0] == '-' || (value[0] >= '0' && value[0] <= '9')) ? type_number
                                                                                       : type_type;
}

// The shape stands between the equals sign and the opcode.
span shape_of(std::string_view text, const instruction_record& record) {
  const std::size_t equals = text.find('=', record.name.end);
  if (equals >= record.opcode_at) return {};
  std::size_t begin = equals + 1, end = record.opcode_at;
  while (begin < end && text[begin] == ' ') ++begin;
  while (end > begin && text[end - 1] == ' ') --end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

void add_tokens(const document& in, hlo_instruction i, std::vector<token>& out) {
  const module_data& data = i.data();
  const instruction_record& record = data.instructions[i.id()];
  out.push_back({record.name, type_of(i), declaration});
  if (i.shape()) out.push_back({shape_of(in.text(), record), type_type});
  out.push_back(
      {{record.opcode_at, record.opcode_at + static_cast<std::uint32_t>(i.opcode_text().size())}, type_keyword});
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (const hlo_instruction of = named_operand(i, k)) out.push_back({operand_name(i, k), type_of(of)});
  for (id n = 0; n < record.attributes.count; ++n) {
    const attribute_record& attribute = data.attribute_pool[record.attributes.first + n];
    out.push_back({attribute.name, type_property});
    const std::string_view value = attribute.value.of(in.text());
    if (attribute.key == attribute_key::control_predecessors || !holds_names(attribute.key)) {
      if (value.find('\n') == std::string_view::npos && !value.starts_with('{'))
        out.push_back({attribute.value, type_of_value(value)});
      continue;
    }
    for (std::size_t at = attribute.value.begin; at < attribute.value.end;) {
      const span word = word_at(in.text(), at);
      if (word.end > word.begin && word.begin >= at) out.push_back({word, type_function});
      at = std::max<std::size_t>(at + 1, word.end);
    }
  }
}

// The position of one offset after the other: looks at each byte between them once, so that long lines do no harm.
class moving_position {
 public:
  moving_position(const document& in, encoding of, std::size_t offset)
      : text_(in.text()), of_(of), at_(offset), now_(in.positions().at(offset)) {}
  const position& move_to(std::size_t offset) {
    std::string_view between = text_.substr(at_, offset - at_);
    if (const std::size_t end = between.rfind('\n'); end != std::string_view::npos) {
      now_.line += static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
      now_.column = 0;
      between.remove_prefix(end + 1);
    }
    now_.column += units(between, of_);
    at_ = offset;
    return now_;
  }

 private:
  std::string_view text_;
  encoding of_;
  std::size_t at_;
  position now_;
};

output encoded(const document& in, encoding of, std::vector<token> tokens) {
  std::erase_if(tokens, [](const token& t) { return t.at.end <= t.at.begin; });
  std::stable_sort(tokens.begin(), tokens.end(),
                   [](const token& a, const token& b) { return a.at.begin < b.at.begin; });
  std::vector<std::uint32_t> data;
  data.reserve(tokens.size() * 5);
  position before;
  std::uint32_t end = 0;
  moving_position place(in, of, tokens.empty() ? 0 : tokens.front().at.begin);
  for (const token& t : tokens) {
    if (t.at.begin < end) continue;                                         // they must not overlap
    if (t.at.of(in.text()).find('\n') != std::string_view::npos) continue;  // nor have several lines
    end = t.at.end;
    const position from = place.move_to(t.at.begin), to = place.move_to(t.at.end);
    const std::size_t lines = from.line - before.line;
    for (const std::size_t number :
         {lines, lines == 0 ? from.column - before.column : from.column, to.column - from.column,
          static_cast<std::size_t>(t.is), static_cast<std::size_t>(t.modifiers)})
      data.push_back(static_cast<std::uint32_t>(number));
    before = from;
  }
  return {{"data", std::move(data)}};
}

std::vector<token> tokens_in(const document& in, span wanted, const call& asked) {
  std::vector<token> out;
  for (const hlo_module& m : in.modules()) {
    if (m.data().has_header) out.push_back({m.data().name, type_namespace, declaration});
    for (const hlo_computation c : m.computations())
      if (!c.is_synthesized() && !c.is_anonymous()) out.push_back({c.record().name, type_function, declaration});
  }
  std::erase_if(out, [&](const token& t) { return t.at.end < wanted.begin || t.at.begin > wanted.end; });
  for (const hlo_instruction i : in.instructions_in(wanted)) {
    asked.stop_if_cancelled();
    add_tokens(in, i, out);
  }
  return out;
}

}  // namespace

output token_legend() { return {{"tokenTypes", type_names}, {"tokenModifiers", output::array({"declaration"})}}; }

output all_tokens(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  if (in.text().size() > most_text) return nullptr;
  return encoded(in, of.can.columns, tokens_in(in, {0, static_cast<std::uint32_t>(in.text().size())}, asked));
}

output tokens_in_range(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  const input& range = member(asked.params, "range");
  const auto begin = static_cast<std::uint32_t>(in.positions().offset(position_of(member(range, "start"))));
  const auto end = static_cast<std::uint32_t>(in.positions().offset(position_of(member(range, "end"))));
  std::vector<token> tokens = tokens_in(in, {begin, std::max(begin, end)}, asked);
  std::erase_if(tokens, [&](const token& t) { return t.at.end < begin || t.at.begin > end; });
  return encoded(in, of.can.columns, std::move(tokens));
}

}  // namespace hlolint::command::server::lsp
