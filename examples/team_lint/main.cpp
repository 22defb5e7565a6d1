// hlolint with the rules of a team.
#include "bf16_all_reduce.hpp"
#include "dot_dimensions.hpp"
#include "unsharded_parameter.hpp"

#include <hlolint/command.hpp>

int main(int count, char** words) {
  // If `tool_checks` comes first, its compiled form is taken from the library.
  return hlolint::command::run_command(count, words,
                                       hlolint::checks(hlolint::tool_checks, team::bf16_all_reduce{},
                                                       team::unsharded_parameter{}, team::dot_dimensions{}));
}
