// The part of a training step that an instruction belongs to, by the names that JAX gives to operations: the forward
// pass, the backward pass, what that computes again instead of keeping it, and what is done with the gradients.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// The parts of a step.
enum class program_pass : std::uint8_t {
  unknown,     ///< the instruction has no name of an operation
  forward,     ///< the forward pass, or a program without gradients
  backward,    ///< the backward pass
  recomputed,  ///< computed again in the backward pass (`jax.checkpoint`), or by XLA where memory is short
  optimizer    ///< outside of what is differentiated, in a program with gradients
};

/// How many there are.
inline constexpr std::size_t program_pass_count = 5;
/// All but `unknown`.
inline constexpr program_pass known_passes[] = {program_pass::forward, program_pass::backward, program_pass::recomputed,
                                                program_pass::optimizer};

/// The name in reports.
constexpr std::string_view name_of(program_pass pass) {
  constexpr std::string_view names[] = {"(not known)", "forward", "backward", "recomputed", "optimizer"};
  return names[static_cast<std::size_t>(pass)];
}

namespace detail {

/// Whether a text has the word by which JAX names what it computes again. Few texts do, so nearly all are searched to
/// the end, where skipping ahead by the length of the word pays.
inline bool names_recomputation(std::string_view text) {
  static constexpr std::string_view word = "rematted_computation";
  static const std::boyer_moore_horspool_searcher skipping(word.begin(), word.end());
  return std::search(text.begin(), text.end(), skipping) != text.end();
}

}  // namespace detail

/// The pass that the name of an operation shows, as if the program had gradients: JAX names a transformation of the
/// program around what it transforms, `jit(step)/transpose(jvp(loss))/checkpoint/rematted_computation/dot_general`.
inline program_pass pass_of_name(std::string_view op_name) {
  if (op_name.empty()) return program_pass::unknown;
  if (detail::names_recomputation(op_name)) return program_pass::recomputed;
  program_pass out = program_pass::optimizer;
  for (std::size_t at = op_name.find('('); at != op_name.npos; at = op_name.find('(', at + 1)) {
    const std::string_view transformation = op_name.substr(0, at);
    if (transformation.ends_with("transpose")) return program_pass::backward;
    if (transformation.ends_with("jvp")) out = program_pass::forward;
  }
  return out;
}

/// Whether XLA's rematerialization made an instruction, as its name shows. What reads nothing but constants is no
/// result that could have been kept: XLA fills an array anew for each of its updates in place.
inline bool is_rematerialized(hlo_instruction i) {
  if (i.name().find(".remat") == std::string_view::npos) return false;
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (const hlo_instruction read = i.operand(k); !read || read.opcode() != hlo_opcode::constant) return true;
  return false;
}

namespace detail {

/// The products of a fusion, nested ones included.
inline std::vector<hlo_instruction> fused_products(hlo_instruction fusion) {
  constexpr std::size_t most = 64;  // nested fusions
  std::vector<hlo_instruction> out, open{fusion};
  for (std::size_t next = 0; next < open.size() && next < most; ++next)
    for (const hlo_computation called : open[next].called_computations())
      if (called)
        for (const hlo_instruction i : called.instructions()) {
          if (i.opcode() == hlo_opcode::fusion) open.push_back(i);
          if (i.opcode() == hlo_opcode::dot || i.opcode() == hlo_opcode::convolution) out.push_back(i);
        }
  return out;
}
/// The pass that an instruction's metadata shows; nothing if it shows no place in the program. The words that decide
/// stand in no other part of it than the name, so that they are looked for in all of it: most instructions have
/// metadata of their own, and taking all of that apart takes as long as all rules together.
inline std::optional<program_pass> written_pass(hlo_instruction i) {
  constexpr std::string_view name = "op_name=\"";
  const std::string_view text = i.attribute(attribute_key::metadata).value_or(std::string_view{});
  if (const std::size_t at = text.find(name); at != text.npos && text.find('"', at + name.size()) != at + name.size())
    return pass_of_name(text.substr(at));
  if (text.find("source_file") != text.npos || text.find("stack_frame_id") != text.npos) return program_pass::unknown;
  return std::nullopt;
}
/// The pass that an instruction shows by itself, else the root of a computation that it calls. A product decides for
/// its fusion, of which it takes most of the time.
inline program_pass own_pass(hlo_instruction i) {
  if (i.opcode() == hlo_opcode::parameter) return program_pass::unknown;  // its op_name is that of an argument
  if (is_rematerialized(i)) return program_pass::recomputed;
  if (i.opcode() == hlo_opcode::fusion)
    for (const hlo_instruction product : fused_products(i))
      if (const auto pass = written_pass(product); pass && *pass != program_pass::unknown) return *pass;
  return read_here_or_at_root(i, written_pass).value_or(program_pass::unknown);
}

}  // namespace detail

/// Whether an instruction computes a value again that the program, or XLA, did not keep.
inline bool is_recomputed(hlo_instruction i) { return detail::own_pass(i) == program_pass::recomputed; }

/// The passes of all instructions of a module.
class program_passes {
 public:
  /// Linear in the module.
  explicit program_passes(const hlo_module& module) {
    passes_.reserve(module.instruction_count());
    bool goes_forward = false, goes_back = false;
    for (const hlo_instruction i : module.instructions()) {
      passes_.push_back(detail::own_pass(i));
      goes_forward = goes_forward || passes_.back() == program_pass::forward;
      goes_back = goes_back || passes_.back() == program_pass::backward;
    }
    has_gradients_ = goes_forward && goes_back;
    if (has_gradients_) return;
    for (program_pass& pass : passes_)
      if (pass == program_pass::optimizer) pass = program_pass::forward;
  }
  /// The pass of an instruction of the module.
  program_pass of(hlo_instruction i) const { return passes_[i.id()]; }
  /// Whether the module has a forward and a backward pass.
  bool has_gradients() const { return has_gradients_; }

 private:
  std::vector<program_pass> passes_;  // by instruction
  bool has_gradients_ = false;
};

}  // namespace hlolint
