#include <hlolint/analysis/transfers/sequence_difference.hpp>

#include "analysis/collective_programs.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string gather =
    "  %g = f32[32]{0} all-gather(%p), channel_id=9, replica_groups={{0,1,2,3}}, dimensions={0}, "
    "use_global_device_ids=true\n";

/// What comes of `second` where all others run `first`.
std::string difference(const std::string& first, const std::string& second,
                       const std::string& header = "num_partitions=4") {
  const collective_sequence a(module_of(collectives_in(first, header))), b(module_of(collectives_in(second, header)));
  const sequence_difference d = find_difference(a, b);
  CHECK((d.what == divergence::equal) == (a.fingerprint() == b.fingerprint()));
  const sequence_difference back = find_difference(b, a);
  CHECK(back.at == d.at);
  CHECK(back.only_in_first == d.only_in_second);
  return std::string(name_of(d.what)) + ' ' + std::to_string(d.at);
}

}  // namespace

TEST_CASE("find_difference names the kind of difference") {
  const std::string x = all_reduce_of_p("x", "1"), y = all_reduce_of_p("y", "2"),
                    z = all_reduce_of_p("z", "3", "{{0,1,2,3}}");
  CHECK(difference(x + y + z, x + y + z) == "equal 0");
  CHECK(difference(x + y + z + gather, x + y + gather) == "missing 2");
  CHECK(difference(x + y + z + gather, y + z + gather) == "missing 0");  // channels distinguish x from y
  CHECK(difference(x + y + z, x + y) == "missing 2");
  CHECK(difference(x + y, x + y + gather) == "extra 2");
  CHECK(difference(x + z + y + gather, x + y + z + gather) == "order 1");
  CHECK(difference(x + y + z, y + x + z) == "order 0");  // alike but for the channel
  CHECK(difference(x + z, x + gather) == "kind 1");
  CHECK(difference(x + z, x + all_reduce_of_p("z", "3")) == "devices 1");
  CHECK(difference(x + z, x + all_reduce_of_p("z", "3", "{{0,1,2,3}}", "f32[8]{0}", "max")) == "reduction 1");
  CHECK(difference(x + z, x + all_reduce_of_p("z", "3", "{{0,1,2,3}}", "bf16[8]{0}")) == "shape 1");
  CHECK(difference(x + y + z, x + y + all_reduce_of_p("z", "2", "{{0,1,2,3}}")) == "channel 2");  // clashes
  CHECK(difference("", x) == "extra 0");
}

TEST_CASE("find_difference: channels that are numbered otherwise") {
  const std::string usual =
      all_reduce_of_p("x", "1") + all_reduce_of_p("y", "2") + all_reduce_of_p("z", "3", "{{0,1,2,3}}");
  CHECK(difference(usual, all_reduce_of_p("x", "2") + all_reduce_of_p("y", "3") +
                              all_reduce_of_p("z", "4", "{{0,1,2,3}}")) == "numbering 0");
  CHECK(difference(usual, all_reduce_of_p("x", "1") + all_reduce_of_p("y", "2") +
                              all_reduce_of_p("z", "30", "{{0,1,2,3}}")) == "numbering 2");
  // A collective less, and all channels other ones: what is missing is still found, by form.
  CHECK(difference(usual + gather, all_reduce_of_p("x", "11") + all_reduce_of_p("y", "12") + gather) == "missing 2");
}

TEST_CASE("find_difference: loops") {
  const std::string before(nested_text);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = before;
    text.replace(text.find(from), from.size(), to);
    return find_difference(collective_sequence(module_of(before)), collective_sequence(module_of(text)));
  };
  const sequence_difference longer = with("\"12\"", "\"13\"");
  CHECK(longer.what == divergence::repetition);
  CHECK(longer.at == 1);
  const sequence_difference once = with("%c2 = f32[8]{0} call(%c1), to_apply=%called", "%c2 = f32[8]{0} negate(%c1)");
  CHECK(once.what == divergence::missing);
  CHECK(once.at == 6);
  // A loop over what has run before: it is run otherwise, but is the same.
  const auto again = [](const std::string& count) {
    std::string text(nested_text);
    const std::string call = "%c2 = f32[8]{0} call(%c1), to_apply=%called";
    text.replace(
        text.find(call), call.size(),
        "%c2 = f32[8]{0} while(%c1), condition=%condition, body=%body, backend_config={\"known_trip_count\":{\"n\":\"" +
            count + "\"}}");
    return module_of(text);
  };
  const collective_sequence five(again("5")), six(again("6"));
  const sequence_difference second = find_difference(five, six);
  CHECK(second.what == divergence::repetition);
  REQUIRE(second.first);
  CHECK(five[*second.first].again);
}
