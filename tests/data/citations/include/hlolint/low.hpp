// A token (format.md 1, "names are words").
#pragma once
/// format.md 1, 3: the second one is not there.
/// format.md 2, "names are
/// numbers": not in it.
