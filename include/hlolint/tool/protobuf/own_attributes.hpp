// The attributes that an opcode defines (protobuf_dumps.md 7.1).
#pragma once

#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/literals.hpp>
#include <hlolint/tool/protobuf/open_instruction.hpp>
#include <hlolint/tool/protobuf/operations.hpp>
#include <hlolint/tool/protobuf/shardings.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::protobuf {

/// Writes the attributes of an opcode in XLA's order. Leaves out enumerators of a newer XLA.
class own_attributes : public open_instruction {
 public:
  using open_instruction::open_instruction;

 protected:
  void put_groups_of_collective() {
    channel(tag::all_reduce_id);
    channel(tag::channel);
    key("replica_groups=");
    in_.in("replica_groups", [&] { put_groups(out_, f_); });
    flag("constrain_layout=", f_.flag(tag::constrain_layout));
  }
  void channel(std::uint32_t tag) { number_above(0, "channel_id=", tag); }
  void number_above(std::int64_t usual, std::string_view name, std::uint32_t tag) {
    if (f_.number(tag) > usual) number(name, f_.number(tag));
  }
  void put_window_if(bool there) {
    if (!there) return;
    key("window={");
    in_.in("window", [&] { put_window(out_, message(f_.bytes(tag::window))); });
    out_ += '}';
  }
  void put_labels_and_counts(bool labels) {
    if (labels) key("dim_labels="), put_dim_labels(out_, f_.bytes(tag::convolution));
    number_above(1, "feature_group_count=", tag::feature_groups);
    number_above(1, "batch_group_count=", tag::batch_groups);
  }
  void put_output_aliasing() {
    const auto entries = f_.all(tag::aliasing);
    if (!entries.empty()) key("output_to_operand_aliasing="), put_aliasing(out_, entries);
  }

  std::int64_t first_dimension() const {
    const auto dimensions = f_.numbers(tag::dimensions);
    return dimensions.empty() ? 0 : dimensions[0];
  }

  void put_own() {
    constexpr std::string_view fft_types[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
    constexpr std::string_view distributions[] = {"rng_invalid", "rng_uniform", "rng_normal"};
    constexpr std::string_view algorithms[] = {"rng_default", "rng_three_fry", "rng_philox"};
    constexpr std::string_view kinds[] = {"", "fprop", "dgrad", "wgrad"};
    switch (opcode_) {
      using enum hlo_opcode;
      case batch_norm_training:
      case batch_norm_inference:
      case batch_norm_grad: {
        char text[32];
        std::snprintf(text, sizeof text, "%.6g", f_.real(tag::epsilon));
        word("epsilon=", text);
        return number("feature_index=", f_.number(tag::feature_index));
      }
      case fft:
        word("fft_type=", word_of(fft_types, f_.number(tag::fft_type)));
        return list("fft_length=", f_.numbers(tag::fft_length));
      case async_start:
        if (f_.text(tag::async_thread) != "main") quoted("async_execution_thread=", f_.text(tag::async_thread));
        return put_output_aliasing();
      case async_update: return put_output_aliasing();
      case copy_start:
        if (f_.has(tag::prefetch) || f_.flag(tag::old_prefetch))
          number("cross_program_prefetch_index=", f_.number(tag::prefetch));
        return;
      case compare: return put_comparison();
      case triangular_solve: return put_triangular();
      case cholesky: return flag("lower=", message(f_.bytes(tag::cholesky)).flag(1));
      case topk:
        number("k=", f_.number(tag::k));
        boolean("largest=", f_.flag(tag::largest));
        boolean("is_stable=", f_.flag(tag::stable));
        return;
      case send:
      case send_done:
      case recv:
      case recv_done: channel(tag::channel); return flag("is_host_transfer=", f_.flag(tag::host_transfer));
      case all_gather:
      case all_gather_start:
        put_groups_of_collective();
        dimensions();
        return flag("use_global_device_ids=", f_.flag(tag::global_ids));
      case all_reduce:
      case all_reduce_start:
        put_groups_of_collective();
        return flag("use_global_device_ids=", f_.flag(tag::global_ids));
      case reduce_scatter:
        put_groups_of_collective();
        flag("use_global_device_ids=", f_.flag(tag::global_ids));
        return dimensions();
      case all_to_all:
        put_groups_of_collective();
        if (f_.has(tag::dimensions)) dimensions();
        return;
      case ragged_all_to_all: return put_groups_of_collective();
      case collective_broadcast:
        put_groups_of_collective();
        return boolean("has_dynamic_root=", f_.flag(tag::dynamic_root));
      case collective_reduce:
        put_groups_of_collective();
        flag("use_global_device_ids=", f_.flag(tag::global_ids));
        return boolean("has_dynamic_root=", f_.flag(tag::dynamic_root));
      case collective_permute:
      case collective_permute_start: return put_permute();
      // clang-format off
      case reverse: case concatenate: case reduce: case transpose: case broadcast: case get_dimension_size:
      case set_dimension_size: return dimensions();
      case scan:
        // clang-format on
        dimensions();
        number("num_carries=", f_.number(tag::carries));
        flag("is_reverse=", f_.flag(tag::reverse));
        if (f_.flag(tag::associative)) boolean("is_associative=", f_.number(tag::associative) == 1);
        return;
      case sort: dimensions(); return flag("is_stable=", f_.flag(tag::stable));
      case reshape:
        if (f_.has(tag::dimensions)) number("inferred_dimension=", first_dimension());
        return;
      case map: {
        std::vector<std::int64_t> all(shape_of(shape_).rank());
        for (std::size_t d = 0; d < all.size(); ++d) all[d] = static_cast<std::int64_t>(d);
        return list("dimensions=", all);
      }
      case slice: return key("slice="), put_slices(out_, f_.all(tag::slices));
      case fusion:
        if (f_.has(tag::fusion_kind)) key("kind="), put_name(out_, f_.text(tag::fusion_kind));
        return put_output_aliasing();
      case rng: return word("distribution=", word_of(distributions, f_.number(tag::distribution)));
      case parameter: {
        const auto leaves = message(f_.bytes(tag::replication)).numbers(1);
        if (leaves.empty()) return;
        key("parameter_replication={");
        put_each(out_, leaves, ",", [&](std::int64_t leaf) { out_ += leaf ? "true" : "false"; });
        out_ += '}';
        return;
      }
      case get_tuple_element: return number("index=", f_.number(tag::tuple_index));
      case reduce_precision:
        number("exponent_bits=", f_.number(tag::exponent_bits));
        return number("mantissa_bits=", f_.number(tag::mantissa_bits));
      case infeed: return quoted("infeed_config=", f_.text(tag::infeed_config));
      case outfeed:
        key("outfeed_shape="), append(out_, shape_of(f_.bytes(tag::outfeed_shape)));
        return quoted("outfeed_config=", f_.text(tag::outfeed_config));
      case convolution:
        put_window_if(message(f_.bytes(tag::window)).has(1));
        put_labels_and_counts(true);
        word("convolution_kind=", word_of(kinds, f_.number(tag::conv_kind)));
        precision();
        return put_sparsity();
      case reduce_window:
      case select_and_scatter: return put_window_if(message(f_.bytes(tag::window)).has(1));
      case custom_call: return put_custom_call();
      case pad: return key("padding="), put_padding(out_, f_.bytes(tag::padding));
      case dynamic_slice: return list("dynamic_slice_sizes=", f_.numbers(tag::slice_sizes));
      case gather:
        out_ += ", ";
        put_lists(out_, message(f_.bytes(tag::gather)),
                  {{"offset_dims=", 1},
                   {"collapsed_slice_dims=", 2},
                   {"start_index_map=", 3},
                   {"operand_batching_dims=", 5, true},
                   {"start_indices_batching_dims=", 6, true}});
        number("index_vector_dim=", message(f_.bytes(tag::gather)).number(4));
        list("slice_sizes=", f_.numbers(tag::gather_sizes));
        return flag("indices_are_sorted=", f_.flag(tag::sorted));
      case scatter:
        out_ += ", ";
        put_lists(out_, message(f_.bytes(tag::scatter)),
                  {{"update_window_dims=", 1},
                   {"inserted_window_dims=", 2},
                   {"scatter_dims_to_operand_dims=", 3},
                   {"input_batching_dims=", 5, true},
                   {"scatter_indices_batching_dims=", 6, true}});
        number("index_vector_dim=", message(f_.bytes(tag::scatter)).number(4));
        flag("indices_are_sorted=", f_.flag(tag::sorted));
        return flag("unique_indices=", f_.flag(tag::unique));
      case iota: return number("iota_dimension=", first_dimension());
      case dot:
      case scaled_dot:
        out_ += ", ";
        put_dot_dimensions(out_, f_.bytes(tag::dot));
        return precision();
      case ragged_dot: {
        const message m(f_.bytes(tag::ragged_dot));
        out_ += ", ";
        put_dot_dimensions(out_, m.bytes(1));
        if (m.has(2)) list("lhs_ragged_dims=", m.numbers(2));
        if (m.has(3)) list("rhs_group_dims=", m.numbers(3));
        return precision();
      }
      case domain: {  // XLA swaps the fields: `entry` is printed from domain_exit
        const auto side = [&](std::string_view name, std::uint32_t tag) {
          key(name);
          f_.has(tag) ? put_sharding(out_, f_.bytes(tag)) : void(out_ += "{}");
        };
        side("domain={kind=\"sharding\", entry=", tag::domain_exit);
        side("exit=", tag::domain_entry);
        out_ += '}';
        return;
      }
      case rng_get_and_update_state: return number("delta=", f_.number(tag::delta));
      case rng_bit_generator: return word("algorithm=", word_of(algorithms, f_.number(tag::algorithm)));
      default: return;
    }
  }

  void put_comparison() {
    constexpr std::string_view directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
    constexpr std::string_view types[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
    for (const std::string_view d : directions)
      if (direction_ == d) word("direction=", d);
    const std::string_view type = name_of(operand_shape(0).type);
    const std::string_view usual = type[0] == 'u' || type == "pred" ? "UNSIGNED" : type[0] == 's' ? "SIGNED" : "FLOAT";
    for (const std::string_view t : types)
      if (f_.text(tag::comparison_type) == t && t != usual) word("type=", t);
  }

  void put_sparsity() {
    const message m(f_.bytes(tag::sparsity));
    bool first = true;
    for (const auto& [side, tag] : {std::pair{"lhs={", 1u}, std::pair{"rhs={", 2u}}) {
      if (!m.has(tag)) continue;
      const message s(m.bytes(tag));
      append_to(out_, {first ? ", sparsity_config={" : " ", side, "sparsity=", s.number(1), "x", s.number(2),
                       " dimension=", s.number(3), " stride=", s.number(4), " idx=", s.number(5), "}"});
      first = false;
    }
    if (!first) out_ += '}';
  }

  void put_triangular() {
    constexpr std::string_view transposes[] = {"", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
    const message m(f_.bytes(tag::triangular));
    flag("left_side=", m.flag(1)), flag("lower=", m.flag(2)), flag("unit_diagonal=", m.flag(3));
    word("transpose_a=", word_of(transposes, m.number(4)));
  }

  void put_permute() {
    channel(tag::channel);
    key("source_target_pairs={");
    put_each(out_, f_.all(tag::pairs), ",", [&](std::string_view pair) {
      const message m(pair);
      append_to(out_, {"{", m.number(1), ",", m.number(2), "}"});
    });
    out_ += '}';
    const auto sizes = f_.numbers(tag::slice_sizes);
    if (sizes.empty()) return;
    // One list holds the sizes of all arrays of the operand: each array takes one size for each of its dimensions.
    key("slice_sizes={");
    std::size_t at = 0;
    const auto cut = [&](std::size_t rank) {
      if (at == sizes.size()) return;
      if (at) out_ += ',';
      const std::size_t end = std::min(at + rank, sizes.size());
      put_list(out_, std::vector<std::int64_t>(sizes.data() + at, sizes.data() + end));
      at = end;
    };
    const shape operand = operand_shape(0);
    for_each_subshape(operand, [&](const shape_index&, const shape& part) {
      if (part.is_array() && part.rank() > 0) cut(part.rank());
    });
    cut(sizes.size() - at);
    out_ += '}';
  }

  void put_custom_call() {
    constexpr std::string_view paddings[] = {"", "PADDING_VALID", "PADDING_SAME"};
    constexpr std::string_view schedules[] = {"", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
    constexpr std::string_view versions[] = {"API_VERSION_UNSPECIFIED", "", "API_VERSION_STATUS_RETURNING",
                                             "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
    put_window_if(f_.has(tag::window));
    put_labels_and_counts(f_.has(tag::convolution));
    precision();
    word("padding_type=", word_of(paddings, f_.number(tag::padding_type)));
    key("custom_call_target="), put_quoted(out_, f_.text(tag::call_target));
    if (f_.flag(tag::constrain_layout)) {
      key("operand_layout_constraints={");
      put_each(out_, f_.all(tag::operand_shapes), ", ", [&](std::string_view s) { append(out_, shape_of(s)); });
      out_ += '}';
    }
    flag("custom_call_has_side_effect=", f_.flag(tag::side_effect));
    if (f_.has(tag::literal)) key("literal="), in_.in("literal", [&] { put_literal(out_, f_.text(tag::literal)); });
    put_output_aliasing();
    word("schedule=", word_of(schedules, f_.number(tag::schedule)));
    word("api_version=", word_of(versions, f_.number(tag::api_version)));
  }
};

}  // namespace hlolint::protobuf
