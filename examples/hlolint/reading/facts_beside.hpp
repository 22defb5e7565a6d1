// What the files beside a module's dump show of its device, its flags and its compilation (buffer_dumps.md 1.2). They
// may lie in an archive with it.
#pragma once

#include "packed_files.hpp"

#include <hlolint/analysis/device/compiler_flags.hpp>
#include <hlolint/analysis/device/device.hpp>
#include <hlolint/lint/context.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace hlolint::command {

/// The device in `PREFIX.gpu_target_config.pbtxt`, `PREFIX.target_arguments.txt` or `PREFIX/topology.textproto` beside
/// a module's HLO, or in `.pb` instead of the last two; nothing if there is no such file, or it cannot be read.
std::optional<hlolint::device> device_beside(const hlolint::context::parts& module, const packed_files* packed);

/// The device that runs each part of the program, for `device_slice::ids`; empty if no file beside a module's HLO
/// tells.
std::vector<std::int64_t> assignment_beside(const hlolint::context::parts& module, const packed_files* packed);

/// The flags that a module was compiled with.
hlolint::compiler_flags flags_beside(const hlolint::context::parts& module, const packed_files* packed);

/// Whether libtpu left `PREFIX.oom_intermediate_module.txt`: the compilation failed, since the program does not fit
/// into HBM.
bool is_out_of_memory(const hlolint::context::parts& module, const packed_files* packed);

}  // namespace hlolint::command
