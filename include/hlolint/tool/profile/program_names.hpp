// The instructions of a program in a profile: their names, opcodes and called computations (profiles.md 7).
#pragma once

#include <hlolint/tool/profile/collective_names.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::profiles {

/// The names in one HloProto. Refers to its bytes.
class program_names {
 public:
  /// Throws the exceptions of reading protobuf. Linear.
  explicit program_names(std::string_view hlo_proto) {
    using namespace protobuf;
    for_each_field(hlo_proto, [&](const field& outer) {
      if (outer.key() != sized(1)) return;
      for_each_field(outer.bytes, [&](const field& f) {
        if (f.key() == sized(1)) name_ = f.bytes;
        if (f.key() == sized(3)) add_computation(f.bytes);
      });
    });
  }

  /// The name of the module.
  std::string_view name() const { return name_; }
  /// Whether an instruction has this name.
  bool has(std::string_view instruction) const { return instructions_.contains(instruction); }
  /// Empty if there is no such instruction.
  std::string_view opcode_of(std::string_view instruction) const {
    const auto found = instructions_.find(instruction);
    return found == instructions_.end() ? std::string_view() : found->second.opcode;
  }
  /// The kind of collective that an instruction is or calls; empty if it is none.
  std::string_view collective_of(std::string_view instruction, int depth = 0) const {
    const auto found = instructions_.find(instruction);
    if (found == instructions_.end() || depth > 4) return {};
    const std::string_view opcode = found->second.opcode;
    if (const std::string_view kind = collective_of_opcode(opcode); !kind.empty()) return kind;
    if (opcode != "fusion" && opcode != "async-start" && opcode != "async-done" && opcode != "async-update" &&
        opcode != "call")
      return {};
    for (const std::int64_t called : found->second.called) {
      const auto body = computations_.find(called);
      if (body == computations_.end()) continue;
      for (const std::string_view inner : body->second)
        if (const std::string_view kind = collective_of(inner, depth + 1); !kind.empty()) return kind;
    }
    return {};
  }

 private:
  struct found_instruction {
    std::string_view opcode;
    std::vector<std::int64_t> called;
  };

  void add_computation(std::string_view bytes) {
    using namespace protobuf;
    std::int64_t id = 0;
    std::vector<std::string_view> body;
    message instruction;
    for_each_field(bytes, [&](const field& f) {
      if (f.key() == varint(5)) id = f.number();
      if (f.key() != sized(2)) return;
      instruction.read(f.bytes);
      found_instruction found{instruction.text(2), {}};
      if (!collective_of_opcode(found.opcode).empty() || found.opcode == "fusion" || found.opcode == "call" ||
          found.opcode.starts_with("async-"))
        found.called = instruction.numbers(38);
      body.push_back(instruction.text(1));
      instructions_.insert_or_assign(body.back(), std::move(found));
    });
    computations_.insert_or_assign(id, std::move(body));
  }

  std::string_view name_;
  std::unordered_map<std::string_view, found_instruction> instructions_;
  std::unordered_map<std::int64_t, std::vector<std::string_view>> computations_;
};

/// The programs of a profile. Each is read at its first use.
class program_table {
 public:
  /// `file` is the profile, which the places of the programs refer to.
  program_table(std::string_view file, const std::vector<profile_program>& programs)
      : file_(file), programs_(programs), read_(programs.size()) {
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (programs[i].program_id) by_id_[*programs[i].program_id] = i;
      by_name_.emplace(programs[i].name, i);
    }
  }

  /// Finds a program by its id, else by the name of its module. Null if there is none or it cannot be read.
  const program_names* find(std::optional<std::uint64_t> id, const std::string& name) {
    if (id)
      if (const auto found = by_id_.find(*id); found != by_id_.end())
        if (const program_names* const names = at(found->second)) return names;
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : at(found->second);
  }

 private:
  const program_names* at(std::size_t i) {
    if (!read_[i].tried) {
      read_[i].tried = true;
      try {
        read_[i].names = std::make_unique<program_names>(file_.substr(programs_[i].begin, programs_[i].size));
      } catch (const std::exception&) {  // the reader of the module reports the problem
      }
    }
    return read_[i].names.get();
  }

  struct entry {
    bool tried = false;
    std::unique_ptr<program_names> names;
  };
  std::string_view file_;
  const std::vector<profile_program>& programs_;
  std::vector<entry> read_;
  std::map<std::uint64_t, std::size_t> by_id_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace hlolint::profiles
