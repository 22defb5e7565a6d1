// Settings of the heap, for speed and size.
#pragma once

#include <cstdint>

namespace hlolint::command {

/// Allows the command to tune the heap; called by `main` of a program that does nothing but run the command.
void own_heap();

/// If tuning is allowed, prepares the heap for the first text of several megabytes. Only speed depends on it. Safe to
/// call from threads.
void prepare_heap(std::uint64_t text_bytes);

/// If tuning is allowed, keeps the heap small for a program that goes on: each block of megabytes is returned when it
/// is freed, the rest by `return_freed_memory`. Called before any thread starts.
void keep_heap_small();

/// Gives memory that was freed back to the system, for a program that goes on.
void return_freed_memory();

}  // namespace hlolint::command
