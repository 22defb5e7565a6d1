// Devices in protobuf messages: meshes, axes, iotas, groups of collectives (protobuf_dumps.md 7.5, 10.1, 10.2).
#pragma once

#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/instruction_fields.hpp>
#include <hlolint/tool/protobuf/text_parts.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

/// `[2,4]<=[4,2]T(1,0)`
inline void put_iota(std::string& out, const std::vector<std::int64_t>& dimensions,
                     const std::vector<std::int64_t>& reshape, const std::vector<std::int64_t>& transpose) {
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

/// MeshProto, and the references to its axes.
class mesh_message {
 public:
  explicit mesh_message(std::string_view bytes) : mesh_(bytes), devices_(mesh_.numbers(2)) {
    for (const std::string_view axis : mesh_.all(1)) axes_.emplace_back(axis);
  }

  std::size_t axis_count() const { return axes_.size(); }
  /// Whether the mesh has no axes and one device.
  bool is_maximal() const { return axes_.empty() && devices_.size() == 1; }

  void put(std::string& out) const {
    if (is_maximal()) return append_to(out, {"maximal_mesh[device_id=", devices_[0], "]"});
    out += "mesh[";
    put_each(out, axes_, ",", [&](const message& axis) {
      put_axis_name(out, axis);
      append_to(out, {"=", axis.number(2)});
    });
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

  /// AxisRefProto: `'a'`, or `'a':(1)2` for a part of the axis.
  void put_axis(std::string& out, std::string_view reference) const {
    const message m(reference);
    const std::int64_t at = m.number(1);
    if (at < 0 || static_cast<std::size_t>(at) >= axes_.size())
      throw bad_message(str_cat({"axis ", at, " of a mesh that has ", axes_.size(), " axes"}));
    put_axis_name(out, axes_[static_cast<std::size_t>(at)]);
    if (!m.has(2)) return;
    const message part(m.bytes(2));
    append_to(out, {":(", part.number(1), ")", part.number(2)});
  }

 private:
  static void put_axis_name(std::string& out, const message& axis) {
    out += '\'';
    put_escaped(out, axis.text(1));
    out += '\'';
  }

  message mesh_;
  std::vector<message> axes_;
  std::vector<std::int64_t> devices_;
};

/// The groups of a collective: `{{0,1},{2,3}}`, `[2,2]<=[4]` or `mesh['a'=4] {'a'}`. Of the newer forms the last that
/// is set counts; `group_lists` is the field of before 2025.
inline void put_groups(std::string& out, const message& instruction) {
  const auto put_iota_groups = [&](std::string_view bytes) {
    const message m(bytes);
    put_iota(out, {m.number(1), m.number(2)}, m.numbers(3), m.numbers(4));
  };
  const std::uint32_t form = instruction.last_of({tag::device_list, tag::iota_groups, tag::mesh_groups});
  const std::string_view bytes = instruction.bytes(form);
  if (form == tag::iota_groups && !bytes.empty()) return put_iota_groups(bytes);
  const message m(bytes);
  if (form == tag::mesh_groups && !bytes.empty()) {
    const mesh_message mesh(m.bytes(1));
    mesh.put(out);
    out += " {";
    put_each(out, m.all(2), ",", [&](std::string_view axis) { mesh.put_axis(out, axis); });
    out += '}';
    return;
  }
  auto groups = instruction.all(tag::group_lists);
  if (groups.empty() && m.count(1) == 0 && m.has(2)) return put_iota_groups(m.bytes(2));
  if (groups.empty()) groups = m.all(1);
  out += '{';
  put_each(out, groups, ",", [&](std::string_view group) { put_list(out, message(group).numbers(1)); });
  out += '}';
}

}  // namespace hlolint::protobuf
