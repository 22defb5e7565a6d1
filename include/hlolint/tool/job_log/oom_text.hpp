// Texts about the out-of-memory incidents of a log, for messages and pages.
#pragma once

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/job_log/oom_buffers.hpp>
#include <hlolint/tool/job_log/oom_incidents.hpp>
#include <hlolint/tool/logs/oom_report.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace hlolint {

/// The TPU whose compiler prints this capacity, or one a little smaller (31.24G and 31.25G); empty if none is known.
inline std::string_view device_of_capacity(byte_count printed) {
  for (const detail::tpu_figures& known : detail::tpu_presets)
    if (std::abs(detail::usable_bytes(known) - printed) <= 16_MiB) return known.name;
  return {};
}

/// Whether this is all the VMEM of a core of some TPU, or next to all, and of none the default limit of a kernel.
inline bool is_whole_vmem(byte_count capacity) {
  const auto is_all_of = [&](const detail::tpu_figures& t) {
    return std::abs(t.vmem / t.cores * 1_MiB - capacity) <= 256_KiB;
  };
  const auto is_default_of = [&](const detail::tpu_figures& t) { return t.scoped * 1_MiB == capacity; };
  return std::ranges::any_of(detail::tpu_presets, is_all_of) &&
         std::ranges::none_of(detail::tpu_presets, is_default_of);
}

/// What a limit on the VMEM of one kernel is, with the names of the TPUs: `16.00MiB is the default of tpu-v5e, which
/// has 128.00MiB; tpu-v4 has no more`; empty if it is the default of none.
inline std::string scoped_limit_text(byte_count limit) {
  std::string more, whole;
  for (const detail::tpu_figures& t : detail::tpu_presets) {
    if (t.scoped * 1024 * 1024 != limit) continue;
    const byte_count core = t.vmem / t.cores * 1024 * 1024;
    if (core > limit)
      more += (more.empty() ? "" : ", ") + std::string(t.name) + " (of " + human(core) + ")";
    else
      whole += (whole.empty() ? "" : ", ") + std::string(t.name);
  }
  if (more.empty() && whole.empty()) return {};
  std::string out = human(limit) + " is the default";
  if (!more.empty()) out += " of " + more;
  if (!whole.empty()) out += (more.empty() ? " and all of " : ", and all that there is on ") + whole;
  return out;
}

/// The compiler's warning, in one sentence.
inline std::string oom_hint_text(const oom_report& r) {
  const bool room = r.capacity && r.capacity->bytes > 0;
  if (r.total_usage)
    return "the compiler expects too little memory: the arguments and results of a program need " +
           human(r.total_usage->bytes) + (room ? ", and there are " + human(r.capacity->bytes) : std::string());
  std::string out = "the compiler expects too little memory: the temporaries of a program need ";
  out += r.used ? human(r.used->bytes) : std::string("too much");
  return out + (room ? ", and " + human(r.capacity->bytes) + " are left for them"
                     : std::string(", and its arguments and results leave no room for them"));
}

/// The incident in one sentence: `out of memory in hbm when the program was compiled: 18.40GiB are needed, ...`.
inline std::string oom_sentence(const oom_incident& incident) {
  const oom_report& r = incident.report;
  const auto text = [](const std::optional<printed_size>& size) { return human(size->bytes); };
  if (r.outcome == oom_outcome::hint) return oom_hint_text(r);
  if (r.without_head) {
    std::string lists = "the lists of a report of missing memory, without the message above them";
    if (!r.memory_space.empty()) lists += ", in " + std::string(r.memory_space);
    const std::optional<printed_size>& needs = r.program_requirement ? r.program_requirement : r.total_usage;
    if (needs) lists += ": the program needs " + text(needs);
    if (r.total_usage && r.program_requirement) lists += ", and all that is there " + text(r.total_usage);
    return lists;
  }
  std::string out = r.vague                             ? "a message about missing memory, in words that are not known"
                    : r.outcome == oom_outcome::retried ? "memory ran short, and the program tried again or did without"
                                                        : "out of memory";
  if (!r.memory_space.empty()) out += " in " + std::string(r.memory_space);
  if (!r.vague && r.outcome == oom_outcome::failed)
    out += r.phase == oom_phase::compile ? " when the program was compiled"
           : r.phase == oom_phase::load  ? " when the program was loaded"
                                         : " when it ran";
  if (r.used && r.capacity) {
    const std::string_view device =
        r.memory_space == "hbm" ? device_of_capacity(r.capacity->bytes) : std::string_view{};
    out += ": " + text(r.used) + " are needed, and there are " + text(r.capacity);
    if (!device.empty()) out += " (" + std::string(device) + ")";
  } else if (r.wanted) {
    out += ": " + text(r.wanted) + " in one piece " +
           (r.phase == oom_phase::load    ? "for the program"
            : incident.is_scratch()       ? "for the whole scratch memory of the program (all its temporaries)"
            : incident.is_for_one_value() ? "for one value"
                                          : "");
    if (out.ends_with(' ')) out.pop_back();
    if (r.reservable && r.free)
      out += ", and of " + text(r.free) + " that are free only " + text(r.reservable) + " can be reserved";
    else if (r.free)
      out += ", and " + text(r.free) + " are free" +
             (r.largest_free ? ", at most " + text(r.largest_free) + " of them in one piece" : std::string());
    else if (r.in_use && r.capacity)
      out += ", and of " + text(r.capacity) + " there are " + text(r.in_use) + " in use";
    else if (r.capacity)
      out += ", and the limit is " + text(r.capacity);
  } else if (r.allocating_for.empty()) {
    out += ": " + std::string(r.text.substr(0, 200));
  }
  if (const auto missing = incident.missing()) out += ", " + human(*missing) + " too much";
  if (const oom_source from = source_of(r.allocating_for); !from.file.empty())
    out += ", at " + file_and_line(from.file, from.line);
  if (incident.processes.size() > 1) out += " (on " + std::to_string(incident.processes.size()) + " processes)";
  return out;
}

/// The most useful advice for the incident. Flags come last: they do not help if one value is larger than the memory.
inline std::string oom_advice(const oom_incident& incident) {
  const oom_report& r = incident.report;
  const auto missing = incident.missing();
  if (r.outcome != oom_outcome::failed || r.vague) return {};
  if (r.memory_space == "vmem" || r.memory_space == "smem" || r.memory_space == "shared") {
    const auto spills = [](const oom_buffer& b) { return b.label.find("spill") != b.label.npos; };
    if (r.memory_space == "shared")
      return "This is the shared memory of a GPU's multiprocessor: make the blocks of the kernel smaller, or give it "
             "fewer stages.";
    if (r.memory_space == "smem")
      return "Scalar memory holds prefetched operands: prefetch less, or split the batch of the kernel.";
    if (std::any_of(r.buffers.begin(), r.buffers.end(), spills))
      return "Registers are spilled: make the blocks of the kernel smaller.";
    if (r.allocating_for.find(" fusion(") != r.allocating_for.npos)
      return "The compiler made this fusion, and no kernel of the program: raise the limit "
             "(--xla_tpu_scoped_vmem_limit_kib), or split the operations that it joins (jax.lax.optimization_barrier).";
    if (r.capacity && is_whole_vmem(r.capacity->bytes))
      return "Make the blocks of the kernel smaller: " + human(r.capacity->bytes) + " is all the VMEM of a core.";
    const std::string known = r.capacity ? scoped_limit_text(r.capacity->bytes) : std::string();
    const std::string limit = known.empty() ? known : ": " + known;
    return "Make the blocks of the kernel smaller, or raise its limit (vmem_limit_bytes, "
           "--xla_tpu_scoped_vmem_limit_kib)" +
           limit + ".";
  }
  if (r.memory_space == "tensor")
    return "This is the tensor memory of a GPU's multiprocessor: make the blocks of the kernel smaller.";
  const auto of_core = [&](std::string_view name) {
    const auto found =
        std::find_if(r.usage.begin(), r.usage.end(), [&](const oom_usage& u) { return u.label == name; });
    return found == r.usage.end() || !found->size ? byte_count{0} : byte_count{found->size->bytes};
  };
  if (of_core("SparseCore") > of_core("TensorCore"))
    return "The embedding tables of the SparseCore take most of it: use a smaller feature_width or fewer rows, lower "
           "max_unique_ids_per_partition, or spread the tables over more devices.";
  if (r.memory_space == "host")
    return "This is memory of the host: free arrays there, or ask the job's scheduler for more.";
  if (r.phase == oom_phase::load)
    return "Arrays that live on block the room that the program's temporaries need in one piece: free or donate them "
           "before the program runs, or give caches a smaller share of the memory.";
  if (incident.fragmented() || (r.wanted && r.largest_free && r.free && r.free->bytes >= r.wanted->bytes))
    return "Enough is free, but not in one piece: allocate the large arrays first, free arrays between programs, or "
           "restart.";
  std::optional<byte_count> padding = 0;
  const oom_buffer* padded = nullptr;
  for (const oom_buffer& b : r.buffers)
    if (b.padding) {
      padding = padding ? checked_add(*padding, b.padding->bytes) : std::nullopt;
      if (!padded || b.padding->bytes > padded->padding->bytes) padded = &b;
    }
  if (padded && missing && padding && *padding >= *missing)
    return "Padding alone is more than what is missing: keep dimensions below 8 and 128 out of the two minor places "
           "of " +
           std::string(padded->shape) + ".";
  if (const auto lost = incident.padding_of_temporaries(); lost && missing && *lost >= *missing)
    return human(*lost) +
           " of the temporaries are padding, which is more than what is missing: keep dimensions below "
           "8 and 128 out of the two minor places of the largest arrays.";
  if (incident.of_small_program())
    return "The program itself needs only " + human(*incident.of_program()) +
           ": arrays that live on, other programs or other processes fill the memory. Free or donate what is not "
           "needed, and look for processes that hold the device.";
  if (incident.is_scratch())
    return "The run time takes the temporaries of a program as one piece: use smaller batches, rematerialize "
           "(jax.checkpoint), or shard the largest values of its peak" +
           std::string(r.buffers.empty() ? " (`hlolint memory` on a dump of the program lists them)." : ".");
  if (incident.larger_than_all())
    return "One value is larger than the memory: no flag helps. Shard it, or split what makes it.";
  if (!r.buffers.empty()) {
    const oom_source from = source_of(r.buffers.front());
    if (from.op_name.find("jvp(") != from.op_name.npos)
      return "The largest values are made in the forward pass and kept for the backward pass: rematerialize them "
             "(jax.checkpoint), or use smaller batches.";
    return "Begin with the values named here: shard or donate them, compute them in parts, or use smaller batches.";
  }
  if (r.wanted && r.capacity && r.in_use)
    return "Arrays that live on take most of the memory: free or donate what is not needed, then use smaller batches.";
  return "Dump the program (--xla_dump_to) and run `hlolint memory` on the dump to see what takes the memory.";
}

/// `8.00GiB, bf16[32,16,4096,64], 4.00GiB of it padding (2.0x), /app/net.py:41, jit(step)/dot_general`
inline std::string oom_value_text(const oom_buffer& b) {
  const oom_source from = source_of(b);
  std::string out = human(b.size.bytes);
  if (!b.shape.empty()) out += ", " + unbroken(b.shape);
  if (b.entry_parameter) out += ", a parameter";
  if (b.padding) {
    out += ", " + human(b.padding->bytes) + " of it padding";
    if (b.size.bytes > 0 && b.unpadded && b.unpadded->bytes > 0) {
      const double times = static_cast<double>(b.size.bytes) / static_cast<double>(b.unpadded->bytes);
      out += " (" + number_text(times, 2) + "x)";
    }
  }
  if (!from.file.empty()) out += ", " + file_and_line(from.file, from.line);
  if (!from.op_name.empty()) out += ", " + std::string(from.op_name);
  const std::string_view name = b.label.empty() ? b.tag : b.label;
  if (from.op_name.empty() && !name.empty()) out += ", " + std::string(name.substr(0, 80));
  // `input window allocation for operator input 1`, which tells the buffers of a kernel apart
  if (!from.op_name.empty() && !b.tag.empty())
    out += ", " + std::string(b.tag.substr(0, b.tag.find(". ")).substr(0, 80));
  return out;
}

}  // namespace hlolint
