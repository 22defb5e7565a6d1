// libFuzzer target: a query. Bytes that are no query give a place in them and a reason; a query is matched on a program
// and on one of its mutants, and all that it holds are instructions of that module. These modules are read once.
#include <hlolint/match.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/tool/query/compiled_query.hpp>

#include "../match/fixtures.hpp"
#include "mutate.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

/// Modules with what is known about them.
struct programs {
  std::vector<parsed_file> files;
  std::deque<module_facts> modules;

  /// The program of the tests of patterns, and mutants of it: names that are missing, circles, other shapes.
  programs() {
    fuzz::dice random(33);
    for (std::size_t k = 0; k <= mutants; ++k) {
      std::string text = testing::step_text;
      if (k > 0) text = fuzz::mutate(std::move(text), testing::step_text, 8192, random);
      files.push_back(parse_hlo(source(std::move(text))));
      for (const hlo_module& module : files.back().modules()) modules.emplace_back(module);
    }
  }

 private:
  static constexpr std::size_t mutants = 500;
};

void match_on(const module_facts& facts, const match::compiled_query<module_facts>& query) {
  match::match_state<module_facts> state(facts);
  const std::size_t count = facts.hlo()->instruction_count();
  match::for_each_match(query.pattern(), state, [&](hlo_instruction i, const std::vector<match::binding>& captures) {
    if (i.id() >= count) std::abort();
    for (const match::binding& b : captures)
      if (b.name.empty() || !b.is || b.is.id() >= count) std::abort();
    return true;
  });
  if (!state.captures().empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const programs known;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const match::compiled_query<module_facts> query(text, match::module_properties<module_facts>());
  if (query.error()) {
    if (query.error()->message.empty() || query.error()->at > text.size()) std::abort();
    return 0;
  }
  std::size_t sum = 0;  // the same bytes meet the same mutant
  for (const char c : text) sum = sum * 31 + static_cast<unsigned char>(c);
  match_on(known.modules.front(), query);
  match_on(known.modules[sum % known.modules.size()], query);
  return 0;
}
