#include "own_rules.hpp"
#include "views.hpp"

#include <hlolint/settings/checks.hpp>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::python {

namespace {

struct outcome {
  int status = 0;
  std::string output, errors;
};

outcome run_command(std::vector<std::string> words, const std::vector<std::shared_ptr<parsed_file>>& at_hand,
                    const command_checks& checks) {
  const nb::gil_scoped_release others_run;
  words.insert(words.begin(), "hlolint");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::map<std::string, parsed_file> dumps;
  for (const auto& file : at_hand) dumps.emplace(file->text.path(), *file);
  std::ostringstream output, errors;
  const int status =
      command::run_command(static_cast<int>(words.size()), pointers.data(), checks, std::move(dumps), output, errors);
  return {status, output.str(), errors.str()};
}

}  // namespace

void add_command(nb::module_& to) {
  to.def(
      "run_command",
      [](std::vector<std::string> words, const std::vector<std::shared_ptr<parsed_file>>& at_hand,
         const nb::list& rules) {
        const checks_with_own with = checks_with(rules);
        outcome done{2, {}, {}};
        for (const std::string& error : with.errors) done.errors += error + '\n';
        if (with.errors.empty()) done = run_command(std::move(words), at_hand, with.checks);
        return nb::make_tuple(done.status, text(done.output), text(done.errors));
      },
      nb::arg("words"), nb::arg("at_hand"), nb::arg("rules") = nb::list(),
      "Does what the words of a command line ask for; a word that is the path of a dump at hand stands for that dump. "
      "`rules` are checked too. Returns the exit status, the output and what was wrong.");
}

}  // namespace hlolint::python
