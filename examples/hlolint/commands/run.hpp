// `hlolint lint`, `hlolint parse`, and the loop over modules of every command that reads dumps.
#pragma once

#include "../settings/arguments.hpp"
#include "../settings/checks.hpp"
#include "../reading/read_file.hpp"

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/lint/accept/baseline.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/settings.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/tool/report/module_picture.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::command {

/// Of more modules than this, texts begin with a table.
inline constexpr std::size_t most_in_full = 3;

/// Reads a file of the command line: `read_input`, or what a server keeps of it.
read_file read_dump(const arguments& given, const std::string& path, std::uint64_t max_size);

/// Today by the clock of this machine, as suppressions write days.
std::string today();

/// Fills empty texts of a parser's finding with those of its rule.
hlolint::diagnostic with_rule_texts(hlolint::diagnostic finding);

/// Appends one list to another.
template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

/// Adds the counts of a file that was read and, if wanted, the findings of its parser.
void add_input(hlolint::report::run_result& to, const hlolint::parsed_file& content, const arguments& given,
               const hlolint::rule_settings& settings);

/// Reads the paths and calls `each` with every module and its own result; the results are joined in order. With several
/// jobs, several modules are processed at the same time. `agreed_on` gives what modules took before.
hlolint::report::run_result read_modules(
    const arguments& given, const hlolint::rule_settings& settings,
    const std::function<void(const hlolint::context&, hlolint::report::run_result&)>& each,
    const hlolint::baseline& agreed_on = {});

/// A run, with the size of each module if a baseline is written, and the views if a page is.
struct linted {
  hlolint::report::run_result result;
  std::vector<hlolint::memory_summary> memory;
  std::vector<hlolint::report::module_picture> pictures;
};

/// Reads the paths, and checks the modules unless only reading was asked for. Findings that suppressions or the
/// baseline cover are dismissed.
linted run(const arguments& given, const hlolint::rule_settings& settings, const configured_checks& checks,
           const hlolint::baseline& agreed_on);

/// Writes the findings of a run as text; of a command that runs no rules, these are problems of reading.
void write_problems(std::ostream& out, const hlolint::report::run_result& result);

/// 2 if something could not be read, else 1 if a finding is at the level of --fail-on or above.
int exit_status(const hlolint::report::run_result& result, const arguments& given);

}  // namespace hlolint::command
