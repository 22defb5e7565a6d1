// MEM005: a value that has fewer bytes than its shape needs.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// sizes.md 5: only a size that is too small is a fault. A larger size is a note, and only if no value in the same
/// bytes explains it.
struct size_shape_mismatch {
  static constexpr rule about{
      .id = "MEM005",
      .name = "size-shape-mismatch",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers,
      .what =
          "A value is smaller than its shape requires by the size function that fits the dump. A larger size "
          "that nothing explains is a note.",
      .why = "The elements do not fit: writing the value overruns the bytes after it.",
      .advice = "Check whether the dump was edited; if not, keep it and report a bug of the compiler's size function.",
      .example =
          "allocation 3: size 512, preallocated-temp:\n"
          " value: <4 add.1 @0> (size=512,offset=0): f32[256]{0}",
      .source = "XLA: shape_util.cc, ByteSizeOf and ArraySize"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/value_finding.hpp>

#include <map>
#include <utility>

namespace hlolint {

namespace mem005 {

/// Reports chunks that are larger than each of their values.
inline void report_larger(const context& dump, size_rule chosen, sink_ref emit) {
  const buffer_dump& buffers = *dump.buffers();
  struct chunk {
    const assigned_value* biggest = nullptr;
    byte_count own = 0;
    bool known = true;  // the sizes of all shapes are certain
  };
  std::map<std::tuple<std::int64_t, byte_count, byte_count>, chunk> chunks;
  for (const assigned_value& value : buffers.values()) {
    const shape& own_shape = buffers.shape(value);
    const auto own = byte_size(own_shape, chosen);
    chunk& c = chunks[{value.allocation, value.offset, value.size}];
    // A dynamic array may have 4 more bytes per dimension.
    c.known = c.known && own && own_shape.is_static();
    if (own && (!c.biggest || *own > c.own)) c.biggest = &value, c.own = *own;
  }
  for (const auto& [place, c] : chunks) {
    const byte_count size = std::get<2>(place);
    if (!c.known || !c.biggest || size <= c.own || size_agrees(buffers, *c.biggest, chosen)) continue;
    emit(detail::value_finding(
        dump, *c.biggest, nullptr,
        str_cat({to_string(c.biggest->name), " has ", size, " bytes, but ", to_string(buffers.shape(*c.biggest)),
                 " takes only ", c.own, ", and no value in the same bytes is larger"}),
        {.level = severity::note, .bytes = (checked_int64(size) - c.own).clamped()}));
  }
}

}  // namespace mem005

HLOLINT_INLINE void size_shape_mismatch::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  const size_rule chosen = dump.get<chosen_size_rule>().value;
  bool any_larger = false;
  for (const assigned_value& value : buffers.values()) {
    const shape& own_shape = buffers.shape(value);
    const auto own = byte_size(own_shape, chosen);
    if (!own) continue;
    any_larger = any_larger || value.size > *own;
    if (value.size >= *own || size_agrees(buffers, value, chosen)) continue;
    finding d =
        detail::value_finding(dump, value, nullptr,
                              str_cat({to_string(value.name), " has ", value.size, " bytes, but ", to_string(own_shape),
                                       " takes ", *own, " (", name_of(chosen), " sizes)"}),
                              {.bytes = (checked_int64(*own) - value.size).clamped()});
    // How much the TPU compiler adds to the elements is not public.
    if (is_tiled(chosen) && value.size >= dense_size(own_shape).value_or(0)) d.level = severity::warning;
    emit(std::move(d));
  }
  if (any_larger) mem005::report_larger(dump, chosen, emit);
}

}  // namespace hlolint
#endif
