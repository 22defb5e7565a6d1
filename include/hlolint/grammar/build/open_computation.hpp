// Computations that are being read.
#pragma once

#include <hlolint/grammar/build/name_map.hpp>
#include <hlolint/grammar/build/pending.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module_data.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint::build {

/// The instructions of a computation that is being read. They stand at the end of the module's pool, so that each is
/// written once; or apart from the pool, which first has to take the instructions of a body inside one of them.
class open_instructions {
 public:
  void open(std::vector<instruction_record>& pool, bool apart) {
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
    pool_->insert(pool_->end(), own_.begin(), own_.end());
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
  std::vector<instruction_record>& records() { return apart_ ? own_ : *pool_; }
  const std::vector<instruction_record>& records() const { return apart_ ? own_ : *pool_; }

  std::vector<instruction_record>* pool_ = nullptr;
  std::size_t first_ = 0;
  std::vector<instruction_record> own_;
  bool apart_ = true;
};

/// The computation that async sugar stands for. It is made when the computation around the sugar is complete, because
/// updates may add operands.
struct implied_computation {
  id start = none;  ///< local number of the async-start
  std::vector<id> parameter_shapes;
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
  attribute_mark before_attribute;  ///< of the attribute around a body
  open_instructions instructions;
  std::vector<implied_computation> implied;
  std::map<std::uint64_t, id> elements;                              ///< `%a#1`: from (a, 1) to its get-tuple-element
  std::vector<std::uint64_t> element_keys;                           ///< in the order of their instructions
  std::vector<std::pair<std::string_view, id>> implicit_parameters;  ///< made of unknown operands, by name
  std::vector<name_fault> faults;                                    ///< with local numbers
  std::unordered_set<std::string_view> undefined;  ///< names that were noted as faults, and names that were lost
  struct predecessor {
    std::string_view name;
    id instruction = none;
  };
  std::vector<predecessor> predecessors;  ///< control predecessors that were not defined where they are named
  name_map names;
  id marked_root = none;
  bool lost_names = false;  ///< the name of an instruction could not be read, so that unknown names prove nothing
  bool single = false;      ///< an instruction without a computation: unknown operands become parameters

  /// Starts over and keeps the memory. Only the outermost computation fills the pool directly.
  void open(std::uint32_t at, std::vector<instruction_record>& pool, bool outermost) {
    record = {};
    name = signature = {};
    declared_result = none;
    entry = false;
    begin = at;
    instructions.open(pool, !outermost);
    implied.clear();
    elements.clear();
    element_keys.clear();
    implicit_parameters.clear();
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
    for (; !implicit_parameters.empty() && implicit_parameters.back().second >= to.instructions;
         implicit_parameters.pop_back())
      names.forget(implicit_parameters.back().first);
    if (marked_root != none && marked_root >= to.instructions) marked_root = none;
  }
};

/// The computations that are being read, the outermost first: one, and more inside a body in place of a name.
class open_computations {
 public:
  explicit open_computations(std::string_view text) : text_(text) {}

  std::size_t count() const { return count_; }
  open_computation& innermost() { return *all_[count_ - 1]; }
  const open_computation& innermost() const { return *all_[count_ - 1]; }
  const open_computation& number(std::size_t n) const { return *all_[n]; }
  /// Opens a computation whose instructions go to the end of the pool.
  open_computation& add(std::uint32_t at, std::vector<instruction_record>& pool) {
    if (count_ == all_.size()) all_.push_back(std::make_unique<open_computation>(text_));
    open_computation& c = *all_[count_++];
    c.open(at, pool, count_ == 1);
    return c;
  }
  /// The innermost computation is complete.
  void close() { --count_; }
  /// Drops all but the outermost `kept` computations.
  void drop(std::size_t kept) {
    for (; count_ > kept; --count_) innermost().instructions.drop();
  }
  void drop_innermost() { drop(count_ - 1); }
  /// Forgets all, which belong to a module before this one.
  void forget() { count_ = 0; }

 private:
  std::string_view text_;
  std::vector<std::unique_ptr<open_computation>> all_;  ///< kept for their memory; the first count_ are open
  std::size_t count_ = 0;
};

}  // namespace hlolint::build
