// Measured profiles on the command line: folders of a profiler, and files.
#pragma once

#include "arguments.hpp"

/// Takes the profiles out of the paths and adds those of `--profile`: what was measured is in `measured` then, and the
/// programs that the profiles hold are paths whose dumps are at hand. A profile that cannot be read stays a path, whose
/// dump says why. `alone`: a profile without any program is of use by itself.
void take_profiles(arguments& given, bool alone);
