// The instructions of a program that a profile holds: their names, opcodes and what they call (profiles.md 7).
#pragma once

#include <hlolint/profile/collective_names.hpp>
#include <hlolint/profile/profile.hpp>
#include <hlolint/protobuf/wire.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hlolint::profiles {

/// Of one HloProto, whose bytes it refers to.
class program_names {
 public:
  /// Throws what reading protobuf throws. Linear.
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

  /// Of the module.
  std::string_view name() const { return name_; }
  /// Whether an instruction has this name.
  bool has(std::string_view instruction) const { return instructions_.contains(instruction); }
  /// Empty if there is no such instruction.
  std::string_view opcode_of(std::string_view instruction) const {
    const auto found = instructions_.find(instruction);
    return found == instructions_.end() ? std::string_view() : found->second.opcode;
  }
  /// The collective that an instruction stands for, by itself or in what it calls; empty if for none.
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
    record_list<std::int64_t> called;
  };

  void add_computation(std::string_view bytes) {
    using namespace protobuf;
    std::int64_t id = 0;
    record_list<std::string_view> body;
    for_each_field(bytes, [&](const field& f) {
      if (f.key() == varint(5)) id = f.number();
      if (f.key() != sized(2)) return;
      std::string_view own;
      found_instruction read;
      for_each_field(f.bytes, [&](const field& part) {
        if (part.key() == sized(1)) own = part.bytes;
        if (part.key() == sized(2)) read.opcode = part.bytes;
        if (part.tag == 38) add_numbers(part, read.called);
      });
      if (collective_of_opcode(read.opcode).empty() && read.opcode != "fusion" && read.opcode != "call" &&
          !read.opcode.starts_with("async-"))
        record_list<std::int64_t>().swap(read.called);
      body.push_back(own);
      instructions_.insert_or_assign(own, std::move(read));
    });
    computations_.insert_or_assign(id, std::move(body));
  }

  std::string_view name_;
  std::unordered_map<std::string_view, found_instruction> instructions_;
  std::unordered_map<std::int64_t, record_list<std::string_view>> computations_;
};

/// The programs of a profile, each read when it is first asked for.
class program_table {
 public:
  /// `file` holds the bytes that the programs are places in.
  program_table(std::string_view file, const record_list<profile_program>& programs)
      : file_(file), programs_(programs), read_(programs.size()) {
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (programs[i].program_id) by_id_[*programs[i].program_id] = i;
      by_name_.emplace(programs[i].name, i);
    }
  }

  /// By the program's id, else by the module's name; null if there is none or it cannot be read.
  const program_names* find(optional<std::uint64_t> id, const std::string& name) {
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
      } catch (const std::exception&) {  // the program is reported where it is read as a module
      }
    }
    return read_[i].names.get();
  }

  struct entry {
    bool tried = false;
    std::unique_ptr<program_names> names;
  };
  std::string_view file_;
  const record_list<profile_program>& programs_;
  record_list<entry> read_;
  std::map<std::uint64_t, std::size_t> by_id_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace hlolint::profiles
