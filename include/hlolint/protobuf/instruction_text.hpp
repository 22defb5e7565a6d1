// HloInstructionProto as the line that XLA prints (protobuf_dumps.md 6 to 8).
#pragma once

#include <hlolint/protobuf/metadata.hpp>
#include <hlolint/protobuf/own_attributes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::protobuf {

/// Writes the instructions of one computation.
class instruction_text : public own_attributes {
 public:
  using own_attributes::own_attributes;

  /// Writes one line. Throws for what is broken.
  void put(const instruction_head& i, bool is_root) {
    f_.clear();
    f_.read(i.bytes, in_);
    std::string_view opcode = i.opcode;
    for (const auto& [old, direction] : old_comparisons)
      if (opcode == old) opcode = "compare", f_.comparison_direction = direction;
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
    if (opcode_ == hlo_opcode::parameter) protobuf::put(out_, i.parameter_number);
    else if (opcode_ == hlo_opcode::constant) in_.in("literal", [&] { put_constant(out_, f_.literal); });
    else put_operands();
    out_ += ')';
    put_own();
    put_called();
    put_common();
    out_ += '\n';
    in_.check_size();
    if (!i.shape.empty()) known(i.shape) = {i.shape, shape_begin, shape_size};  // now that the line stays
  }

 private:
  static constexpr std::pair<std::string_view, std::string_view> old_comparisons[] = {
      {"equal-to", "EQ"},      {"not-equal-to", "NE"},          {"greater-than", "GT"},
      {"less-than", "LT"},     {"greater-than-or-equal-to", "GE"}, {"less-than-or-equal-to", "LE"}};

  /// Most shapes were written before.
  struct known_shape {
    std::string_view bytes;
    std::size_t at = 0, size = 0;  ///< of the text
  };
  known_shape& known(std::string_view bytes) { return known_[std::hash<std::string_view>()(bytes) % known_.size()]; }
  void put_shape(std::string_view bytes) {
    const known_shape& k = known(bytes);
    if (k.size > 0 && k.bytes == bytes) return void(out_.append(out_, k.at, k.size));
    shape s;
    in_.in("shape", [&] { read_shape(bytes, s); });
    append(out_, s);
  }
  std::array<known_shape, 1024> known_{};

  void put_operands() {
    for (std::size_t i = 0; i < f_.operands.size(); ++i) {
      put_separator(out_, i);
      put_instruction_name("operand_ids", i, f_.operands[i]);
      in_.check_size();
    }
  }
  void put_computation_name(std::size_t i) {
    out_ += '%';
    const auto id = static_cast<std::uint64_t>(f_.called[i]);
    if (const computation_head* const c = whole_.find_computation(id)) return put_name(out_, c->name);
    in_.in("called_computation_ids", static_cast<std::int64_t>(i),
           [&] { in_.report("there is no computation with the id " + std::to_string(id)); });
    out_ += "missing." + std::to_string(id);
  }
  /// The computations that are called (protobuf_dumps.md 7.2).
  void put_called() {
    const std::size_t count = f_.called.size();
    const auto one = [&](std::string_view name, std::size_t i) {
      if (i < count) key(name), put_computation_name(i);
    };
    const auto all = [&](std::string_view name) {
      if (count == 0) return;
      key(name);
      out_ += '{';
      for (std::size_t i = 0; i < count; ++i) {
        if (i) out_ += ", ";
        put_computation_name(i);
        in_.check_size();
      }
      out_ += '}';
    };
    switch (opcode_) {
      using enum hlo_opcode;
      case while_: return one("condition=", 1), one("body=", 0);
      case select_and_scatter: return one("select=", 0), one("scatter=", 1);
      case conditional:
        if (count == 2 && operand_shape(0).type == element_type::pred)
          return one("true_computation=", 0), one("false_computation=", 1);
        return all("branch_computations=");
      case call:
        one("to_apply=", 0);
        return flag("is_composite=", f_.composite);
      case map: case reduce: case reduce_window: case all_reduce: case all_reduce_start: case reduce_scatter:
      case scatter: case sort: case scan: return one("to_apply=", 0);
      case custom_call: return all("called_computations=");
      case async_update: case async_done: return;
      default:
        for (std::size_t i = 0; i < count; ++i) i ? void(out_ += ", ") : key("calls="), put_computation_name(i);
    }
  }

  /// Writes the attributes that every opcode may have.
  void put_common() {
    if (f_.has_sharding) key("sharding="), in_.in("sharding", [&] { put_sharding(out_, f_.sharding); });
    in_.in("frontend_attributes", [&] { put_frontend_attributes(out_, ", frontend_attributes=", f_.frontend); });
    if (!f_.predecessors.empty()) {
      key("control-predecessors={");
      for (std::size_t i = 0; i < f_.predecessors.size(); ++i) {
        if (i) out_ += ", ";
        put_instruction_name("control_predecessor_ids", i, f_.predecessors[i]);
        in_.check_size();
      }
      out_ += '}';
    }
    put_statistics();
    put_accuracy();
    if (f_.has_origin) {
      key("origin={");
      in_.in("original_value", [&] { original_value_text(f_.origin).put(out_); });
      out_ += '}';
    }
    in_.in("metadata", [&] {
      metadata_fields m = read_metadata(f_.metadata);
      if (!m.is_printed()) return;
      if (m.has_payload_id) m.payload = payload(m.payload_id);
      key("metadata={");
      put_metadata(out_, m);
      out_ += '}';
    });
    std::string_view config = f_.backend_config;
    if (f_.has_payload) {
      const message m(f_.payload);
      config = m.text(1);
      if (m.has(2)) in_.in("backend_config_payload", [&] { config = payload(m.number(2)); });
    }
    if (!config.empty()) key("backend_config="), put_dictionary_or_quoted(out_, config);
  }

  /// A text that several instructions share.
  std::string_view payload(std::int64_t id) {
    if (id >= 0 && static_cast<std::uint64_t>(id) < whole_.payloads.size())
      return whole_.payloads[static_cast<std::size_t>(id)];
    in_.report("there is no payload " + std::to_string(id));
    return {};
  }

  void put_statistics() {
    const message m(f_.statistics);
    if (m.count(2) == 0) return;
    number("statistics={visualizing_index=", m.number(1));
    m.each(2, [&](std::string_view one) {
      const message s(one);
      char value[40];
      std::snprintf(value, sizeof value, "=%g", s.real(2));
      out_ += ',';
      put_name(out_, s.text(1));
      out_ += value;
    });
    out_ += '}';
  }

  void put_accuracy() {
    switch (opcode_) {
      using enum hlo_opcode;
      case asin: case asinh: case acos: case acosh: case atanh: case cosine: case cosh: case erf: case exponential:
      case exponential_minus_one: case log: case log_plus_one: case rsqrt: case logistic: case sine: case sinh:
      case sqrt: case cbrt: case tanh: case tan: break;
      default: return;
    }
    message m(f_.accuracy);
    if (m.number(1) == 1) return word("result_accuracy=", "{mode=highest}");
    if (!m.has(2)) return;
    const message t(m.bytes(2));
    key("result_accuracy={tolerance={atol=");
    put_double(out_, t.real(1));
    out_ += ",rtol=";
    put_double(out_, t.real(2));
    out_ += ",ulps=";
    protobuf::put(out_, t.number(3));
    out_ += "}}";
  }
};

}  // namespace hlolint::protobuf
