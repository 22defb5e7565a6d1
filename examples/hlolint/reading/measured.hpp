// The part of `hlolint time` that shows profiles.
#pragma once

#include "../settings/arguments.hpp"

#include <hlolint/ir/module.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/measured/measured_step.hpp>
#include <hlolint/tool/report/time/time_options.hpp>

#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace hlolint::command {

/// The measured module that corresponds to a module of a dump, or the reason why none does.
struct measured_choice {
  std::shared_ptr<const hlolint::measured_module> module;  ///< null if there is none
  std::string refused;                                     ///< why the module of this name does not fit
};
/// Finds the measured module by the program id in the path, by the module's number, else by the names of instructions,
/// of which at least 95 % must be in the module (profiles.md 7). Of several, returns the one that took most time.
measured_choice measured_for(const arguments& given, const hlolint::hlo_module& module, const std::string& path);

/// Collects the estimates for measured modules, and writes both side by side.
class measured_results {
 public:
  /// `given` outlives it.
  explicit measured_results(const arguments& given) : given_(given) {}
  /// Whether there are profiles.
  bool any() const { return given_.measured_hosts != nullptr; }
  /// Whether the module is to be shown: `--module` names it, or was not given.
  bool is_meant(const hlolint::measured_module& m) const;
  /// Takes a module that was read, with its estimate if it has a schedule.
  void add(const hlolint::context& module, const hlolint::report::shown_device& on);
  /// Writes all modules that ran: the first ones in full, the others in a table.
  void write(std::ostream& out) const;
  /// Writes the member `measured`.
  void write_json(hlolint::report::json_writer& json) const;

 private:
  struct joined {
    std::optional<hlolint::hlo_module> module;  // kept for the step, which refers to it
    std::shared_ptr<const hlolint::measured_step> step;
    std::string refused;
    hlolint::device on;
  };
  const joined* find(const hlolint::measured_module* of) const;

  const arguments& given_;
  std::map<const hlolint::measured_module*, joined> joined_;
  std::map<std::string, std::string> refused_;  // by module
};

}  // namespace hlolint::command
