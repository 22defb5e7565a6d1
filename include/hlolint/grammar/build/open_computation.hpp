// The parts of a module that are being read: computations, instructions, calls.
#pragma once

#include <hlolint/grammar/build/name_map.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/containers/hash_map.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint::build {

/// A call of a computation by its name; `none` if the computation is not known yet.
struct named_call {
  id computation = none;
  std::string_view name;
};
/// A call in `module_data::called` of a computation that comes later in the text, or not at all.
struct unresolved_call {
  id slot = none;
  std::string_view name;
};

/// The sizes of the pools when a part began that may fail.
struct pool_mark {
  std::size_t computations = 0, instructions = 0, operands = 0, attributes = 0, called = 0, names = 0, faults = 0,
              unresolved = 0;
};
/// The sizes of the builder's stacks at that time.
struct mark {
  std::size_t open = 0, pending = 0, operands = 0, attributes = 0, calls = 0, broken = 0, depth = 0;
};

/// The records of a pool from `first` to its end.
template <class Records>
id_range range_from(std::size_t first, const Records& pool) {
  return {static_cast<id>(first), static_cast<id>(pool.size() - first)};
}
/// Moves the records of a finished part from a stack into a pool. Returns their place in the pool.
template <class Record>
id_range move_from(record_list<Record>& stack, std::size_t first, record_list<Record>& pool) {
  const id_range range{static_cast<id>(pool.size()), static_cast<id>(stack.size() - first)};
  pool.append(stack.begin() + first, stack.end());
  stack.resize(first);
  return range;
}

/// The instructions of a computation that is being read. They stand at the end of the module's pool, so that each is
/// written once; or apart from the pool, which first has to take the instructions of a body inside one of them.
class open_instructions {
 public:
  void open(record_list<instruction_record>& pool, bool apart) {
    pool_ = &pool;
    first_ = apart ? 0 : pool.size();
    own_.clear();
    apart_ = apart;
  }
  /// Moves the instructions out of the pool; false if they stand apart already.
  bool set_apart() {
    if (apart_) return false;
    own_.assign(pool_->begin() + static_cast<std::ptrdiff_t>(first_), pool_->end());
    drop();
    first_ = 0;
    return apart_ = true;
  }
  /// Leaves the instructions at the end of the pool. Returns the position of the first one.
  std::size_t close() {
    if (!apart_) return first_;
    const std::size_t first = pool_->size();
    pool_->append(own_.begin(), own_.end());
    return first;
  }
  /// Removes all instructions.
  void drop() { resize(0); }

  std::size_t size() const { return records().size() - first_; }
  bool empty() const { return size() == 0; }
  void resize(std::size_t count) { records().resize(first_ + count); }
  instruction_record& add() { return records().emplace_back(); }
  void push_back(const instruction_record& record) { records().push_back(record); }
  void pop_back() { records().pop_back(); }
  instruction_record& back() { return records().back(); }
  instruction_record& operator[](std::size_t local) { return records()[first_ + local]; }
  const instruction_record& operator[](std::size_t local) const { return records()[first_ + local]; }

 private:
  record_list<instruction_record>& records() { return apart_ ? own_ : *pool_; }
  const record_list<instruction_record>& records() const { return apart_ ? own_ : *pool_; }

  record_list<instruction_record>* pool_ = nullptr;
  std::size_t first_ = 0;
  record_list<instruction_record> own_;
  bool apart_ = true;
};

/// What the parentheses of an instruction hold.
enum class argument_kind : std::uint8_t { operands, number, literal };

/// An instruction that is being read. Nested operands make a stack of such instructions.
struct pending_instruction {
  instruction_record record;
  std::string_view name{};  ///< empty for a nested operand
  bool marked_root = false;
  std::string_view unknown_opcode{};  ///< to be reported if the instruction can be read
  std::size_t first_operand = 0, first_attribute = 0, first_call = 0;  ///< on the stacks of the builder
};

/// The computation that async sugar stands for. It is made when the computation around the sugar is complete, because
/// updates may add operands.
struct implied_computation {
  id start = none;  ///< local number of the async-start
  record_list<id> parameter_shapes;
  id_range root_calls;  ///< of the wrapped instruction
  id result_shape = none;
};

/// A computation that is being read. Its instructions have local numbers until it is complete.
struct open_computation {
  explicit open_computation(std::string_view text) : names(text) {}

  computation_record record;
  std::string_view name, signature;  ///< parts of the head, like the next two
  id declared_result = none;
  bool entry = false;
  std::uint32_t begin = 0;
  open_instructions instructions;
  record_list<implied_computation> implied;
  ordered_map<std::uint64_t, id> elements;  ///< `%a#1`: from (a, 1) to its get-tuple-element
  record_list<std::uint64_t> element_keys;  ///< in the order of their instructions
  record_list<name_fault> faults;           ///< with local numbers
  hash_set<std::string_view> undefined;     ///< names that were noted as faults, and names that were lost
  struct predecessor {
    std::string_view name;
    id instruction = none;
  };
  record_list<predecessor> predecessors;  ///< control predecessors that were not defined where they are named
  name_map names;
  id marked_root = none;
  bool lost_names = false;  ///< the name of an instruction could not be read, so that unknown names prove nothing
  bool single = false;      ///< an instruction without a computation: unknown operands become parameters

  /// Starts over and keeps the memory. Only the outermost computation fills the pool directly.
  void open(std::uint32_t at, record_list<instruction_record>& pool, bool outermost) {
    record = {};
    name = signature = {};
    declared_result = none;
    entry = false;
    begin = at;
    instructions.open(pool, !outermost);
    implied.clear();
    elements.clear();
    element_keys.clear();
    faults.clear();
    if (!undefined.empty()) undefined = {};
    predecessors.clear();
    names.clear(at);
    marked_root = none;
    lost_names = single = false;
  }
  /// Files the last instruction under its name, which is the text at `at`.
  void name_last(std::string_view its_name, span at, std::uint64_t hash) {
    const id local = static_cast<id>(instructions.size()) - 1;
    instruction_record& i = instructions.back();
    i.odd_name = its_name.starts_with('_') || hlolint::detail::may_be_element_type(its_name);
    if (const id other = names.insert(its_name, local, hash); other != none)
      faults.push_back({name_fault::kind::second_instruction, at, none, local, other, 0});
    if (i.root && marked_root == none) marked_root = local;
  }
  /// The sizes of the lists when an instruction began.
  struct mark {
    std::size_t instructions = 0, faults = 0, predecessors = 0;
  };
  mark here() const { return {instructions.size(), faults.size(), predecessors.size()}; }
  /// Removes the instructions since the mark, and what was noted about them.
  void take_back(const mark& to) {
    instructions.resize(to.instructions);
    faults.resize(to.faults);
    predecessors.resize(to.predecessors);
    while (!implied.empty() && implied.back().start >= to.instructions) implied.pop_back();
    for (; !element_keys.empty() && elements[element_keys.back()] >= to.instructions; element_keys.pop_back())
      elements.erase(element_keys.back());
    if (marked_root != none && marked_root >= to.instructions) marked_root = none;
  }
};

/// The number of blanks before the first token of the line of a place. Many places may be in one line, so the last
/// answer is cached.
class indentations {
 public:
  explicit indentations(std::string_view text) : text_(text) {}

  std::size_t of(std::uint32_t where) const {
    if (where < begin_ || where > until_) {
      const std::size_t from = where > until_ ? until_ : 0;  // stop at the cached position
      const std::size_t end = where == 0 ? text_.npos : text_.substr(from, where - from).rfind('\n');
      if (end != text_.npos || from == 0) {
        begin_ = end == text_.npos ? 0 : from + end + 1;
        const std::size_t token = text_.find_first_not_of(" \t\r", begin_);
        blanks_ = (token == text_.npos ? text_.size() : token) - begin_;
      }
      until_ = where;
    }
    return blanks_;
  }

 private:
  std::string_view text_;
  mutable std::size_t begin_ = 1, until_ = 0, blanks_ = 0;  ///< the cached line begins at begin_ and reaches until_
};

}  // namespace hlolint::build
