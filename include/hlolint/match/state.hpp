// The state of a match: captures, facts for predicates, and a limit of the work.
#pragma once

#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint::match {

/// The rest of a match. A pattern calls it for each way in which it matches, until it returns true.
class next_step {
 public:
  /// Precondition: `f`, which returns whether the rest matches, outlives the step.
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, next_step>) next_step(const F& f)
      : self_(&f), call_([](const void* self) { return (*static_cast<const F*>(self))(); }) {}
  /// Whether the rest matches.
  bool operator()() const { return call_(self_); }

 private:
  const void* self_;
  bool (*call_)(const void*);
};

/// The knowledge that a pattern requires.
enum class knowledge : std::uint8_t {
  module,  ///< the HLO alone
  context  ///< also the device, the schedule or the buffers: a lint context
};
/// The greater of two needs.
constexpr knowledge operator|(knowledge a, knowledge b) { return a > b ? a : b; }

/// One capture.
struct binding {
  std::string_view name;  ///< without `$`
  hlo_instruction is;     ///< the captured instruction
};

/// The failed step of the furthest partial match, for `--explain`.
struct failed_step {
  std::size_t matched = 0;  ///< steps matched before it
  std::string_view step;    ///< its text in the query; empty: none failed
  hlo_instruction at;       ///< the instruction that did not match it
};

/// The opcode of every instruction of a module, in a byte each, where an instruction's record has 64: for queries,
/// which scan all instructions several times.
class instruction_opcodes {
 public:
  /// Linear in the module.
  explicit instruction_opcodes(const hlo_module& module) {
    opcodes_.reserve(module.instruction_count());
    for (const instruction_record& record : module.data().instructions) opcodes_.push_back(record.opcode);
  }
  /// The opcode. Precondition: the instruction is of this module.
  hlo_opcode of(hlo_instruction i) const { return opcodes_[i.id()]; }

 private:
  std::vector<hlo_opcode> opcodes_;
};

/// The working memory of a run over all instructions of a module. `Facts` is an analysis cache: `get<A>()` gives an
/// analysis of the module, `hlo()` the module.
template <class Facts>
class match_state {
 public:
  /// The most steps for one instruction; a pattern that needs more does not match, and `exhausted` is set.
  static constexpr std::size_t most_steps = 100'000;
  /// The most steps of a run, plus an amount per instruction of the module; then matching stops. Linear patterns need
  /// less, exponential ones more. @{
  static constexpr std::size_t most_steps_of_run = 1'000'000, most_steps_on_average = 64;
  /// @}

  /// Precondition: `facts` outlives the state.
  explicit match_state(const Facts& facts) : facts_(&facts) {
    if (!facts.hlo()) return;
    most_of_run_ += most_steps_on_average * facts.hlo()->instruction_count();
    opcodes_ = &facts.template get<instruction_opcodes>();
  }

  /// The analyses of the module.
  const Facts& facts() const { return *facts_; }
  /// As `i.opcode()`, but faster for all instructions of a module. Precondition: the instruction is of this module.
  hlo_opcode opcode_of(hlo_instruction i) const { return opcodes_->of(i); }

  /// Begins the match of another instruction.
  void start() {
    captures_.clear();
    steps_ = 0;
    matched_ = 0;
  }
  /// Counts a step. Returns false if there were too many.
  bool step() {
    ++steps_;
    return add(1);
  }
  /// Whether a match was given up after too many steps.
  bool exhausted() const { return exhausted_; }

  /// Gives the match up.
  void give_up() { exhausted_ = true; }

  /// The captures of the match so far, the oldest first.
  const std::vector<binding>& captures() const { return captures_; }
  /// The captured instruction; an empty view if the name is not bound.
  hlo_instruction captured(std::string_view name) const {
    for (const binding& b : captures_)
      if (b.name == name) return b.is;
    return {};
  }
  /// Binds a name for the rest of the match, or compares with the bound instruction.
  bool bind(std::string_view name, hlo_instruction i, next_step next) {
    if (const hlo_instruction held = captured(name)) return held == i && next();
    captures_.push_back({name, i});
    const bool found = next();
    captures_.pop_back();
    return found;
  }

  /// The distances for a path pattern, computed on first use; null if there were too many steps before. `key`
  /// identifies the pattern.
  template <class Make>
  const dependence_graph::distances* distances(const void* key, Make make) {
    for (const auto& [known, made] : paths_)
      if (known == key) return made.get();
    if (!add(steps_of_path * facts_->hlo()->instruction_count())) return nullptr;
    paths_.emplace_back(key, std::make_unique<const dependence_graph::distances>(make()));
    return paths_.back().second.get();
  }

  /// Turns on the recording of failed steps, which costs time.
  void explain() { explains_ = true; }
  /// Records a step that did not match.
  void failed(std::string_view step, hlo_instruction at) {
    if (!explains_ || step.empty() || (!furthest_.step.empty() && matched_ <= furthest_.matched)) return;
    furthest_ = {matched_, step, at};
  }
  /// Counts a matched step while the rest is tried.
  bool matched(next_step next) {
    ++matched_;
    const bool found = next();
    --matched_;
    return found;
  }
  /// The failed step of the furthest partial match.
  const failed_step& furthest() const { return furthest_; }

 private:
  static constexpr std::size_t steps_of_path = 4;  // per instruction, the cost of a search

  bool add(std::size_t steps) {
    steps_of_run_ += steps;
    if (steps_ <= most_steps && steps_of_run_ <= most_of_run_) return true;
    exhausted_ = true;
    return false;
  }

  const Facts* facts_;
  const instruction_opcodes* opcodes_ = nullptr;
  std::vector<binding> captures_;
  std::vector<std::pair<const void*, std::unique_ptr<const dependence_graph::distances>>> paths_;
  std::size_t steps_ = 0, steps_of_run_ = 0, most_of_run_ = most_steps_of_run, matched_ = 0;
  bool exhausted_ = false, explains_ = false;
  failed_step furthest_;
};

}  // namespace hlolint::match
