// Patterns over instructions: opcodes with operands, predicates, paths, captures; and queries, which are patterns
// written as text.
#pragma once

#include <hlolint/match/context_properties.hpp>
#include <hlolint/match/cost_properties.hpp>
#include <hlolint/match/matches.hpp>
#include <hlolint/match/opcodes.hpp>
#include <hlolint/match/pattern.hpp>
#include <hlolint/match/predicate.hpp>
#include <hlolint/match/properties.hpp>
#include <hlolint/match/relations.hpp>
