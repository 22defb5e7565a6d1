// libFuzzer target: a query, a line "===", and HLO. Bytes that are no query give a place in them and a reason; a query
// is matched on the module, and all that it holds are instructions of that module.
#include <hlolint/match.hpp>
#include <hlolint/match/query/compiled_query.hpp>
#include <hlolint/parse_hlo.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = all.find("\n===\n");
  const match::compiled_query<module_facts> query(all.substr(0, cut), match::module_properties<module_facts>());
  if (query.error()) {
    if (query.error()->message.empty() || query.error()->at > all.size()) std::abort();
    return 0;
  }
  if (cut == std::string_view::npos) return 0;
  const parsed_file file = parse_hlo(source(std::string(all.substr(cut + 5))));
  for (const hlo_module& module : file.modules()) {
    const module_facts facts(module);
    match::match_state<module_facts> state(facts);
    const std::size_t count = module.instruction_count();
    match::for_each_match(query.pattern(), state, [&](hlo_instruction i, const std::vector<match::binding>& captures) {
      if (i.id() >= count) std::abort();
      for (const match::binding& b : captures)
        if (b.name.empty() || !b.is || b.is.id() >= count) std::abort();
      return true;
    });
    if (!state.captures().empty()) std::abort();
  }
  return 0;
}
