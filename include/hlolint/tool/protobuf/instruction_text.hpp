// HloInstructionProto as the line that XLA prints (protobuf_dumps.md 6 to 8).
#pragma once

#include <hlolint/tool/protobuf/metadata.hpp>
#include <hlolint/tool/protobuf/own_attributes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string_view>
#include <utility>

namespace hlolint::protobuf {

/// Writes the instructions of one computation.
class instruction_text : public own_attributes {
 public:
  using own_attributes::own_attributes;

  /// Writes one line. Throws if the instruction is broken.
  void put(const instruction_head& i, bool is_root) {
    f_.read(i.bytes);
    operands_ = f_.numbers(tag::operands);
    called_ = f_.numbers(tag::called);
    direction_ = f_.text(tag::comparison_direction);
    std::string_view opcode = i.opcode;
    for (const auto& [old, direction] : old_comparisons)
      if (opcode == old) opcode = "compare", direction_ = direction;
    opcode_ = find_hlo_opcode(opcode);
    out_ += is_root ? "  ROOT %" : "  %";
    put_name(out_, i.name);
    out_ += " = ";
    const std::size_t shape_begin = out_.size();
    if (!i.shape.empty()) put_shape(i.shape);
    const std::size_t shape_size = out_.size() - shape_begin;
    if (!i.shape.empty()) out_ += ' ';
    shape_ = i.shape;
    put_name(out_, opcode);
    out_ += '(';
    if (opcode_ == hlo_opcode::parameter)
      protobuf::put(out_, i.parameter_number);
    else if (opcode_ == hlo_opcode::constant)
      in_.in("literal", [&] { put_constant(out_, f_.text(tag::literal)); });
    else
      put_operands();
    out_ += ')';
    put_own();
    put_called();
    put_common();
    out_ += '\n';
    in_.check_size();
    // Only now: the text of a broken line is removed.
    if (!i.shape.empty()) known(i.shape) = {i.shape, shape_begin, shape_size};
  }

 private:
  static constexpr std::pair<std::string_view, std::string_view> old_comparisons[] = {
      {"equal-to", "EQ"},
      {"not-equal-to", "NE"},
      {"greater-than", "GT"},
      {"less-than", "LT"},
      {"greater-than-or-equal-to", "GE"},
      {"less-than-or-equal-to", "LE"}};

  /// Where the text of a shape was written before: most shapes repeat.
  struct known_shape {
    std::string_view bytes;
    std::size_t at = 0, size = 0;  ///< the place in the text
  };
  known_shape& known(std::string_view bytes) { return known_[std::hash<std::string_view>()(bytes) % known_.size()]; }
  void put_shape(std::string_view bytes) {
    const known_shape& k = known(bytes);
    if (k.size > 0 && k.bytes == bytes) return void(out_.append(out_, k.at, k.size));
    in_.in("shape", [&] { append(out_, shape_of(bytes)); });
  }
  std::array<known_shape, 1024> known_{};

  void put_operands() {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      put_separator(out_, i);
      put_instruction_name("operand_ids", i, operands_[i]);
      in_.check_size();
    }
  }
  void put_computation_name(std::size_t i) {
    out_ += '%';
    const auto id = static_cast<std::uint64_t>(called_[i]);
    if (const computation_head* const c = whole_.find_computation(id)) return put_name(out_, c->name);
    in_.in("called_computation_ids", static_cast<std::int64_t>(i), [&] {
      in_.report(str_cat({"there is no computation with the id ", id}));
    });
    append_to(out_, {"missing.", id});
  }
  /// Writes the called computations (protobuf_dumps.md 7.2).
  void put_called() {
    const std::size_t count = called_.size();
    const auto one = [&](std::string_view name, std::size_t i) {
      if (i < count) key(name), put_computation_name(i);
    };
    const auto all = [&](std::string_view name) {
      for (std::size_t i = 0; i < count; ++i) {
        i ? void(out_ += ", ") : key(name);
        put_computation_name(i);
        in_.check_size();
      }
    };
    const auto all_in_braces = [&](std::string_view name) {
      all(name);
      if (count > 0) out_ += '}';
    };
    switch (opcode_) {
      using enum hlo_opcode;
      case while_: return one("condition=", 1), one("body=", 0);
      case select_and_scatter: return one("select=", 0), one("scatter=", 1);
      case conditional:
        if (count == 2 && operand_shape(0).type == element_type::pred)
          return one("true_computation=", 0), one("false_computation=", 1);
        return all_in_braces("branch_computations={");
      case call: one("to_apply=", 0); return flag("is_composite=", f_.flag(tag::composite));
      // clang-format off
      case map: case reduce: case reduce_window: case all_reduce: case all_reduce_start: case collective_reduce:
      case reduce_scatter: case scatter: case sort: case scan: return one("to_apply=", 0);
      case custom_call: return all_in_braces("called_computations={");
      case async_update: case async_done: return;
        // clang-format on
      default: return all("calls=");
    }
  }

  /// Writes the attributes that every opcode may have.
  void put_common() {
    if (f_.has(tag::sharding))
      key("sharding="), in_.in("sharding", [&] { put_sharding(out_, f_.bytes(tag::sharding)); });
    in_.in("frontend_attributes", [&] { put_frontend_attributes(out_, f_.bytes(tag::frontend)); });
    const auto predecessors = f_.numbers(tag::predecessors);
    for (std::size_t i = 0; i < predecessors.size(); ++i) {
      out_ += i ? ", " : ", control-predecessors={";
      put_instruction_name("control_predecessor_ids", i, predecessors[i]);
      in_.check_size();
    }
    if (!predecessors.empty()) out_ += '}';
    put_statistics();
    put_accuracy();
    if (f_.has(tag::origin)) {
      key("origin={");
      in_.in("original_value", [&] { original_value_text(f_.bytes(tag::origin)).put(out_); });
      out_ += '}';
    }
    in_.in("metadata", [&] {
      const message m(f_.bytes(tag::metadata));
      if (!metadata_is_printed(m)) return;
      key("metadata={");
      put_metadata(out_, m, payload(m.text(20)));
      out_ += '}';
    });
    std::string_view config = f_.text(tag::backend_config);
    if (f_.has(tag::payload)) in_.in("backend_config_payload", [&] { config = payload(f_.bytes(tag::payload)); });
    if (!config.empty()) key("backend_config="), put_dictionary_or_quoted(out_, config);
  }

  /// The text of a payload, which holds the text itself or the id of a text that several instructions share.
  std::string_view payload(std::string_view bytes) {
    const message m(bytes);
    if (!m.has(2)) return m.text(1);
    const std::int64_t id = m.number(2);
    if (id >= 0 && static_cast<std::uint64_t>(id) < whole_.payloads.size())
      return whole_.payloads[static_cast<std::size_t>(id)];
    in_.report(str_cat({"there is no payload ", id}));
    return {};
  }

  void put_statistics() {
    const message m(f_.bytes(tag::statistics));
    if (!m.has(2)) return;
    number("statistics={visualizing_index=", m.number(1));
    for (const std::string_view one : m.all(2)) {
      const message s(one);
      char value[40];
      std::snprintf(value, sizeof value, "=%g", s.real(2));
      out_ += ',';
      put_name(out_, s.text(1));
      out_ += value;
    }
    out_ += '}';
  }

  void put_accuracy() {
    using enum hlo_opcode;
    if (!opcode_set{asin, asinh,        acos,  acosh,    atanh, cosine, cosh, erf,  exponential, exponential_minus_one,
                    log,  log_plus_one, rsqrt, logistic, sine,  sinh,   sqrt, cbrt, tanh,        tan}
             .has(opcode_))
      return;
    const message m(f_.bytes(tag::accuracy));
    if (m.number(1) == 1) return word("result_accuracy=", "{mode=highest}");
    if (!m.has(2)) return;
    const message t(m.bytes(2));
    key("result_accuracy={tolerance={atol=");
    put_double(out_, t.real(1));
    out_ += ",rtol=";
    put_double(out_, t.real(2));
    append_to(out_, {",ulps=", t.number(3), "}}"});
  }
};

}  // namespace hlolint::protobuf
