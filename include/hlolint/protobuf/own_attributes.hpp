// The attributes that an opcode defines (protobuf_dumps.md 7.1).
#pragma once

#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/protobuf/literals.hpp>
#include <hlolint/protobuf/open_instruction.hpp>
#include <hlolint/protobuf/operations.hpp>
#include <hlolint/protobuf/shardings.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

namespace hlolint::protobuf {

/// Writes them in XLA's order. An enumerator that is newer than this is left out.
class own_attributes : public open_instruction {
 public:
  using open_instruction::open_instruction;

 protected:
  void put_groups_of_collective() {
    if (f_.all_reduce_id > 0) number("channel_id=", f_.all_reduce_id);
    channel();
    key("replica_groups=");
    in_.in("replica_groups", [&] { put_groups(out_, f_.groups); });
    flag("constrain_layout=", f_.constrain_layout);
  }
  void channel() {
    if (f_.channel > 0) number("channel_id=", f_.channel);
  }
  void put_window_if(bool there) {
    if (!there) return;
    key("window={");
    in_.in("window", [&] { put_window(out_, message(f_.window)); });
    out_ += '}';
  }
  void put_labels_and_counts(bool labels) {
    if (labels) key("dim_labels="), put_dim_labels(out_, f_.convolution);
    if (f_.feature_groups > 1) number("feature_group_count=", f_.feature_groups);
    if (f_.batch_groups > 1) number("batch_group_count=", f_.batch_groups);
  }
  void put_output_aliasing() {
    if (!f_.aliasing.empty()) key("output_to_operand_aliasing="), put_aliasing(out_, f_.aliasing);
  }

  /// The attributes that the opcode defines, in XLA's order.
  void put_own() {
    constexpr std::string_view fft_types[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
    constexpr std::string_view distributions[] = {"rng_invalid", "rng_uniform", "rng_normal"};
    constexpr std::string_view algorithms[] = {"rng_default", "rng_three_fry", "rng_philox"};
    constexpr std::string_view kinds[] = {"", "fprop", "dgrad", "wgrad"};
    switch (opcode_) {
      using enum hlo_opcode;
      case batch_norm_training: case batch_norm_inference: case batch_norm_grad: {
        char text[32];
        std::snprintf(text, sizeof text, "%.6g", f_.epsilon);
        key("epsilon="), out_ += text;
        return number("feature_index=", f_.feature_index);
      }
      case fft:
        word("fft_type=", word_of(fft_types, f_.fft_type));
        return list("fft_length=", f_.fft_length);
      case async_start:
        if (!f_.async_thread.empty() && f_.async_thread != "main")
          key("async_execution_thread="), put_quoted(out_, f_.async_thread);
        return put_output_aliasing();
      case async_update: return put_output_aliasing();
      case copy_start:
        if (f_.has_prefetch || f_.old_prefetch) number("cross_program_prefetch_index=", f_.prefetch);
        return;
      case compare: return put_comparison();
      case triangular_solve: return put_triangular();
      case cholesky: return flag("lower=", message(f_.cholesky).number(1) != 0);
      case topk:
        number("k=", f_.k);
        key("largest="), out_ += f_.largest ? "true" : "false";
        key("is_stable="), out_ += f_.stable ? "true" : "false";
        return;
      case send: case send_done: case recv: case recv_done:
        channel();
        return flag("is_host_transfer=", f_.host_transfer);
      case all_gather: case all_gather_start:
        put_groups_of_collective();
        dimensions();
        return flag("use_global_device_ids=", f_.global_ids);
      case all_reduce: case all_reduce_start:
        put_groups_of_collective();
        return flag("use_global_device_ids=", f_.global_ids);
      case reduce_scatter:
        put_groups_of_collective();
        flag("use_global_device_ids=", f_.global_ids);
        return dimensions();
      case all_to_all:
        put_groups_of_collective();
        if (!f_.dimensions.empty()) dimensions();
        return;
      case ragged_all_to_all: return put_groups_of_collective();
      case collective_broadcast:
        put_groups_of_collective();
        key("has_dynamic_root="), out_ += f_.dynamic_root ? "true" : "false";
        return;
      case collective_permute: case collective_permute_start: return put_permute();
      case reverse: case concatenate: case reduce: case transpose: case broadcast: case get_dimension_size:
      case set_dimension_size: return dimensions();
      case scan:
        dimensions();
        number("num_carries=", f_.carries);
        flag("is_reverse=", f_.reverse);
        if (f_.associative) key("is_associative="), out_ += f_.associative == 1 ? "true" : "false";
        return;
      case sort:
        dimensions();
        return flag("is_stable=", f_.stable);
      case reshape:
        if (!f_.dimensions.empty()) number("inferred_dimension=", f_.dimensions[0]);
        return;
      case map: {
        record_list<std::int64_t> all(shape_of(shape_).rank());
        for (std::size_t d = 0; d < all.size(); ++d) all[d] = static_cast<std::int64_t>(d);
        return list("dimensions=", all);
      }
      case slice: return key("slice="), put_slices(out_, f_.slices);
      case fusion:
        if (!f_.fusion_kind.empty()) key("kind="), put_name(out_, f_.fusion_kind);
        return put_output_aliasing();
      case rng: return word("distribution=", word_of(distributions, f_.distribution));
      case parameter: {
        const auto leaves = message(f_.replication).numbers(1);
        for (std::size_t i = 0; i < leaves.size(); ++i) {
          out_ += i ? "," : ", parameter_replication={";
          out_ += leaves[i] ? "true" : "false";
        }
        if (!leaves.empty()) out_ += '}';
        return;
      }
      case get_tuple_element: return number("index=", f_.tuple_index);
      case reduce_precision:
        number("exponent_bits=", f_.exponent_bits);
        return number("mantissa_bits=", f_.mantissa_bits);
      case infeed:
        if (!f_.infeed_config.empty()) key("infeed_config="), put_quoted(out_, f_.infeed_config);
        return;
      case outfeed:
        key("outfeed_shape="), append(out_, shape_of(f_.outfeed_shape));
        if (!f_.outfeed_config.empty()) key("outfeed_config="), put_quoted(out_, f_.outfeed_config);
        return;
      case convolution:
        put_window_if(message(f_.window).count(1) > 0);
        put_labels_and_counts(true);
        word("convolution_kind=", word_of(kinds, f_.conv_kind));
        precision();
        return put_sparsity();
      case reduce_window: case select_and_scatter: return put_window_if(message(f_.window).count(1) > 0);
      case custom_call: return put_custom_call();
      case pad: return key("padding="), put_padding(out_, f_.padding);
      case dynamic_slice: return list("dynamic_slice_sizes=", f_.slice_sizes);
      case gather:
        out_ += ", ";
        put_lists(out_, message(f_.gather),
                  {{"offset_dims=", 1}, {"collapsed_slice_dims=", 2}, {"start_index_map=", 3},
                   {"operand_batching_dims=", 5, true}, {"start_indices_batching_dims=", 6, true}});
        number("index_vector_dim=", message(f_.gather).number(4));
        list("slice_sizes=", f_.gather_sizes);
        return flag("indices_are_sorted=", f_.sorted);
      case scatter:
        out_ += ", ";
        put_lists(out_, message(f_.scatter), {{"update_window_dims=", 1}, {"inserted_window_dims=", 2},
                                              {"scatter_dims_to_operand_dims=", 3}, {"input_batching_dims=", 5, true},
                                              {"scatter_indices_batching_dims=", 6, true}});
        number("index_vector_dim=", message(f_.scatter).number(4));
        flag("indices_are_sorted=", f_.sorted);
        return flag("unique_indices=", f_.unique);
      case iota: return number("iota_dimension=", f_.dimensions.empty() ? 0 : f_.dimensions[0]);
      case dot: case scaled_dot:
        out_ += ", ";
        put_dot_dimensions(out_, f_.dot);
        return precision();
      case ragged_dot: {
        message m(f_.ragged_dot);
        out_ += ", ";
        put_dot_dimensions(out_, m.bytes(1));
        if (const auto ragged = m.numbers(2); !ragged.empty()) list("lhs_ragged_dims=", ragged);
        if (const auto group = m.numbers(3); !group.empty()) list("rhs_group_dims=", group);
        return precision();
      }
      case domain: {  // the entry is printed first and stands in the field of the exit
        const auto side = [&](std::string_view name, bool there, std::string_view bytes) {
          out_ += name;
          there ? put_sharding(out_, bytes) : void(out_ += "{}");
        };
        side(", domain={kind=\"sharding\", entry=", f_.has_domain_exit, f_.domain_exit);
        side(", exit=", f_.has_domain_entry, f_.domain_entry);
        out_ += '}';
        return;
      }
      case rng_get_and_update_state: return number("delta=", f_.delta);
      case rng_bit_generator: return word("algorithm=", word_of(algorithms, f_.algorithm));
      default: return;
    }
  }

  void put_comparison() {
    constexpr std::string_view directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
    constexpr std::string_view types[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
    for (const std::string_view d : directions)
      if (f_.comparison_direction == d) word("direction=", d);
    const std::string_view type = name_of(operand_shape(0).type);
    const std::string_view usual = type[0] == 'u' || type == "pred" ? "UNSIGNED" : type[0] == 's' ? "SIGNED" : "FLOAT";
    for (const std::string_view t : types)
      if (f_.comparison_type == t && t != usual) word("type=", t);
  }

  void put_sparsity() {
    message m(f_.sparsity);
    bool first = true;
    for (const auto& [side, tag] : {std::pair{"lhs={", 1u}, std::pair{"rhs={", 2u}}) {
      if (!m.has(tag)) continue;
      const message s(m.bytes(tag));
      out_ += first ? ", sparsity_config={" : " ";
      first = false;
      out_ += side;
      const auto field = [&](std::string_view name, std::uint32_t of) {
        out_ += name;
        protobuf::put(out_, s.number(of));
      };
      field("sparsity=", 1), field("x", 2), field(" dimension=", 3), field(" stride=", 4), field(" idx=", 5);
      out_ += '}';
    }
    if (!first) out_ += '}';
  }

  void put_triangular() {
    constexpr std::string_view transposes[] = {"", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
    const message m(f_.triangular);
    flag("left_side=", m.number(1) != 0), flag("lower=", m.number(2) != 0), flag("unit_diagonal=", m.number(3) != 0);
    word("transpose_a=", word_of(transposes, m.number(4)));
  }

  void put_permute() {
    channel();
    key("source_target_pairs={");
    for (std::size_t i = 0; i < f_.pairs.size(); ++i) {
      const message m(f_.pairs[i]);
      out_ += i ? ",{" : "{";
      protobuf::put(out_, m.number(1));
      out_ += ',';
      protobuf::put(out_, m.number(2));
      out_ += '}';
    }
    out_ += '}';
    if (f_.slice_sizes.empty()) return;
    // One list for all arrays of the operand: each takes as many as it has dimensions.
    key("slice_sizes={");
    std::size_t at = 0;
    const auto cut = [&](std::size_t rank) {
      if (at == f_.slice_sizes.size()) return;
      out_ += at ? ",{" : "{";
      for (std::size_t d = 0; d < rank && at < f_.slice_sizes.size(); ++d) {
        if (d) out_ += ',';
        protobuf::put(out_, f_.slice_sizes[at++]);
      }
      out_ += '}';
    };
    const shape operand = operand_shape(0);
    for_each_subshape(operand, [&](const shape_index&, const shape& part) {
      if (part.is_array() && part.rank() > 0) cut(part.rank());
    });
    cut(f_.slice_sizes.size() - at);
    out_ += '}';
  }

  void put_custom_call() {
    constexpr std::string_view paddings[] = {"", "PADDING_VALID", "PADDING_SAME"};
    constexpr std::string_view schedules[] = {"", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
    constexpr std::string_view versions[] = {"API_VERSION_UNSPECIFIED", "", "API_VERSION_STATUS_RETURNING",
                                             "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
    put_window_if(f_.has_window);
    put_labels_and_counts(f_.has_convolution);
    precision();
    word("padding_type=", word_of(paddings, f_.padding_type));
    key("custom_call_target="), put_quoted(out_, f_.call_target);
    if (f_.constrain_layout) {
      key("operand_layout_constraints={");
      for (std::size_t i = 0; i < f_.operand_shapes.size(); ++i) {
        if (i) out_ += ", ";
        append(out_, shape_of(f_.operand_shapes[i]));
      }
      out_ += '}';
    }
    flag("custom_call_has_side_effect=", f_.side_effect);
    if (f_.has_literal) key("literal="), in_.in("literal", [&] { put_literal(out_, f_.literal); });
    put_output_aliasing();
    word("schedule=", word_of(schedules, f_.schedule));
    word("api_version=", word_of(versions, f_.api_version));
  }
};

}  // namespace hlolint::protobuf
