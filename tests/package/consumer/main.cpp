#include <hlolint/hlolint.hpp>

int main() {}
