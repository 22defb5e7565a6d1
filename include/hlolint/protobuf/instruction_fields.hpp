// HloInstructionProto as it stands in the bytes (protobuf_dumps.md 6, 7.1).
#pragma once

#include <hlolint/protobuf/devices.hpp>
#include <hlolint/protobuf/reading.hpp>
#include <hlolint/protobuf/wire.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

namespace hlolint::protobuf {

/// What a first look at an instruction shows: enough to refer to it.
struct instruction_head {
  std::string_view bytes;  ///< the whole message
  std::string_view name, opcode, shape;
  std::uint64_t id = 0;
  std::int64_t parameter_number = 0;
  std::uint32_t first_called = 0, called_count = 0;  ///< into `program::called`
};

/// Adds the ids of the computations that it calls.
inline void read_head(instruction_head& out, record_list<std::int64_t>& called, reading& in) {
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

/// All fields that are printed, except those of the head. Messages are read where they are printed.
struct instruction_fields {
  std::string_view metadata, literal, window, convolution, precision, padding, gather, scatter, dot, ragged_dot,
      sharding, frontend, statistics, origin, accuracy, triangular, cholesky, sparsity, outfeed_shape,
      domain_entry, domain_exit, replication;
  std::string_view fusion_kind, outfeed_config, infeed_config, call_target, backend_config, payload,
      comparison_direction, comparison_type, async_thread;
  groups_fields groups;
  record_list<std::int64_t> operands, predecessors, called, dimensions, slice_sizes, gather_sizes, fft_length;
  record_list<std::string_view> slices, pairs, operand_shapes, aliasing;
  std::int64_t tuple_index = 0, channel = 0, all_reduce_id = 0, feature_index = 0, distribution = 0, fft_type = 0,
               exponent_bits = 0, mantissa_bits = 0, feature_groups = 0, batch_groups = 0, delta = 0, algorithm = 0,
               padding_type = 0, schedule = 0, api_version = 0, prefetch = 0, k = 0, carries = 0, associative = 0,
               conv_kind = 0;
  double epsilon = 0;
  bool has_literal = false, has_window = false, has_convolution = false, has_payload = false, has_origin = false,
       has_sharding = false, has_prefetch = false, has_domain_entry = false, has_domain_exit = false,
       constrain_layout = false, side_effect = false, host_transfer = false, stable = false, sorted = false,
       unique = false, global_ids = false, old_prefetch = false, largest = false, composite = false,
       reverse = false, dynamic_root = false;

  /// Empties everything, but keeps the memory of the lists.
  void clear() {
    instruction_fields fresh;
    for (const auto list : {&instruction_fields::operands, &instruction_fields::predecessors,
                            &instruction_fields::called, &instruction_fields::dimensions,
                            &instruction_fields::slice_sizes}) {
      (this->*list).clear();
      (fresh.*list).swap(this->*list);
    }
    *this = std::move(fresh);
  }

  /// Of the groups only one form can be set: the last.
  void set_groups(std::string_view groups_fields::*form, std::string_view bytes, reading& in) {
    for (const auto other : {&groups_fields::device_list, &groups_fields::iota, &groups_fields::mesh_axes})
      if (other != form) groups.*other = {};
    in.merge(groups.*form, bytes);
  }

  void read(std::string_view bytes, reading& in) {
    const auto add_view = [](record_list<std::string_view>& to, std::string_view view) {
      if (to.size() == most_elements) throw bad_message("a list of too many messages");
      to.push_back(view);
    };
    for_each_field(bytes, [&](const field& f) {
      const auto add = [&](std::string_view& to) { in.merge(to, f.bytes); };
      switch (f.key()) {
        case sized(7): add(metadata); break;
        case sized(8): literal = f.bytes, has_literal = true; break;  // never copied
        case sized(11): fusion_kind = f.bytes; break;
        case varint(13): tuple_index = f.number(); break;
        case varint(14): case sized(14): add_numbers(f, dimensions); break;
        case sized(15): add(window), has_window = true; break;
        case sized(16): add(convolution), has_convolution = true; break;
        case sized(17): add_view(slices, f.bytes); break;
        case varint(18): exponent_bits = f.number(); break;
        case varint(19): mantissa_bits = f.number(); break;
        case varint(20): case sized(20): add_numbers(f, slice_sizes); break;
        case sized(21): add(padding); break;
        case sized(22): outfeed_config = f.bytes; break;
        case varint(23): distribution = f.number(); break;
        case protozero::tag_and_type(24, wire_type::fixed32): epsilon = f.real(); break;
        case varint(25): feature_index = f.number(); break;
        case varint(26): channel = f.number(); break;
        case sized(27): infeed_config = f.bytes; break;
        case sized(28): call_target = f.bytes; break;
        case sized(29): add(outfeed_shape); break;
        case sized(30): add(dot); break;
        case varint(31): fft_type = f.number(); break;
        case varint(32): case sized(32): add_numbers(f, fft_length); break;
        case sized(33): add(gather); break;
        case varint(34): case sized(34): add_numbers(f, gather_sizes); break;
        case varint(36): case sized(36): add_numbers(f, operands); break;
        case varint(37): case sized(37): add_numbers(f, predecessors); break;
        case varint(38): case sized(38): add_numbers(f, called); break;
        case sized(40): add(sharding), has_sharding = true; break;
        case sized(43): backend_config = f.bytes; break;
        case varint(45): all_reduce_id = f.number(); break;
        case varint(47): host_transfer = f.bits != 0; break;
        case sized(48): add(scatter); break;
        case sized(49): add_view(groups.lists, f.bytes); break;
        case varint(50): feature_groups = f.number(); break;
        case sized(51): add(precision); break;
        case sized(52): add_view(pairs, f.bytes); break;
        case sized(54): add(domain_entry), has_domain_entry = true; break;
        case sized(55): add(domain_exit), has_domain_exit = true; break;
        case varint(56): constrain_layout = f.bits != 0; break;
        case sized(57): add_view(operand_shapes, f.bytes); break;
        case varint(58): batch_groups = f.number(); break;
        case sized(59): add(triangular); break;
        case varint(60): stable = f.bits != 0; break;
        case sized(61): add(replication); break;
        case sized(62): add(cholesky); break;
        case sized(63): comparison_direction = f.bytes; break;
        case varint(65): side_effect = f.bits != 0; break;
        case varint(66): delta = f.number(); break;
        case varint(67): sorted = f.bits != 0; break;
        case sized(68): add(frontend); break;
        case varint(69): unique = f.bits != 0; break;
        case varint(70): algorithm = f.number(); break;
        case varint(71): global_ids = f.bits != 0; break;
        case sized(72): comparison_type = f.bytes; break;
        case varint(73): old_prefetch = f.bits != 0; break;
        case sized(74): add_view(aliasing, f.bytes); break;
        case varint(75): padding_type = f.number(); break;
        case varint(76): schedule = f.number(); break;
        case varint(77): api_version = f.number(); break;
        case sized(79): async_thread = f.bytes; break;
        case varint(80): prefetch = f.number(), has_prefetch = true; break;
        case varint(81): k = f.number(); break;
        case sized(82): add(statistics); break;
        case varint(85): largest = f.bits != 0; break;
        case sized(87): set_groups(&groups_fields::device_list, f.bytes, in); break;
        case sized(88): add(origin), has_origin = true; break;
        case varint(89): composite = f.bits != 0; break;
        case sized(90): add(ragged_dot); break;
        case sized(91): add(accuracy); break;
        case sized(92): set_groups(&groups_fields::iota, f.bytes, in); break;
        case sized(93): set_groups(&groups_fields::mesh_axes, f.bytes, in); break;
        case varint(94): reverse = f.bits != 0; break;
        case varint(95): carries = f.number(); break;
        case varint(96): associative = f.number(); break;
        case varint(97): conv_kind = f.number(); break;
        case sized(98): add(sparsity); break;
        case sized(99): add(payload), has_payload = true; break;
        case varint(100): dynamic_root = f.bits != 0; break;
        default: break;
      }
    });
  }
};

}  // namespace hlolint::protobuf
