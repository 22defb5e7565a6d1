// OpSharding and NamedShardingProto (protobuf_dumps.md 10).
#pragma once

#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/devices.hpp>
#include <hlolint/tool/protobuf/metadata.hpp>
#include <hlolint/tool/protobuf/text_parts.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

namespace detail {

/// ` metadata={..}` inside a sharding; each entry of several has its own braces.
inline void put_sharding_metadata(std::string& out, const std::vector<std::string_view>& list, bool named) {
  if (list.empty()) return;
  out += named ? ", metadata={" : " metadata={";
  const bool braces = named || list.size() > 1;
  put_each(out, list, ", ", [&](std::string_view one) {
    const message m(one);
    if (braces) out += '{';
    put_metadata(out, m, message(m.text(20)).text(1));
    if (braces) out += '}';
  });
  out += '}';
}

inline void put_named_sharding(std::string& out, std::string_view bytes) {
  const message m(bytes);
  const mesh_message mesh(m.bytes(2));
  const auto end = [&] {
    put_sharding_metadata(out, m.all(6), true);
    out += '}';
  };
  const std::string_view reduction = m.number(8) == 1 ? "max" : m.number(8) == 2 ? "min" : "";
  const bool no_dimensions = m.count(3) == 0;
  const auto all_axes = [&](std::uint32_t tag) {
    const auto axes = m.all(tag);
    return no_dimensions && mesh.axis_count() > 0 && axes.size() == mesh.axis_count() &&
           std::none_of(axes.begin(), axes.end(), [](std::string_view axis) { return message(axis).has(2); });
  };
  if (no_dimensions && !mesh.is_maximal() && m.count(4) + m.count(5) + m.count(7) == 0) {
    out += "{replicated";
    return end();
  }
  if (all_axes(5)) {
    out += "{unreduced";
    if (!reduction.empty()) out += '=', out += reduction;
    return end();
  }
  out += '{';
  mesh.put(out);
  if (mesh.is_maximal()) return end();
  if (all_axes(7)) {
    out += ", manual";
    return end();
  }
  const auto axes = [&](const message& from, std::uint32_t tag) {
    put_each(out, from.all(tag), ", ", [&](std::string_view axis) { mesh.put_axis(out, axis); });
  };
  out += ", [";
  put_each(out, m.all(3), ", ", [&](std::string_view dimension) {
    const message d(dimension);
    out += '{';
    axes(d, 1);
    if (!d.flag(2)) out += d.has(1) ? ", ?" : "?";
    out += '}';
  });
  out += ']';
  const auto part = [&](std::string_view key, std::uint32_t tag) {
    if (m.count(tag) == 0) return;
    out += key;
    if (tag == 5) out += reduction;
    out += '{';
    axes(m, tag);
    out += '}';
  };
  part(", replicated=", 4), part(", unreduced=", 5), part(", manual=", 7);
  end();
}

}  // namespace detail

/// The value of `sharding=`.
inline void put_sharding(std::string& out, std::string_view bytes, int depth = 0) {
  if (depth > deepest) throw bad_message("shardings nested more than " + std::to_string(deepest) + " levels deep");
  const message m(bytes);
  const std::int64_t type = m.number(1);
  if (type == 2) {
    out += '{';
    std::size_t i = 0;
    for (const std::string_view element : m.all(5)) {
      put_separator(out, i++);
      put_sharding(out, element, depth + 1);
    }
    out += '}';
    return;
  }
  if (m.has(14)) return detail::put_named_sharding(out, m.bytes(14));

  const auto devices = m.numbers(4), reshape = m.numbers(9);
  const auto is_one = [](std::int64_t d) { return d == 1; };
  const bool one_device =
      devices.size() == 1 || (!reshape.empty() && std::all_of(reshape.begin(), reshape.end(), is_one));
  if (type == 0 || (type == 3 && one_device)) {
    out += "{replicated";
  } else if (type == 1) {
    append_to(out, {"{maximal device=", devices.empty() ? 0 : devices[0]});
  } else if (type == 4) {
    out += "{manual";
  } else if (type == 6) {
    out += "{unreduced";
  } else if (type != 3) {
    out += "{unknown";
  } else {
    out += "{devices=";
    if (!reshape.empty()) {
      put_iota(out, m.numbers(3), reshape, m.numbers(10));
    } else {
      out += '[';
      put(out, m.numbers(3));
      out += ']';
      put(out, devices);
    }
    if (m.number(6)) out += " last_tile_dim_replicate";
    if (const auto last = m.numbers(8); !last.empty()) {
      out += " last_tile_dims={";
      put_each(out, last, ", ", [&](std::int64_t kind) {
        out += kind == 1 ? "maximal" : kind == 4 ? "manual" : kind == 6 ? "unreduced" : "replicated";
      });
      out += '}';
    }
  }
  if (m.flag(11)) append_to(out, {m.flag(13) ? " shard_like " : " shard_as ", m.number(12)});
  detail::put_sharding_metadata(out, m.all(7), false);
  out += '}';
}

}  // namespace hlolint::protobuf
