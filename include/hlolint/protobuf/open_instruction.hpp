// The instruction that is being written, and what its attributes refer to: other instructions, computations.
#pragma once

#include <hlolint/ir/opcode.hpp>
#include <hlolint/protobuf/operations.hpp>
#include <hlolint/protobuf/program.hpp>
#include <hlolint/protobuf/shapes.hpp>
#include <hlolint/protobuf/text_parts.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::protobuf {

/// The instruction that the writers of attributes write into.
class open_instruction {
 public:
  open_instruction(reading& in, const program& whole) : in_(in), out_(in.out), whole_(whole) {}

  /// The computation whose instructions follow. Reports ids that occur twice.
  void enter(const computation_head& c) {
    computation_ = &c;
    ids_.clear();
    ids_.reserve(c.count);
    for (std::size_t i = 0; i < c.count; ++i)
      if (const instruction_head& head = whole_.instructions[c.first + i]; !ids_.add(local_id(head.id)))
        in_.in("instructions", static_cast<std::int64_t>(i), [&] {
          in_.report("the id " + std::to_string(local_id(head.id)) + " is that of another instruction of '" +
                     std::string(c.name) + "', too");
        });
  }
  /// Position of an instruction in the computation.
  optional<std::size_t> find(std::uint64_t id) const { return ids_.find(local_id(id)); }
  const instruction_head& head(std::size_t i) const { return whole_.instructions[computation_->first + i]; }

 protected:
  void key(std::string_view name) { out_ += ", ", out_ += name; }
  void number(std::string_view name, std::int64_t value) { key(name), protobuf::put(out_, value); }
  void flag(std::string_view name, bool set) {
    if (set) key(name), out_ += "true";
  }
  void word(std::string_view name, std::string_view value) {
    if (!value.empty()) key(name), out_ += value;
  }
  void list(std::string_view name, const record_list<std::int64_t>& numbers) { key(name), put_list(out_, numbers); }
  void dimensions() { list("dimensions=", f_.dimensions); }
  void precision() {
    put_precision(out_, f_.precision, [&](std::string_view name) { key(name); });
  }

  /// `field` and `i`: where the id stands.
  void put_instruction_name(const char* field, std::size_t i, std::int64_t id) {
    out_ += '%';
    if (const auto at = find(static_cast<std::uint64_t>(id))) return put_name(out_, head(*at).name);
    const auto local = static_cast<std::int64_t>(local_id(static_cast<std::uint64_t>(id)));
    in_.in(field, static_cast<std::int64_t>(i), [&] {
      in_.report("there is no instruction with the id " + std::to_string(local) + " in '" +
                 std::string(computation_->name) + "'");
    });
    out_ += "missing.";
    protobuf::put(out_, local);
  }
  /// The shape of an operand; `unknown` if there is none.
  shape operand_shape(std::size_t i) const {
    const auto at = i < f_.operands.size() ? find(static_cast<std::uint64_t>(f_.operands[i])) : std::nullopt;
    return at ? shape_of(head(*at).shape) : shape();
  }

  reading& in_;
  std::string& out_;
  const program& whole_;
  const computation_head* computation_ = nullptr;
  id_index ids_;
  instruction_fields f_;
  std::string_view shape_;  ///< its bytes
  hlo_opcode opcode_ = hlo_opcode::unknown;
};

}  // namespace hlolint::protobuf
