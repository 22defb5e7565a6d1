// The instructions of a computation that is being read.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>

namespace hlolint::build {

/// Stand at the end of the module's pool, where each is written once; or apart from it, where the pool has to take
/// others before them: those of a body that stands in one of them.
class open_instructions {
 public:
  void open(record_list<instruction_record>& pool, bool apart) {
    pool_ = &pool;
    first_ = apart ? 0 : pool.size();
    own_.clear();
    apart_ = apart;
  }
  /// Gives the end of the pool to others; false if they have it already.
  bool set_apart() {
    if (apart_) return false;
    own_.assign(pool_->begin() + static_cast<std::ptrdiff_t>(first_), pool_->end());
    drop();
    first_ = 0;
    return apart_ = true;
  }
  /// Leaves them at the end of the pool; the position of the first one.
  std::size_t close() {
    if (!apart_) return first_;
    const std::size_t first = pool_->size();
    pool_->append(own_.begin(), own_.end());
    return first;
  }
  /// Forgets all of them.
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

}  // namespace hlolint::build
