// Profiles on the command line: files, and folders of a profiler.
#pragma once

#include "../settings/arguments.hpp"

namespace hlolint::command {

/// Reads the profiles among the paths and those of `--profile` into `measured`. Each program in a profile becomes a
/// path whose dump is in `at_hand`. A profile that cannot be read stays a path, with the error in its dump. `alone`: a
/// profile without any program is useful by itself.
void take_profiles(arguments& given, bool alone);

}  // namespace hlolint::command
