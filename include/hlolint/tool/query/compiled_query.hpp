// Compiles queries (query.md) to patterns: checked once, then matched.
#pragma once

#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/match/opcodes.hpp>
#include <hlolint/match/relations.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/glob.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/text/suggestion.hpp>
#include <hlolint/tool/query/any_pattern.hpp>
#include <hlolint/tool/query/grammar/query.hpp>
#include <hlolint/tool/query/property_table.hpp>
#include <hlolint/tool/query/query.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::match {

/// An error in a query.
struct query_error {
  std::size_t at = 0;   ///< position in bytes
  std::string message;  ///< what was expected
};

/// A query, compiled to a pattern.
template <class Facts>
class compiled_query {
 public:
  /// Reads and checks a query; see `error()`.
  compiled_query(std::string_view text, const property_table<Facts>& properties)
      : compiled_query(source(std::string(text), "query"), properties) {}
  /// For a text with an owner and a path.
  compiled_query(source text, const property_table<Facts>& properties) : text_(text), properties_(&properties) {
    grammar::queries::query_reading read = grammar::queries::read_query(text);
    if (!read.value) {
      error_ = query_error{read.at, std::move(read.wrong)};
      return;
    }
    query_ = std::move(*read.value);
    if (count(query_.pattern) + (query_.where ? count(*query_.where) : 0) > most_parts) {
      error_ = query_error{0, "a query has at most " + std::to_string(most_parts) + " parts"};
      return;
    }
    collect_captures(query_.pattern);
    any_pattern<Facts> p = make(query_.pattern);
    if (query_.where) {
      p = both(std::move(p), make(*query_.where));
      if (query_.pattern.what == form::instruction) check_condition(*query_.where, query_.pattern.opcode);
    }
    pattern_ = std::move(p);
  }

  /// The first error; nothing if the query can be matched.
  const std::optional<query_error>& error() const { return error_; }
  /// The text as written.
  const source& text() const { return text_; }
  /// The names of captures, in the order of the text.
  const std::vector<std::string_view>& captures() const { return captures_; }
  /// Precondition: no error.
  const any_pattern<Facts>& pattern() const { return *pattern_; }

 private:
  using form = query_pattern::form;
  using condition_form = query_condition::form;
  using erased = any_pattern<Facts>;

  // A match recurses as deep as the query has parts.
  static constexpr std::size_t most_parts = 2000;
  static std::size_t count(const query_pattern& p) {
    std::size_t out = 1 + p.attributes.size();
    for (const query_pattern& part : p.parts) out += count(part);
    return out;
  }
  static std::size_t count(const query_condition& c) {
    std::size_t out = 1;
    for (const query_pattern& part : c.pattern) out += count(part);
    for (const query_condition& part : c.parts) out += count(part);
    return out;
  }

  void wrong(std::string_view where, std::string message) {
    if (error_) return;
    const std::string_view whole = text_.text();
    const bool inside = where.data() >= whole.data() && where.data() <= whole.data() + whole.size();
    error_ = query_error{inside ? static_cast<std::size_t>(where.data() - whole.data()) : 0, std::move(message)};
  }

  void collect_captures(const query_pattern& p) {
    if (!p.capture.empty()) captures_.push_back(p.capture);
    for (const query_pattern& part : p.parts) collect_captures(part);
  }

  // --- patterns
  erased make(const query_pattern& p) {
    if (error_) return any;  // only the first error counts
    switch (p.what) {
      case form::captured:
        return detail::named_capture<Facts>(p.capture, p.parts.empty() ? erased(any) : make(p.parts.front()));
      case form::either: {
        erased out = make(p.parts.back());
        for (std::size_t k = p.parts.size() - 1; k-- > 0;) out = either(make(p.parts[k]), std::move(out));
        return out;
      }
      case form::not_: return negation(make(p.parts.front()));
      case form::maybe: return maybe(make(p.parts[0]), make(p.parts[1]));
      default: return make_instruction(p);
    }
  }

  erased make_instruction(const query_pattern& p) {
    std::vector<erased> steps;
    const auto step_of = [&](std::string_view step, erased test) {
      steps.push_back(detail::noted_step<Facts>(step, std::move(test)));
    };
    const bool in_any_form = names_collective(p);
    if (in_any_form)
      step_of(p.opcode, any_collective(find_hlo_opcode(p.opcode)));
    else if (!p.opcode.empty() && p.opcode != "any")
      step_of(p.opcode, make_opcode(p.opcode));
    check_operands(p);
    if (!p.name.empty()) step_of(p.name, name(p.name));
    if (p.shape) step_of(p.text.empty() ? text_.text() : p.text, detail::shape_is_like(*p.shape, in_any_form));
    if (!p.argument.empty()) {
      const bool is_target = p.opcode == "custom-call" && p.argument.size() > 1 && p.argument.front() == '"';
      if (is_target)
        step_of(p.argument, custom_call_to(p.argument.substr(1, p.argument.size() - 2)));
      else
        step_of(p.argument, written_like(p.argument, [](hlo_instruction i, const Facts&) { return i.argument(); }));
    }
    for (const query_attribute& a : p.attributes) {
      check_key(a);
      if (!p.is_printed || is_compared(a.key))
        step_of(a.key, written_like(a.value, [key = a.key, in_any_form](hlo_instruction i, const Facts& facts) {
                  for (const hlo_attribute own : i.attributes())
                    if (own.name == key) return std::optional(own.value);
                  if (in_any_form && i.opcode() == hlo_opcode::async_start)
                    if (const hlo_instruction run = facts.template get<transfer_sources>().collective_of(i))
                      for (const hlo_attribute own : run.attributes())
                        if (own.name == key) return std::optional(own.value);
                  return std::optional<std::string_view>();
                }));
    }
    if (p.has_operands && p.argument.empty() && !is_any_operands(p)) {
      detail::operand_list<Facts> list;
      for (const query_pattern& operand : p.parts)
        list.list.push_back(operand.what == form::rest ? std::nullopt : std::optional(make(operand)));
      step_of(p.text.empty() ? text_.text() : p.text, std::move(list));
    }
    erased out = any;
    if (!steps.empty()) out = std::move(steps.back());
    for (std::size_t k = steps.size() - 1; !steps.empty() && k-- > 0;) out = both(std::move(steps[k]), std::move(out));
    return out;
  }
  // Compares a part of the instruction as written with a glob, blanks aside.
  template <class Part>
  static erased written_like(std::string_view value, Part part) {
    return detail::tested_by(part, [glob = detail::without_blanks(value)](std::optional<std::string_view> written) {
      return written && matches_glob(glob, detail::without_blanks(*written));
    });
  }
  // Whether the opcode is a collective, which in a query stands for all its forms. A printed line keeps its form.
  static bool names_collective(const query_pattern& p) {
    return p.opcode == "collective" || (!p.is_printed && is_synchronous_collective(find_hlo_opcode(p.opcode)));
  }
  // --- patterns and conditions that are true of no instruction in any dump
  void check_operands(const query_pattern& p) {
    const hlo_opcode of = find_hlo_opcode(p.opcode);
    if (error_ || of == hlo_opcode::unknown || !p.has_operands || !p.argument.empty() || p.is_printed) return;
    const auto is_rest = [](const query_pattern& part) { return part.what == form::rest; };
    const bool open = std::any_of(p.parts.begin(), p.parts.end(), is_rest);
    const std::size_t given = p.parts.size() - static_cast<std::size_t>(open);
    const std::optional<std::size_t> takes = grammar::arity(of);
    if (!takes || given == *takes || (open && given < *takes)) return;
    wrong(p.opcode, str_cat({"a pattern with ", given, given == 1 ? " operand" : " operands", " matches no ", p.opcode,
                             ", which has ", *takes, given < *takes ? ": `...` stands for the others" : ""}));
  }
  void check_key(const query_attribute& a) {
    if (find_attribute_key(a.key) != attribute_key::unknown) return;
    const std::vector<std::string_view> known(attribute_key_names.begin(), attribute_key_names.end() - 1);
    const std::string near = did_you_mean(a.key, known);  // keys of a newer XLA are not known, and near to none
    if (!near.empty()) wrong(a.key, str_cat({"there is no attribute '", a.key, "'", near}));
  }
  // A condition that all others are joined with by `and`, about an instruction of this opcode.
  void check_condition(const query_condition& c, std::string_view word) {
    if (c.what == condition_form::every)
      for (const query_condition& part : c.parts) check_condition(part, word);
    const hlo_opcode of = find_hlo_opcode(word);
    if (c.what != condition_form::compare || !c.property.capture.empty() || of == hlo_opcode::unknown) return;
    const auto* const property = properties_->find(c.property.name);
    if (!property || transfer_sources::may_transfer(of)) return;
    constexpr std::string_view of_transfers[] = {"exposed",        "exposed share", "overlap",        "group size",
                                                 "transfer bytes", "groups",        "wasted transfer"};
    if (std::find(std::begin(of_transfers), std::end(of_transfers), property->name) == std::end(of_transfers)) return;
    const hlo_opcode start = start_opcode_of(of);
    wrong(c.property.name, str_cat({"only transfers have '", property->name, "', so this matches no ", word,
                                    start != hlo_opcode::unknown ? str_cat({" (", name_of(start), " has it)"}) : ""}));
  }

  static bool is_any_operands(const query_pattern& p) {
    return p.parts.size() == 1 && p.parts.front().what == form::rest;
  }
  // Whether an attribute of a line as XLA prints it must be equal.
  static bool is_compared(std::string_view key) {
    constexpr std::string_view not_compared[] = {"metadata",
                                                 "backend_config",
                                                 "frontend_attributes",
                                                 "channel_id",
                                                 "to_apply",
                                                 "calls",
                                                 "condition",
                                                 "body",
                                                 "branch_computations",
                                                 "control-predecessors",
                                                 "origin",
                                                 "statistics",
                                                 "async_execution_thread"};
    return std::find(std::begin(not_compared), std::end(not_compared), key) == std::end(not_compared);
  }
  erased make_opcode(std::string_view word) {
    if (word == "elementwise") return elementwise;
    if (word.find('*') != std::string_view::npos) return opcode(word);
    const hlo_opcode known = find_hlo_opcode(word);
    if (known == hlo_opcode::unknown) {
      std::vector<std::string_view> words(hlo_opcode_names.begin(), hlo_opcode_names.end() - 1);
      words.insert(words.end(), {"collective", "elementwise", "any", "maybe"});
      wrong(word, "there is no opcode '" + std::string(word) + "'" + did_you_mean(word, words));
    }
    return of_opcode(known);
  }

  // --- conditions
  erased make(const query_condition& c) {
    if (error_) return any;
    switch (c.what) {
      case condition_form::every:
        return joined(c, [](erased a, erased b) -> erased { return both(std::move(a), std::move(b)); });
      case condition_form::any:
        return joined(c, [](erased a, erased b) -> erased { return either(std::move(a), std::move(b)); });
      case condition_form::not_: return negation(make(c.parts.front()));
      case condition_form::flag:
      case condition_form::compare: return noted(c, make_test(c));
      default: return noted(c, subject(c.property, make_relation(c)));
    }
  }
  template <class Join>
  erased joined(const query_condition& c, Join join) {
    std::vector<erased> made;  // in text order: conditions after a relation may use its captures
    for (const query_condition& part : c.parts) made.push_back(make(part));
    erased out = std::move(made.back());
    for (std::size_t k = made.size() - 1; k-- > 0;) out = join(std::move(made[k]), std::move(out));
    return out;
  }
  erased noted(const query_condition& c, erased test) { return detail::noted_step<Facts>(c.text, std::move(test)); }
  erased subject(const query_property& p, erased test) {
    if (p.capture.empty()) return test;
    check_capture(p.capture);
    return detail::of_capture<Facts>(p.capture, std::move(test));
  }
  void check_capture(std::string_view held) {
    if (held.empty() || std::find(captures_.begin(), captures_.end(), held) != captures_.end()) return;
    wrong(held, "nothing is captured as $" + std::string(held) + did_you_mean(held, captures_));
  }
  erased make_relation(const query_condition& c) {
    collect_captures(c.pattern.front());  // for later conditions
    erased inner = make(c.pattern.front());
    const std::uint32_t within =
        c.within == 0 || c.within >= any_distance ? any_distance : static_cast<std::uint32_t>(c.within);
    if (c.what == condition_form::depends_on) return depends_on(std::move(inner), within);
    if (c.what == condition_form::reaches) return reaches(std::move(inner), within);
    if (c.what == condition_form::operand) return some_operand(std::move(inner));
    if (c.what == condition_form::user) return some_user(std::move(inner));
    if (c.what == condition_form::body) return body(std::move(inner));
    return c.what == condition_form::enters ? erased(enters(std::move(inner))) : inner;
  }

  using row = typename property_table<Facts>::row;
  const row* find(const query_property& p) {
    check_capture(p.capture);
    const row* const found = properties_->find(p.name);
    if (found) return found;
    std::vector<std::string_view> words;
    std::string about;  // properties whose description has the word
    constexpr std::size_t most = 5;
    std::size_t count = 0;
    for (const row& r : properties_->rows) {
      words.push_back(r.name);
      if (r.what.find(p.name) == r.what.npos) continue;
      if (count++ < most) about += (about.empty() ? "" : ", ") + std::string(r.name);
    }
    const std::string near = did_you_mean(p.name, words);
    wrong(p.name, "there is no property '" + std::string(p.name) + "'" +
                      (near.empty() && !about.empty() ? "; about that are: " + about + and_more(count, most) : near));
    return nullptr;
  }
  erased make_test(const query_condition& c) {
    const row* const property = find(c.property);
    if (!property) return any;
    if (c.what == condition_form::flag) {
      if (!property->flag)
        wrong(c.property.name, std::string(property->name) + " is " + (property->number ? "a number" : "a text") +
                                   ": compare it with one");
      return subject(c.property, detail::tested_by(property->flag, is_set{}));
    }
    const auto how = static_cast<relation_sign>(c.compared);
    const bool plain = how == relation_sign::equal || how == relation_sign::not_equal;
    if (property->flag) {
      wrong(c.property.name, std::string(property->name) + " holds or not: it is not compared");
      return any;
    }
    if (property->text && !plain)
      wrong(c.property.name, std::string(property->name) + " is a text: only = and != compare it");
    if (c.other) {
      const row* const other = find(*c.other);
      if (!other) return any;
      if (property->number && other->number && property->in == other->in)
        return detail::compared<Facts, detail::number_of<Facts>>(
            {c.property.capture, property->number}, {c.other->capture, other->number},
            [how](const std::optional<double>& x, const std::optional<double>& y) {
              return x && y && bound_number{how, *y}.holds(*x);
            });
      if (property->text && other->text)
        return detail::compared<Facts, detail::text_of<Facts>>(
            {c.property.capture, property->text}, {c.other->capture, other->text},
            [equal = how == relation_sign::equal](const std::string& x, const std::string& y) {
              return (x == y) == equal;
            });
      wrong(c.other->name, std::string(property->name) + " and " + std::string(other->name) + " cannot be compared");
      return any;
    }
    if (property->text)
      return subject(c.property,
                     detail::tested_by(property->text, text_bound{c.literal.text, how == relation_sign::equal}));
    const auto value = number_of(c.literal, property->in);
    if (!value) {
      constexpr std::string_view examples[] = {"a number", "bytes such as 16MiB", "a time such as 20us or 0.1ms",
                                               "a ratio such as 1.5 or 20%"};
      wrong(c.literal.text, std::string(property->name) + " is compared with " +
                                std::string(examples[static_cast<std::size_t>(property->in)]));
      return any;
    }
    return subject(c.property, detail::tested_by(property->number, bound_number{how, *value}));
  }
  static std::optional<double> number_of(const query_literal& literal, unit in) {
    if (literal.number.empty()) return std::nullopt;
    double value = 0;
    const char* const end = literal.number.data() + literal.number.size();
    if (double_from_chars(literal.number.data(), end, value).ptr != end || !std::isfinite(value)) return std::nullopt;
    struct scale {
      unit of;
      std::string_view name;
      double factor;
    };
    constexpr double ki = 1024;
    constexpr scale scales[] = {{unit::bytes, "B", 1},
                                {unit::bytes, "KiB", ki},
                                {unit::bytes, "MiB", ki * ki},
                                {unit::bytes, "GiB", ki * ki * ki},
                                {unit::bytes, "TiB", ki * ki * ki * ki},
                                {unit::time, "ns", 1e-6},
                                {unit::time, "us", 1e-3},
                                {unit::time, "ms", 1},
                                {unit::time, "s", 1e3},
                                {unit::ratio, "x", 1},
                                {unit::ratio, "%", 0.01}};
    if (literal.unit.empty()) return value;
    for (const scale& s : scales)
      if (s.of == in && s.name == literal.unit) return value * s.factor;
    return std::nullopt;
  }

  source text_;
  const property_table<Facts>* properties_;
  query query_;
  std::vector<std::string_view> captures_;
  std::optional<any_pattern<Facts>> pattern_;
  std::optional<query_error> error_;
};

}  // namespace hlolint::match
