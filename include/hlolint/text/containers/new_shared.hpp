// Shared values in few functions. std::make_shared makes a control block of its own for each type, which is about
// twenty functions; here one kind of control block owns values of all types.
#pragma once

#include <memory>
#include <type_traits>

namespace hlolint {

namespace detail {
/// Owns what `destroy` destroys, also if there is no memory for the control block.
inline std::shared_ptr<void> owner_of(void* value, void (*destroy)(void*)) {
  return std::shared_ptr<void>(value, destroy);
}
template <class T>
void destroy_one(void* value) {
  delete static_cast<T*>(value);
}
}  // namespace detail

/// A value made of `args`, and what owns it, whatever its type.
template <class T, class... Args>
std::shared_ptr<void> new_owned(Args&&... args) {
  return detail::owner_of(new T(static_cast<Args&&>(args)...), &detail::destroy_one<T>);
}

/// What std::make_shared returns.
template <class T, class... Args>
std::shared_ptr<T> new_shared(Args&&... args) {
  const std::shared_ptr<void> owner = new_owned<std::remove_const_t<T>>(static_cast<Args&&>(args)...);
  return std::shared_ptr<T>(owner, static_cast<T*>(owner.get()));
}

}  // namespace hlolint
