// COL011: ranks that run one module with different sequences of collectives.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The reference is the sequence that most ranks share (ties: the first rank's); each other sequence gets one finding,
/// about its first difference, since later ones may only follow from it.
///
/// Channels: two collectives that should meet carry one channel_id, by which runtimes find the other side, so ids must
/// agree. If everything else is equal and the ids are only renamed one for one, the level is warning: a runtime that
/// pairs collectives by devices and order does not care. If the same ids come in another order, collectives that look
/// alike were exchanged: an error. Modules for other numbers of devices, or of another stage, are not compared further
/// (a warning): they may be programs of a pipeline's stages that happen to share a name.
struct rank_divergence {
  static constexpr rule about{
      .id = "COL011",
      .name = "rank-divergence",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::ranks,
      .what =
          "The ranks of a job compiled one module to different sequences of collectives: other operations, "
          "order, devices, sizes or channels.",
      .why =
          "Devices meet in their collectives one after the other. Where one rank reaches another collective than "
          "the others, all wait for each other forever, or mix data that do not belong together.",
      .advice =
          "Find out what differed between the ranks when they traced or compiled: order of dictionaries or "
          "sets, branches on the process index, flags, versions, autotuning (--xla_gpu_shard_autotuning). Give "
          "programs that are meant to differ names of their own.",
      .example =
          "rank0: %ar = f32[8]{0} all-reduce(%p), ...   then   %ag = f32[16]{0} all-gather(%q), ...\n"
          "rank1: %ag = f32[16]{0} all-gather(%q), ...   then   %ar = f32[8]{0} all-reduce(%p), ...",
      .source = "jax #38503, torchrec #4149; scheduling.md 2"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/transfers/sequence_difference.hpp>
#include <hlolint/checks/collectives/rank_side.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/related_modules.hpp>
#include <hlolint/text/str_cat.hpp>

#include <utility>
#include <vector>

namespace hlolint {

namespace col011 {

using side = detail::rank_side;

inline finding of_modules(const side& usual, const side& other, const std::string& now, const std::string& before) {
  const std::string first = ranks_text(usual.ranks);
  return finding_at(
      other.sequence.hlo(),
      "on " + ranks_text(other.ranks) + " the module " + now + ", on " + first + " " + before + ": not compared",
      {.level = severity::warning, .related = {{usual.sequence.hlo().where(), {}, {}, "the module on " + first}}});
}

inline std::string devices_of(const hlo_module& module) {
  return str_cat({"replica_count=", module.replica_count(), ", num_partitions=", module.num_partitions()});
}

inline finding compare(const side& usual, const side& other) {
  const hlo_module &x = usual.sequence.hlo(), &y = other.sequence.hlo();
  if (x.replica_count() != y.replica_count() || x.num_partitions() != y.num_partitions())
    return of_modules(usual, other, "is for " + devices_of(y), "for " + devices_of(x));
  if (x.is_scheduled() != y.is_scheduled())
    return of_modules(usual, other, y.is_scheduled() ? "is scheduled" : "is not scheduled",
                      "another stage of it is there");

  const sequence_difference d = find_difference(usual.sequence, other.sequence);
  const collective_step* const a = d.first ? &usual.sequence[*d.first] : nullptr;
  const collective_step* const b = d.second ? &other.sequence[*d.second] : nullptr;
  const std::string here = ranks_text(other.ranks), there = ranks_text(usual.ranks);
  const bool missing = d.what == divergence::missing;
  const std::size_t usual_count = usual.sequence.size(), other_count = other.sequence.size();
  const auto position = [&](std::size_t count) {
    return "collective " + std::to_string(d.at + 1) + " of " + std::to_string(count) + " on ";
  };
  std::string text;
  switch (d.what) {
    case divergence::missing:
      text = position(usual_count) + there + " is missing on " + here + " (" + std::to_string(other_count) +
             " in all): " + detail::step_text(usual, *a);
      break;
    case divergence::extra:
      text = position(other_count) + here + " is not on " + there + " (" + std::to_string(usual_count) +
             " in all): " + detail::step_text(other, *b);
      break;
    case divergence::numbering:
      text = "the channels of otherwise equal collectives have other numbers on " + here + " than on " + there +
             ", at first " + detail::channel_text(*b) + " instead of " + detail::channel_text(*a) + ": " +
             detail::step_text(other, *b, false);
      break;
    case divergence::order:
      text = position(other_count) + here + " is " + detail::step_text(other, *b) + ", but on " + there + " " +
             detail::step_text(usual, *a) + ", which on " + here + " is collective " +
             std::to_string(*d.first_in_second + 1);
      break;
    case divergence::kind:
      text = position(other_count) + here + " is " + detail::step_text(other, *b) + ", but on " + there + " " +
             detail::step_text(usual, *a);
      break;
    default: {
      const auto [before, now] = detail::detail_texts(d.what, usual, *a, other, *b);
      text = position(other_count) + here + ", " + detail::step_text(other, *b, false) + ", " + now + ", but on " +
             there + " " + before;
    }
  }
  const std::size_t said_of_first = d.what != divergence::extra && d.what != divergence::order;
  const std::size_t said_of_second = d.what != divergence::missing && d.what != divergence::order;
  if (d.what != divergence::numbering && (d.only_in_first > said_of_first || d.only_in_second > said_of_second))
    text += "; from there on " + std::to_string(d.only_in_first) + " are only on " + there + " and " +
            std::to_string(d.only_in_second) + " only on " + here;

  const collective_step& about_step = missing ? *a : *b;
  finding out = finding_at(about_step.instruction, std::move(text));
  add_program_place(out.subject, about_step.transfer);
  out.bytes = about_step.bytes();
  if (missing && b) out.related.push_back(related_at(b->instruction, "the next one on " + here));
  if (!missing && a) out.related.push_back(related_at(a->instruction, "in this place on " + there));
  if (d.what == divergence::order)
    out.related.push_back(related_at(other.sequence[*d.first_in_second].instruction, "the same on " + here));
  if (missing && !b && d.at > 0)
    out.related.push_back(related_at(other.sequence[d.at - 1].instruction, "the last one on " + here));
  // The order of an unscheduled module is not decided yet.
  const bool order_is_open = d.what == divergence::order && !y.is_scheduled();
  if (d.what == divergence::numbering || order_is_open) out.level = severity::warning;
  return out;
}

}  // namespace col011

HLOLINT_INLINE void rank_divergence::operator()(const context& dump, sink_ref emit) const {
  std::vector<col011::side> sides;
  for (const rank_module& m : dump.ranks()) {
    collective_sequence sequence(m.hlo);
    const auto known = std::find_if(sides.begin(), sides.end(), [&](const col011::side& s) {
      return s.sequence.fingerprint() == sequence.fingerprint();
    });
    if (known == sides.end())
      sides.push_back({m.ranks, std::move(sequence)});
    else
      known->ranks.insert(known->ranks.end(), m.ranks.begin(), m.ranks.end());
  }
  const auto most = std::max_element(sides.begin(), sides.end(), [](const col011::side& a, const col011::side& b) {
    return a.ranks.size() < b.ranks.size();
  });
  for (const col011::side& other : sides)
    if (&other != &*most) emit(col011::compare(*most, other));
}

}  // namespace hlolint
#endif
