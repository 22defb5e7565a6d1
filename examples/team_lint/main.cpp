// hlolint with the rules of a team.
#include "bf16_all_reduce.hpp"
#include "dot_dimensions.hpp"
#include "unsharded_parameter.hpp"

#include <hlolint/command.hpp>

int main(int count, char** words) {
  // If `all` comes first, its compiled form is taken from the library.
  return hlolint_command(count, words,
                         hlolint::checks(hlolint::all, team::bf16_all_reduce{}, team::unsharded_parameter{},
                                         team::dot_dimensions{}));
}
