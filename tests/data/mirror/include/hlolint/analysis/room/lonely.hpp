#pragma once

inline int lonely() { return 1; }
