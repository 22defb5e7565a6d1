// Protobuf dumps beside the text that XLA prints for the same modules.
#include "corpus.hpp"
#include "first_module.hpp"

#if __has_include(<protozero/pbf_reader.hpp>)

#include <hlolint/ir/same_module.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/tool/parse_proto.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>

using namespace hlolint;
namespace fs = std::filesystem;

namespace {

parsed_file read_proto(const fs::path& path) {
  const mapped_file bytes(path.string());
  return parse_proto(bytes.bytes(), path.string());
}
std::string text_of(const fs::path& path) {
  const loaded_file loaded = load_file(path.string());
  return loaded.text ? std::string(loaded.text->text()) : std::string();
}

bool same_assignment(const buffer_dump& a, const buffer_dump& b) {
  const auto same_allocation = [](const allocation& x, const allocation& y) {
    return x.number == y.number && x.size == y.size && x.color == y.color && x.parameter == y.parameter &&
           x.constant == y.constant && x.thread_local_storage == y.thread_local_storage &&
           x.maybe_live_out == y.maybe_live_out && x.preallocated_temp == y.preallocated_temp &&
           x.value_count == y.value_count;
  };
  const auto same_value = [&](const assigned_value& x, const assigned_value& y) {
    return x.name == y.name && x.allocation == y.allocation && x.offset == y.offset && x.size == y.size &&
           a.shape(x) == b.shape(y);
  };
  return std::equal(a.allocations().begin(), a.allocations().end(), b.allocations().begin(), b.allocations().end(),
                    same_allocation) &&
         std::equal(a.values().begin(), a.values().end(), b.values().begin(), b.values().end(), same_value);
}

// Without what XLA loses when it reads a message: the numbers of stack frames, queues that nothing waits for; and
// without what it does not print of it: the count of partitions.
std::string without_losses(std::string text) {
  const auto erase = [&](const char* pattern) { text = std::regex_replace(text, std::regex(pattern), ""); };
  if (const std::size_t tables = text.find("\nFileNames\n"); tables != text.npos)
    text.erase(tables, text.find("\n\n\n", tables) - tables);
  erase(" ?stack_frame_id=[0-9]+");
  erase(", metadata=\\{\\}");
  erase("\"wait_on_operation_queues\":\\[\\],");
  erase(", (num_partitions|replica_count)=[0-9]+");
  erase("replica_groups=[^ ]*,");
  return std::regex_replace(text, std::regex("\n+"), "\n");
}

}  // namespace

TEST_CASE("a module from a protobuf message is the module from its text") {
  std::size_t modules = 0, assignments = 0;
  for (const auto& row : table(corpus() / "twins" / "index.tsv", 4)) {
    const std::string stem = (corpus() / "twins" / row[0]).string();
    CAPTURE(row[0]);
    const parsed_file message = read_proto(stem + ".pb");
    const std::string text = text_of(stem + ".txt");
    // Broken rules of shapes alone are those that XLA's verifier refuses too.
    CHECK(std::all_of(message.diagnostics.begin(), message.diagnostics.end(),
                      [](const diagnostic& d) { return d.level != severity::error || d.rule == "SYN002"; }));
    CHECK(message.kind == input_kind::hlo_proto);
    CHECK(message.text.text().substr(0, text.size()) == text);
    CHECK(first_module(message) == first_module(parse(text)));
    ++modules;
    CHECK(message.buffers.has_value() == (row[3] == "yes"));
    if (!message.buffers) continue;
    const parsed_file buffers = parse(text_of(stem + ".buffer-assignment.txt"));
    REQUIRE(buffers.buffers.has_value());
    CHECK(same_assignment(*message.buffers, *buffers.buffers));
    ++assignments;
  }
  MESSAGE(modules << " modules, " << assignments << " assignments");
  CHECK(modules > 0);
}

TEST_CASE("messages of compilers and profilers are printed as XLA prints them") {
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(corpus() / "protos")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".pb")) continue;
    CAPTURE(path);
    const parsed_file message = read_proto(path);
    CHECK(message.status == parse_status::ok);
    const std::string text = text_of(path + ".txt");
    if (text.empty()) continue;
    REQUIRE(message.modules().size() == 1);
    CHECK(without_losses(std::string(message.modules().front().text().text())) == without_losses(text));
    ++count;
  }
  MESSAGE(count << " messages");
  CHECK(count > 0);
}

TEST_CASE("no text is taken for a protobuf message") {
  for (const char* const folder : {"real", "pairs", "seeds", "xla_tests"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(corpus() / folder))
      if (entry.is_regular_file()) {
        const mapped_file bytes(entry.path().string());
        CHECK_MESSAGE(!is_proto(bytes.bytes().substr(0, text_head_size)), entry.path().string());
      }
}

#endif
