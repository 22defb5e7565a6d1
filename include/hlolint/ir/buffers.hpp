// A parsed buffer dump: an immutable handle on the records of buffer_data.hpp.
#pragma once

#include <hlolint/ir/buffer_data.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

/// The buffer dump of one module. Every section is optional; `join` makes one dump of several files.
class buffer_dump {
 public:
  buffer_dump() : data_(std::make_shared<buffer_data>()) {}
  /// A handle on records that a reader has filled.
  explicit buffer_dump(std::shared_ptr<const buffer_data> data) : data_(std::move(data)) {}

  /// The allocations, in text order.
  const std::vector<allocation>& allocations() const { return data_->allocations; }
  /// The values of all allocations; empty without a BufferAssignment.
  const std::vector<assigned_value>& values() const { return data_->values; }
  /// The values in one allocation.
  std::span<const assigned_value> values(const allocation& a) const {
    return {data_->values.data() + a.first_value, a.value_count};
  }
  /// The values of other memory spaces that use the allocation, too.
  std::span<const recolored_value> recolored(const allocation& a) const {
    return {data_->recolored.data() + a.first_recolored, a.recolored_count};
  }
  /// The shape printed after the value.
  const hlolint::shape& shape(const assigned_value& v) const { return data_->shapes[v.shape]; }
  /// The allocation that holds the value.
  const allocation& allocation_of(const assigned_value& v) const {
    return data_->allocations[static_cast<std::size_t>(v.allocation)];
  }

  /// The section `Used values:`, in text order.
  const std::vector<used_value>& used_values() const { return data_->used_values; }
  /// The places where the value appears, its definition first.
  std::span<const value_position> positions(const used_value& v) const {
    return {data_->positions.data() + v.first_position, v.position_count};
  }
  /// The reads of the value.
  std::span<const value_use> uses(const used_value& v) const { return {data_->uses.data() + v.first_use, v.use_count}; }

  /// The date (year, month, day) of the XLA by whose rules the buffers were computed; nothing for a dump.
  std::optional<std::int32_t> xla_date() const { return data_->xla_date; }
  /// Whether there is a BufferAssignment.
  bool has_assignment() const { return data_->has_assignment; }
  /// Whether there is a section `Used values:`.
  bool has_used_values() const { return data_->has_used_values; }
  /// XLA's own sum of the allocations; nothing if it is not printed.
  std::optional<byte_count> total_bytes_used() const { return data_->total_bytes_used; }
  /// The line of this sum.
  std::string_view total_text() const { return data_->total_text; }
  /// Null if the dump has no live ranges or states that there are none.
  const live_range_block* live_ranges() const {
    return data_->live_ranges && data_->live_ranges->available ? &*data_->live_ranges : nullptr;
  }

  /// `memory-usage-report.txt`; null if the dump has none, like the next three. The type is in ir/memory_report.hpp.
  const hlolint::memory_report* memory_report() const { return data_->memory_report.get(); }
  /// `buffer-info.txt`; the type is in ir/buffer_info.hpp.
  const hlolint::buffer_info* buffer_info() const { return data_->buffer_info.get(); }
  /// `thunk_sequence.txt`; the type is in ir/thunk_sequence.hpp.
  const hlolint::thunk_sequence* thunks() const { return data_->thunks.get(); }
  /// Messages of a log about missing memory, which the tool reads: the type is in tool/logs/oom_report.hpp.
  const hlolint::oom_log* oom() const { return data_->oom.get(); }

  /// Where a part of the dump's text stands. Precondition: `part` is a view into one of the texts.
  location where(std::string_view part) const {
    for (const source& text : data_->texts)
      if (text.contains(part)) return {text, span_of(text.text(), part)};
    return {};
  }
  /// The files that were joined.
  const std::vector<source>& texts() const { return data_->texts; }
  /// The records behind the views.
  const buffer_data& data() const { return *data_; }

 private:
  std::shared_ptr<const buffer_data> data_;
};

/// The name of a value as XLA prints it: `fusion.1{0}`, or `add.3` without an index.
inline std::string to_string(const value_name& name) {
  return std::string(name.instruction) + (name.index ? to_string(*name.index) : std::string{});
}

}  // namespace hlolint
