#include "kept_dumps.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <sys/stat.h>

namespace hlolint::command {

namespace {

constexpr std::size_t most_kept_text = std::size_t{256} << 20;

// Identifies the objects that a context is made of. They live as long as the context does.
std::string key_of(const hlolint::context::parts& parts, const std::string& choices) {
  std::string out = choices;
  const auto add = [&](const std::string& word) { out += '\n' + word; };
  const auto add_object = [&](const void* at) { add(std::to_string(reinterpret_cast<std::uintptr_t>(at))); };
  add_object(parts.hlo ? &parts.hlo->data() : nullptr);
  add_object(parts.compared_with.earlier ? &parts.compared_with.earlier->data() : nullptr);
  if (parts.buffers)  // files that belong together are joined anew each time
    for (const hlolint::source& text : parts.buffers->texts()) add_object(text.text().data());
  add(parts.name), add(std::to_string(static_cast<int>(parts.target)));
  add(parts.device ? parts.device->name : ""), add(parts.device_evidence), add(parts.unpaired);
  for (const hlolint::seen_file& file : parts.files) add(file.path);
  for (const std::string& other : parts.namesakes) add(other);
  for (const hlolint::recompilation& other : parts.recompilations) add(other.path);
  return out;
}

}  // namespace

read_file kept_dumps::read(const std::string& path, std::uint64_t max_size) {
  if (allowed_)
    if (std::string refused = allowed_(path); !refused.empty()) {
      read_file out;
      out.content.text = hlolint::source(std::string_view{}, path, hlolint::borrow);
      out.content.diagnostics.push_back(unreadable(path, std::move(refused)));
      return out;
    }
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return read_input(path, max_size);
  const stamp when{found.st_mtim.tv_sec, found.st_mtim.tv_nsec, static_cast<std::uint64_t>(found.st_size),
                   static_cast<std::uint64_t>(found.st_ino)};
  {
    const std::lock_guard lock(guard_);
    const auto known = std::find_if(files_.begin(), files_.end(), [&](const kept_file& f) { return f.path == path; });
    if (known != files_.end() && known->when == when && known->max_size == max_size) {
      files_.splice(files_.begin(), files_, known);
      return known->content;
    }
    if (known != files_.end()) files_.erase(known);
  }
  read_file out = read_input(path, max_size);
  const std::lock_guard lock(guard_);
  files_.push_front({path, when, max_size, out});
  std::size_t text = 0;
  const auto first_dropped = std::find_if(std::next(files_.begin()), files_.end(), [&](const kept_file& f) {
    text += f.content.content.text.text().size() + 4096;
    return text + out.content.text.text().size() > most_kept_text;
  });
  files_.erase(first_dropped, files_.end());
  return out;
}

std::shared_ptr<const hlolint::context> kept_dumps::context_of(hlolint::context::parts&& parts,
                                                               const std::string& choices, const maker& make) {
  // Other things that a module is compared with come and go.
  if (parts.compared_with.agreed || !parts.compared_with.ranks.empty() || parts.measured) return make(std::move(parts));
  const std::string key = key_of(parts, choices);
  const auto find = [&] {
    return std::find_if(contexts_.begin(), contexts_.end(), [&](const auto& kept) { return kept.key == key; });
  };
  {
    const std::lock_guard lock(guard_);
    // One that is in use belongs to another thread.
    if (const auto known = find(); known != contexts_.end() && known->made.use_count() == 1) {
      contexts_.splice(contexts_.begin(), contexts_, known);
      return known->made;
    }
  }
  auto made = make(std::move(parts));  // takes a while where a device has to be guessed
  const std::lock_guard lock(guard_);
  if (find() != contexts_.end()) return made;
  contexts_.push_front({key, made});
  if (contexts_.size() > most_contexts_) contexts_.pop_back();
  return made;
}

void kept_dumps::clear() {
  const std::lock_guard lock(guard_);
  files_.clear(), contexts_.clear();
}

void kept_dumps::clear_contexts() {
  const std::lock_guard lock(guard_);
  contexts_.clear();
}

}  // namespace hlolint::command
