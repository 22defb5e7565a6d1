// The hlolint command, with the catalogue of hlolint.
#include "checks.hpp"

int main(int count, char** words) { return hlolint_command(count, words, built_in_checks()); }
