// The first lines of messages about missing memory: of XLA's compilers, of its run time and of what it calls.
#pragma once

#include <hlolint/grammar/buffers/lines.hpp>
#include <hlolint/grammar/x3/log_tokens.hpp>
#include <hlolint/ir/oom_report.hpp>

namespace hlolint::grammar::dump::oom {

inline constexpr token<&scan::lines::plain_word> word{};
inline constexpr auto rest_of_line = rare<>("rest of line") = [] { return x3::omit[rest] >> eol; };
inline constexpr auto other_line = rare<>("other line") = [] { return !x3::eoi >> rest_of_line; };
/// Another process, or another file of one, has the word: see logs::job_log.
inline constexpr auto next_writer = rare<>("next writer") = [] { return '\f' >> rest_of_line; };
inline constexpr auto compiling = set<&oom_report::phase>(oom_phase::compile);
inline constexpr auto hint = set<&oom_report::outcome>(oom_outcome::hint);
template <auto Member>
inline constexpr auto in_bytes = into<Member>[plain_size];
template <auto Member>
inline constexpr auto sized = into<Member>[size];

// ------------------------------------------------------------------ compile time, TPU
inline constexpr auto scoped = rare<>("scoped") = [] {
  return stated("Scoped allocation with size ") >> sized<&oom_report::used> >> " and limit " >>
         sized<&oom_report::capacity> >> " exceeded scoped " >> word >> " limit by " >> sized<&oom_report::exceeded>;
};
inline constexpr auto ran_out = rare<>("ran out") = [] {
  return stated("Ran out of memory in memory space ") >> compiling >> into<&oom_report::memory_space>[word] >>
         (" while allocating on stack for " >> into<&oom_report::allocating_for>[instruction_on_stack] >> -scoped |
          -(". Used " >> sized<&oom_report::used> >> " of " >> sized<&oom_report::capacity> >> ' ' >> word >>
            -(". Exceeded " >> word >> " capacity by " >> sized<&oom_report::exceeded>)));
};
/// `[shape = 'u8[2097152]{0}', space=smem, size = 0x200000, scoped, tag = 'prefetched operand']`
inline constexpr auto would_exceed = rare<>("would exceed") = [] {
  return stated("Allocation (size=") >> compiling >> in_bytes<&oom_report::wanted> >> ") would exceed memory (size=" >>
         in_bytes<&oom_report::capacity> >> ')' >>
         -(somewhere(", space=") >> into<&oom_report::memory_space>[word] >> somewhere("] :: ") >>
           into<&oom_report::allocating_for>[some_rest]);
};
inline constexpr auto early = rare<>("early") = [] {
  return stated("Aborting compilation early because it's unlikely to have enough memory. Requires ") >> compiling >>
         sized<&oom_report::used> >> ", has " >> sized<&oom_report::capacity>;
};
inline constexpr auto temporaries = rare<>("temporaries") = [] {
  return stated("Ran out of memory on HBM, the total memory required for HLO temporaries (") >> compiling >>
         sized<&oom_report::used> >> ") exceeds available HBM (" >> sized<&oom_report::capacity>;
};
inline constexpr auto two_cores = rare<>("two cores") = [] {
  return stated("TPU TensorCore Hbm usage: ") >> compiling >> sized<&oom_report::used> >> ", SparseCore Hbm usage " >>
         sized<&oom_report::in_use> >> ", exceeding available bytes: " >>
         (sized<&oom_report::capacity> | in_bytes<&oom_report::capacity>);
};
inline constexpr auto sparse_core = rare<>("sparse core") = [] {
  return stated("'memref.alloca' op current allocation offset upper bound (") >> compiling >> digits >>
         " words) exceeds the legitimate user allocatable offset upper bound (";
};
inline constexpr auto kernel_stack = rare<>("kernel stack") = [] {
  return stated("Insufficient scoped ") >> compiling >> into<&oom_report::memory_space>[word] >> ": " >>
         sized<&oom_report::used> >> " > " >> sized<&oom_report::capacity>;
};

// ------------------------------------------------------------------ run time, TPU
inline constexpr auto not_allocated = rare<>("not allocated") = [] {
  return stated("Attempting to allocate ") >> sized<&oom_report::wanted> >> ". That was not possible. There are " >>
         sized<&oom_report::free> >> " free." >>
         -(" Due to fragmentation, the largest contiguous region of free memory is " >>
           sized<&oom_report::largest_free> >> '.') >>
         -(somewhere("; (") >> into<&oom_report::device>[before<')'>]);
};
inline constexpr auto not_reserved = rare<>("not reserved") = [] {
  return -(somewhere("Error loading program '") >> into<&oom_report::program>[before<'\''>]) >>
         stated("Attempting to reserve ") >> set<&oom_report::phase>(oom_phase::load) >> sized<&oom_report::wanted> >>
         " at the bottom of memory. That was not possible. There are " >> sized<&oom_report::free> >> " free, " >>
         sized<&oom_report::in_use> >> " reserved, and " >> sized<&oom_report::reservable> >> " reservable";
};
inline constexpr auto could_not = rare<>("could not") = [] {
  return stated("Could not allocate ") >> in_bytes<&oom_report::wanted> >> " bytes in memory " >>
         into<&oom_report::device>[before<';'>] >> "; " >> in_bytes<&oom_report::largest_free> >>
         " bytes allocatable, " >> in_bytes<&oom_report::free> >> " bytes available";
};

// ------------------------------------------------------------------ GPU, and libraries beside XLA
inline constexpr auto in_host_memory = set<&oom_report::memory_space>(std::string_view("host"));
inline constexpr auto out_of_memory = rare<>("out of memory") = [] {
  return (stated("Out of memory while trying to allocate ") |
          stated("Out of host memory while trying to allocate ") >> in_host_memory) >>
         (sized<&oom_report::wanted> | in_bytes<&oom_report::wanted> >> " bytes") >>
         -(" with allocator " >> into<&oom_report::allocator>[before<' '>] >> " on device " >>
           into<&oom_report::device>[before<'.'>]);
};
inline constexpr auto request = rare<>("request") = [] {
  return stated("Failed to allocate request for ") >> size >> " (" >> in_bytes<&oom_report::wanted> >>
         "B) on device ordinal ";
};
inline constexpr auto async_allocator = rare<>("async allocator") = [] {
  return into<&oom_report::allocator>[before<' '>] >> " cuMemAllocAsync failed to allocate " >>
         in_bytes<&oom_report::wanted> >> " bytes" >>
         -(rest_of_line >> blanks >> "Reported by CUDA: Free memory/Total memory: " >> in_bytes<&oom_report::free> >>
           '/' >> in_bytes<&oom_report::capacity>);
};
inline constexpr auto driver = rare<>("driver") = [] {
  return somewhere("] Failed to allocate device memory of ") >> size >> " (" >> in_bytes<&oom_report::wanted> >>
             " bytes)" |
         stated("failed to allocate ") >> size >> " (" >> in_bytes<&oom_report::wanted> >>
             " bytes) from device collective memory" >> set<&oom_report::memory_space>(std::string_view("collective"));
};
inline constexpr auto address_budget = rare<>("address budget") = [] {
  return stated("Not enough PA budget: pa_allocated=") >> in_bytes<&oom_report::in_use> >> "B, allocation_size=" >>
         in_bytes<&oom_report::wanted> >> "B, pa_budget=" >> in_bytes<&oom_report::capacity> >> 'B';
};
inline constexpr auto command_buffers = rare<>("command buffers") = [] {
  return stated("Underlying backend ran out of memory trying to instantiate command buffer");
};
/// The allocator's own warning. The one without `rounded to` is about scratch memory that the caller can do without.
inline constexpr auto pool = rare<>("pool") = [] {
  return stated("Allocator (") >> into<&oom_report::allocator>[before<')'>] >>
         ") ran out of memory trying to allocate " >> sized<&oom_report::wanted> >> " (rounded to ";
};
inline constexpr auto library = rare<>("library") = [] {
  return stated("NCCL operation ") >> somewhere("out of memory'") |
         stated("Failure to initialize cublas may be due to OOM") |
         !somewhere(" from device: ") >>
             (somewhere(": CUDA_ERROR_OUT_OF_MEMORY: out of memory") | somewhere(": HIP_ERROR_OutOfMemory"));
};
inline constexpr auto kernel_memory = rare<>("kernel memory") = [] {
  return (stated("Shared memory size limit exceeded: requested ") >>
              set<&oom_report::memory_space>(std::string_view("shared")) |
          stated("Tensor memory size limit exceeded: requested ") >>
              set<&oom_report::memory_space>(std::string_view("tensor"))) >>
         compiling >> in_bytes<&oom_report::used> >> ", available: " >> in_bytes<&oom_report::capacity>;
};
inline constexpr auto autotuning = rare<>("autotuning") = [] {
  return stated("Allocating ") >> in_bytes<&oom_report::wanted> >> " bytes exceeds the memory limit of " >>
         in_bytes<&oom_report::capacity> >> " bytes";
};
inline constexpr auto rematerialized = rare<>("rematerialized") = [] {
  return stated("Can't reduce memory use below ") >> hint >> compiling >> size >> " (" >>
         in_bytes<&oom_report::capacity> >> " bytes) by rematerialization; only reduced to " >> size >> " (" >>
         in_bytes<&oom_report::used> >> " bytes)";
};
inline constexpr auto arguments = rare<>("arguments") = [] {
  return stated("The byte size of input/output arguments (") >> hint >> compiling >> in_bytes<&oom_report::used> >>
         ") exceeds the base limit (" >> in_bytes<&oom_report::capacity> >> ')';
};

// ------------------------------------------------------------------ CPU and host
inline constexpr auto on_host = rare<>("on host") = [] {
  return (stated("Out of memory allocating ") >> in_bytes<&oom_report::wanted> >> " bytes." |
          stated("Failed to allocate ") >>
              (in_bytes<&oom_report::wanted> >> " bytes" >>
                   (x3::lit(" of aligned host memory") | " for host offloading transfer buffer") |
               size >> " (" >> in_bytes<&oom_report::wanted> >> " bytes) of " >>
                   (x3::lit("pinned host memory") | "host memory pinned to ")) |
          stated("Failed to allocate buffer for Literal") |
          somewhere(" requires too much memory (") >> in_bytes<&oom_report::wanted> >> " bytes)") >>
         in_host_memory;
};

/// What the run time logs before it makes room and tries again.
inline constexpr auto retried = rare<>("retried") = [] {
  return -(&somewhere("attempting to defragment and retry after seeing error: ") >>
           set<&oom_report::outcome>(oom_outcome::retried));
};
inline constexpr auto debugging = rare<>("debugging") = [] { return stated("BufferAssignment OOM Debugging."); };
inline constexpr auto any_head = rare<>("head") = [] {
  return ran_out | would_exceed | early | temporaries | two_cores | sparse_core | kernel_stack | not_allocated |
         not_reserved | could_not | out_of_memory | request | async_allocator | driver | address_budget |
         command_buffers | pool | library | kernel_memory | autotuning | rematerialized | arguments | on_host |
         debugging;
};
inline constexpr auto report_head = rare<>("report head") = [] { return about_memory >> retried >> any_head; };
inline constexpr auto head =
    rule<>("head line") = [] { return on_line<&oom_report::text>[report_head >> rest_of_line]; };
/// Statistics and the list of buffers belong to the message above them, if there is one.
inline constexpr auto next_message =
    rule<oom_report>("next message") = [] { return about_memory >> !debugging >> any_head; };
inline constexpr auto report_ahead = rare<>("report ahead") = [] { return next_writer | next_message; };

}  // namespace hlolint::grammar::dump::oom
