#include <hlolint/implementation/reports.hpp>
