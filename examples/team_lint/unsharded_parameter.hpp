// TEAM002: a rule with an option. It is called once for each module.
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/check.hpp>

#include <tuple>

namespace team {

struct unsharded_parameter {
  static constexpr hlolint::rule about{.id = "TEAM002",
                                       .name = "unsharded-parameter",
                                       .level = hlolint::severity::error,
                                       .what = "A large parameter of several partitions that is not sharded.",
                                       .why = "Every device holds all of it.",
                                       .advice = "Shard it over an axis of the mesh.",
                                       .example = "%w = f32[16384,16384]{1,0} parameter(0), sharding={replicated}"};

  hlolint::byte_count min_bytes = hlolint::byte_count{64} << 20;
  static constexpr auto options =
      std::tuple{hlolint::option{"min-bytes", &unsharded_parameter::min_bytes, "smaller parameters are not reported"}};

  void operator()(const hlolint::hlo_module& module, hlolint::sink auto& emit) const {
    if (module.num_partitions() < 2 || !module.entry()) return;
    for (const hlolint::hlo_instruction i : module.entry().instructions()) {
      if (i.opcode() != hlolint::hlo_opcode::parameter || !i.shape()) continue;
      const auto how = hlolint::get<hlolint::sharding>(i);
      const auto bytes = hlolint::dense_size(*i.shape());
      if ((how && how->written != hlolint::sharding::kind::replicated) || !bytes || *bytes < min_bytes) continue;
      hlolint::finding found = hlolint::finding_at(i, hlolint::human(*bytes) + " on every device");
      found.bytes = *bytes;
      emit(found);
    }
  }
};

}  // namespace team
