#include "writing.hpp"

#include "places.hpp"
#include "words.hpp"

#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/grammar/x3/names.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/print/print.hpp>
#include <hlolint/text/characters.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace hlolint::command::server::lsp {

namespace {

constexpr int item_function = 3, item_variable = 6, item_property = 10, item_keyword = 14, item_word = 20,
              item_type = 25;
constexpr std::size_t most_items = 1000;

// What stands before the cursor on its line, as far as it decides what may follow. The line need not be HLO yet.
struct line_before {
  std::string_view word;  // that is being written, without %
  std::string_view key;   // of the attribute whose value is being written
  hlo_opcode opcode = hlo_opcode::unknown;
  bool after_equals = false, in_operands = false, after_operands = false;
  char inside = '\0';  // the innermost bracket that is open
};

line_before read_before(std::string_view line) {
  line_before out;
  std::size_t begin = line.size();
  while (begin > 0 && is_name_character(line[begin - 1])) --begin;
  out.word = line.substr(begin);
  const std::string_view before = line.substr(0, begin);
  const std::size_t equals = before.find(" = ");
  if (equals == std::string_view::npos) return out;
  out.after_equals = true;
  std::string brackets;  // that are open
  std::size_t word_begin = equals + 3;
  for (std::size_t i = equals + 3; i < before.size(); ++i) {
    const char c = before[i];
    if (c == ' ' && brackets.empty()) word_begin = i + 1;
    if (c == '(') {
      // The operands are the first parentheses after a word that is an opcode.
      if (brackets.empty() && !out.after_operands && !out.in_operands)
        if (const hlo_opcode found = find_hlo_opcode(before.substr(word_begin, i - word_begin));
            found != hlo_opcode::unknown)
          out.opcode = found, out.in_operands = true;
    }
    if (c == '(' || c == '{' || c == '[') brackets += c;
    if ((c == ')' || c == '}' || c == ']') && !brackets.empty()) brackets.pop_back();
    if (c == ')' && brackets.empty() && out.in_operands) out.in_operands = false, out.after_operands = true;
  }
  if (!brackets.empty()) out.inside = brackets.back();
  // `calls=%`, `branch_computations={%a, %`
  std::string_view value = before;
  while (!value.empty() && (value.back() == '%' || value.back() == '{')) value.remove_suffix(1);
  if (const std::size_t open = before.rfind("={");
      open != std::string_view::npos && before.find('}', open) == std::string_view::npos)
    value = before.substr(0, open + 1);
  if (out.after_operands && value.ends_with('=')) {
    value.remove_suffix(1);
    const std::size_t comma = value.find_last_of(", ");
    out.key = value.substr(comma == std::string_view::npos ? 0 : comma + 1);
  }
  return out;
}

class completion_list {
 public:
  completion_list(const position_map& in, span replaced, std::string_view word)
      : in_(in), replaced_(replaced), word_(word) {}
  void add(std::string_view label, int kind, std::string detail, const char* sort = "") {
    if (items_.size() >= most_items) {
      incomplete_ = true;
      return;
    }
    if (!label.starts_with(word_) || !seen_.emplace(label).second) return;
    output item{{"label", label}, {"kind", kind}, {"textEdit", {{"range", in_.json(replaced_)}, {"newText", label}}}};
    if (!detail.empty()) item["detail"] = std::move(detail);
    if (*sort) item["sortText"] = sort + std::string(label);
    items_.push_back(std::move(item));
  }
  output take() { return {{"isIncomplete", incomplete_}, {"items", std::move(items_)}}; }

 private:
  const position_map& in_;
  span replaced_;
  std::string_view word_;
  std::set<std::string, std::less<>> seen_;
  output items_ = output::array();
  bool incomplete_ = false;
};

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name.front()) && word_at(name, 0).end == name.size() &&
         name.find('/') == std::string_view::npos;
}

// The modules in another form; what stands around them stays.
output edits_for_form(const document& what, const std::string& form) {
  output out = output::array();
  for (const hlo_module& m : what.parsed().modules()) {
    if (m.text().text().size() != what.text().size()) continue;  // in a string
    std::string text = print(m, form == "short" ? short_form : long_form);
    while (text.ends_with('\n')) text.pop_back();
    span whole = m.data().extent;
    whole.end = whole.begin + static_cast<std::uint32_t>(whole.of(what.text()).find_last_not_of(" \t\r\n") + 1);
    out.push_back({{"range", what.positions().json(whole)}, {"newText", std::move(text)}});
  }
  return out;
}

}  // namespace

output completion(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  if (in.is_settings()) return nullptr;
  const std::size_t offset = of.offset_of(in, asked.params);
  const std::size_t line_begin = offset == 0 ? 0 : in.text().rfind('\n', offset - 1) + 1;
  const line_before before = read_before(in.text().substr(line_begin, offset - line_begin));
  const auto end = static_cast<std::uint32_t>(offset);
  completion_list list(in.positions(), {end - static_cast<std::uint32_t>(before.word.size()), end}, before.word);
  const auto add_computations = [&] {
    for (const hlo_module& m : in.modules())
      for (const hlo_computation c : m.computations())
        if (!c.is_synthesized() && !c.is_entry())
          list.add(c.name(), item_function, std::to_string(c.instruction_count()) + " instructions");
  };
  const auto add_operands = [&] {
    if (const hlo_computation c = in.computation_at(line_begin))
      for (const hlo_instruction i : c.instructions())
        if (!i.is_synthesized() && i.where().at.begin < line_begin)
          list.add(i.name(), item_variable, std::string(i.opcode_text()));
  };
  const attribute_key key = find_attribute_key(before.key);
  const bool in_layout = !before.after_operands && (before.inside == '{' || before.inside == '[');
  if (in_layout) return list.take();  // or in sizes: numbers
  if (!before.key.empty() && holds_names(key)) {
    key == attribute_key::control_predecessors ? add_operands() : add_computations();
  } else if (!before.key.empty()) {
    for (const value_word& each : words_of(key)) list.add(each.word, item_word, std::string(each.sentence));
  } else if (before.in_operands) {
    add_operands();
  } else if (before.after_operands && before.key.empty()) {
    for (std::size_t k = 0; k < attribute_key_names.size() - 1; ++k) {
      const auto one = static_cast<attribute_key>(k);
      if (!grammar::form_of(before.opcode, one)) continue;
      const auto required = grammar::required_attributes(before.opcode);
      const bool is_required = std::find(required.begin(), required.end(), one) != required.end();
      list.add(attribute_key_names[k], item_property, std::string(sentence_of(one)), is_required ? "0" : "1");
    }
  } else if (before.after_equals && !before.after_operands) {
    for (std::size_t k = 0; k < hlo_opcode_names.size() - 1 && before.inside == '\0'; ++k)
      list.add(hlo_opcode_names[k], item_keyword, std::string(sentence_of(static_cast<hlo_opcode>(k))), "0");
    for (const std::string_view type : element_type_names)
      if (type != "unknown") list.add(type, item_type, {}, "1");
  }
  return list.take();
}

output prepare_rename(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  const place at = place_at(in, of.offset_of(in, asked.params));
  const meaning means = meaning_of(in, at);
  if (!means || (means.instruction && means.instruction.is_synthesized()) ||
      (means.computation && means.computation.is_synthesized()))
    return nullptr;
  return {{"range", in.positions().json(at.word)}, {"placeholder", at.word.of(in.text())}};
}

output rename(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  const std::string name = text_member(asked.params, "newName");
  const auto refuse = [](const std::string& why) { return request_failure{error_code::request_failed, why}; };
  if (in.is_settings()) throw refuse("there is no name of HLO here");
  const meaning means = meaning_of(in, place_at(in, of.offset_of(in, asked.params)));
  if (!means) throw refuse("there is no name here");
  if (!is_name(name)) throw refuse("'" + name + "' is no name: letters, digits, _, . and -, not first a digit");
  if (means.instruction && means.instruction.name() != name && means.instruction.computation().find(name))
    throw refuse("there is an instruction " + name + " already");
  if (means.computation && means.computation.name() != name)
    for (const hlo_module& m : in.modules())
      if (&m.data() == &means.computation.data() && m.find_computation(name))
        throw refuse("there is a computation " + name + " already");
  std::vector<span> places = uses_of(in, means);
  places.push_back(definition_of(means));
  const auto has_percent = [&](span at) { return at.begin > 0 && in.text()[at.begin - 1] == '%'; };
  if (grammar::is_reserved(name) && !std::all_of(places.begin(), places.end(), has_percent))
    throw refuse("'" + name + "' is a word of HLO: it is a name only after a percent sign");
  if (const span at = name_in_signature(means); at.end > at.begin) places.push_back(at);
  output edits = output::array();
  for (const span at : places) edits.push_back({{"range", in.positions().json(at)}, {"newText", name}});
  return edit_of(of, in.uri(), std::move(edits), in.version());
}

output edit_of(const session& of, const std::string& uri, output edits, output version) {
  if (!of.can.changes_documents) return {{"changes", {{uri, std::move(edits)}}}};
  output document{{"uri", uri}, {"version", std::move(version)}};
  return {{"documentChanges", output::array({{{"textDocument", std::move(document)}, {"edits", std::move(edits)}}})}};
}

void add_form_actions(const session& of, const document& what, output& to) {
  // Without a resolver each answer would hold the whole text.
  constexpr std::size_t most_text = std::size_t{1} << 20;
  if (!of.can.resolves_edits && what.text().size() > most_text) return;
  if (what.modules().empty() || what.parsed().status != parse_status::ok) return;
  const bool is_long = form_of(what.modules().front()).percent;
  const std::string form = is_long ? "short" : "long";
  output action{{"title", "Write this module in the " + form + " form"},
                {"kind", "refactor.rewrite"},
                {"data", {{"uri", what.uri()}, {"form", form}}}};
  if (!of.can.resolves_edits) action["edit"] = edit_for_form(of, what.uri(), form);
  to.push_back(std::move(action));
}

output edit_for_form(const session& of, const std::string& uri, const std::string& form) {
  const document& what = of.open_document(uri);
  return edit_of(of, uri, edits_for_form(what, form), what.version());
}

}  // namespace hlolint::command::server::lsp
