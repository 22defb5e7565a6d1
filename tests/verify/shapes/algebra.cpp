#include "verify/catches.hpp"

#include <doctest/doctest.h>

TEST_CASE("shapes of linear algebra") {
  catches_not(program({"f32[2,4,4]{2,1,0}"}, "f32[2,4,4]{2,1,0} cholesky(%p0), lower=true"));
  catches(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} |cholesky(%p0), lower=true"),
          "cholesky takes square matrices, not f32[4,8]{1,0}", "r");
  const std::string left = "triangular-solve(%p0, %p1), left_side=true, lower=true, transpose_a=NO_TRANSPOSE";
  const std::string right = "triangular-solve(%p0, %p1), lower=true, transpose_a=NO_TRANSPOSE";
  catches_not(program({"f32[4,4]{1,0}", "f32[4,5]{1,0}"}, "f32[4,5]{1,0} " + left));
  catches_not(program({"f32[4,4]{1,0}", "f32[5,4]{1,0}"}, "f32[5,4]{1,0} " + right));
  catches(program({"f32[4,4]{1,0}", "f32[5,4]{1,0}"}, "f32[5,4]{1,0} |" + left),
          "triangular-solve cannot take f32[4,4]{1,0} and f32[5,4]{1,0} with left_side=true", "r");
  catches(program({"f32[4,4]{1,0}", "f32[4,5]{1,0}"}, "f32[4,4]{1,0} |" + left),
          "triangular-solve of f32[4,5]{1,0} cannot be f32[4,4]{1,0}: it keeps the shape", "r");
}

TEST_CASE("shapes of Fourier transforms") {
  catches_not(program({"c64[4,8]{1,0}"}, "c64[4,8]{1,0} fft(%p0), fft_type=FFT, fft_length={8}"));
  catches_not(program({"f32[4,8]{1,0}"}, "c64[4,5]{1,0} fft(%p0), fft_type=RFFT, fft_length={8}"));
  catches_not(program({"c64[4,5]{1,0}"}, "f32[4,8]{1,0} fft(%p0), fft_type=IRFFT, fft_length={4,8}"));
  catches(program({"f32[4,8]{1,0}"}, "c64[4,8]{1,0} |fft(%p0), fft_type=RFFT, fft_length={8}"),
          "fft of f32[4,8]{1,0} is c64[4,5], not c64[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "c64[4,5]{1,0} fft(%p0), fft_type=RFFT, fft_length=|{16}"),
          "a transform of these lengths does not fit f32[4,8]{1,0}", "r");
  catches(program({"c64[8]{0}"}, "c64[8]{0} fft(%p0), fft_type=FFT, fft_length=|{8,8}"),
          "fft_length has 2 dimensions, but the operand is c64[8]{0}", "r");
}

TEST_CASE("shapes of normalization, random numbers and barriers") {
  const std::string training =
      "(f32[4,8]{1,0}, f32[8]{0}, f32[8]{0}) |batch-norm-training(%p0, %p1, %p1), epsilon=1e-5, feature_index=1";
  catches(program({"f32[4,8]{1,0}", "f32[7]{0}"}, training),
          "batch-norm-training of f32[4,8]{1,0} with feature_index=1: operand 1 has a number for each feature, not "
          "f32[7]{0}",
          "r");
  std::string sound = program({"f32[4,8]{1,0}", "f32[8]{0}"}, training);
  catches_not(sound.erase(sound.find('|'), 1));
  catches_not(program({"f32[]"}, "bf16[8]{0} rng(%p0, %p0), distribution=rng_uniform"));
  catches(program({"f32[2]{0}"}, "f32[8]{0} |rng(%p0, %p0), distribution=rng_uniform"),
          "rng of f32[8]{0} takes scalars of its type, not f32[2]{0}", "r");
  catches(program({"u64[2]{0}"}, "(u64[3]{0}, u32[8]{0}) |rng-bit-generator(%p0), algorithm=rng_default"),
          "rng-bit-generator of u64[2]{0} cannot be u64[3]{0}: it keeps the shape", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[8,4]{1,0} |opt-barrier(%p0)"),
          "opt-barrier of f32[4,8]{1,0} cannot be f32[8,4]{1,0}: it keeps the shape", "r");
}
