// doctest's implementation and the main of every test program; compiled once for all floors, and once more for the
// corpus, whose tests are skipped when there is no corpus to read.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr int skipped = 77;  // ctest: SKIP_RETURN_CODE

#ifdef HLOLINT_TESTS_NEED_CORPUS
constexpr bool need_corpus = true;
#else
constexpr bool need_corpus = false;
#endif

}  // namespace

int main(int argc, char** argv) {
  if (need_corpus) {
    char const* const corpus = std::getenv("HLOLINT_CORPUS");
    if (corpus == nullptr || *corpus == '\0') {
      std::puts("skipped: HLOLINT_CORPUS is not set; set it to a folder of XLA dumps to run these tests");
      return skipped;
    }
  }
  return doctest::Context(argc, argv).run();
}
