// What reads the files beside dumps that describe a device, for hlolint::tool.
#include <hlolint/tool/device/text_proto_rules.hpp>
