// Stores a value in another form than the one in which it is computed and read: its maker converts it at the end, and
// each reader at the beginning (advise.md 14, 15).
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/advise/changes/change_candidate.hpp>
#include <hlolint/tool/advise/changes/changed_text.hpp>
#include <hlolint/tool/advise/edited_module.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

// A value with its maker and its readers.
struct stored_value {
  struct reader {
    hlo_instruction user;
    std::size_t operand = 0;
    hlo_instruction parameter{};  // of the fusion that reads the value; empty if the user is no fusion
  };
  hlo_instruction value;    // an array
  hlo_instruction maker;    // a fusion or a copy: the value itself, or the tuple that it is an element of
  std::size_t element = 0;  // its index in the tuple of the maker, if the maker is not the value itself
  std::vector<reader> readers;
};

// A value, and the shape to store it as.
struct reshaped_value {
  stored_value of;
  shape becomes;
};

inline bool is_fusion_of(hlo_instruction i, std::string_view kinds) {
  const auto kind = i.attribute(attribute_key::kind);
  return i.opcode() == hlo_opcode::fusion && kind && kinds.find(*kind) != std::string_view::npos &&
         i.called_computation_count() == 1 && i.called_computation(0);
}
inline bool has_plain_body(hlo_instruction fusion, const module_tables& tables) {
  return is_plain_body(fusion.called_computation(0)) && tables.calls.callers(fusion.called_computation(0)).size() == 1;
}

// The maker and the readers of a temporary value in main memory that shares its buffer with no other value. Nothing for
// other values, and if the text of the maker or of a reader cannot be rewritten.
inline std::optional<stored_value> stored_value_of(const edited_module& now, hlo_instruction value, byte_count least,
                                                   std::string_view makers) {
  const dataflow& flow = now.made->flow();
  const module_tables& tables = flow.tables();
  const shape* const own = value.shape();
  if (!own || !own->is_array() || !own->layout || !own->is_static() || own->memory_space() != 0 || value.is_root() ||
      value.is_synthesized() || tables.all_users.count(value) == 0)
    return std::nullopt;
  const auto size = byte_size(*own, now.made->rules().sizes);
  if (!size || *size < least) return std::nullopt;
  stored_value out;
  out.value = out.maker = value;
  if (value.opcode() == hlo_opcode::get_tuple_element) {
    const auto index = get_integer(value, attribute_key::index);
    out.maker = value.operand_count() == 1 ? value.operand(0) : hlo_instruction{};
    if (!index || *index < 0 || !out.maker || out.maker.opcode() != hlo_opcode::fusion || out.maker.is_root())
      return std::nullopt;
    out.element = static_cast<std::size_t>(*index);
    for (const instruction_use use : tables.all_users.of(out.maker))
      if (use.user.opcode() != hlo_opcode::get_tuple_element ||
          (use.user != value && get_integer(use.user, attribute_key::index) == index))
        return std::nullopt;
  }
  const bool is_copy = out.maker.opcode() == hlo_opcode::copy && makers.find("copy") != std::string_view::npos;
  if (!is_copy && (!is_fusion_of(out.maker, makers) || !has_plain_body(out.maker, tables) ||
                   out.maker.has(attribute_key::output_to_operand_aliasing) || out.maker.has(attribute_key::sharding)))
    return std::nullopt;
  // It has to be the only value of its buffer, and the buffer no parameter, constant or result.
  std::size_t values = 0;
  bool alone = true;
  flow.for_each_at({value.id(), 0}, [&](std::uint32_t v) {
    const std::uint32_t s = now.made->sets().set_of(v);
    const storage_set& set = now.made->storage()[s];
    ++values;
    alone = alone && now.made->sets().values(s).size() == 1 && set.kind == storage_kind::shared && !set.lives_out &&
            set.color == 0 && flow.values()[v].defined.instruction == out.maker.id();
  });
  if (values != 1 || !alone) return std::nullopt;
  for (const instruction_use use : tables.all_users.of(value)) {
    if (use.user.is_synthesized()) return std::nullopt;
    stored_value::reader r{use.user, use.operand};
    if (use.user.opcode() == hlo_opcode::fusion) {
      if (!is_fusion_of(use.user, "kLoop kInput kOutput kCustom") || !has_plain_body(use.user, tables) ||
          use.user.has(attribute_key::output_to_operand_aliasing))
        return std::nullopt;
      r.parameter = tables.parameters.of(use.user.called_computation(0), use.operand);
      if (!r.parameter || !r.parameter.shape() || !(*r.parameter.shape() == *own) || r.parameter.is_root() ||
          r.parameter.is_synthesized())
        return std::nullopt;
    }
    out.readers.push_back(r);
  }
  return out;
}

// Makes the text with a value stored in another shape.
class stored_form {
 public:
  // `by` is `convert` or `copy`. With `convert` the conversions in the readers stay and become no-ops.
  stored_form(const edited_module& now, const stored_value& of, shape becomes, hlo_opcode by)
      : text_(now.module().text().text()), names_(now.module()), of_(of), becomes_(std::move(becomes)), by_(by) {
    for (const instruction_use use : now.made->flow().tables().all_users.of(of.maker)) elements_.push_back(use);
  }

  std::optional<std::string> run() && {
    if (!change_maker()) return std::nullopt;
    for (const stored_value::reader& r : of_.readers)
      if (!(r.parameter ? change_fusion(r) : change_reader(r))) return std::nullopt;
    for (const auto& [id, types] : types_)
      if (const std::string_view old = bodies_.at(id).signature(); !old.empty())
        text_.replace(old, signature_text(types));
    return text_.apply();
  }

 private:
  typed_names* types_of(hlo_computation body) {
    const auto found = types_.find(body.id());
    if (found != types_.end()) return &found->second;
    auto types = typed_names_of(body);
    if (!types) return nullptr;
    bodies_.emplace(body.id(), body);
    return &types_.emplace(body.id(), std::move(*types)).first->second;
  }
  std::string line_of(std::string_view name, const shape& type, hlo_instruction from, std::string_view from_name,
                      std::string_view root) const {
    const std::string mark(mark_of(from.name(), of_.value.data().text.text()));
    return str_cat({"  ", root, mark, name, " = ", to_string(type), " ", name_of(by_), "(", mark, from_name, ")\n"});
  }
  static std::size_t line_begin(hlo_instruction i) { return (*line_begins(i.computation()))[i.index_in_computation()]; }
  static std::size_t line_end(hlo_instruction i) {
    return (*line_begins(i.computation()))[i.index_in_computation() + 1];
  }

  bool change_maker() {
    const bool is_element = of_.maker != of_.value;
    if (is_element) {
      shape whole = *of_.maker.shape();
      if (!whole.is_tuple() || of_.element >= whole.elements.size()) return false;
      whole.elements[of_.element] = becomes_;
      if (!text_.set_shape(of_.maker, whole)) return false;
      for (const instruction_use use : elements_)
        if (!text_.set_operand_shape(use.user, use.operand, whole)) return false;
    }
    if (!text_.set_shape(of_.value, becomes_)) return false;
    if (of_.maker.opcode() == hlo_opcode::copy) return true;
    const hlo_computation body = of_.maker.called_computation(0);
    const hlo_instruction root = body.root();
    typed_names* const types = types_of(body);
    if (!types) return false;
    if (!is_element) {
      // The old root loses its mark.
      const std::string_view whole = of_.value.data().text.text();
      const std::size_t name = offset_of(root.name(), whole), at = whole.rfind("ROOT ", name);
      if (at == std::string_view::npos || at < line_begin(root)) return false;
      text_.replace(at, at + 5, std::string());
      text_.insert(line_end(root), line_of(names_.make(root.name(), ".stored"), becomes_, root, root.name(), "ROOT "));
      types->result = becomes_;
      return true;
    }
    if (root.opcode() != hlo_opcode::tuple || of_.element >= root.operand_count() || !root.operand(of_.element) ||
        !types->result.is_tuple() || of_.element >= types->result.elements.size())
      return false;
    const hlo_instruction result = root.operand(of_.element);
    const std::string name = names_.make(result.name(), ".stored");
    types->result.elements[of_.element] = becomes_;
    text_.insert(line_begin(root), line_of(name, becomes_, result, result.name(), ""));
    return text_.set_operand_shape(root, of_.element, becomes_) && text_.set_operand(root, of_.element, name) &&
           text_.set_shape(root, types->result);
  }

  bool change_reader(const stored_value::reader& r) {
    if (!text_.set_operand_shape(r.user, r.operand, becomes_)) return false;
    if (by_ == hlo_opcode::convert) text_.replace(r.user.opcode_text(), "bitcast");
    return true;
  }

  bool change_fusion(const stored_value::reader& r) {
    if (!text_.set_operand_shape(r.user, r.operand, becomes_) || !text_.set_shape(r.parameter, becomes_)) return false;
    typed_names* const types = types_of(r.parameter.computation());
    if (!types || r.operand >= types->parameters.size()) return false;
    types->parameters[r.operand].second = becomes_;
    if (by_ == hlo_opcode::convert) {
      for (const hlo_instruction i : r.parameter.computation().instructions())
        for (std::size_t k = 0; k < i.operand_count(); ++k)
          if (i.operand(k) == r.parameter && !text_.set_operand_shape(i, k, becomes_)) return false;
      return true;
    }
    // The converted value takes the old name, so its readers do not change.
    const std::string name = names_.make(r.parameter.name(), ".stored");
    types->parameters[r.operand].first = name;
    text_.replace(r.parameter.name(), name);
    text_.insert(line_end(r.parameter), line_of(r.parameter.name(), *r.parameter.shape(), r.parameter, name, ""));
    return true;
  }

  program_text text_;
  new_names names_;
  const stored_value& of_;
  shape becomes_;
  hlo_opcode by_;
  std::vector<instruction_use> elements_;
  std::map<id, typed_names> types_;
  std::map<id, hlo_computation> bodies_;
};

// Values of `least` bytes or more that can be stored in another form, the largest first. `find(module, value, least)`
// returns the form, and nothing for a value that has to stay as it is.
inline std::vector<change_candidate> stored_candidates(
    const edited_module& now, byte_count least, change_kind kind, hlo_opcode by,
    std::optional<reshaped_value> (*find)(const edited_module&, hlo_instruction, byte_count)) {
  const memory_moves moves(*now.made, *now.rules, *now.live);
  const size_rule sizes = now.made->rules().sizes;
  std::vector<change_candidate> out;
  for (const hlo_instruction i : now.module().instructions()) {
    if (!moves.is_editable(i.computation())) continue;
    const auto found = find(now, i, least);
    if (!found || now.rules->is_effect(found->of.maker.id())) continue;
    const program_change change = change_of(kind, i, found->of.maker, *i.shape(), found->becomes, sizes);
    out.push_back({change, [change, by, find](const edited_module& state) -> std::optional<std::string> {
                     const hlo_instruction value =
                         find_instruction(state.module(), change.computation, change.instruction);
                     const auto again = value ? find(state, value, 1) : std::nullopt;
                     if (!again) return std::nullopt;
                     return stored_form(state, again->of, again->becomes, by).run();
                   }});
  }
  sort_by_size(out);
  return out;
}

}  // namespace detail

}  // namespace hlolint::advise
