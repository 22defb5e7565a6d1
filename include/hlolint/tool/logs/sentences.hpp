// The fixed words of messages about missing memory (oom_logs.md 1 to 4). The grammar reads messages by them,
// whole_lines.hpp joins lines by them, and they decide whether a text is a log.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace hlolint::logs {

/// The first and the last fixed words of a message. No `end` if the beginning has all needed words.
struct sentence {
  std::string_view begin;  ///< `Ran out of memory in memory space `
  std::string_view end;    ///< ` capacity by `
};

/// A list of the arguments.
template <class Item, class... More>
constexpr std::array<Item, 1 + sizeof...(More)> listed(Item first, More... more) {
  return {first, more...};
}

/// Each name tells the subject of the message. @{
namespace sentences {
// The compiler for TPU.
inline constexpr sentence ran_out{"Ran out of memory in memory space ", " capacity by "};
inline constexpr sentence scoped{"Scoped allocation with size ", " limit by "};
inline constexpr sentence would_exceed{"Allocation (size=", ") would exceed memory (size="};
inline constexpr sentence early{"Aborting compilation early because it's unlikely to have enough memory. Requires ",
                                ", has "};
inline constexpr sentence temporaries{"Ran out of memory on HBM, the total memory required for HLO temporaries (",
                                      ") exceeds available HBM ("};
inline constexpr sentence two_cores{"TensorCore Hbm usage: ", ", exceeding available bytes: "};
inline constexpr sentence sparse_core{"'memref.alloca' op current allocation offset upper bound (",
                                      " words) exceeds the legitimate user allocatable offset upper bound ("};
inline constexpr sentence kernel_stack{"Insufficient scoped ", " > "};
inline constexpr sentence program_usage{" program HBM usage: ", {}};  // printed for every program: not an error
// The run time for TPU.
inline constexpr sentence not_allocated{"Attempting to allocate ", " free"};
inline constexpr sentence not_reserved{"Attempting to reserve ", " reservable"};
inline constexpr sentence could_not{"Could not allocate ", " bytes available"};
// GPU.
inline constexpr sentence out_of_memory{"Out of memory while trying to allocate ", {}};
inline constexpr sentence out_of_host_memory{"Out of host memory while trying to allocate ", {}};
inline constexpr sentence request{"Failed to allocate request for ", " on device ordinal "};
inline constexpr sentence async_allocator{" cuMemAllocAsync failed to allocate ", " bytes"};
inline constexpr sentence driver{"Failed to allocate device memory of ", " bytes)"};
inline constexpr sentence driver_retries{"failed to allocate ", " from device"};
inline constexpr sentence address_budget{"Not enough PA budget: pa_allocated=", ", pa_budget="};
inline constexpr sentence command_buffers{"Underlying backend ran out of memory trying to instantiate command buffer",
                                          {}};
inline constexpr sentence pool{") ran out of memory trying to allocate ", {}};
inline constexpr sentence shared_memory{"Shared memory size limit exceeded: requested ", ", available: "};
inline constexpr sentence tensor_memory{"Tensor memory size limit exceeded: requested ", ", available: "};
inline constexpr sentence autotuning{"Allocating ", " bytes exceeds the memory limit of "};
inline constexpr sentence rematerialized{"Can't reduce memory use below ", " by rematerialization; only reduced to "};
inline constexpr sentence arguments{"The byte size of input/output arguments (", ") exceeds the base limit ("};
inline constexpr sentence debugging{"BufferAssignment OOM Debugging.", {}};
inline constexpr sentence statistics{"BufferAssignment stats:", {}};
// Libraries and other frameworks in the same job.
inline constexpr sentence nccl{"NCCL operation ", "out of memory'"};
inline constexpr sentence cublas{"Failure to initialize cublas may be due to OOM", {}};
inline constexpr sentence cuda{"CUDA_ERROR_OUT_OF_MEMORY", {}};
inline constexpr sentence hip{"HIP_ERROR_OutOfMemory", {}};
inline constexpr sentence torch{" out of memory. Tried to allocate ", {}};
inline constexpr sentence tensor{"OOM when allocating tensor ", " by allocator "};
inline constexpr sentence julia{"Out of GPU memory trying to allocate ", {}};
// CPU and host.
inline constexpr sentence on_host{"Out of memory allocating ", " bytes"};
inline constexpr sentence host_bytes{"Failed to allocate ", {}};
inline constexpr sentence literal{"Failed to allocate buffer for Literal", {}};
inline constexpr sentence too_large{" requires too much memory (", " bytes)"};
inline constexpr sentence numpy{"Unable to allocate ", " for an array with shape "};
inline constexpr sentence torch_host{"you tried to allocate ", " bytes"};
inline constexpr sentence killed{"ut of memory: Killed process ", {}};
// Other messages about a resource, and words that many messages share.
inline constexpr sentence status{"RESOURCE_EXHAUSTED: ", {}};
inline constexpr sentence old_status{"Resource exhausted: ", {}};
inline constexpr sentence exception{"ResourceExhaustedError: ", {}};
inline constexpr sentence words{"ut of memory", {}};
inline constexpr sentence upper_words{"UT_OF_MEMORY", {}};
inline constexpr sentence joined_words{"utOfMemory", {}};
inline constexpr sentence title_words{"ut Of Memory", {}};
inline constexpr sentence status_word{"RESOURCE_EXHAUSTED", {}};
inline constexpr sentence killer{"oom_kill", {}};

inline constexpr auto all = listed(
    &ran_out, &scoped, &would_exceed, &early, &temporaries, &two_cores, &sparse_core, &kernel_stack, &not_allocated,
    &not_reserved, &could_not, &out_of_memory, &out_of_host_memory, &request, &async_allocator, &driver,
    &driver_retries, &address_budget, &command_buffers, &pool, &shared_memory, &tensor_memory, &autotuning,
    &rematerialized, &arguments, &debugging, &statistics, &nccl, &cublas, &cuda, &hip, &torch, &tensor, &julia,
    &on_host, &host_bytes, &literal, &too_large, &numpy, &torch_host, &killed, &status, &old_status, &exception, &words,
    &upper_words, &joined_words, &title_words, &status_word, &killer, &program_usage);
}  // namespace sentences
/// @}

/// The first words of the lines below the head of a report (oom_logs.md 1 T1, 3 G2).
inline constexpr auto report_lines = listed<std::string_view>(
    "Total ", "reserved ", "program ", "arguments ", "Output size ", "Program ", "global ", "scoped ", "HLO temp ",
    "overlays ", "Largest program allocations",
    "Operator: ", "Shape: ", "Unpadded size: ", "Extra memory due to padding: ", "XLA label: ", "XLA Label: ",
    "Allocation type: ", "Tag: ", "====", "BufferAssignment stats:", "Peak buffers:", "Buffer ",
    "parameter allocation:", "constant allocation:", "maybe_live_out allocation:", "preallocated temp ",
    "total allocation:", "total fragmentation:", "Entry Parameter Subshape: ", "See https://");

/// Whether a text has a word. A blank before it is looked at last, since most of a text may be blanks.
constexpr bool holds(std::string_view text, std::string_view word) {
  const bool after_blank = word.starts_with(' ');
  if (after_blank) word.remove_prefix(1);
  std::size_t at = text.find(word, after_blank);
  while (after_blank && at != text.npos && text[at - 1] != ' ') at = text.find(word, at + 1);
  return at != text.npos;
}
/// Whether a text has one of some words.
constexpr bool holds_any(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    if (holds(text, word)) return true;
  return false;
}
/// Whether a text may be a log with messages about memory. Reads it several times at most.
constexpr bool mentions_memory(std::string_view text) {
  // Every sentence has one of these words.
  return holds_any(text, {"llocat", "emory", "MEMORY", "Memory", "OOM", "oom_kill", "Hbm", " HBM ",
                          "Insufficient scoped", "input/output arguments", "EXHAUSTED", "xhausted"}) &&
         std::any_of(std::begin(sentences::all), std::end(sentences::all),
                     [&](const sentence* s) { return holds(text, s->begin); });
}
/// Whether a text has a report of the TPU compiler without its first line. The same lists are printed for every program
/// that fits (oom_logs.md 1 T5); those begin with the usage of the program.
constexpr bool holds_part_of_report(std::string_view text) {
  return holds_any(text, {"hbm usage >= ", "Largest program allocations in ", "Program hbm requirement "}) &&
         !holds(text, sentences::program_usage.begin);
}
/// Whether a text states that memory ran out, and does not only list its use.
constexpr bool mentions_failure(std::string_view text) {
  return holds_any(text, {"an out of memory", "ut of memory", "xhausted", "EXHAUSTED", " exceed", "Exceeded"});
}
/// The first place of "out of memory" or `RESOURCE_EXHAUSTED` in any spelling; npos if there is none.
constexpr std::size_t first_mention(std::string_view text) {
  std::size_t first = text.npos;
  for (const sentence* const s :
       {&sentences::status_word, &sentences::old_status, &sentences::exception, &sentences::words,
        &sentences::upper_words, &sentences::joined_words, &sentences::title_words, &sentences::killer})
    first = std::min(first, text.find(s->begin));
  return first;
}
/// Whether a message may begin after `before` on its line. It may not in a comment or a string of source code, which is
/// no report.
constexpr bool may_be_stated(std::string_view before) {
  const std::size_t first = std::min(before.find_first_not_of(" \t"), before.size());
  const std::string_view text = before.substr(first);
  for (const std::string_view word :
       {"//", "/*", "return ", "raise ", "throw ", "assert", "EXPECT_", "ASSERT_", "CHECK", "LOG(", "if ", "elif ",
        "else ", "print(", "printf(", "@", "#include", "def ", "case "})
    if (text.starts_with(word)) return false;
  // ` * text` continues a comment; a list of Markdown has an even number of blanks before it.
  if (text.starts_with("* ") && first % 2 == 1) return false;
  if (first > 0 && text.starts_with("# ")) return false;
  std::size_t quote = before.npos;  // the quotation mark that is open before the message
  for (std::size_t at = 0; at < before.size(); ++at) {
    const char c = before[at];
    if (c != '"' && c != '\'') continue;
    if (quote != before.npos && before[quote] == c) {
      quote = before.npos;
    } else if (quote == before.npos && (c == '"' || at == 0 || before[at - 1] == '(' || before[at - 1] == '=')) {
      quote = at;  // an apostrophe opens nothing
    }
  }
  if (quote == before.npos) return true;
  const std::string_view opening = before.substr(0, quote);
  if (opening.ends_with('(')) return opening.ends_with("Error(") || opening.ends_with("Exception(");
  if (opening.ends_with('=')) return opening.find('(') == opening.npos;
  return !opening.ends_with("= ") && (quote != first || first == 0);
}

}  // namespace hlolint::logs
