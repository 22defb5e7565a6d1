#include <hlolint/text/containers/new_shared.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <string>

using namespace hlolint;

TEST_CASE("new_shared: destroys its value once, when the last owner is gone") {
  struct counter {
    explicit counter(int& count) : count_(count) {}
    counter(const counter&) = delete;
    ~counter() { ++count_; }
    int& count_;
  };
  int destroyed = 0;
  {
    std::shared_ptr<const counter> one = new_shared<const counter>(destroyed);
    const std::shared_ptr<const void> other = one;
    one = nullptr;
    CHECK(destroyed == 0);
  }
  CHECK(destroyed == 1);
  CHECK(*new_shared<std::string>(std::size_t{3}, 'x') == "xxx");
}
