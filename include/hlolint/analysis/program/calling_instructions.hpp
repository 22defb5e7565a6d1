// The few instructions of a module that call computations.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <span>

namespace hlolint {

/// All instructions that call anything, by the computation they stand in. Most instructions of a big program stand in
/// fusions and call nothing: whoever follows calls goes through these.
class calling_instructions {
 public:
  /// Linear in the module, which is kept. Half a dozen analyses make one, so the records are read without views: that
  /// is most of the time.
  explicit calling_instructions(const hlo_module& module) : module_(module), of_(module.computation_count()) {
    const record_list<instruction_record>& records = module.data().instructions;
    const instruction_record* const first = records.data();
    for (const instruction_record *r = first, *const last = first + records.size(); r != last; ++r) {
      if (r->calls.count == 0) continue;
      id_range& own = of_[r->computation];
      if (own.count++ == 0) own.first = static_cast<id>(all_.size());
      all_.push_back(static_cast<id>(r - first));
    }
  }

  /// Ids of all, in text order.
  const record_list<id>& all() const { return all_; }
  /// Ids of those in one computation, in text order.
  std::span<const id> in(hlo_computation c) const {
    return std::span(all_).subspan(of_[c.id()].first, of_[c.id()].count);
  }
  /// The module that they are of.
  const hlo_module& module() const { return module_; }

 private:
  hlo_module module_;
  record_list<id> all_;
  record_list<id_range> of_;  // by computation, into all_
};

}  // namespace hlolint
