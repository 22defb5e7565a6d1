// The fields of HloInstructionProto (protobuf_dumps.md 6, 7.1).
#pragma once

#include <hlolint/tool/protobuf/reading.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

/// The fields of an instruction that the first pass reads, so that other instructions can refer to it.
struct instruction_head {
  std::string_view bytes;  ///< the whole message
  std::string_view name, opcode, shape;
  std::uint64_t id = 0;
  std::int64_t parameter_number = 0;
  std::uint32_t first_called = 0, called_count = 0;  ///< a range of `program::called`
};

/// Fills a head whose `bytes` are set, and adds the ids of the called computations to `called`.
inline void read_head(instruction_head& out, std::vector<std::int64_t>& called, reading& in) {
  for_each_field(out.bytes, [&](const field& f) {
    switch (f.key()) {
      case sized(1): out.name = f.bytes; break;
      case sized(2): out.opcode = f.bytes; break;
      case sized(3): in.merge(out.shape, f.bytes); break;
      case varint(9): out.parameter_number = f.number(); break;
      case varint(35): out.id = f.bits; break;
      case varint(38):
      case sized(38): add_numbers(f, called); break;
      default: break;
    }
  });
}

/// The numbers of the printed fields that are not in the head.
namespace tag {
enum : std::uint32_t {
  metadata = 7,
  literal = 8,
  fusion_kind = 11,
  tuple_index = 13,
  dimensions = 14,
  window = 15,
  convolution = 16,
  slices = 17,
  exponent_bits = 18,
  mantissa_bits = 19,
  slice_sizes = 20,
  padding = 21,
  outfeed_config = 22,
  distribution = 23,
  epsilon = 24,
  feature_index = 25,
  channel = 26,
  infeed_config = 27,
  call_target = 28,
  outfeed_shape = 29,
  dot = 30,
  fft_type = 31,
  fft_length = 32,
  gather = 33,
  gather_sizes = 34,
  operands = 36,
  predecessors = 37,
  called = 38,
  sharding = 40,
  backend_config = 43,
  all_reduce_id = 45,
  host_transfer = 47,
  scatter = 48,
  group_lists = 49,
  feature_groups = 50,
  precision = 51,
  pairs = 52,
  domain_entry = 54,
  domain_exit = 55,
  constrain_layout = 56,
  operand_shapes = 57,
  batch_groups = 58,
  triangular = 59,
  stable = 60,
  replication = 61,
  cholesky = 62,
  comparison_direction = 63,
  side_effect = 65,
  delta = 66,
  sorted = 67,
  frontend = 68,
  unique = 69,
  algorithm = 70,
  global_ids = 71,
  comparison_type = 72,
  old_prefetch = 73,
  aliasing = 74,
  padding_type = 75,
  schedule = 76,
  api_version = 77,
  async_thread = 79,
  prefetch = 80,
  k = 81,
  statistics = 82,
  largest = 85,
  device_list = 87,
  origin = 88,
  composite = 89,
  ragged_dot = 90,
  accuracy = 91,
  iota_groups = 92,
  mesh_groups = 93,
  reverse = 94,
  carries = 95,
  associative = 96,
  conv_kind = 97,
  sparsity = 98,
  payload = 99,
  dynamic_root = 100
};
}

}  // namespace hlolint::protobuf
