// A protobuf dump beside its text: about 100 MB of HloProto, written here, and a constant whose elements are passed
// over.
#if __has_include(<protozero/pbf_reader.hpp>)

#include "../tool/protobuf/messages.hpp"

#include <hlolint/parse_hlo.hpp>
#include <hlolint/tool/parse_proto.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace {

using namespace messages;

const std::string& large_message() {
  static const std::string out = [] {
    const std::string shape = array(f32, {128, 4096});
    std::string body = sized(2, parameter(1, "param.1", 0, shape));
    std::int64_t id = 2;
    for (; body.size() < 100'000'000; ++id) {
      const std::string metadata =
          sized(2, "jit(step)/jit(main)/transformer/layer_" + std::to_string(id % 64) + "/mlp/add") +
          sized(3, "/home/user/project/model/transformer.py") + number(4, 100 + id % 900);
      body += sized(2, instruction(id, "add." + std::to_string(id), "add", shape, {id - 1, id > 7 ? id - 7 : 1},
                                   sized(7, metadata)));
    }
    return hlo_proto(sized(1, "jit_step") + sized(3, sized(1, "main") + body + number(5, 1) + number(6, id - 1)) +
                     number(6, 1));
  }();
  return out;
}

void parse_message(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(hlolint::parse_proto(large_message()));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(large_message().size()));
}
BENCHMARK(parse_message)->Unit(benchmark::kMillisecond);

void parse_text_of_message(benchmark::State& state) {
  const std::string text(hlolint::parse_proto(large_message()).text.text());
  for (auto _ : state) benchmark::DoNotOptimize(hlolint::parse_hlo(hlolint::source(text, "<text>", hlolint::borrow)));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(parse_text_of_message)->Unit(benchmark::kMillisecond);

}  // namespace

#endif
