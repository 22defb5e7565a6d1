// What `hlolint time` shows of profiles.
#pragma once

#include "arguments.hpp"

#include <hlolint/analysis/measured/measured_module.hpp>
#include <hlolint/analysis/measured/measured_step.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/time/time_options.hpp>

#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

/// The measured modules that a module of a dump may be, the one that fits, or why none does.
struct measured_choice {
  std::shared_ptr<const hlolint::measured_module> module;  ///< null if there is none
  std::string refused;                                     ///< with the numbers, if there is one of this name
};
/// By the program id in the path, by the module's number, else by the names of instructions; at least 95 % of them must
/// be in the module (profiles.md 7). Among several the one that took most time.
measured_choice measured_for(const arguments& given, const hlolint::hlo_module& module, const std::string& path);

/// Collects the estimates of what was measured, and writes both.
class measured_results {
 public:
  /// `given` outlives it.
  explicit measured_results(const arguments& given) : given_(given) {}
  /// Whether there are profiles.
  bool any() const { return given_.measured_hosts != nullptr; }
  /// Whether `--module` names it, or nothing.
  bool is_meant(const hlolint::measured_module& m) const;
  /// A module that was read, with its estimate if it has a schedule.
  void add(const hlolint::context& module, const hlolint::report::shown_device& on);
  /// All modules that ran: the first ones in full, the others in a table.
  void write(std::ostream& out) const;
  /// The member `measured`.
  void write_json(hlolint::report::json_writer& json) const;

 private:
  struct joined {
    hlolint::optional<hlolint::hlo_module> module;  // that the step refers to
    std::shared_ptr<const hlolint::measured_step> step;
    std::string refused;
    hlolint::device on;
  };
  const joined* find(const hlolint::measured_module* of) const;

  const arguments& given_;
  std::map<const hlolint::measured_module*, joined> joined_;
  std::map<std::string, std::string> refused_;  // by module
};
