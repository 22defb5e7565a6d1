// BUD008: a job's log in which memory ran out.
#pragma once

#include <hlolint/analysis/buffers/oom_incidents.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/option.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// What did not fit, in one sentence: `out of memory in hbm when the program was compiled: 18.40GiB are needed, ...`.
inline std::string oom_sentence(const oom_incident& incident) {
  const oom_report& r = incident.report;
  const auto text = [](const std::optional<printed_size>& size) { return human(size->bytes); };
  std::string out = r.outcome == oom_outcome::hint ? "the compiler expects too little memory" : "out of memory";
  if (!r.memory_space.empty()) out += " in " + std::string(r.memory_space);
  out += r.phase == oom_phase::compile ? " when the program was compiled"
         : r.phase == oom_phase::load  ? " when the program was loaded"
                                       : " when it ran";
  if (r.used && r.capacity) {
    const std::string_view device = r.memory_space == "hbm" ? device_of_capacity(r.capacity->text) : std::string_view{};
    out += ": " + text(r.used) + " are needed, and there are " + text(r.capacity);
    if (!device.empty()) out += " (" + std::string(device) + ")";
  } else if (r.wanted) {
    out +=
        ": " + text(r.wanted) + " in one piece " + (r.phase == oom_phase::load ? "for the program" : "for one value");
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
  if (incident.processes.size() > 1) out += " (on " + std::to_string(incident.processes.size()) + " processes)";
  return out;
}

/// What helps most, by what the report shows. Flags come last: they do not help if one value is larger than the memory.
inline std::string oom_advice(const oom_incident& incident) {
  const oom_report& r = incident.report;
  const auto missing = incident.missing();
  if (r.outcome == oom_outcome::hint) return {};
  if (r.memory_space == "vmem" || r.memory_space == "smem" || r.memory_space == "shared") {
    const auto spills = [](const oom_buffer& b) { return b.label.find("spill") != b.label.npos; };
    if (r.memory_space == "smem")
      return "Scalar memory holds prefetched operands: prefetch less, or split the batch of the kernel.";
    if (std::any_of(r.buffers.begin(), r.buffers.end(), spills))
      return "Registers are spilled: make the blocks of the kernel smaller.";
    return "Make the blocks of the kernel smaller, or raise its limit (vmem_limit_bytes, "
           "--xla_tpu_scoped_vmem_limit_kib).";
  }
  if (r.memory_space == "host")
    return "This is memory of the host: free arrays there, or ask the job's scheduler for more.";
  if (r.phase == oom_phase::load)
    return "Arrays that live on block the room that the program's temporaries need in one piece: free or donate them "
           "before the program runs, "
           "or give caches a smaller share of the memory.";
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
  if (incident.larger_than_all())
    return "One value is larger than the memory: no flag helps. Shard it, or split what makes it.";
  if (!r.buffers.empty()) {
    const oom_source from = source_of(r.buffers.front());
    if (from.op_name.find("jvp(") != from.op_name.npos)
      return "The largest values are made in the forward pass and kept for the backward pass: rematerialize them "
             "(jax.checkpoint), or use "
             "smaller batches.";
    return "Begin with the values named here: shard or donate them, compute them in parts, or use smaller batches.";
  }
  if (r.wanted && r.capacity && r.in_use)
    return "Arrays that live on take most of the memory: free or donate what is not needed, then use smaller batches.";
  return "Dump the program (--xla_dump_to) and run `hlolint memory` on the dump to see what takes the memory.";
}

/// One finding each time, whatever number of processes reported it.
struct out_of_memory {
  /// Id, name, level and explanation.
  static constexpr rule about{
      .id = "BUD008",
      .name = "out-of-memory",
      .level = severity::error,
      .since = "0.1",
      .what = "A job's log reports that memory ran out, on the device, in a kernel or on the host.",
      .why = "The job stops there. The report names what did not fit and by how much, and often the largest values.",
      .advice =
          "Begin with the values named here: shard or donate them, compute them in parts, or use smaller batches.",
      .example = "Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. Exceeded hbm capacity by 2.65G.",
      .source = "XLA: docs/errors/error_1000.md"};
  static constexpr need needs = need::nothing;  ///< a log alone is enough

  std::int64_t values = 5;  ///< how many of the largest values are named
  /// What users can set, with its help.
  static constexpr auto options =
      std::tuple{option{"values", &out_of_memory::values, "how many of the largest values are named"}};

  /// Reports each time that memory ran out, as logs have it.
  void operator()(const context& dump, sink auto& report) const {
    if (!dump.buffers() || !dump.buffers()->oom()) return;
    for (const oom_incident& incident : incidents_of(*dump.buffers()->oom())) {
      const oom_report& r = incident.report;
      finding d(oom_sentence(incident));
      if (r.outcome != oom_outcome::failed) d.level = severity::note;
      d.where = dump.buffers()->where(r.text);
      d.bytes = incident.missing();
      d.advice = oom_advice(incident);
      d.subject.instruction = std::string(r.allocating_for.substr(0, r.allocating_for.find(' ')));
      if (!r.buffers.empty()) {
        const oom_source from = source_of(r.buffers.front());
        d.subject.from.at.file = std::string(from.file);
        d.subject.from.at.line = from.line;
        d.subject.from.op_name = std::string(from.op_name);
        d.subject.shape = std::string(r.buffers.front().shape);
      }
      const std::vector<const oom_buffer*> order = buffers_by_size(r);
      for (std::size_t i = 0; i < order.size() && static_cast<std::int64_t>(i) < values; ++i)
        d.related.push_back(
            {dump.buffers()->where(order[i]->text), std::string(), std::nullopt, oom_value_text(*order[i])});
      if (incident.expected)
        d.related.push_back(
            {d.where, std::string(), std::nullopt, "the compiler expected to need " + human(incident.expected->bytes)});
      report(std::move(d));
    }
  }

 private:
  // `8.00GiB, bf16[32,16,4096,64], 4.00GiB of it padding (2.0x), /app/net.py:41, jit(step)/dot_general`
  static std::string oom_value_text(const oom_buffer& b) {
    const oom_source from = source_of(b);
    std::string out = human(b.size.bytes);
    if (!b.shape.empty()) out += ", " + std::string(b.shape);
    if (b.entry_parameter) out += ", a parameter";
    if (b.padding) {
      out += ", " + human(b.padding->bytes) + " of it padding";
      if (b.size.bytes > 0 && b.unpadded && b.unpadded->bytes > 0) {
        const double times = static_cast<double>(b.size.bytes) / static_cast<double>(b.unpadded->bytes);
        const auto tenths = static_cast<std::int64_t>(times * 10 + 0.5);
        out += " (" + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "x)";
      }
    }
    if (!from.file.empty()) out += ", " + file_and_line(from.file, from.line);
    if (!from.op_name.empty()) out += ", " + std::string(from.op_name);
    if (from.op_name.empty() && !b.label.empty()) out += ", " + std::string(b.label.substr(0, 80));
    return out;
  }
};

}  // namespace hlolint
