// Every rule that the hlolint command has: those of the toolkit, and those on logs, profiles and edited schedules.
#pragma once

#include <hlolint/checks/all.hpp>
#include <hlolint/tool/checks/budget/out_of_memory.hpp>
#include <hlolint/tool/checks/budget/wasteful_schedule.hpp>
#include <hlolint/tool/checks/measured/host_bound.hpp>
#include <hlolint/tool/checks/measured/idle_gaps.hpp>
#include <hlolint/tool/checks/measured/measured_stall.hpp>
#include <hlolint/tool/checks/measured/slow_instruction.hpp>
#include <hlolint/tool/checks/measured/straggling_device.hpp>
#include <hlolint/tool/checks/measured/varying_step.hpp>

namespace hlolint {

/// The catalogue of the command.
#if defined(__cpp_lib_constexpr_vector)
inline constexpr auto tool_checks = checks(
#else  // libc++ before 15, and so Emscripten
inline const auto tool_checks = checks(
#endif
    all, out_of_memory{}, wasteful_schedule{}, slow_instruction{}, measured_stall{}, idle_gaps{}, straggling_device{},
    varying_step{}, host_bound{});

}  // namespace hlolint
