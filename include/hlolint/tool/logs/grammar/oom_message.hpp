// The first lines of messages about missing memory (oom_logs.md 1 to 4) from XLA's compilers, its run time and the
// libraries that it calls. A message may begin anywhere on its line. `sentences` has the fixed words.
#pragma once

#include <hlolint/grammar/buffers/lines.hpp>
#include <hlolint/tool/logs/grammar/tokens.hpp>
#include <hlolint/tool/logs/oom_report.hpp>

namespace hlolint::grammar::dump::oom {

inline constexpr token<&scan::lines::plain_word> word{};
inline constexpr auto rest_of_line = x3::omit[rest] >> eol;
inline constexpr auto other_line = !x3::eoi >> rest_of_line;
/// The line before the text of another process or another file of a process: see logs::job_log.
inline constexpr auto next_writer = '\f' >> rest_of_line;
inline constexpr auto compiling = set<&oom_report::phase>(oom_phase::compile);
namespace sentences = logs::sentences;
inline constexpr auto hint = set<&oom_report::outcome>(oom_outcome::hint);
inline constexpr auto goes_on = set<&oom_report::outcome>(oom_outcome::retried);
inline constexpr auto in_hbm = set<&oom_report::memory_space>(std::string_view("hbm"));
inline constexpr auto in_host_memory = set<&oom_report::memory_space>(std::string_view("host"));
template <auto Member>
inline constexpr auto in_bytes = into<Member>[plain_size];
template <auto Member>
inline constexpr auto sized = into<Member>[size];
template <auto Member>
inline constexpr auto spaced = into<Member>[spaced_size];
inline constexpr token<&logs::tensor> tensor_text{};

// ------------------------------------------------------------------ compile time, TPU (oom_logs.md 1)
/// `Scoped allocation with size 21.50M and limit 16.00M exceeded scoped vmem limit by 5.50M`
inline constexpr auto scoped = stated(sentences::scoped) >> sized<&oom_report::used> >> " and limit " >>
                               sized<&oom_report::capacity> >> " exceeded scoped " >> word >> " limit by " >>
                               sized<&oom_report::exceeded>;
/// The scoped allocation without a message above it.
inline constexpr auto lone_scoped =
    &(stated(sentences::scoped) >> somewhere(" exceeded scoped ") >> into<&oom_report::memory_space>[word]) >>
    compiling >> scoped;
/// `. Used 18.40G of 15.75G hbm. Exceeded hbm capacity by 2.65G`
inline constexpr auto used_of = ". Used " >> sized<&oom_report::used> >> " of " >> sized<&oom_report::capacity> >>
                                ' ' >> word >> -('.' >> blanks >> "Exceeded " >> word >> " capacity by " >>
                                                 sized<&oom_report::exceeded>);
inline constexpr auto ran_out = stated(sentences::ran_out) >> compiling >> into<&oom_report::memory_space>[word] >>
                                (" while allocating on stack for " >>
                                     into<&oom_report::allocating_for>[instruction_on_stack] >> -scoped |
                                 -used_of);
/// `[shape = 'u8[2097152]{0}', space=smem, size = 0x200000, scoped, tag = 'prefetched operand'] :: kernel.5`
inline constexpr auto placed_buffer = rule<oom_buffer>("placed buffer") =
    on_line<&oom_buffer::text>[-(&(somewhere("shape = '") >> into<&oom_buffer::shape>[before<'\''>])) >>
                               -(&(somewhere(", tag = '") >> into<&oom_buffer::tag>[before<'\''>])) >>
                               somewhere("]")] >>
    set<&oom_buffer::closed>(true);
inline constexpr auto would_exceed = stated(sentences::would_exceed) >> compiling >> in_bytes<&oom_report::wanted> >>
                                     ") would exceed memory (size=" >> in_bytes<&oom_report::capacity> >> ')' >>
                                     -(&(somewhere("space=") >> into<&oom_report::memory_space>[word])) >>
                                     -(&(somewhere("[") >> append<&oom_report::buffers>[placed_buffer])) >>
                                     -(somewhere("'] :: ") >>
                                       ("<no-hlo-instruction>" | into<&oom_report::allocating_for>[some_rest]));
inline constexpr auto early =
    stated(sentences::early) >> compiling >> sized<&oom_report::used> >> ", has " >> sized<&oom_report::capacity>;
inline constexpr auto temporaries = stated(sentences::temporaries) >> compiling >> in_hbm >> sized<&oom_report::used> >>
                                    ") exceeds available HBM (" >> sized<&oom_report::capacity>;
/// The use of one of the two kinds of cores, which share the memory.
inline constexpr std::string_view tensor_core = "TensorCore", sparse_core_name = "SparseCore";
template <const auto& Name>
inline constexpr auto core = rule<oom_usage>("core") =
    set<&oom_usage::label>(Name) >> on_line<&oom_usage::text>[sized<&oom_usage::size>];
inline constexpr auto two_cores = stated(sentences::two_cores) >> compiling >> in_hbm >>
                                  &append<&oom_report::usage>[core<tensor_core>] >> sum<&oom_report::used>[size] >>
                                  ", SparseCore Hbm usage" >> -x3::lit(':') >> ' ' >>
                                  &append<&oom_report::usage>[core<sparse_core_name>] >> sum<&oom_report::used>[size] >>
                                  ", exceeding available bytes: " >>
                                  (sized<&oom_report::capacity> | in_bytes<&oom_report::capacity>);
inline constexpr auto sparse_core = stated(sentences::sparse_core) >> compiling >> digits >>
                                    " words) exceeds the legitimate user allocatable offset upper bound (";
inline constexpr auto kernel_stack = stated(sentences::kernel_stack) >> compiling >>
                                     into<&oom_report::memory_space>[word] >> ": " >> sized<&oom_report::used> >>
                                     " > " >> sized<&oom_report::capacity>;

// ------------------------------------------------------------------ run time, TPU (oom_logs.md 2)
inline constexpr auto not_allocated = stated(sentences::not_allocated) >> sized<&oom_report::wanted> >>
                                      ". That was not possible. There are " >> sized<&oom_report::free> >> " free" >>
                                      -(". Due to fragmentation, the largest contiguous region of free memory is " >>
                                        sized<&oom_report::largest_free>);
inline constexpr auto not_reserved =
    -(somewhere("Error loading program '") >> before<'\''>) >>
    stated(sentences::not_reserved) >> set<&oom_report::phase>(oom_phase::load) >> sized<&oom_report::wanted> >>
    " at the bottom of memory. That was not possible. There are " >> sized<&oom_report::free> >>
    " free, " >> sized<&oom_report::in_use> >> " reserved, and " >> sized<&oom_report::reservable> >> " reservable";
inline constexpr auto could_not = stated(sentences::could_not) >> in_bytes<&oom_report::wanted> >>
                                  " bytes in memory " >> before<';'> >> "; " >> in_bytes<&oom_report::largest_free> >>
                                  " bytes allocatable, " >> in_bytes<&oom_report::free> >> " bytes available";

// ------------------------------------------------------------------ GPU, and libraries beside XLA (oom_logs.md 3)
inline constexpr auto out_of_memory = (stated(sentences::out_of_memory) |
                                       stated(sentences::out_of_host_memory) >> in_host_memory) >>
                                      (sized<&oom_report::wanted> | in_bytes<&oom_report::wanted> >> " bytes") >>
                                      -(" with allocator " >> into<&oom_report::allocator>[before<' '>] >>
                                        " on device " >> before<'.'>);
inline constexpr auto request =
    stated(sentences::request) >> size >> " (" >> in_bytes<&oom_report::wanted> >> "B) on device ordinal ";
inline constexpr auto async_allocator = &(before<' '> >> " cuMemAllocAsync failed to allocate ") >>
                                        into<&oom_report::allocator>[before<' '>] >>
                                        " cuMemAllocAsync failed to allocate " >> in_bytes<&oom_report::wanted> >>
                                        " bytes" >>
                                        -(rest_of_line >> blanks >> "Reported by CUDA: Free memory/Total memory: " >>
                                          in_bytes<&oom_report::free> >> '/' >> in_bytes<&oom_report::capacity>);
/// At its start the run time asks for less and less memory. Only other messages of the log show whether it failed.
inline constexpr auto driver =
    somewhere("] Failed to allocate device memory of ") >> size >> " (" >> in_bytes<&oom_report::wanted> >> " bytes)" |
    stated(sentences::driver_retries) >> size >> " (" >> in_bytes<&oom_report::wanted> >> " bytes) from device" >>
        (" collective memory" >> set<&oom_report::memory_space>(std::string_view("collective")) | ": " >> goes_on);
inline constexpr auto address_budget = stated(sentences::address_budget) >> in_bytes<&oom_report::in_use> >>
                                       "B, allocation_size=" >> in_bytes<&oom_report::wanted> >> "B, pa_budget=" >>
                                       in_bytes<&oom_report::capacity> >> 'B';
inline constexpr auto command_buffers = stated(sentences::command_buffers);
/// The warning of the allocator. Without `rounded to` it is about scratch memory that the caller does not need.
inline constexpr auto pool = somewhere("Allocator (") >> into<&oom_report::allocator>[before<')'>] >>
                             ") ran out of memory trying to allocate " >> sized<&oom_report::wanted> >>
                             (" (rounded to " | goes_on);
inline constexpr auto library = stated(sentences::nccl) >> somewhere("out of memory'") | stated(sentences::cublas) |
                                stated(sentences::cuda) | stated(sentences::hip);
inline constexpr auto kernel_memory =
    (stated(sentences::shared_memory) >> set<&oom_report::memory_space>(std::string_view("shared")) |
     stated(sentences::tensor_memory) >> set<&oom_report::memory_space>(std::string_view("tensor"))) >>
    compiling >> in_bytes<&oom_report::used> >> ", available: " >> in_bytes<&oom_report::capacity>;
inline constexpr auto autotuning = stated(sentences::autotuning) >> in_bytes<&oom_report::wanted> >>
                                   " bytes exceeds the memory limit of " >> in_bytes<&oom_report::capacity> >> " bytes";
inline constexpr auto rematerialized =
    stated(sentences::rematerialized) >> hint >> compiling >> size >> " (" >> in_bytes<&oom_report::capacity> >>
    " bytes) by rematerialization; only reduced to " >> size >> " (" >> in_bytes<&oom_report::used> >> " bytes)";
inline constexpr auto arguments = stated(sentences::arguments) >> hint >> compiling >>
                                  in_bytes<&oom_report::total_usage> >> ") exceeds the base limit (" >>
                                  in_bytes<&oom_report::capacity> >> ')';

// ------------------------------------------------------------------ CPU and host (oom_logs.md 4)
inline constexpr auto failed_on_host = stated(sentences::host_bytes) >>
                                       (in_bytes<&oom_report::wanted> >> " bytes" >>
                                            (x3::lit(" of aligned host memory") |
                                             " for host offloading transfer buffer") |
                                        size >> " (" >> in_bytes<&oom_report::wanted> >> " bytes) of " >>
                                            (x3::lit("pinned host memory") | "host memory pinned to "));
inline constexpr auto on_host = (stated(sentences::on_host) >> in_bytes<&oom_report::wanted> >> " bytes" |
                                 failed_on_host | stated(sentences::literal) |
                                 somewhere(sentences::too_large.begin) >> in_bytes<&oom_report::wanted> >> " bytes)" |
                                 stated(sentences::numpy) >> spaced<&oom_report::wanted> >>
                                     " for an array with shape " |
                                 somewhere(sentences::torch_host.begin) >> in_bytes<&oom_report::wanted> >> " bytes" |
                                 somewhere(sentences::killed.begin) >> digits) >>
                                    in_host_memory |
                                stated(sentences::host_bytes) >> in_bytes<&oom_report::wanted> >> " bytes";

// ------------------------------------------------------------------ other frameworks in the job (oom_logs.md 4.1)
/// ` 14.76 GiB total capacity; 12.60 GiB already allocated; 1.20 GiB free;`, or a sentence with the same sizes.
inline constexpr auto torch_memory = -(&(somewhere("; ") >> spaced<&oom_report::capacity> >> " total capacity; " >>
                                         spaced<&oom_report::in_use> >> " already allocated; " >>
                                         -(spaced<&oom_report::free> >> " free"))) >>
                                     -(&(somewhere(" total capacity of ") >> spaced<&oom_report::capacity> >>
                                         " of which " >> spaced<&oom_report::free> >> " is free"));
inline constexpr auto torch = somewhere(sentences::torch.begin) >> spaced<&oom_report::wanted> >> torch_memory;
inline constexpr auto tensor_buffer = rule<oom_buffer>("tensor buffer") =
    on_line<&oom_buffer::text>[&into<&oom_buffer::size>[tensor] >> into<&oom_buffer::shape>[tensor_text]] >>
    set<&oom_buffer::closed>(true);
inline constexpr auto tensorflow = stated(sentences::tensor) >> -x3::lit("with ") >> -x3::lit("of ") >>
                                   -x3::lit("shape") >> -x3::lit(' ') >>
                                   -(&into<&oom_report::wanted>[tensor] >>
                                     append<&oom_report::buffers>[tensor_buffer]) >>
                                   -(somewhere(" by allocator ") >> into<&oom_report::allocator>[word]);
inline constexpr auto julia = stated(sentences::julia) >> spaced<&oom_report::wanted> >>
                              -(rest_of_line >> blanks >> "Effective GPU memory usage: " >> somewhere("(") >>
                                spaced<&oom_report::in_use> >> '/' >> spaced<&oom_report::capacity>);

/// A message that the run time logs before it frees memory and tries again.
inline constexpr auto retried = -(&somewhere("attempting to defragment and retry after seeing error: ") >> goes_on);
inline constexpr auto debugging = stated(sentences::debugging);
inline constexpr auto known_head =
    ran_out | would_exceed | early | temporaries | two_cores | sparse_core | kernel_stack | not_allocated |
    not_reserved | could_not | out_of_memory | request | async_allocator | driver | address_budget | command_buffers |
    pool | torch | tensorflow | julia | kernel_memory | autotuning | rematerialized | arguments | on_host | library;
/// A message in unknown words, of which only the line is read.
inline constexpr auto other_message = vague >> set<&oom_report::vague>(true);
inline constexpr auto head =
    on_line<&oom_report::text>[about_memory >> retried >> (known_head | lone_scoped | debugging | other_message) >>
                               rest_of_line];
/// The next message. Statistics and lists of buffers before it belong to the message above them.
inline constexpr auto next_message = rule<oom_report>("next message") = about_memory >> known_head;
inline constexpr auto report_ahead = next_writer | next_message;

}  // namespace hlolint::grammar::dump::oom
