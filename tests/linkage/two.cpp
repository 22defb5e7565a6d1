#include <boost/spirit/home/x3.hpp>

#include <string>
#include <vector>

namespace x3 = boost::spirit::x3;

static std::vector<int> numbers_before(const std::string& text) {
  std::vector<int> out;
  auto first = text.begin();
  const auto pair = x3::int_ >> -(x3::lit(';') >> x3::lit('-')) >> x3::omit[*x3::space];
  return x3::parse(first, text.end(), pair % ',' | x3::eps, out) ? out : std::vector<int>();
}

#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

std::vector<int> numbers_after(const std::string& text);

int main() {
  const std::vector<int> expected{1, 2, 3};
  return numbers_before("1;- ,2,3 ") == expected && numbers_after("1;- ,2,3 ") == expected ? 0 : 1;
}
