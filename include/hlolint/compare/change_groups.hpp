// Changes of instructions that are reported together.
#pragma once

#include <hlolint/compare/module_change.hpp>
#include <hlolint/compare/module_summary.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

namespace hlolint::compare::detail {

/// Equal changes of equal instructions are one.
class change_groups {
 public:
  explicit change_groups(record_list<module_change>& out) : out_(out) {}

  /// `what` follows the name of what changed in the text.
  void add(change_kind kind, change_verdict verdict, const instruction_summary* was, const instruction_summary* is,
           const std::string& what) {
    const instruction_summary& about = is ? *is : *was;
    const auto [at, is_new] =
        known_.emplace(std::tuple(kind, verdict, about.kind, about.shape, about.op_name, what), out_.size());
    if (is_new) {
      module_change& change = out_.emplace_back();
      change.kind = kind;
      change.verdict = verdict;
      change.count = 0;
      change.text = text_of(about) + what;
    }
    module_change& change = out_[at->second];
    ++change.count;
    if (was) change.before.push_back(was->instruction);
    if (is) change.after.push_back(is->instruction);
  }

 private:
  // `all-gather of 16.00MiB, f32[4096,1024] (train.py:31, jit(step)/gather)`
  static std::string text_of(const instruction_summary& about) {
    std::string out = about.kind + (about.bytes > 0 ? " of " + human(about.bytes) : std::string{});
    if (!about.shape.empty()) out += ", " + about.shape;
    if (about.runs > 1) out += " x " + std::to_string(about.runs) + " iterations";
    if (about.source.empty() && about.op_name.empty()) return out;
    return out + " (" + about.source + (about.source.empty() || about.op_name.empty() ? "" : ", ") + about.op_name +
           ")";
  }

  record_list<module_change>& out_;
  std::map<std::tuple<change_kind, change_verdict, std::string, std::string, std::string, std::string>, std::size_t>
      known_;
};

}  // namespace hlolint::compare::detail
