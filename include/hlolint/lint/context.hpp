// All that is known about one module, and its analyses, made on demand.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/device/compiler_flags.hpp>
#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/compiled_analyses.hpp>
#include <hlolint/lint/memory_summary.hpp>
#include <hlolint/lint/related_modules.hpp>
#include <hlolint/lint/rule.hpp>

#include <cassert>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

struct measured_module;
class measured_times;

/// A file that was examined, whether or not it could be read.
struct seen_file {
  std::string path;                       ///< as given or found
  input_kind kind = input_kind::unknown;  ///< by its content
  friend bool operator==(const seen_file&, const seen_file&) = default;
};

/// The origin of a module's buffers.
enum class memory_origin : std::uint8_t {
  dumped,    ///< XLA's dump
  assigned,  ///< the HLO, by XLA's rules
  estimated  ///< the HLO, where XLA's rules are not all known
};

namespace detail {
template <class Analysis>
concept of_hlo = std::constructible_from<Analysis, const hlo_module&>;
template <class Analysis>
concept of_buffers = std::constructible_from<Analysis, const buffer_dump&>;
template <class Analysis>
concept of_both = std::constructible_from<Analysis, const hlo_module&, const buffer_dump&>;
template <class Analysis>
concept on_device = std::constructible_from<Analysis, const hlo_module&, const device&>;

template <class Analysis, class Cache>
concept of_others = std::constructible_from<Analysis, const Cache&>;
}  // namespace detail

/// One module's worth of dumps. Belongs to one thread; not copied.
class context {
 public:
  /// References with which the module is compared.
  struct references {
    std::optional<hlo_module> earlier{};     ///< the module before XLA optimized it
    std::optional<memory_summary> agreed{};  ///< its memory when its baseline was made
    std::vector<rank_module> ranks{};        ///< the module as the ranks of a job compiled it
  };
  /// The parts of a context, any of which may be missing.
  struct parts {
    std::optional<hlo_module> hlo{};                    ///< the module, if its HLO was read
    std::optional<buffer_dump> buffers{};               ///< its buffers, if a dump of them was read
    hlolint::target target = hlolint::target::unknown;  ///< its backend
    std::string name{};                                 ///< empty: the name of the HLO module
    std::vector<seen_file> files{};                     ///< the module's files, and those beside them
    bool is_read_in_part = false;                       ///< whether something in the module's files could not be read
    std::vector<std::string> namesakes{};               ///< first files of other modules of the same folder and name
    std::string unpaired{};  ///< for buffers alone: a file of HLO that fits them, under the name of another module
    std::vector<recompilation> recompilations{};  ///< in the first module of a function: all its modules
    references compared_with{};                   ///< other runs, ranks and stages
    std::optional<hlolint::device> device{};      ///< named by the user, found beside the dump, or guessed
    std::string device_evidence{};                ///< the reason for a guessed device; empty if it is known
    compiler_flags flags{};                       ///< that it was compiled with, as files beside its dump list them
    bool is_out_of_memory = false;  ///< its compilation failed for lack of memory, as a file beside its dump shows
    memory_origin memory_from = memory_origin::dumped;  ///< the origin of the buffers (memory_estimate.hpp)
    std::string memory_words{};                         ///< a description of computed buffers; empty for a dump
    std::shared_ptr<const measured_module> measured{};  ///< the module in a profile; may be null
    std::shared_ptr<const measured_times> times{};      ///< of its instructions in that profile; may be null
    std::string not_measured{};                         ///< why a profile of this module's name is not used
    std::optional<std::int32_t> xla_date{};             ///< of its XLA, as year, month, day, if given
  };

  /// Uses the name of the HLO module if no name is given.
  explicit context(parts made_of) : parts_(std::move(made_of)) {
    if (parts_.name.empty() && parts_.hlo) parts_.name = std::string(parts_.hlo->name());
    there_ = conditions();
  }
  /// A module without buffers.
  explicit context(hlo_module module) : context(parts{.hlo = std::move(module)}) {}
  /// Buffers without a module.
  explicit context(buffer_dump buffers) : context(parts{.buffers = std::move(buffers)}) {}
  /// A module and its buffers.
  context(hlo_module module, buffer_dump buffers)
      : context(parts{.hlo = std::move(module), .buffers = std::move(buffers)}) {}
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  /// The parts that it was made of.
  const parts& made_of() const { return parts_; }

  /// Null if there is none.
  const hlo_module* hlo() const { return parts_.hlo ? &*parts_.hlo : nullptr; }
  /// The buffers; null if there are none.
  const buffer_dump* buffers() const { return parts_.buffers ? &*parts_.buffers : nullptr; }
  /// The backend that the module was compiled for.
  hlolint::target target() const { return parts_.target; }
  /// The HLO module's name, or the one in the names of the files.
  const std::string& name() const { return parts_.name; }
  /// The module's files, and those beside them.
  const std::vector<seen_file>& files() const { return parts_.files; }
  /// Whether something in the module's files could not be read, so that what one file lacks proves nothing about
  /// others.
  bool is_read_in_part() const { return parts_.is_read_in_part; }
  /// The first files of other modules of the same folder and name; empty for all but the first such module.
  const std::vector<std::string>& namesakes() const { return parts_.namesakes; }

  /// For buffers alone: a file of HLO that fits them, but has the name of another module; mostly empty.
  const std::string& unpaired() const { return parts_.unpaired; }

  /// In the first of several modules of one function in a folder, ignoring numbers in names: all of them; otherwise
  /// empty.
  const std::vector<recompilation>& recompilations() const { return parts_.recompilations; }

  /// The module before XLA's optimizations; null if it was not read.
  const hlo_module* earlier() const { return parts_.compared_with.earlier ? &*parts_.compared_with.earlier : nullptr; }
  /// The module's memory when its baseline was made; null if there is none.
  const memory_summary* agreed_memory() const {
    return parts_.compared_with.agreed ? &*parts_.compared_with.agreed : nullptr;
  }

  /// The device for which times are estimated: the one named, found or guessed, else one whose rates only have
  /// meaningful ratios (`device::is_relative`).
  hlolint::device device() const {
    return parts_.device ? *parts_.device : relative_device(target() == hlolint::target::tpu);
  }
  /// The reason for a guessed device; empty if it is known, or there is none.
  const std::string& device_evidence() const { return parts_.device_evidence; }
  /// The device, unless it is a guess: limits only apply to a device that the program surely runs on.
  hlolint::device certain_device() const {
    return parts_.device && parts_.device_evidence.empty() ? *parts_.device
                                                           : relative_device(target() == hlolint::target::tpu);
  }

  /// The flags that it was compiled with, as far as files beside its dump list them.
  const compiler_flags& flags() const { return parts_.flags; }
  /// Whether its compilation is known to have failed since the device has too little main memory.
  bool is_out_of_memory() const { return parts_.is_out_of_memory; }
  /// The device that was named, found or guessed; nothing without one.
  const std::optional<hlolint::device>& known_device() const { return parts_.device; }
  /// The origin of the buffers (memory_estimate.hpp).
  memory_origin memory_from() const { return parts_.memory_from; }
  /// Whether the buffers are an estimate, so that XLA's may differ.
  bool memory_is_estimated() const { return parts_.memory_from == memory_origin::estimated; }
  /// A description of computed buffers; empty if they were dumped.
  const std::string& memory_words() const { return parts_.memory_words; }
  /// The module in a profile; null without one.
  const measured_module* measured() const { return parts_.measured.get(); }
  /// The measured times of the module's instructions; null without a profile.
  const measured_times* times() const { return parts_.times.get(); }
  /// Why a profile of this module's name is not used; empty if there is none, or it is used.
  const std::string& not_measured() const { return parts_.not_measured; }
  /// The date of the module's XLA, as year, month, day, if given.
  std::optional<std::int32_t> xla_date() const { return parts_.xla_date; }

  /// The module on the ranks of a job; empty for a single module.
  const std::vector<rank_module>& ranks() const { return parts_.compared_with.ranks; }

  /// Whether all conditions of `set` are true.
  bool has(need set) const { return missing(set) == need::nothing; }

  /// The first condition of `set` that is false, or `nothing`.
  need missing(need set) const {
    if (contains(there_, set)) return need::nothing;  // the usual case
    for (const need one : {need::hlo, need::buffers, need::memory, need::scheduled, need::live_ranges,
                           need::printed_ranges, need::used_values, need::target, need::earlier, need::ranks})
      if (contains(set, one) && !contains(there_, one)) return one;
    return need::nothing;
  }

  /// An analysis of this module, computed on first use: any type that can be constructed from `(const hlo_module&)`,
  /// `(const buffer_dump&)`, `(const hlo_module&, const buffer_dump&)` or `(const hlo_module&, const device&)`.
  /// Precondition: these parts exist. The reference stays valid as long as the context. A type with several such
  /// constructors is made from the existing parts. An analysis built on others takes them from the context
  /// (analysis_cache.hpp), so that none is made twice.
  template <class Analysis>
  const Analysis& get() const {
    return *static_cast<const Analysis*>(made<Analysis>().get());
  }
  /// The analysis if it was made already; else null.
  template <class Analysis>
  const Analysis* known() const {
    return made_.template known<Analysis>();
  }
  /// The analysis, for an owner that may outlive the context.
  template <class Analysis>
  std::shared_ptr<const Analysis> share() const {
    const std::shared_ptr<const void>& owner = made<Analysis>();
    return std::shared_ptr<const Analysis>(owner, static_cast<const Analysis*>(owner.get()));
  }
  /// Takes an equal analysis over from another context, unless this one has made it already.
  template <class Analysis>
  void take_over(const context& from) {
    made_.template find<Analysis>([&] { return from.made<Analysis>(); });
  }
  /// Takes an analysis of this module that is known, unless it was made already.
  template <class Analysis>
  void take(std::shared_ptr<const Analysis> known) {
    made_.template find<Analysis>([&] { return known; });
  }

 private:
  template <class Analysis>
  friend std::shared_ptr<void> detail::make_compiled(const context& dump);

  template <class Analysis>
  const std::shared_ptr<const void>& made() const {
    if constexpr (detail::is_compiled_analysis<Analysis>)
      return made_.template find<Analysis>([&] { return detail::make_compiled<Analysis>(*this); });
    else
      return made_.template find<Analysis>([&] { return make<Analysis>(); });
  }
  template <class Analysis>
  std::shared_ptr<void> make() const {
    static_assert(
        detail::of_hlo<Analysis> || detail::of_buffers<Analysis> || detail::of_both<Analysis> ||
            detail::on_device<Analysis> || detail::of_others<Analysis, context>,
        "an analysis is constructed from (const hlo_module&), (const buffer_dump&), (const hlo_module&, const "
        "buffer_dump&), (const hlo_module&, const device&) or other analyses");
    std::shared_ptr<void> made;
    if constexpr (detail::of_others<Analysis, context>)
      if ((parts_.hlo || !detail::of_hlo<Analysis>)&&(parts_.buffers || !detail::of_buffers<Analysis>))
        made = std::make_shared<Analysis>(*this);
    if constexpr (detail::of_both<Analysis>)
      if (!made && parts_.hlo && parts_.buffers) made = std::make_shared<Analysis>(*parts_.hlo, *parts_.buffers);
    if constexpr (detail::on_device<Analysis>)
      if (!made && parts_.hlo) made = std::make_shared<Analysis>(*parts_.hlo, device());
    if constexpr (detail::of_hlo<Analysis>)
      if (!made && parts_.hlo) made = std::make_shared<Analysis>(*parts_.hlo);
    if constexpr (detail::of_buffers<Analysis>)
      if (!made && parts_.buffers) made = std::make_shared<Analysis>(*parts_.buffers);
    assert(made && "`needs` names what an analysis is made from");
    return made;
  }

  need conditions() const {
    need out = need::nothing;
    const auto add = [&](need one, bool there) { out = there ? out | one : out; };
    const bool assigned = buffers() && buffers()->has_assignment(), scheduled = hlo() && hlo()->is_scheduled();
    const bool ranges = buffers() && buffers()->live_ranges();
    add(need::hlo, hlo());
    add(need::buffers, assigned);
    add(need::memory, assigned || scheduled);
    add(need::scheduled, scheduled);
    add(need::live_ranges, ranges);
    add(need::printed_ranges, ranges && !buffers()->live_ranges()->computed);
    add(need::used_values, buffers() && buffers()->has_used_values());
    add(need::target, target() != hlolint::target::unknown);
    add(need::earlier, earlier());
    add(need::ranks, !ranks().empty());
    return out;
  }

  parts parts_;
  need there_ = need::nothing;  // true conditions
  mutable analysis_store made_;
};

}  // namespace hlolint
