// The text report of a finding or a run, for tests.
#pragma once

#include <hlolint/report/text.hpp>

#include <sstream>
#include <string>

namespace report_text {

template <class Reported>
std::string text_of(const Reported& reported, const hlolint::report::text_options& options = {}) {
  std::ostringstream out;
  hlolint::report::text_report report(out, options);
  report(reported);
  return out.str();
}

}  // namespace report_text
