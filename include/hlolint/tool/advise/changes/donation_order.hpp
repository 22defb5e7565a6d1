// What the compiler makes of a program whose caller donates arguments: copies that only saved them are gone, and what
// is written into an argument runs behind all that reads it (advise.md 12).
#pragma once

#include <hlolint/parse_hlo.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/advise/changes/changed_text.hpp>
#include <hlolint/tool/advise/changes/kept_copies.hpp>
#include <hlolint/tool/advise/changes/program_change.hpp>
#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/edited_text.hpp>
#include <hlolint/tool/advise/instruction_order.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::advise::detail {

// Makes the text that the compiler would make with donated arguments, but for the aliases themselves.
class donation_order {
 public:
  /// Precondition: the state is complete.
  donation_order(const edited_module& now, const std::vector<donated_argument>& given, const assignment_rules& rules)
      : now_(now), flow_(now.made->flow()), given_(given), rules_(rules) {}

  /// Nothing if an argument would still be copied (but on CPU), or if the text has an unknown form.
  std::optional<std::string> text() {
    for (const donated_argument& one : given_)
      if (!add(one)) return std::nullopt;
    if (moved_.empty() && copies_.empty() && kept_.empty()) return std::string(now_.module().text().text());
    std::optional<std::string> out = with_copies();
    // What waits for fewer or other copies runs at another time.
    const bool runs_again = is_cpu() && is_breadth_first(now_.module().entry());
    if (!kept_.empty() && !runs_again) is_ordered_ = false;
    if (!out || (moved_.empty() && !runs_again)) return out;
    parsed_file file = parse_hlo(source(std::move(*out)));
    if (file.status != parse_status::ok || now_.number >= file.modules().size()) return std::nullopt;
    const hlo_module& changed = file.modules()[now_.number];
    const auto order = runs_again ? breadth_first_order(changed.entry()) : behind_readers(changed);
    return order ? reordered(changed.entry(), *order) : std::nullopt;
  }

  /// How certain it is that the compiler makes this text: an estimate where it is not known in which order it runs what
  /// reads a copy, and where it has to run instructions in another order. Call `text` first.
  certainty promise() const { return is_ordered_ && moved_.empty() ? certainty::proven : certainty::estimate; }

 private:
  // An instruction that has to run behind others.
  struct moved_writer {
    hlo_instruction writer;
    std::vector<hlo_instruction> readers;
  };

  bool is_gpu() const { return rules_.sharing == target::gpu; }
  bool is_cpu() const { return !rules_.is_libtpu() && !is_gpu(); }

  // Copies that stay around an argument.
  struct copied_argument {
    hlo_instruction parameter;
    std::size_t output = 0;  // the operand of the root
    kept_copies kept;
  };

  bool add(const donated_argument& one) {
    const hlo_computation entry = now_.module().entry();
    const hlo_instruction parameter = flow_.tables().parameters.of(entry, one.parameter);
    const auto argument = parameter ? flow_.only_value_at(parameter, one.index) : std::nullopt;
    const std::uint32_t at = flow_.tables().places.find(entry.root().id(), one.output);
    if (!argument || at == none) return false;
    std::optional<std::uint32_t> made;
    flow_.for_each_at({entry.root().id(), at}, [&](std::uint32_t v) { made = v; });
    if (!made) return false;
    const std::uint32_t into = now_.made->sets().set_of(*made);
    std::set<id> copied;
    for (const hlo_use& use : flow_.uses(flow_.values()[*argument])) {
      const hlo_instruction user = flow_.module().instruction(use.user);
      if (is_saving_copy(user, into)) copied.insert(user.id());
    }
    hlo_instruction writer;
    std::uint32_t written = 0;
    for (const std::uint32_t v : now_.made->sets().values(into)) {
      const hlo_instruction i = flow_.instruction(flow_.values()[v]);
      if (i.computation() != entry || copied.count(i.id()) > 0) continue;
      if (!writer || i.index_in_computation() < writer.index_in_computation()) writer = i, written = v;
    }
    if (!writer) return false;
    const bool is_read = reads(writer, *argument);
    const bool in_place = is_read && now_.made->handover().in_place(*argument, written, now_.plan->schedule);
    std::vector<hlo_instruction> readers;
    for (const hlo_instruction user : readers_of(*argument))
      if (user.computation() == entry && user != writer && copied.count(user.id()) == 0 && !passes_on(user))
        readers.push_back(user);
    if (is_cpu()) {
      const bool is_plain = entry.root().opcode() == hlo_opcode::tuple && one.index.empty() && one.output.size() == 1;
      const auto k = is_plain ? static_cast<std::size_t>(one.output[0]) : 0;
      const hlo_instruction result = is_plain ? entry.root().operand(k) : entry.root();
      if (!result) return false;
      const kept_copies kept = copies_kept({writer, result, std::move(readers), is_read, in_place, !copied.empty()});
      if (kept.any() && !is_plain) return false;
      if (kept.any()) kept_.push_back({parameter, k, kept});
      if (!kept.first) copies_.insert(copied.begin(), copied.end());
      return true;
    }
    if (is_read && !in_place) return false;
    copies_.insert(copied.begin(), copied.end());
    moved_writer moved{writer, {}};
    for (const hlo_instruction user : readers) {
      if (user.index_in_computation() < writer.index_in_computation()) continue;
      if (is_gpu()) return false;
      moved.readers.push_back(user);
    }
    if (!moved.readers.empty()) moved_.push_back(std::move(moved));
    return true;
  }
  // Whether an instruction copies the argument only because the caller keeps it.
  bool is_saving_copy(hlo_instruction i, std::uint32_t into) const {
    const auto made = i.opcode() == hlo_opcode::copy ? flow_.only_value_at(i, {}) : std::nullopt;
    return made && i.computation().is_entry() && i.operand_count() == 1 && i.operand(0) && i.shape() && !i.is_root() &&
           i.operand(0).opcode() == hlo_opcode::parameter && i.operand(0).shape() &&
           *i.shape() == *i.operand(0).shape() && now_.made->sets().set_of(*made) == into;
  }
  bool reads(hlo_instruction user, std::uint32_t value) const {
    const auto uses = flow_.uses(flow_.values()[value]);
    return std::any_of(uses.begin(), uses.end(), [&](const hlo_use& u) { return u.user == user.id(); });
  }
  // What reads a value, or its copy in another memory space, which the compiler may place otherwise the next time.
  std::vector<hlo_instruction> readers_of(std::uint32_t value) const {
    std::vector<hlo_instruction> out;
    for (const hlo_use& use : flow_.uses(flow_.values()[value])) {
      out.push_back(flow_.module().instruction(use.user));
      const auto copied =
          out.back().opcode() == hlo_opcode::copy_start ? flow_.only_value_at(out.back(), {0}) : std::nullopt;
      if (!copied || *copied == value) continue;
      for (const hlo_use& later : flow_.uses(flow_.values()[*copied]))
        if (later.user != use.user) out.push_back(flow_.module().instruction(later.user));
    }
    return out;
  }
  static bool passes_on(hlo_instruction i) {
    return i.opcode() == hlo_opcode::tuple || i.opcode() == hlo_opcode::get_tuple_element ||
           i.opcode() == hlo_opcode::bitcast;
  }
  // The lines of the entry's instructions, of those that are written; nothing if two share one.
  struct line {
    std::size_t begin = 0, end = 0;
  };
  static std::optional<std::vector<line>> lines_of(hlo_computation entry) {
    const std::string_view whole = entry.data().text.text();
    std::vector<line> out;
    std::size_t last = 0;
    for (const hlo_instruction i : entry.instructions()) {
      out.emplace_back();
      if (i.is_synthesized() || i.text().empty()) continue;
      const std::size_t at = offset_of(i.text(), whole), end = whole.find('\n', at + i.text().size());
      if (end == std::string_view::npos) return std::nullopt;
      out.back() = {line_begin_of(at, whole), end + 1};
      if (out.back().begin < last) return std::nullopt;
      last = out.back().end;
    }
    return out;
  }
  // The text without the copies that are gone, and with those that are new.
  std::optional<std::string> with_copies() const {
    const hlo_module& module = now_.module();
    if (copies_.empty() && kept_.empty()) return std::string(module.text().text());
    const auto lines = lines_of(module.entry());
    if (!lines) return std::nullopt;
    text_changes changes(module.text().text());
    for (const id copy : copies_) {
      const hlo_instruction i = module.instruction(copy);
      const std::size_t number = i.index_in_computation();
      changes.replace((*lines)[number].begin, (*lines)[number].end, std::string());
      if (!rename(changes, i, std::string(i.operand(0).name()))) return std::nullopt;
    }
    new_names names(module);
    for (const copied_argument& one : kept_)
      if (!add_copies(changes, one, *lines, names)) return std::nullopt;
    return changes.apply();
  }
  // Lets all users of an instruction but the copies that are gone read another one.
  bool rename(text_changes& changes, hlo_instruction i, const std::string& to) const {
    for (const instruction_use use : flow_.tables().all_users.of(i))
      if (copies_.count(use.user.id()) == 0 && !changes.set_operand(use.user, use.operand, to)) return false;
    return true;
  }
  bool add_copies(text_changes& changes, const copied_argument& one, const std::vector<line>& lines,
                  new_names& names) const {
    const hlo_instruction root = now_.module().entry().root(), result = root.operand(one.output);
    const std::string mark(mark_of(one.parameter.name(), now_.module().text().text()));
    const auto copy = [&](hlo_instruction of, std::size_t at) {
      std::string name = names.make(of.name(), ".copy");
      changes.insert(
          at, "  " + mark + name + " = " + to_string(*of.shape()) + " copy(" + mark + std::string(of.name()) + ")\n");
      return name;
    };
    if (!one.parameter.shape() || !result.shape() || !result.shape()->is_array()) return false;
    const std::size_t behind = lines[one.parameter.index_in_computation()].end;
    if (one.kept.argument && (behind == 0 || !rename(changes, one.parameter, copy(one.parameter, behind))))
      return false;
    const std::size_t before = lines[root.index_in_computation()].begin;
    return !one.kept.result || changes.set_operand(root, one.output, copy(result, before));
  }
  // Each writer right behind its last reader, and all else in its order as far as possible; nothing if there is a
  // circle.
  std::optional<std::vector<std::size_t>> behind_readers(const hlo_module& module) const {
    const hlo_computation entry = module.entry();
    const std::size_t count = entry.instruction_count();
    std::vector<std::vector<std::size_t>> behind(count);
    std::vector<std::size_t> waits(count), out;
    const auto add_edge = [&](std::size_t from, std::size_t to) { behind[from].push_back(to), ++waits[to]; };
    const alias_sets sets(dataflow(module, rules_.values));
    const schedule_constraints rules(sets, constraints::program);
    for (const hlo_instruction i : entry.instructions())
      for (const id to : rules.after(i.id()))
        add_edge(i.index_in_computation(), module.instruction(to).index_in_computation());
    for (const moved_writer& moved : moved_)
      for (const hlo_instruction reader : moved.readers) {
        const hlo_instruction from = entry.find(reader.name()), to = entry.find(moved.writer.name());
        if (!from || !to) return std::nullopt;
        add_edge(from.index_in_computation(), to.index_in_computation());
      }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t k = 0; k < count; ++k)
      if (waits[k] == 0) ready.push(k);
    while (!ready.empty()) {
      out.push_back(ready.top());
      ready.pop();
      for (const std::size_t next : behind[out.back()])
        if (--waits[next] == 0) ready.push(next);
    }
    if (out.size() != count) return std::nullopt;
    return out;
  }
  static std::optional<std::string> reordered(hlo_computation entry, const std::vector<std::size_t>& order) {
    const std::string_view whole = entry.data().text.text();
    const auto lines = lines_of(entry);
    if (!lines) return std::nullopt;
    std::string body;
    for (const std::size_t k : order) body.append(whole.substr((*lines)[k].begin, (*lines)[k].end - (*lines)[k].begin));
    text_changes changes(whole);
    std::size_t first = whole.size(), last = 0;
    for (const line& one : *lines)
      if (one.end > 0) first = std::min(first, one.begin), last = std::max(last, one.end);
    changes.replace(first, last, std::move(body));
    return changes.apply();
  }

  const edited_module& now_;
  const dataflow& flow_;
  const std::vector<donated_argument>& given_;
  const assignment_rules& rules_;
  std::set<id> copies_;
  std::vector<copied_argument> kept_;
  std::vector<moved_writer> moved_;
  bool is_ordered_ = true;
};

}  // namespace hlolint::advise::detail
