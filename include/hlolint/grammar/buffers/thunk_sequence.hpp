// The thunk sequence of a GPU executable (buffer_dumps.md 7).
#pragma once

#include <hlolint/grammar/buffers/lines.hpp>

namespace hlolint::grammar::dump {

inline constexpr token<&scan::lines::thunk_kind> kind{};
inline constexpr token<&scan::lines::up_to_tab> up_to_tab{};
/// The blanks before a thunk.
inline constexpr token<&scan::lines::indent> indent{};

/// `{index:3, offset:256, size:64}`
inline constexpr auto slice = rule<buffer_slice>("slice") =
    on_line<&buffer_slice::text>["{index:" >> into<&buffer_slice::allocation>[signed_number] >> ", offset:" >>
                                 into<&buffer_slice::offset>[signed_number] >> ", size:" >>
                                 into<&buffer_slice::size>[signed_number] >> '}'];
/// The slices of a line, with free text around them.
inline constexpr auto slices =
    owns<&hlolint::thunk_sequence::thunks, &hlolint::thunk_sequence::slices, &thunk::first_slice,
         &thunk::slice_count>[*(token<&scan::lines::up_to_slice>{} >>
                                (append<&hlolint::thunk_sequence::slices>[slice] | '{')) >>
                              rest >> call<&dump_state::free_text_ends>[eol]];

/// `[prev=002 (1) | next=sink]`
inline constexpr auto neighbors = '[' >> blanks >>
                                  ("prev=" >> into<&thunk::previous>[number] | "source" | "prev=" >> name) >>
                                  -up_to<'|'> >> '|' >> blanks >>
                                  ("next=" >> into<&thunk::next>[number] | "sink" | "next=" >> name) >> -up_to<']'> >>
                                  ']';

/// `007: kCopy [prev=006 (1) | next=sink] ...`, or `kCopy`, blanks and a tab
inline constexpr auto thunk_line = rule<thunk>("thunk line") =
    on_line<&thunk::text>[into<&thunk::indent>[indent] >> -(into<&thunk::number>[number] >> ':' >> blanks) >>
                          into<&thunk::kind>[kind] >> blanks >> -(neighbors >> blanks) >>
                          into<&thunk::description>[rest] >> call<&dump_state::free_text_ends>[eol]];
/// A nested sequence of thunks prints its first thunk on its own line.
inline constexpr auto column = x3::omit[kind >> up_to_tab];
inline constexpr auto outer_thunk = rule<thunk>("outer thunk") =
    on_line<&thunk::text>[into<&thunk::indent>[indent] >> into<&thunk::kind>[kind] >> up_to_tab >> &(blanks >> column)];
template <class P>
constexpr auto one_thunk(const P& p) {
  return append<&hlolint::thunk_sequence::thunks>[p] >> call<&dump_state::thunk_begins>;
}

inline constexpr auto label_line = blanks >> call<&dump_state::name_body>[token<&scan::lines::label>{}] >> ':' >> eol;
inline constexpr auto thunk_sequence = within<&read_dump::thunk_list>[+(
    -one_thunk(outer_thunk) >> &one_thunk(thunk_line) >> slices | blanks >> "No thunks." >> eol | label_line |
    last_of<&hlolint::thunk_sequence::thunks>[x3::eps] >> token<&scan::lines::indentation> {} >> slices | blank_lines |
    bad_line("'KIND DESCRIPTION' or 'NUMBER: KIND DESCRIPTION' of a thunk"))];

}  // namespace hlolint::grammar::dump
