// The pairing of files and the reports: a part of implementation.hpp.
#pragma once

#include <hlolint/lint/inputs/file_pairing.hpp>
#include <hlolint/report/text_writer.hpp>
