// The instruction that is being written, and the instructions and computations that its attributes refer to.
#pragma once

#include <hlolint/ir/opcode.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/operations.hpp>
#include <hlolint/tool/protobuf/program.hpp>
#include <hlolint/tool/protobuf/shapes.hpp>
#include <hlolint/tool/protobuf/text_parts.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

/// The state and the helpers of the classes that write attributes.
class open_instruction {
 public:
  open_instruction(reading& in, const program& whole) : in_(in), out_(in.out), whole_(whole) {}

  /// Begins the instructions of a computation. Reports ids that occur twice.
  void enter(const computation_head& c) {
    computation_ = &c;
    ids_.clear();
    ids_.reserve(c.count);
    for (std::size_t i = 0; i < c.count; ++i)
      if (const instruction_head& head = whole_.instructions[c.first + i]; !ids_.add(local_id(head.id)))
        in_.in("instructions", static_cast<std::int64_t>(i), [&] {
          in_.report(str_cat({"the id ", local_id(head.id), " is that of another instruction of '", c.name, "', too"}));
        });
  }
  /// The position of an instruction in the computation.
  std::optional<std::size_t> find(std::uint64_t id) const { return ids_.find(local_id(id)); }
  const instruction_head& head(std::size_t i) const { return whole_.instructions[computation_->first + i]; }

 protected:
  void key(std::string_view name) { append_to(out_, {", ", name}); }
  void number(std::string_view name, std::int64_t value) { append_to(out_, {", ", name, value}); }
  void flag(std::string_view name, bool set) {
    if (set) word(name, "true");
  }
  void word(std::string_view name, std::string_view value) {
    if (!value.empty()) append_to(out_, {", ", name, value});
  }
  void boolean(std::string_view name, bool value) { word(name, value ? "true" : "false"); }
  void quoted(std::string_view name, std::string_view value) {
    if (!value.empty()) key(name), put_quoted(out_, value);
  }
  void list(std::string_view name, const std::vector<std::int64_t>& numbers) { key(name), put_list(out_, numbers); }
  void dimensions() { list("dimensions=", f_.numbers(tag::dimensions)); }
  void precision() {
    put_precision(out_, f_.bytes(tag::precision), [&](std::string_view name) { key(name); });
  }

  /// `field` and `i` are the place of the id, for reports.
  void put_instruction_name(const char* field, std::size_t i, std::int64_t id) {
    out_ += '%';
    if (const auto at = find(static_cast<std::uint64_t>(id))) return put_name(out_, head(*at).name);
    const auto local = static_cast<std::int64_t>(local_id(static_cast<std::uint64_t>(id)));
    in_.in(field, static_cast<std::int64_t>(i), [&] {
      in_.report(str_cat({"there is no instruction with the id ", local, " in '", computation_->name, "'"}));
    });
    append_to(out_, {"missing.", local});
  }
  /// The shape of an operand; `unknown` if there is none.
  shape operand_shape(std::size_t i) const {
    const auto at = i < operands_.size() ? find(static_cast<std::uint64_t>(operands_[i])) : std::nullopt;
    return at ? shape_of(head(*at).shape) : shape();
  }

  reading& in_;
  std::string& out_;
  const program& whole_;
  const computation_head* computation_ = nullptr;
  id_index ids_;
  message f_;                                    ///< its fields
  std::vector<std::int64_t> operands_, called_;  ///< ids
  std::string_view direction_;                   ///< of a comparison
  std::string_view shape_;                       ///< bytes of its ShapeProto
  hlo_opcode opcode_ = hlo_opcode::unknown;
};

}  // namespace hlolint::protobuf
