// Devices in protobuf messages: meshes, axes, iotas, groups of collectives (protobuf_dumps.md 7.5, 10.1, 10.2).
#pragma once

#include <hlolint/protobuf/text_parts.hpp>
#include <hlolint/protobuf/wire.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::protobuf {

/// `[2,4]<=[4,2]T(1,0)`
inline void put_iota(std::string& out, const record_list<std::int64_t>& dimensions,
                     const record_list<std::int64_t>& reshape, const record_list<std::int64_t>& transpose) {
  out += '[';
  put(out, dimensions);
  out += "]<=[";
  put(out, reshape);
  out += ']';
  if (reshape.size() < 2) return;
  out += "T(";
  put(out, transpose);
  out += ')';
}

/// MeshProto, and what refers to its axes.
class mesh_message {
 public:
  explicit mesh_message(std::string_view bytes) : mesh_(bytes) {
    mesh_.each(1, [&](std::string_view axis) { axes_.push_back(message(axis)); });
    devices_ = mesh_.numbers(2);
  }

  std::size_t axis_count() const { return axes_.size(); }
  /// No axes and one device.
  bool is_maximal() const { return axes_.empty() && devices_.size() == 1; }

  void put(std::string& out) {
    if (is_maximal()) {
      out += "maximal_mesh[device_id=";
      protobuf::put(out, devices_[0]);
      out += ']';
      return;
    }
    out += "mesh[";
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (i) out += ',';
      put_axis_name(out, i);
      out += '=';
      protobuf::put(out, axes_[i].number(2));
    }
    out += ']';
    const message iota(mesh_.bytes(3));
    if (!devices_.empty()) {
      out += ", device_ids=(";
      protobuf::put(out, devices_);
      out += ')';
    } else if (const auto reshape = iota.numbers(1); reshape.size() > 1) {
      out += ", device_ids=([";
      protobuf::put(out, reshape);
      out += "]T(";
      protobuf::put(out, iota.numbers(2));
      out += "))";
    }
  }

  /// AxisRefProto: `'a'`, or `'a':(1)2` for a part of it.
  void put_axis(std::string& out, std::string_view reference) {
    message m(reference);
    const std::int64_t at = m.number(1);
    if (at < 0 || static_cast<std::size_t>(at) >= axes_.size())
      throw bad_message("axis " + std::to_string(at) + " of a mesh that has " + std::to_string(axes_.size()) + " axes");
    put_axis_name(out, static_cast<std::size_t>(at));
    if (!m.has(2)) return;
    const message part(m.bytes(2));
    out += ":(";
    protobuf::put(out, part.number(1));
    out += ')';
    protobuf::put(out, part.number(2));
  }

 private:
  void put_axis_name(std::string& out, std::size_t i) const {
    out += '\'';
    put_escaped(out, axes_[i].text(1));
    out += '\'';
  }

  message mesh_;
  record_list<message> axes_;
  record_list<std::int64_t> devices_;
};

/// What a collective has of groups, in the fields of an instruction.
struct groups_fields {
  record_list<std::string_view> lists;            ///< the repeated field of before 2025
  std::string_view device_list, iota, mesh_axes;  ///< of these the last that is set
};

/// `{{0,1},{2,3}}`, `[2,2]<=[4]` or `mesh['a'=4] {'a'}`
inline void put_groups(std::string& out, const groups_fields& groups) {
  const auto put_iota_groups = [&](std::string_view bytes) {
    const message m(bytes);
    put_iota(out, {m.number(1), m.number(2)}, m.numbers(3), m.numbers(4));
  };
  if (!groups.iota.empty()) return put_iota_groups(groups.iota);
  if (!groups.mesh_axes.empty()) {
    message m(groups.mesh_axes);
    mesh_message mesh(m.bytes(1));
    mesh.put(out);
    out += " {";
    bool first = true;
    m.each(2, [&](std::string_view axis) {
      if (!first) out += ',';
      first = false;
      mesh.put_axis(out, axis);
    });
    out += '}';
    return;
  }
  message listed(groups.device_list);
  if (groups.lists.empty() && listed.count(1) == 0 && listed.has(2)) return put_iota_groups(listed.bytes(2));
  out += '{';
  bool first = true;
  const auto put_group = [&](std::string_view group) {
    if (!first) out += ',';
    first = false;
    put_list(out, message(group).numbers(1));
  };
  if (groups.lists.empty()) listed.each(1, put_group);
  for (const std::string_view group : groups.lists) put_group(group);
  out += '}';
}

}  // namespace hlolint::protobuf
