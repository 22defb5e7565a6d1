// With two.cpp: the whole library in two translation units of one program. A function or object that is not inline
// is then defined twice, and the program does not link. Both also use X3 with a grammar of their own, one after our
// headers and one before: what X3 means does not depend on them.
#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

#include <boost/spirit/home/x3.hpp>

#include <string>
#include <vector>

namespace x3 = boost::spirit::x3;

std::vector<int> numbers_after(const std::string& text) {
  std::vector<int> out;
  auto first = text.begin();
  const auto pair = x3::int_ >> -(x3::lit(';') >> x3::lit('-')) >> x3::omit[*x3::space];
  return x3::parse(first, text.end(), pair % ',' | x3::eps, out) ? out : std::vector<int>();
}
