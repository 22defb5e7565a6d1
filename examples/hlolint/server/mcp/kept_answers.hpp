// Reports that are kept until a file changes that they are about.
#pragma once

#include "answers.hpp"

#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <vector>

namespace hlolint::command::server {

/// Keeps the reports of the last questions, so that an answer that goes on with a list needs no new run.
class kept_answers {
 public:
  /// The report for the words of a command line, made unless it is kept and nothing has changed since in the folders
  /// of `files`.
  report_of_run find(const std::vector<std::string>& words, const std::vector<std::string>& files,
                     const std::function<report_of_run()>& make);
  void clear() { kept_.clear(); }

 private:
  struct entry {
    std::vector<std::string> words;
    std::string state;  // of the files
    report_of_run answer;
    std::size_t bytes = 0;
  };
  std::list<entry> kept_;  // the most recently used first
};

}  // namespace hlolint::command::server
