// Describes in words how an array is spread over devices.
#pragma once

#include <hlolint/ir/sharding.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <vector>

namespace hlolint::report {

namespace detail {

inline std::string axes_words(const std::vector<axis_reference>& axes, const device_mesh& mesh) {
  std::string out;
  for (const axis_reference& a : axes) {
    out += (out.empty() ? "" : ", ") + std::string(a.axis);
    if (a.size > 0) {
      out += " (" + std::to_string(a.size) + " of it)";
    } else if (const auto at = find_axis(mesh, a.axis)) {
      out += " (" + std::to_string(mesh.axes[*at].size) + ")";
    }
  }
  return out;
}

inline std::string tile_words(const sharding& s) {
  const std::size_t subgroups = s.last_tile_dims.size() + (s.replicate_last_tile_dim ? 1 : 0);
  const std::size_t dimensions = s.tiles.size() - std::min(s.tiles.size(), subgroups);
  std::string out;
  for (std::size_t d = 0; d < dimensions; ++d)
    if (s.tiles[d] > 1)
      out += (out.empty() ? "dimension " : ", dimension ") + std::to_string(d) + " in " + std::to_string(s.tiles[d]);
  out = out.empty() ? "not cut" : "cut: " + out;
  for (std::size_t g = 0; g < subgroups && dimensions + g < s.tiles.size(); ++g) {
    const std::int64_t count = s.tiles[dimensions + g];
    if (count <= 1) continue;
    const sharding::subgroup how = g < s.last_tile_dims.size() ? s.last_tile_dims[g] : sharding::subgroup::replicated;
    out += "; " + std::to_string(count);
    out += how == sharding::subgroup::replicated  ? " devices have the same part"
           : how == sharding::subgroup::manual    ? " devices are distinguished by the program (manual)"
           : how == sharding::subgroup::unreduced ? " devices have parts of a sum"
                                                  : " devices, of which one has it";
  }
  return out;
}

}  // namespace detail

/// `cut: dimension 0 in 4; 2 devices have the same part`. Elements of a tuple follow each other, up to eight.
inline std::string sharding_words(const sharding& s) {
  using enum sharding::kind;
  switch (s.written) {
    case replicated: return "replicated: every device has all of it";
    case maximal:
      return s.devices.listed.empty() ? std::string("on one device alone")
                                      : "on device " + std::to_string(s.devices.listed.front()) + " alone";
    case manual: return "manual: each device has an array of its own";
    case unknown: return "not known";
    case unreduced: return "unreduced: each device has a part of a sum";
    case tiled: return detail::tile_words(s);
    case named: {
      std::string out;
      for (std::size_t d = 0; d < s.dimensions.size(); ++d) {
        if (s.dimensions[d].axes.empty()) continue;
        out += (out.empty() ? "dimension " : ", dimension ") + std::to_string(d) + " over " +
               detail::axes_words(s.dimensions[d].axes, s.mesh);
      }
      out = out.empty() ? "not cut" : "cut: " + out;
      if (!s.replicated.empty()) out += "; the same along " + detail::axes_words(s.replicated, s.mesh);
      if (!s.unreduced.empty()) out += "; parts of a sum along " + detail::axes_words(s.unreduced, s.mesh);
      if (!s.manual.empty()) out += "; distinguished by the program along " + detail::axes_words(s.manual, s.mesh);
      return out;
    }
    case tuple: {
      constexpr std::size_t most = 8;
      std::string out;
      for (std::size_t i = 0; i < s.elements.size() && i < most; ++i)
        out += (i ? "; {" : "{") + std::to_string(i) + "} " + sharding_words(s.elements[i]);
      out += and_more(s.elements.size(), most, "; ");
      return out;
    }
  }
  return {};
}

}  // namespace hlolint::report
