// What `hlolint lint`, `hlolint parse` and all that reads dumps do.
#pragma once

#include "arguments.hpp"
#include "checks.hpp"

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/lint/accept/baseline.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/settings.hpp>
#include <hlolint/report/module_picture.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>

/// The day by the clock of this machine, as suppressions write it.
std::string today();

/// A finding of a parser with the texts of its rule where it has none of its own.
hlolint::diagnostic with_rule_texts(hlolint::diagnostic finding);

/// Appends one list to another.
template <class T>
void append(hlolint::record_list<T>& to, hlolint::record_list<T>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

/// Adds the numbers of a file that was read and, if they are wanted, the findings of its parser.
void add_input(hlolint::report::run_result& to, const hlolint::parsed_file& content, const arguments& given,
               const hlolint::rule_settings& settings);

/// Reads the paths and calls `each` with every module and a result of its own; the results are joined in order. With
/// several jobs, several modules at the same time. `agreed_on` gives what modules took before.
hlolint::report::run_result read_modules(
    const arguments& given, const hlolint::rule_settings& settings,
    const std::function<void(const hlolint::context&, hlolint::report::run_result&)>& each,
    const hlolint::baseline& agreed_on = {});

/// A run, what each module takes if a baseline is to be written, and what to draw if a page is.
struct linted {
  hlolint::report::run_result result;
  hlolint::record_list<hlolint::memory_summary> memory;
  hlolint::record_list<hlolint::report::module_picture> pictures;
};

/// Reads the paths, and checks what was read unless only reading was asked for. What suppressions and the baseline
/// cover is dismissed.
linted run(const arguments& given, const hlolint::rule_settings& settings, const configured_checks& checks,
           const hlolint::baseline& agreed_on);

/// 2 if something could not be read, else 1 if a finding is at the level of --fail-on or above.
int exit_status(const hlolint::report::run_result& result, const arguments& given);
