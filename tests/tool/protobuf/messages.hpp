// Protobuf messages for tests, written field by field.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

namespace messages {

inline std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
/// A number: bool, enum, int32, int64.
inline std::string number(std::uint32_t tag, std::int64_t value) {
  return varint(tag << 3) + varint(static_cast<std::uint64_t>(value));
}
/// A message or a text.
inline std::string sized(std::uint32_t tag, std::string_view bytes) {
  return varint(tag << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}
/// Numbers, packed.
inline std::string packed(std::uint32_t tag, std::initializer_list<std::int64_t> values) {
  std::string bytes;
  for (const std::int64_t value : values) bytes += varint(static_cast<std::uint64_t>(value));
  return sized(tag, bytes);
}
inline std::string real(std::uint32_t tag, double value) {
  char bytes[8];
  std::memcpy(bytes, &value, 8);
  return varint(tag << 3 | 1) + std::string(bytes, 8);
}
inline std::string floats(std::uint32_t tag, std::initializer_list<float> values) {
  std::string bytes;
  for (const float value : values) bytes.append(reinterpret_cast<const char*>(&value), 4);
  return sized(tag, bytes);
}

constexpr std::int64_t pred = 1, s32 = 4, f32 = 11;

/// ShapeProto of an array, the last dimension the most minor one.
inline std::string array(std::int64_t type, std::initializer_list<std::int64_t> sizes = {}) {
  std::string minor_to_major;
  for (std::size_t i = sizes.size(); i-- > 0;) minor_to_major += varint(i);
  return number(2, type) + packed(3, sizes) + sized(5, sized(1, minor_to_major));
}
inline std::string tuple(std::initializer_list<std::string> elements) {
  std::string out = number(2, 13);
  for (const std::string& element : elements) out += sized(4, element);
  return out;
}

/// HloInstructionProto.
inline std::string instruction(std::int64_t id, std::string_view name, std::string_view opcode, std::string_view shape,
                               std::initializer_list<std::int64_t> operands = {}, std::string_view more = {}) {
  return sized(1, name) + sized(2, opcode) + sized(3, shape) + number(35, id) +
         (operands.size() ? packed(36, operands) : "") + std::string(more);
}
inline std::string parameter(std::int64_t id, std::string_view name, std::int64_t index, std::string_view shape) {
  return instruction(id, name, "parameter", shape, {}, number(9, index));
}
/// HloComputationProto.
inline std::string computation(std::int64_t id, std::string_view name, std::int64_t root,
                               std::initializer_list<std::string> instructions) {
  std::string out = sized(1, name);
  for (const std::string& i : instructions) out += sized(2, i);
  return out + number(5, id) + number(6, root);
}
/// HloModuleProto.
inline std::string module_of(std::initializer_list<std::string> computations, std::int64_t entry,
                             std::string_view more = {}) {
  std::string out = sized(1, "m") + sized(2, "e");
  for (const std::string& c : computations) out += sized(3, c);
  return out + number(6, entry) + std::string(more);
}
inline std::string hlo_proto(std::string_view module, std::string_view assignment = {}) {
  return sized(1, module) + (assignment.empty() ? "" : sized(3, assignment));
}

/// An add of two parameters, ids 1 to 3 in computation 7.
inline std::string add_module(std::string_view more = {}) {
  const std::string four = array(f32, {4});
  return module_of({computation(7, "e", 3,
                                {parameter(1, "a", 0, four), parameter(2, "b", 1, four),
                                 instruction(3, "sum", "add", four, {1, 2})})},
                   7, more);
}
constexpr std::string_view add_text = R"(HloModule m

ENTRY %e (a: f32[4], b: f32[4]) -> f32[4] {
  %a = f32[4]{0} parameter(0)
  %b = f32[4]{0} parameter(1)
  ROOT %sum = f32[4]{0} add(%a, %b)
}

)";

}  // namespace messages
