#pragma once

inline int tested() { return 2; }
