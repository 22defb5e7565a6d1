#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

int one();

int main() { return one() == 1 ? 0 : 1; }
