// The hlolint command, with the catalogue of hlolint.
#include "checks.hpp"
#include "heap.hpp"

int main(int count, char** words) {
  own_heap();
  return hlolint_command(count, words, built_in_checks());
}
