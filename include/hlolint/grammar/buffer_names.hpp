// Parts that several sections of a buffer dump share: value names, and the flags of an allocation (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffer_directives.hpp>

namespace hlolint::grammar::dump {

/// `<12 fusion.1{0} (phi) @1>`
inline constexpr auto value_id = record<value_name>(
    "<", must("the number of a value")(number(&value_name::id)), must("a blank")(" "),
    must("the name of an instruction")(name(&value_name::instruction)), maybe(index(&value_name::index)),
    maybe(" (phi)", set(&value_name::phi)), maybe(" @", must("a colour")(number(&value_name::color))),
    must("'>' behind the value's name")(">"));

[[gnu::noinline, gnu::cold]] inline void keep(dump_state& s, allocation_parameter& p, std::string_view) {
  s.draft<allocation>().parameter.emplace(std::move(p));
}

namespace flag {

/// Notes an unknown flag; the allocation keeps the text from the first to the last of them.
[[gnu::noinline, gnu::cold]] inline void keep_unknown(dump_state& s, std::string_view text) {
  const std::string_view before = s.draft<allocation>().unknown_flags;
  const char* const begin = before.empty() ? text.data() : before.data();
  s.draft<allocation>().unknown_flags = view(begin, text.data() + text.size());
  s.unknown_drafts.push_back({text.data() + 2, text.data() + text.size()});
}

/// Nothing of the flag's word is left.
inline constexpr auto end = ahead(either(",", ":"));

inline constexpr auto color = in_order(", color ", number(&allocation::color));
inline constexpr auto page = in_order(", page ", number(&allocation::page));
inline constexpr auto parameter = record<allocation_parameter>(
    ", parameter ", number(&allocation_parameter::number), ", shape |", up_to<'|'>(&allocation_parameter::shape),
    "| at ShapeIndex ", index(&allocation_parameter::index));
inline constexpr auto output_shape = in_order(", output shape is |", up_to<'|'>(&allocation::output_shape), "|");
inline constexpr auto constant = in_order(", constant", end, set(&allocation::constant));
inline constexpr auto thread_local_ = in_order(", thread-local", end, set(&allocation::thread_local_storage));
inline constexpr auto maybe_live_out = in_order(", maybe-live-out", end, set(&allocation::maybe_live_out));
inline constexpr auto preallocated_temp = in_order(", preallocated-temp", end, set(&allocation::preallocated_temp));
inline constexpr auto unknown = token(&scan::dump::unknown_flag)(&keep_unknown);

}  // namespace flag

inline void forget_unknown(dump_state& s) { s.unknown_drafts.clear(); }
/// The header is kept, so what it says that nobody knows is worth a note.
inline void keep_unknown_flags(dump_state& s) {
  for (const unknown_construct& u : s.unknown_drafts) s.unknown.push_back(u);
}

/// What an allocation is for, up to the colon.
inline constexpr auto flags = in_order(
    does(&forget_unknown),
    many(either(in_order(either(flag::color, flag::page, flag::parameter, flag::output_shape, flag::constant,
                                flag::thread_local_, flag::maybe_live_out, flag::preallocated_temp),
                         flag::end),
                flag::unknown)));

}  // namespace hlolint::grammar::dump
