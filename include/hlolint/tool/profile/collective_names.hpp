// Finds the collective that an operation of a profile is, by its names (profiles.md 5).
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/characters.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hlolint::profiles {

/// `all-gather` of `all-gather-start`.
inline std::string_view base_opcode(std::string_view opcode) {
  for (const std::string_view part : {"-start", "-done", "-update"})
    if (opcode.ends_with(part)) return opcode.substr(0, opcode.size() - part.size());
  return opcode;
}

/// The kind of collective that an opcode is or is a part of; empty if none.
inline std::string_view collective_of_opcode(std::string_view opcode) {
  const std::string_view base = base_opcode(opcode);
  for (const std::string_view kind : {"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute",
                                      "collective-broadcast", "ragged-all-to-all", "send", "recv"})
    if (base == kind) return kind;
  return {};
}

namespace detail {

inline bool is_word(char c) { return is_alphanumeric(c) || c == '_'; }

}  // namespace detail

/// The kind of collective that a kernel of NCCL or RCCL runs; `collective` if its name does not tell the kind; empty
/// for other kernels.
inline std::string_view collective_of_kernel(std::string_view kernel) {
  struct named {
    std::string_view word, kind;
  };
  constexpr named kinds[] = {
      {"AllReduce", "all-reduce"}, {"AllGather", "all-gather"},        {"ReduceScatter", "reduce-scatter"},
      {"AllToAll", "all-to-all"},  {"SendRecv", "collective-permute"}, {"Broadcast", "collective-broadcast"},
      {"Reduce", "all-reduce"}};
  for (std::size_t at = 0; at + 4 <= kernel.size(); ++at) {
    if (kernel.substr(at, 4) != "nccl" && kernel.substr(at, 4) != "rccl") continue;
    for (std::size_t next = at + 4; next < kernel.size(); ++next) {
      for (const named& k : kinds)
        if (kernel.substr(next).starts_with(k.word)) return k.kind;
      if (!detail::is_word(kernel[next])) break;
    }
  }
  const std::string small = lowered(kernel);
  for (std::size_t at = 0; at + 4 <= small.size(); ++at) {
    const std::string_view word = std::string_view(small).substr(at, 4);
    if ((word == "nccl" || word == "rccl") && (at == 0 || !detail::is_word(small[at - 1]))) return "collective";
  }
  return {};
}

/// The kind of collective by the name of the instruction, its category and its kernel, for an unknown program.
inline std::string collective_by_names(std::string_view instruction, std::string_view category,
                                       std::string_view kernel) {
  for (const std::string_view word : {without_number(instruction), category}) {
    const std::string small = lowered(word);
    if (const std::string_view kind = collective_of_opcode(small); !kind.empty()) return std::string(kind);
  }
  return std::string(collective_of_kernel(kernel));
}

/// Whether an operation waits for a copy, the host or another program, judged by its opcode or name.
inline bool waits_for_copy(std::string_view opcode) {
  for (const std::string_view word : {"copy-done", "copy-start", "async-done", "infeed", "outfeed", "send-done",
                                      "recv-done", "host send", "host recv", "slice-done", "dynamic-slice-done"})
    if (opcode == word) return true;
  return false;
}

}  // namespace hlolint::profiles
