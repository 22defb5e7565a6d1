// The hlolint command, with the catalogue of hlolint.
#include "settings/checks.hpp"
#include "heap.hpp"

int main(int count, char** words) {
  hlolint::command::own_heap();
  return hlolint::command::run_command(count, words, hlolint::command::built_in_checks());
}
