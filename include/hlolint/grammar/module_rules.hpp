// What can be said of a module once all of it is read: names of computations, the entry, aliases, a missing end
// (hlo_text.md 2, 3, 12).
#pragma once

#include <hlolint/grammar/alias.hpp>
#include <hlolint/grammar/module_builder.hpp>
#include <hlolint/text/say.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

/// The result shape in a signature must fit the root's.
template <class Builder>
void check_signature(Builder& b, id computation, id declared) {
  const computation_record& c = b.data->computations[computation];
  if (declared == none || c.root == none || !c.complete) return;
  const instruction_record& root = b.data->instructions[c.root];
  if (root.shape == none || root.shape == declared) return;
  if (!compatible(*b.shape_of(declared), *b.shape_of(root)))
    b.broke(b.written(c.signature), "the result shape of the signature differs from that of the root", b.name_of(root), "the root");
}

/// A template, like all that few instructions need, so that it is compiled where something is parsed.
template <class Builder>
class module_rules {
 public:
  module_rules(Builder& b, bool cut) : b_(b), d_(*b.data), cut_(cut) {}

  void check() {
    resolve_calls();
    find_entry();
    if (!cut_) check_whole();
    check_cycles();
    if (!b_.broken.empty()) b_.report_broken({});
  }

 private:
  /// Computations may stand after the instructions that call them: XLA itself prints some modules so.
  void resolve_calls() {
    std::vector<std::string_view> missing;
    for (const auto& [slot, name] : b_.unresolved_calls()) {
      const id found = b_.computation_names.find(name);
      d_.called[slot] = found;
      if (found != none || b_.lost_computations || std::find(missing.begin(), missing.end(), name) != missing.end()) continue;
      b_.broke(name, say({"there is no computation '", name, "' in this module"}), {}, {});
      missing.push_back(name);
    }
  }

  void find_entry() {
    for (id i = 0; i != d_.computations.size(); ++i) {
      const computation_record& c = d_.computations[i];
      if (!c.entry) continue;
      if (d_.entry != none) b_.broke(b_.written(c.name), "a module has one ENTRY", b_.written(d_.computations[d_.entry].name), "the other ENTRY");
      else d_.entry = i;
    }
    marked_ = d_.entry != none;
    if (!marked_ && !cut_) {
      for (id i = static_cast<id>(d_.computations.size()); i-- != 0 && d_.entry == none;)
        if (d_.computations[i].origin == node_origin::written) d_.entry = i;
    }
    if (!d_.has_header && d_.entry != none) {
      const computation_record& c = d_.computations[d_.entry];
      d_.implied_name = say({"module_", d_.name_of(c.name, c.anonymous ? node_origin::synthesized : c.origin)});
    }
  }

  const shape* entry_result() const {
    if (d_.entry == none || d_.computations[d_.entry].root == none) return nullptr;
    if (std::find(b_.rootless.begin(), b_.rootless.end(), d_.entry) != b_.rootless.end()) return nullptr;
    return b_.shape_of(d_.instructions[d_.computations[d_.entry].root]);
  }

  std::string_view header(attribute_key key) const {
    for (id i = d_.attributes.first; i != d_.attributes.first + d_.attributes.count; ++i)
      if (d_.attribute_pool[i].key == key) return d_.written(d_.attribute_pool[i].value);
    return {};
  }

  /// A file cut between two computations has no ENTRY, and what its header says does not fit the last computation.
  void check_whole() {
    const shape* const result = entry_result();
    const std::string_view layout_text = header(attribute_key::entry_computation_layout), alias_text = header(attribute_key::input_output_alias);
    const auto entry_layout = value_of<computation_layout>(computation_layout_, layout_text);
    if (d_.has_header && !marked_ && !b_.lost_computations && b_.rootless.empty() && entry_layout && (!result || !compatible(entry_layout->result, *result)))
      return report_cut();
    if (d_.has_header && d_.computations.empty() && !b_.lost_computations) return report_cut();
    if (alias_text.empty() || !result) return;
    const auto aliases = value_of<input_output_alias>(alias_, alias_text);
    if (!aliases) return;
    for (const auto& entry : aliases->entries) {
      if (result->at(entry.output)) continue;
      if (!marked_ && !b_.lost_computations) return report_cut();
      b_.broke(entry.text, say({"the entry's result has no element ", to_string(entry.output)}), {}, {});
    }
  }

  void report_cut() {
    const std::string_view whole = b_.text().text();
    const std::uint32_t end = d_.extent.end;
    b_.diagnostics.push_back(b_.about("SYN001", "syntax", whole.data() + (end ? end - 1 : 0),
                                      "the text is cut off: the ENTRY computation is missing"));
    b_.lost_computations = true;
    d_.entry = none;
  }

  /// A computation cannot call itself, not even through others; walked without recursion.
  void check_cycles() {
    enum : char { unseen, open, done };
    std::vector<char> state(d_.computations.size(), unseen);
    struct frame { id computation, instruction, call; };
    std::vector<frame> stack;
    for (id start = 0; start != d_.computations.size(); ++start) {
      if (state[start] != unseen) continue;
      stack.push_back({start, d_.computations[start].instructions.first, 0});
      state[start] = open;
      while (!stack.empty()) {
        frame& f = stack.back();
        const id_range range = d_.computations[f.computation].instructions;
        if (f.instruction == range.first + range.count) {
          state[f.computation] = done;
          stack.pop_back();
          continue;
        }
        const instruction_record& i = d_.instructions[f.instruction];
        if (f.call == i.calls.count) {
          ++f.instruction, f.call = 0;
          continue;
        }
        id& called = d_.called[i.calls.first + f.call++];
        if (called == none || state[called] == done) continue;
        if (state[called] == open) {
          b_.broke(b_.name_of(i).data() && i.origin == node_origin::written ? b_.name_of(i) : b_.written(i.text),
                   "a computation calls itself here", {}, {});
          called = none;  // nobody after this has to fear the cycle
          continue;
        }
        state[called] = open;
        stack.push_back({called, d_.computations[called].instructions.first, 0});
      }
    }
  }

  Builder& b_;
  module_data& d_;
  bool cut_;
  bool marked_ = false;
};

}  // namespace hlolint::grammar
