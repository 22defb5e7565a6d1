#include "hover.hpp"

#include "../../heap.hpp"
#include "../../settings/device_choice.hpp"
#include "facts.hpp"
#include "places.hpp"
#include "virtual_text.hpp"
#include "words.hpp"

#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/report/show/thing_lookup.hpp>
#include <hlolint/tool/report/show/thing_text.hpp>

#include <sstream>
#include <string>

namespace hlolint::command::server::lsp {

namespace {

// Lists in a hover are short: `hlolint show` has all.
report::show_options options_of_hover(const session& of) {
  report::show_options out;
  out.depth = 1, out.top = 5, out.only_known = of.is_in_check;
  return out;
}

// The type of a tuple may take thousands of letters.
std::string shortened(std::string shape) {
  constexpr std::size_t most = 120;
  if (shape.size() > most) shape.replace(most, std::string::npos, "...");
  return shape;
}

std::string facts_text(const session& of, const document& in, const context& module, const report::named_thing& thing) {
  const report::show_options options = options_of_hover(of);
  const auto known = of.findings.find(in.uri());
  static const std::vector<diagnostic> none;
  report::thing_facts facts = report::facts_of(module, thing, device_for(module, device_choice{}), options,
                                               known == of.findings.end() ? none : known->second.diagnostics);
  facts.text.clear();                                    // it stands there
  if (is_part_of_dump(in.uri())) facts.no_cost.clear();  // its program has a time
  if (facts.body.size() > options.top)
    facts.more_body += facts.body.size() - options.top, facts.body.resize(options.top);
  // The name of a value is followed by its type, which is the headline's, and the words by a reason.
  for (report::value_facts& value : facts.values) value.shape = shortened(std::move(value.shape));
  facts.memory_words.resize(std::min(facts.memory_words.size(), facts.memory_words.find(':')));
  std::ostringstream text;
  report::write_thing(text, facts, options);
  std::string out = text.str();
  // The first line only shows where it is.
  out.erase(0, std::min(out.size(), out.find('\n') + 1));
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

class hover_text {
 public:
  explicit hover_text(bool markdown) : markdown_(markdown) {}
  void title(const std::string& text) { paragraph(markdown_ ? "**" + text + "**" : text); }
  void paragraph(const std::string& text) {
    if (!text.empty()) out_ += (out_.empty() ? "" : "\n\n") + text;
  }
  void block(const std::string& text) {
    if (!text.empty()) paragraph(markdown_ ? "```text\n" + text + "\n```" : text);
  }
  output result(const position_map& in, span word) const {
    if (out_.empty()) return nullptr;
    output hover{{"contents", {{"kind", markdown_ ? "markdown" : "plaintext"}, {"value", out_}}}};
    if (word.end > word.begin) hover["range"] = in.json(word);
    return hover;
  }

 private:
  bool markdown_;
  std::string out_;
};

std::string short_shape(hlo_instruction i) { return i.shape() ? shortened(to_string(*i.shape())) : std::string(); }

void add_instruction(session& of, const document& in, const call& asked, hlo_instruction i, hover_text& to) {
  to.title(std::string(i.name()) + ": " + std::string(i.opcode_text()) + " " + short_shape(i));
  to.paragraph(std::string(sentence_of(i.opcode())));
  asked.stop_if_cancelled();
  const context* const module = in.context_of(i);
  if (i.shape()) to.block(shape_words(*i.shape(), module ? module->target() : target::unknown));
  if (module) to.block(facts_text(of, in, *module, {report::thing_kind::instruction, std::string(i.name()), i.id()}));
}

void add_element(const document& in, hlo_instruction of, const std::string& index, hover_text& to) {
  if (index.empty() || !of.shape()) return;
  const context* const module = in.context_of(of);
  to.title("element {" + index + "}: " + short_shape(of));
  to.block(shape_words(*of.shape(), module ? module->target() : target::unknown));
}

// A name of a dump of buffers, of which there may be no HLO here.
void add_named(session& of, const document& in, std::string_view word, hover_text& to) {
  for (const auto& module : in.contexts()) {
    const std::vector<report::named_thing> found = report::find_things(*module, word);
    if (found.size() != 1 || !found.front().exact) continue;
    to.title(std::string(report::name_of(found.front().kind)) + " " + found.front().name);
    to.block(facts_text(of, in, *module, found.front()));
    return;
  }
}

}  // namespace

void prepare_hover(const session& of, const document& in) {
  for (const auto& module : in.contexts()) {
    const hlo_instruction i =
        module->hlo() && module->hlo()->entry() ? module->hlo()->entry().root() : hlo_instruction();
    if (i) facts_text(of, in, *module, {report::thing_kind::instruction, std::string(i.name()), i.id()});
  }
  if (in.is_large()) return_freed_memory();
}

output hover(session& of, const call& asked) {
  document& in = of.document_of(asked.params);
  need_contexts(of, in, asked);
  const std::size_t offset = of.offset_of(in, asked.params);
  const place at = place_at(in, offset);
  const std::string_view word = at.word.of(in.text());
  hover_text text(of.can.takes_markdown);
  const hlo_instruction i = at.instruction;
  const context* const module = i ? in.context_of(i) : nullptr;
  const meaning means = meaning_of(in, at);
  if (means.instruction) {
    if (at.is == part::operand && i) add_element(in, i.operand(at.operand), element_index(i, at.operand), text);
    add_instruction(of, in, asked, means.instruction, text);
  } else if (means.computation) {
    text.title("computation " + std::string(means.computation.name()));
    if (const context* const m = in.context_of(means.computation.data()))
      text.block(
          facts_text(of, in, *m,
                     {report::thing_kind::computation, std::string(means.computation.name()), means.computation.id()}));
  } else if (at.is == part::opcode) {
    text.title(std::string(i.opcode_text()));
    text.paragraph(std::string(sentence_of(i.opcode())));
  } else if (at.is == part::shape && i.shape()) {
    text.title(short_shape(i));
    text.block(shape_words(*i.shape(), module ? module->target() : target::unknown));
  } else if (at.is == part::key || at.is == part::value) {
    text.title(at.key == attribute_key::unknown ? std::string(word) : std::string(hlolint::name_of(at.key)));
    text.paragraph(std::string(sentence_of(at.key)));
    for (const hlo_module& m : in.modules())
      if (i && &m.data() == &i.data()) text.block(value_words(i, at.key, m));
    if (i && at.key == attribute_key::metadata) {
      const program_place from = program_place_of(i);
      text.block(file_and_line(from.at.file, from.at.line) + (from.op_name.empty() ? "" : "\n" + from.op_name));
    }
  } else if (at.is == part::operand && i && at.operand < i.operand_count() && i.operand_shape(at.operand)) {
    text.block(shape_words(*i.operand_shape(at.operand), module ? module->target() : target::unknown));
  } else if (!i && !word.empty()) {
    add_named(of, in, word, text);
  }
  return text.result(in.positions(), at.word);
}

}  // namespace hlolint::command::server::lsp
