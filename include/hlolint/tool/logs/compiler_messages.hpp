// Messages of XLA's compilers and run time that cost memory or time, or stop a job: what each means, and what to do.
// All other messages of a log are passed over (oom_logs.md 8). Messages about missing memory are in sentences.hpp.
#pragma once

#include <hlolint/tool/logs/sentences.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::logs {

/// A message: the words by which it is known, what it means, and what to do.
struct compiler_message {
  std::string_view begin;    ///< the first fixed words
  std::string_view meaning;  ///< a sentence without its end; what the log names follows it
  std::string_view advice;   ///< what to do
};

/// Each name tells the subject of the message. @{
namespace messages {
inline constexpr compiler_message partitioner{"nvoluntary full rematerialization",
                                              "the partitioner makes a whole copy of a sharded array on every device",
                                              "Give the operation or its operands a sharding "
                                              "(jax.lax.with_sharding_constraint) between the two that are named, so "
                                              "that no device needs the whole array."};
inline constexpr compiler_message donation{
    "Some donated buffers were not usable:", "arrays were donated, and no result can take their place",
    "A donated array needs a result of its shape and type: return one, or donate only the arrays that the step "
    "replaces."};
inline constexpr compiler_message rematerialization{
    "Can't reduce memory use below ", "the compiler cannot bring the need of a program below its limit",
    "Use smaller batches, rematerialize less to keep (jax.checkpoint with another policy), or shard the largest values "
    "(`hlolint memory` on a dump of the program lists them)."};
inline constexpr compiler_message very_slow{"Very slow compile?", "the compiler needs very long for a program",
                                            "Look for loops that Python unrolls (use jax.lax.scan), and for large "
                                            "constants; a compilation cache helps from the "
                                            "second run on."};
inline constexpr compiler_message slow_folding{
    "Constant folding an instruction is taking > ", "the compiler folds a large constant",
    "Pass the array to the function as an argument, or make it with an operation that depends on an argument."};
inline constexpr std::string_view look_at_the_others =
    "Not all processes run the same program, or one has failed: look for the first error of the others, and compare "
    "their dumps (`hlolint ranks`).";
inline constexpr compiler_message rendezvous{"to join the rendezvous, but only",
                                             "a collective waits for devices that do not come", look_at_the_others};
inline constexpr compiler_message stuck{"and may be stuck", "a thread waits for others in a collective",
                                        look_at_the_others};
inline constexpr compiler_message clique{
    "cquire clique", "devices wait for each other to form the group of a collective", look_at_the_others};

inline constexpr auto all =
    listed(&partitioner, &donation, &rematerialization, &very_slow, &slow_folding, &rendezvous, &stuck, &clique);

/// The errors that XLA numbers (docs/errors/error_NNNN.md).
struct numbered_error {
  std::string_view code, meaning, advice;
};
inline constexpr auto numbered = listed(
    numbered_error{"E0100", "an array did not fit into the memory that was free",
                   "Free or donate arrays that live on."},
    numbered_error{"E0101", "a program did not fit into the memory that was free",
                   "Free arrays before the program is loaded, or give caches a smaller share of the memory."},
    numbered_error{"E0102", "a program was called with an argument of another size than it was compiled for",
                   "Compile it again for these arguments, or convert the argument: compare shape, type and sharding "
                   "with those of the parameter."},
    numbered_error{
        "E0200", "a core of the device stopped",
        "Look for a kernel of your own that reads or writes outside its blocks, and for faults of the host."},
    numbered_error{"E1000", "a program needs more memory than the device has",
                   "Use smaller batches, rematerialize, or shard the largest values."},
    numbered_error{"E1001", "a kernel needs more scoped memory than its limit",
                   "Make the blocks of the kernel smaller, or raise its limit."},
    numbered_error{"E1200", "a result that lies in the memory of the host is declared to lie in that of the device",
                   "Give the result a sharding with memory_kind='pinned_host', or move it back to the device before it "
                   "is returned."},
    numbered_error{"E2001", "a kernel multiplies by a type that the device cannot take on the right",
                   "Convert the right operand of the product to a type that the device supports."},
    numbered_error{"E2002", "a kernel multiplies types that the device cannot multiply",
                   "Convert the operands of the product to types that the device supports."},
    numbered_error{"E2003", "it could not be shown that an access of a kernel is aligned",
                   "Use indices that are multiples of the tile (pl.multiple_of), or load the whole tile."},
    numbered_error{"E3000", "the tables of a SparseCore do not fit",
                   "Use smaller tables or feature_width, fewer max_unique_ids_per_partition, or more devices."},
    numbered_error{"E3001", "no number of replicas fits the memory of a SparseCore",
                   "Use smaller batches or tables, or fewer max_ids_per_partition."});
}  // namespace messages
/// @}

/// The place of `E1234: ` in a line: an error that XLA numbers; npos if there is none.
constexpr std::size_t numbered_error_in(std::string_view line) {
  for (std::size_t at = line.find('E'); at != line.npos; at = line.find('E', at + 1)) {
    const std::string_view code = line.substr(at, 7);
    if (code.size() < 7 || code[5] != ':' || code[6] != ' ' || code[1] > '3' ||
        !std::all_of(code.begin() + 1, code.begin() + 5, [](char c) { return is_digit(c); }))
      continue;
    if ((at == 0 || line[at - 1] == ' ') && at + 7 < line.size() &&
        (line.substr(at + 7).starts_with("RunTime") || line.substr(at + 7).starts_with("Runtime") ||
         line.substr(at + 7).starts_with("CompileTime")))
      return at;
  }
  return line.npos;
}
/// The bytes of `f32[8,16]`, or of `float32[8,16]` as NumPy names types; nothing for other texts.
inline std::optional<std::int64_t> bytes_of_array(std::string_view text) {
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == text.npos || close == text.npos || close < open) return std::nullopt;
  struct name {
    std::string_view word;
    std::int64_t bytes;
  };
  static constexpr name names[] = {{"float32", 4}, {"bfloat16", 2},  {"float16", 2},    {"float64", 8},
                                   {"int32", 4},   {"uint32", 4},    {"int64", 8},      {"uint64", 8},
                                   {"int16", 2},   {"uint16", 2},    {"int8", 1},       {"uint8", 1},
                                   {"bool", 1},    {"complex64", 8}, {"complex128", 16}};
  const std::string_view word = text.substr(0, open);
  const auto known = std::find_if(std::begin(names), std::end(names), [&](const name& n) { return n.word == word; });
  std::int64_t bytes = known != std::end(names) ? known->bytes : 0;
  if (bytes == 0) {
    const element_type type = find_element_type(word);
    bytes = type == element_type::unknown ? word.starts_with("float8") ? 1 : 0 : byte_width(type);
  }
  if (bytes == 0) return std::nullopt;
  checked_int64 all = bytes;
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t end = std::min(text.find(',', at), close);
    const auto dimension = leading_integer(text.substr(at, end - at));
    if (!dimension || *dimension < 0) return std::nullopt;
    all *= *dimension;
    at = end + 1;
  }
  return all.exact();
}

/// What a message names, for the reader: operation, shardings, arrays, bytes.
inline std::string named_by(const compiler_message& what, std::string_view text) {
  const auto between = [&](std::string_view begin, std::string_view end) {
    const std::size_t at = text.find(begin);
    if (at == text.npos) return std::string_view{};
    const std::string_view rest = text.substr(at + begin.size());
    const std::size_t to = rest.find(end);
    return to == rest.npos ? std::string_view{} : rest.substr(0, to);
  };
  if (&what == &messages::partitioner) {
    std::string_view operation = between("HLO operation: ", ")");
    if (operation.empty()) operation = between("HLO operation ", ")");
    const std::size_t equals = operation.find(" = ");
    std::string out;
    if (equals != operation.npos) {
      const std::string_view array = operation.substr(equals + 3, operation.find(' ', equals + 3) - equals - 3);
      out = str_cat({": ", operation.substr(0, equals), ", ", array.substr(0, array.find('{'))});
      if (const auto bytes = bytes_of_array(array)) out += " (" + human(static_cast<byte_count>(*bytes)) + ")";
    }
    const std::string_view from = between("from sharding ", " to ");
    std::string_view to = between(" to {", " without");
    if (to.empty()) to = between(" to {", " efficiently");
    if (!from.empty() && !to.empty()) out += str_cat({", from ", from, " to {", to});
    return out;
  }
  if (&what == &messages::donation) {
    checked_int64 sum = 0;
    std::size_t count = 0;
    std::string names;
    const std::size_t colon = text.find(':', text.find(what.begin) + what.begin.size() - 1);
    std::string_view rest = text.substr(std::min(colon + 1, text.size()));
    while (const std::size_t close = rest.find(']') + 1) {
      std::string_view one = rest.substr(0, close);
      one.remove_prefix(one.find_last_of(" (", one.find('[')) + 1);
      rest.remove_prefix(close);
      const auto bytes = bytes_of_array(one);
      if (!bytes) continue;
      sum += *bytes;
      if (++count <= 3) names += str_cat({count > 1 ? ", " : "", one});
    }
    return count == 0 ? std::string()
                      : str_cat({": ", count, count == 1 ? " array (" : " arrays (", names, count > 3 ? ", ...)" : ")",
                                 ", ", human(sum.clamped()), " in all"});
  }
  if (&what == &messages::rematerialization) {
    const std::string_view limit = between("memory use below ", " ("), to = between("only reduced to ", " ("),
                           from = between("down from ", " (");
    return to.empty() ? std::string()
                      : str_cat({": it needs ", to, from.empty() ? "" : ", down from ", from, ", and ", limit,
                                 " are left for it"});
  }
  if (&what == &messages::very_slow) {
    const std::string_view module = between("[Compiling module ", "]");
    return module.empty() ? std::string() : str_cat({": ", module});
  }
  if (&what == &messages::rendezvous) {
    const std::string_view expected = between("Expected ", " "), came = between("but only ", " ");
    return expected.empty() || came.empty() ? std::string() : str_cat({": ", came, " of ", expected, " came"});
  }
  return {};
}

/// Whether a text may hold one of the messages.
inline bool holds_message(std::string_view text) {
  return std::any_of(messages::all.begin(), messages::all.end(),
                     [&](const compiler_message* m) { return text.find(m->begin) != text.npos; }) ||
         ((text.find(": CompileTime") != text.npos || text.find(": Runtime") != text.npos) &&
          numbered_error_in(text) != text.npos);
}

/// A warning for each message of a log, with what it means and what to do. Messages of the same meaning are one.
/// `about_memory`: whether the numbered errors about missing memory are reported, too.
inline std::vector<diagnostic> read_messages(const source& log, bool about_memory) {
  std::vector<diagnostic> out;
  std::map<std::string, std::size_t> known;  // position in `out`
  std::vector<std::size_t> counts;
  const std::string_view text = log.text();
  if (!holds_message(text)) return out;
  const auto add = [&](std::string message, std::string_view advice, std::string_view at) {
    const auto [place, is_new] = known.try_emplace(message, out.size());
    if (!is_new) return void(++counts[place->second]);
    diagnostic d = reading_problem("DMP015", std::move(message), {log, span_of(text, at)}, severity::warning);
    d.advice = std::string(advice);
    out.push_back(std::move(d));
    counts.push_back(1);
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (const std::size_t at = numbered_error_in(line); at != line.npos) {
      const std::string_view code = line.substr(at, 5);
      const bool memory = code == "E0100" || code == "E0101" || code == "E1000" || code == "E1001";
      if (memory && !about_memory) continue;
      const auto found = std::find_if(messages::numbered.begin(), messages::numbered.end(),
                                      [&](const messages::numbered_error& e) { return e.code == code; });
      const std::string_view rest = line.substr(at + 7);
      if (found == messages::numbered.end())
        add(str_cat({code, ": ", rest.substr(0, 160)}),
            str_cat({"XLA explains this error at https://openxla.org/xla/errors/error_", code.substr(1), "."}),
            line.substr(at));
      else
        add(str_cat({code, ": ", found->meaning, ": ", rest.substr(0, 300)}),
            str_cat({found->advice, " XLA explains this error at https://openxla.org/xla/errors/error_", code.substr(1),
                     "."}),
            line.substr(at));
      continue;
    }
    for (const compiler_message* const m : messages::all) {
      const std::size_t at = line.find(m->begin);
      if (at == line.npos || !may_be_stated(line.substr(0, at))) continue;
      const std::string named = named_by(*m, line);
      const bool needs_name = m == &messages::donation || m == &messages::rematerialization;
      if (needs_name && named.empty()) continue;
      // The first letter, which may be a capital one, is left out of `begin`.
      const bool in_word = at > 0 && scan::is(scan::name_start, line[at - 1]);
      add(str_cat({m->meaning, named}), m->advice, line.substr(at - in_word));
      break;
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (counts[i] > 1) out[i].message += str_cat({" (", counts[i], " times)"});
  return out;
}

}  // namespace hlolint::logs
