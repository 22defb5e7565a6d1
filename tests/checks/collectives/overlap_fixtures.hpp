// A scheduled entry with an all-reduce.
#pragma once

#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <string>

namespace hlolint::testing::overlap {

/// A scheduled GPU entry; its parameter `%p` is `f32[N]`, N = 1048576 = 4 MiB.
inline std::string entry_of(const std::string& body,
                            const std::string& header = "is_scheduled=true, num_partitions=2") {
  return "HloModule m" + (header.empty() ? std::string{} : ", " + header) +
         "\n\n"
         "%add (a: f32[], b: f32[]) -> f32[] {\n"
         "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
         "%exchange (ep: f32[1048576]) -> f32[1048576] {\n  %ep = f32[1048576]{0} parameter(0)\n"
         "  ROOT %ex = f32[1048576]{0} all-to-all(%ep), channel_id=9, replica_groups={{0,1}}, dimensions={0}\n}\n\n"
         "ENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n" +
         body + "}\n";
}

inline const std::string shape_text = "f32[1048576]{0}";
inline const std::string attributes =
    ", channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add";
inline const std::string metadata = ", metadata={op_name=\"step/psum\" source_file=\"train.py\" source_line=12}";
inline const std::string start = "  %s = " + shape_text + " all-reduce-start(%p)" + attributes + metadata;
inline const std::string done = "  ROOT %d = " + shape_text + " all-reduce-done(%s)\n";
inline const std::string is_sync =
    ", backend_config={\"operation_queue_id\":\"0\",\"collective_backend_config\":{\"is_sync\":true}}";

/// What a check finds, notes included.
template <class Check>
findings lint_text(const std::string& text, target backend = target::gpu, const Check& check = {}) {
  return lint(check, context({.hlo = module_of(text), .target = backend}), all_settings(as_catalogue(check)));
}

}  // namespace hlolint::testing::overlap
