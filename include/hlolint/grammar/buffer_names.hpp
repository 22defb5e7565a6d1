// Parts that several sections of a buffer dump share: value names, and the flags of an allocation (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffer_directives.hpp>

namespace hlolint::grammar::dump {

/// `<12 fusion.1{0} (phi) @1>`
inline constexpr auto value_id = record<value_name>[
    "<"_t >> must("the number of a value")[number[into<&value_name::id>]] >> must("a blank")[" "_t] >>
    must("the name of an instruction")[name[into<&value_name::instruction>]] >> -index[into<&value_name::index>] >>
    -" (phi)"_t[set<&value_name::phi>] >> -(" @"_t >> must("a colour")[number[into<&value_name::color>]]) >>
    must("'>' behind the value's name")[">"_t]];

namespace flag {

inline constexpr auto keep_parameter = [](auto& c) {
  dump_state& s = dump_of(c);
  s.draft<allocation>().parameter = s.draft<allocation_parameter>();
};
/// Notes an unknown flag; the allocation keeps the text from the first to the last of them.
inline constexpr auto keep_unknown = [](auto& c) {
  dump_state& s = dump_of(c);
  const std::string_view text = x3::_attr(c);
  const std::string_view before = s.draft<allocation>().unknown_flags;
  const char* const begin = before.empty() ? text.data() : before.data();
  s.draft<allocation>().unknown_flags = view(begin, text.data() + text.size());
  s.unknown_drafts.push_back({text.data() + 2, text.data() + text.size()});
};

/// Nothing of the flag's word is left.
inline constexpr auto end = &","_t | &":"_t;

inline constexpr auto color = ", color "_t >> number[into<&allocation::color>];
inline constexpr auto page = ", page "_t >> number[into<&allocation::page>];
inline constexpr auto parameter =
    record<allocation_parameter>[", parameter "_t >> number[into<&allocation_parameter::number>] >> ", shape |"_t >>
                                 up_to<'|'>[into<&allocation_parameter::shape>] >> "| at ShapeIndex "_t >>
                                 index[into<&allocation_parameter::index>]] >> x3::eps[keep_parameter];
inline constexpr auto output_shape = ", output shape is |"_t >> up_to<'|'>[into<&allocation::output_shape>] >> "|"_t;
inline constexpr auto constant = ", constant"_t >> end >> x3::eps[set<&allocation::constant>];
inline constexpr auto thread_local_ = ", thread-local"_t >> end >> x3::eps[set<&allocation::thread_local_storage>];
inline constexpr auto maybe_live_out = ", maybe-live-out"_t >> end >> x3::eps[set<&allocation::maybe_live_out>];
inline constexpr auto preallocated_temp =
    ", preallocated-temp"_t >> end >> x3::eps[set<&allocation::preallocated_temp>];
inline constexpr auto unknown = token<scan::dump::unknown_flag>{}[keep_unknown];

}  // namespace flag

inline constexpr auto forget_unknown = [](auto& c) { dump_of(c).unknown_drafts.clear(); };
/// The header is kept, so what it says that nobody knows is worth a note.
inline void keep_unknown_flags(dump_state& s) {
  s.unknown.insert(s.unknown.end(), s.unknown_drafts.begin(), s.unknown_drafts.end());
}

inline void keep(dump_state&, allocation_parameter&, std::string_view) {}

/// What an allocation is for, up to the colon.
inline constexpr auto flags =
    x3::eps[forget_unknown] >>
    *((flag::color | flag::page | flag::parameter | flag::output_shape | flag::constant | flag::thread_local_ |
       flag::maybe_live_out | flag::preallocated_temp) >> flag::end | flag::unknown);

}  // namespace hlolint::grammar::dump
