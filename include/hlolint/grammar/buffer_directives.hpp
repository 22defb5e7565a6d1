// How parsers of buffer dumps are put together: what X3's operators do, for parsers without attributes. A sequence is
// one parser of many parts and not a tower of pairs, so it compiles in a fraction of the time. Then records under
// construction, messages, and lines that cannot be read.
#pragma once

#include <hlolint/grammar/buffer_tokens.hpp>

#include <cstddef>
#include <limits>
#include <new>
#include <string_view>
#include <utility>

namespace hlolint::grammar::dump {

/// A text in quotes is a parser for it.
template <class Parser>
constexpr const Parser& as_part(const Parser& parser) {
  return parser;
}
template <std::size_t Size>
constexpr fixed as_part(const char (&text)[Size]) {
  return fixed({text, Size - 1});
}
template <class Parser>
struct part_type {
  using type = Parser;
};
template <std::size_t Size>
struct part_type<char[Size]> {
  using type = fixed;
};

template <std::size_t Place, class Parser>
struct part_at {
  Parser parser;
};
template <class Places, class... Parsers>
struct parts;
template <std::size_t... Places, class... Parsers>
struct parts<std::index_sequence<Places...>, Parsers...> : part_at<Places, Parsers>... {
  template <class... From>
  constexpr explicit parts(const From&... from) : part_at<Places, Parsers>{as_part(from)}... {}
  /// `in_order`: on failure, `first` is anywhere.
  [[gnu::noinline]] bool each(const char*& first, const char* last, dump_state& s) const {
    return (part_at<Places, Parsers>::parser.take(first, last, s) && ...);
  }
  [[gnu::noinline]] bool any(const char*& first, const char* last, dump_state& s) const {
    return (part_at<Places, Parsers>::parser.take(first, last, s) || ...);
  }
};
template <class... Parsers>
using parts_of = parts<std::index_sequence_for<Parsers...>, Parsers...>;

/// `in_order(p, q, r)`: X3's `p >> q >> r`.
template <class... Parsers>
struct sequence_of : part<sequence_of<Parsers...>>, parts_of<Parsers...> {
  using parts_of<Parsers...>::parts_of;
  bool take(const char*& first, const char* last, dump_state& s) const {
    const char* const begin = first;
    const bool matched = this->each(first, last, s);
    if (!matched) first = begin;
    return matched;
  }
};
template <class... Parsers>
constexpr auto in_order(const Parsers&... list) {
  return sequence_of<typename part_type<Parsers>::type...>(list...);
}
template <class Parser>
constexpr typename part_type<Parser>::type in_order(const Parser& alone) {
  return as_part(alone);
}

/// `either(p, q, r)`: X3's `p | q | r`.
template <class... Parsers>
struct choice_of : part<choice_of<Parsers...>>, parts_of<Parsers...> {
  using parts_of<Parsers...>::parts_of;
  bool take(const char*& first, const char* last, dump_state& s) const {
    return this->any(first, last, s);
  }
};
template <class... Parsers>
constexpr auto either(const Parsers&... list) {
  return choice_of<typename part_type<Parsers>::type...>(list...);
}

/// `maybe(p...)`, `many(p...)`, `some(p...)`: X3's `-p`, `*p`, `+p`; the parts are a sequence.
template <class Subject>
struct repeated : part<repeated<Subject>> {
  Subject subject;
  bool once, needed;
  constexpr repeated(const Subject& inner, bool at_most_one, bool at_least_one)
      : subject(inner), once(at_most_one), needed(at_least_one) {}
  bool take(const char*& first, const char* last, dump_state& s) const {
    if (!subject.take(first, last, s)) return !needed;
    while (!once && subject.take(first, last, s)) {
    }
    return true;
  }
};
template <class... Parsers>
constexpr auto maybe(const Parsers&... list) {
  return repeated(in_order(list...), true, false);
}
template <class... Parsers>
constexpr auto many(const Parsers&... list) {
  return repeated(in_order(list...), false, false);
}
template <class... Parsers>
constexpr auto some(const Parsers&... list) {
  return repeated(in_order(list...), false, true);
}

/// `ahead(p...)`: X3's `&p`.
template <class Subject>
struct looking_ahead : part<looking_ahead<Subject>> {
  Subject subject;
  constexpr explicit looking_ahead(const Subject& inner) : subject(inner) {}
  bool take(const char*& first, const char* last, dump_state& s) const {
    const char* p = first;
    return subject.take(p, last, s);
  }
};
template <class... Parsers>
constexpr auto ahead(const Parsers&... list) {
  return looking_ahead(in_order(list...));
}

/// `must("a size")(p...)`: if p fails, the message about this line says that a size was expected here.
/// `next("' uses:'")(p...)`: p comes here in every whole dump. If not, that is said, and reading goes on without it.
template <class Subject>
struct announced : part<announced<Subject>> {
  Subject subject;
  const char* what;
  bool goes_on;
  constexpr announced(const Subject& inner, const char* text, bool without) : subject(inner), what(text), goes_on(without) {}
  bool take(const char*& first, const char* last, dump_state& s) const {
    if (subject.take(first, last, s)) return true;
    goes_on ? s.missing(first, what) : s.expected(first, what);
    return goes_on;
  }
};
struct announcement {
  const char* what;
  bool goes_on;
  template <class... Parsers>
  constexpr auto operator()(const Parsers&... list) const {
    return announced(in_order(list...), what, goes_on);
  }
};
constexpr announcement must(const char* what) { return {what, false}; }
constexpr announcement next(const char* what) { return {what, true}; }

/// `does(f)`: takes nothing and calls f, which may say that the text does not go on here.
template <class Result>
struct called : part<called<Result>> {
  Result (*act)(dump_state&);
  constexpr explicit called(Result (*f)(dump_state&)) : act(f) {}
  bool take(const char*&, const char*, dump_state& s) const {
    if constexpr (std::is_same_v<Result, bool>)
      return act(s);
    else
      return act(s), true;
  }
};
template <class Result>
constexpr called<Result> does(Result (*act)(dump_state&)) {
  return called<Result>(act);
}
/// `set(&allocation::constant)`: takes nothing and says yes.
template <class Record>
struct setting : part<setting<Record>> {
  bool Record::*member;
  constexpr explicit setting(bool Record::*m) : member(m) {}
  bool take(const char*&, const char*, dump_state& s) const {
    return s.draft<Record>().*member = true;
  }
};
template <class Record>
constexpr setting<Record> set(bool Record::*member) {
  return setting<Record>(member);
}

/// `text_of(f, p...)`: hands the text that p matched to f.
template <class Subject>
struct handed_text : part<handed_text<Subject>> {
  Subject subject;
  void (*keep)(dump_state&, std::string_view);
  constexpr handed_text(const Subject& inner, void (*f)(dump_state&, std::string_view)) : subject(inner), keep(f) {}
  bool take(const char*& first, const char* last, dump_state& s) const {
    const char* p = first;
    if (!subject.take(p, last, s)) return false;
    keep(s, view(first, p));
    first = p;
    return true;
  }
};
template <class... Parsers>
constexpr auto text_of(void (*keep)(dump_state&, std::string_view), const Parsers&... list) {
  return handed_text(in_order(list...), keep);
}

/// The end of a line of free text. Only the `\n` that XLA ends every line with shows that nothing of it is missing.
struct ended_parser : part<ended_parser> {
  bool take(const char*& first, const char* last, dump_state& s) const {
    const char* const end = scan::dump::end_of_line(first, last);
    if (!end) return false;
    if (end == first || end[-1] != '\n') s.cut_off = true;
    first = end;
    return true;
  }
};
inline constexpr ended_parser ended{};

/// A new draft in place of what is left of the last one.
template <class Record>
void renew(Record& draft) {
  draft.~Record();
  ::new (static_cast<void*>(&draft)) Record{};
}

/// A text without the blanks and the end of the line behind it.
inline std::string_view trimmed(const char* first, const char* end) {
  while (end != first && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t')) --end;
  return view(first, end);
}
/// `record<allocation>(p...)`: p fills a new draft of an allocation; once all of it has matched, `keep(state, draft,
/// text)` puts it into its pool. `text` is what matched, without the end of the line. Those functions are templates, so
/// that pools are compiled where something is parsed and not where this is included.
template <class Record, class Subject>
struct record_parser : part<record_parser<Record, Subject>> {
  Subject subject;
  constexpr explicit record_parser(const Subject& inner) : subject(inner) {}
  [[gnu::noinline]] bool take(const char*& first, const char* last, dump_state& s) const {
    const char* p = first;
    renew(s.draft<Record>());
    if (!subject.take(p, last, s)) return false;
    keep(s, s.draft<Record>(), trimmed(first, p));
    first = p;
    return true;
  }
};
template <class Record, class... Parsers>
constexpr auto record(const Parsers&... list) {
  auto subject = in_order(list...);
  return record_parser<Record, decltype(subject)>(subject);
}

/// A part of another record: there is no pool for it.
inline void keep(dump_state&, value_name&, std::string_view) {}

/// A line that cannot be read; the list that holds it goes on behind it. Takes those that begin as `beginning` does,
/// and those that begin like nothing known. Neighbours are one problem.
struct unreadable : part<unreadable> {
  constexpr unreadable(std::string_view text, const char* what_) : beginning(text), what(what_) {}
  /// Any line at all.
  constexpr explicit unreadable(const char* what_) : any(true), what(what_) {}

  [[gnu::noinline]] bool take(const char*& first, const char* last, dump_state& s) const {
    if (first == last) return false;
    const bool ours =
        !beginning.empty() && view(first, last).starts_with(beginning) && !scan::dump::end_of_line(first, last);
    if (!ours && !any && scan::dump::landmark(first, last)) return false;
    s.unreadable(first, what);
    first = s.resume = scan::dump::next_line(first, last);
    return true;
  }
  std::string_view beginning;
  bool any = false;
  const char* what;
};

}  // namespace hlolint::grammar::dump
