#include "read_proto.hpp"

#ifdef HLOLINT_HAS_PROTOZERO
#include <hlolint/tool/parse_proto.hpp>
#endif

namespace hlolint::command {

#ifdef HLOLINT_HAS_PROTOZERO

static_assert(proto_test_size == protobuf::text_test_size);

bool may_be_proto(std::string_view head) { return !protobuf::may_be_text(head) || is_proto(head); }
bool begins_as_proto(std::string_view bytes) { return is_proto(bytes); }

parsed_file read_proto(std::string_view bytes, const std::string& path, std::uint64_t max_size) {
  return parse_proto(bytes, path, max_size);
}

std::string_view missing_for_proto() { return {}; }

#else

bool may_be_proto(std::string_view) { return false; }
bool begins_as_proto(std::string_view) { return false; }
parsed_file read_proto(std::string_view, const std::string&, std::uint64_t) { return {}; }
std::string_view missing_for_proto() {
  return "this hlolint was built without protozero, so that it reads no protobuf (Debian: libprotozero-dev)";
}

#endif

}  // namespace hlolint::command
