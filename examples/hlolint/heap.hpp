// How the command takes memory from the system.
#pragma once

#include <cstdint>

/// For `main` of a program that does nothing but this command: from now on the heap may be arranged for it.
void own_heap();

/// If the heap is the command's own, prepares it for a text of some megabytes, the first one that comes. Only speed
/// depends on it. Safe to call from threads.
void prepare_heap(std::uint64_t text_bytes);
