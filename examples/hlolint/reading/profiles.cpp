#include "profiles.hpp"

#include "decompress.hpp"
#include "read_file.hpp"
#include "read_proto.hpp"

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/tool/measured/measured_module.hpp>

#ifdef HLOLINT_HAS_PROTOZERO
#include <hlolint/tool/parse_profile.hpp>
#endif

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace hlolint::command {

#ifdef HLOLINT_HAS_PROTOZERO

namespace {

namespace fs = std::filesystem;

// The .xplane.pb files of a profiler's folder, by name; its timelines if there are none.
std::vector<std::string> profiles_of_run(const fs::path& folder) {
  std::vector<std::string> spaces, timelines;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string& path = entry->path().native();  // a reference: most of these are thousands of dumps
    if (path.ends_with(".xplane.pb") || path.ends_with(".xplane.pb.gz")) spaces.push_back(path);
    if (path.ends_with(".trace.json") || path.ends_with(".trace.json.gz")) timelines.push_back(path);
  }
  std::vector<std::string>& out = spaces.empty() ? timelines : spaces;
  std::sort(out.begin(), out.end());
  return std::move(out);
}

// The files of all hosts in the newest run below a profiler's folder, or in the folder of one run; else none.
std::vector<std::string> profiles_in(const std::string& folder) {
  if (std::vector<std::string> here = profiles_of_run(folder); !here.empty()) return here;
  std::error_code error;
  fs::path self(folder);
  if (!self.has_filename()) self = self.parent_path();
  for (const fs::path& at : {self / "plugins" / "profile", self / "profile", self}) {
    if (at == self && self.filename() != "profile") continue;  // not a folder of a profiler
    std::vector<fs::path> runs;
    for (fs::directory_iterator entry(at, error), end; !error && entry != end; entry.increment(error))
      if (entry->is_directory(error)) runs.push_back(entry->path());
    std::sort(runs.rbegin(), runs.rend());
    for (const fs::path& run : runs)
      if (std::vector<std::string> files = profiles_of_run(run); !files.empty()) return files;
  }
  return {};
}

bool is_profile_file(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  file_reader file(path);
  std::string head(text_head_size, '\0');
  head.resize(file.read(head.data(), head.size()));
  if (compression_of(path, head) == compression::none) return is_profile(head);
  const std::string_view inside = without_compression(path);
  return inside.ends_with(".xplane.pb") || inside.ends_with(".trace.json");
}

// Whether a folder or one below it holds dumps beside the profile.
bool holds_dumps(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return false;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && entry != end; entry.increment(error))
    if (dump_file_of(without_compression(entry->path().native())).role == dump_role::program) return true;
  return false;
}

// The profiles at a path: those of a folder, or the file itself if it is one.
std::vector<std::string> profiles_at(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return profiles_in(path);
  return is_profile_file(path) ? std::vector<std::string>{path} : std::vector<std::string>{};
}

parsed_file failed(const std::string& path, std::vector<diagnostic> why) {
  parsed_file out;
  out.text = source(std::string_view{}, path, borrow);
  if (!why.empty() && !why.front().where.in.text().empty()) out.text = why.front().where.in;
  out.diagnostics = std::move(why);
  return out;
}

struct profile_reader {
  arguments& given;
  std::vector<profile_host> hosts;
  std::set<std::pair<std::string, std::optional<std::uint64_t>>> programs;
  std::set<std::string> presets;
  std::vector<std::string> paths;  // of the programs in profiles
  std::optional<target> of;

  // Returns whether the profile could be read.
  bool read(const std::string& path) {
    const bool compressed = compression_of(path, {}) != compression::none;
    std::optional<mapped_file> mapped;
    decompressed held;
    std::string_view bytes;
    if (compressed) {
      file_reader file(path);
      held = decompress(compression_of(path, {}), file, given.max_size,
                        [](std::string_view head) { return is_profile(head); });
      if (!held.error.empty() || file.status() != load_status::loaded)
        return refuse(path, {unreadable(path, "cannot be read: " + (held.error.empty() ? file.error() : held.error))});
      bytes = held.text.text();
    } else {
      mapped.emplace(path);
      if (!mapped->error().empty()) return refuse(path, {unreadable(path, "cannot be read: " + mapped->error())});
      bytes = mapped->bytes();
    }
    profiles::bytes_done done;
    if (mapped) done = [&](std::string_view part) { mapped->release(part); };
    profile_file file = parse_profile(bytes, path, done);
    if (file.status != parse_status::ok) return refuse(path, std::move(file.diagnostics));
    const bool of_cpu = !file.profile.has_runs() && bytes.find("hlo_op") != bytes.npos;
    if (of_cpu && (given.what == task::time || given.what == task::calibrate || file.profile.programs.empty()))
      return refuse(path, {unreadable(path,
                                      "this profile has operations of XLA:CPU only, which run on threads of the "
                                      "host: times are read of TPUs and GPUs")});
    if (of_cpu) of = target::cpu;
    take_programs(bytes, path, file.profile);
    for (const profile_device& d : file.profile.devices)
      if (!d.modules.empty()) {
        presets.insert(std::string(preset_of(d.peaks)));
        of = d.kind == profiled_device::tpu ? target::tpu : target::gpu;
      }
    hosts.push_back({path, std::move(file.profile)});
    return true;
  }

  bool refuse(const std::string& path, std::vector<diagnostic> why) {
    given.at_hand.insert_or_assign(path, failed(path, std::move(why)));
    return false;
  }

  // The programs that ran, or all if none did.
  void take_programs(std::string_view bytes, const std::string& path, const measured_profile& profile) {
    std::set<std::optional<std::uint64_t>> ids;
    std::set<std::string> names;
    for (const profile_device& d : profile.devices)
      for (const profile_module& m : d.modules) ids.insert(m.program_id), names.insert(m.name);
    for (const profile_program& p : profile.programs) {
      const bool ran = p.program_id ? ids.count(p.program_id) > 0 : names.count(p.name) > 0;
      if ((profile.has_runs() && !ran) || !programs.insert({p.name, p.program_id}).second) continue;
      const std::string file =
          path + "/" + p.name + (p.program_id ? "(" + std::to_string(*p.program_id) + ")" : "") + ".hlo_proto.pb";
      given.at_hand.insert_or_assign(file, read_proto(bytes.substr(p.begin, p.size), file, given.max_size));
      paths.push_back(file);
    }
  }
};

}  // namespace

void take_profiles(arguments& given, bool alone) {
  std::vector<std::string> rest, found;
  for (const std::string& path : given.paths) {
    std::vector<std::string> here = given.at_hand.contains(path) ? std::vector<std::string>{} : profiles_at(path);
    if (here.empty() || holds_dumps(path)) rest.push_back(path);
    found.insert(found.end(), here.begin(), here.end());
  }
  std::vector<std::string> unread;
  for (const std::string& path : given.profiles) {
    std::vector<std::string> here = profiles_at(path);
    if (here.empty()) {
      given.at_hand.insert_or_assign(path, failed(path, {unreadable(path, "is no profile, and no folder of one")}));
      unread.push_back(path);
    }
    found.insert(found.end(), here.begin(), here.end());
  }
  if (found.empty() && unread.empty()) return;
  profile_reader in{given, {}, {}, {}, {}, {}};
  std::set<std::string> seen;
  for (const std::string& path : found)
    if (seen.insert(path).second && !in.read(path)) unread.push_back(path);
  // If dumps are named, these are used, else the programs in the profiles.
  const bool has_dumps = !rest.empty();
  given.paths = std::move(rest);
  if (!has_dumps) given.paths.insert(given.paths.end(), in.paths.begin(), in.paths.end());
  given.paths.insert(given.paths.end(), unread.begin(), unread.end());
  if (given.paths.empty() && !alone) {
    const std::string& path = found.front();
    given.at_hand.insert_or_assign(
        path, failed(path, {unreadable(path,
                                       "this profile holds no program: name the dumps of the programs too "
                                       "(--profile PROFILE DUMPS)")}));
    given.paths.push_back(path);
  }
  given.device.profiled_on = in.of;
  if (given.device.name.empty() && in.presets.size() == 1 && find_device(*in.presets.begin()))
    given.device.name = *in.presets.begin(), given.device.is_of_profile = true;
  given.measured = measured_modules(in.hosts);
  given.measured_hosts = std::make_shared<const std::vector<profile_host>>(std::move(in.hosts));
}

#else

void take_profiles(arguments&, bool) {}

#endif

}  // namespace hlolint::command
