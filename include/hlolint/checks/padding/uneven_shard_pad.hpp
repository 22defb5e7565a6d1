// PAD008: an array that is padded so that all devices get parts of equal size.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// XLA's partitioner pads a dimension at its end up to the next multiple of the number of parts: a pad of
/// `ceil(d/n)*n - d`; n must be a number of parts in some sharding of the program. Not reported are pads of the program
/// itself, pads that make room for a neighbor's rows (halos: a concatenate, slice, window or permute reads them), and
/// pads that are never stored.
struct uneven_shard_pad {
  static constexpr rule about{
      .id = "PAD008",
      .name = "uneven-shard-pad",
      .level = severity::note,
      .costs = cost_kind::both,
      .needs = need::hlo | need::earlier,
      .what = "Partitioning padded a dimension that cannot be cut into equal parts, by a quarter of its size or more.",
      .why = "Every device stores, sends and computes the padding too.",
      .advice =
          "Make the dimension a multiple of the mesh axis that cuts it, cut another dimension, or use fewer "
          "devices along this one.",
      .example =
          "%p = f32[164,9]{1,0} parameter(0), sharding={devices=[1,4]<=[4]}\n"
          "%pad = f32[164,12]{1,0} pad(%x, %zero), padding=0_0x0_3",
      .source = "openxla/xla #6674; XLA: spmd_partitioner_util.cc"};

  byte_count min_bytes = 1_MiB;
  double min_ratio = 1.25;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &uneven_shard_pad::min_bytes, "less padding is not reported"},
                 option{"min-ratio", &uneven_shard_pad::min_ratio,
                        "arrays with a smaller size after padding / size before are fine"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

namespace pad008 {

struct growth {
  std::size_t dimension = 0;
  std::int64_t parts = 0;
};

struct padded_array {
  hlo_instruction pad;
  growth grown;
  byte_count before = 0, after = 0;
};

inline finding finding_of(const padded_array& a) {
  const shape& from = *shape_of_operand(a.pad, 0);
  const std::size_t dimension = a.grown.dimension;
  return finding_at(
      a.pad,
      str_cat({"dimension ", dimension, " of ", to_string(from), " is padded from ", from.dimensions[dimension].size,
               " to ", a.pad.shape()->dimensions[dimension].size, " to be cut into ", a.grown.parts,
               " equal parts: ", human((checked_int64(a.after) - a.before).clamped()), " of ", human(a.after),
               " are padding, on every device"}),
      {.bytes = (checked_int64(a.after) - a.before).clamped()});
}

/// The dimension that grows most, provided that every growing dimension is padded at its end to a multiple of a
/// number of parts.
inline std::optional<growth> grown_dimension(hlo_instruction pad, const std::set<std::int64_t>& parts,
                                             double min_ratio) {
  const shape *const from = shape_of_operand(pad, 0), *const to = pad.shape();
  const auto config = get<padding_config>(pad);
  if (!from || !to || !config || from->rank() != to->rank() || config->dimensions.size() != to->rank())
    return std::nullopt;
  std::optional<growth> out;
  double most = 0;
  for (std::size_t d = 0; d < to->rank(); ++d) {
    const padding_dimension& by = config->dimensions[d];
    if (by == padding_dimension{}) continue;
    const std::int64_t before = from->dimensions[d].size, after = to->dimensions[d].size;
    const auto fits = [&](std::int64_t n) { return after % n == 0 && checked_int64(after) - before < n; };
    const auto found = std::find_if(parts.begin(), parts.end(), fits);
    if (by.low != 0 || by.interior != 0 || before < 1 || after <= before || found == parts.end()) return std::nullopt;
    const double ratio = static_cast<double>(after) / static_cast<double>(before);
    if (ratio >= min_ratio && ratio > most) most = ratio, out = growth{d, *found};
  }
  return out;
}

/// Limits on numbers of parts, axes of a mesh and calls around an operation, above those of any real program.
inline constexpr std::size_t most_parts = 1024, most_axes = 64, most_prefixes = 64;

inline std::int64_t size_of(const axis_reference& axis, const device_mesh& mesh) {
  if (axis.pre_size) return axis.size;
  for (std::size_t a = 0; a < std::min(mesh.axes.size(), most_axes); ++a)
    if (mesh.axes[a].name == axis.axis || std::to_string(a) == axis.axis) return mesh.axes[a].size;
  return 1;
}

/// Adds the numbers of parts into which the shardings of a module cut dimensions.
inline void add_parts(const hlo_module& module, std::set<std::int64_t>& parts) {
  const auto add = [&](std::int64_t n) {
    if (n > 1 && parts.size() < most_parts) parts.insert(n);
  };
  const auto add_all = [&](const auto& self, const sharding& how) -> void {
    for (const sharding& element : how.elements) self(self, element);
    const std::size_t groups = how.last_tile_dims.size() + how.replicate_last_tile_dim;
    for (std::size_t d = 0; d + groups < how.tiles.size(); ++d) add(how.tiles[d]);
    for (const sharding::dimension& d : how.dimensions)
      if (const auto n = checked_product(d.axes, [&](const auto& axis) { return size_of(axis, how.mesh); })) add(*n);
  };
  for (const hlo_instruction i : module.instructions())
    if (i.has(attribute_key::sharding))
      if (const auto how = get<sharding>(i)) add_all(add_all, *how);
}

/// The operations of the program that make pads unrelated to partitioning.
class written_pads {
 public:
  explicit written_pads(const hlo_module& module) {
    for (const hlo_instruction i : module.instructions()) {
      has_pad_ |= i.opcode() == hlo_opcode::pad;
      if (!makes_pads(i.opcode())) continue;
      if (const auto written = get<op_metadata>(i); written && !written->op_name.empty())
        names_.insert(written->op_name);
    }
  }
  /// Whether such an operation explains a pad, by op_name, with or without the prefixes of inlined calls. Any pad of
  /// the program explains a pad without op_name.
  bool explain(hlo_instruction pad) const {
    const auto written = get<op_metadata>(pad);
    if (!written || written->op_name.empty()) return has_pad_;
    const std::string_view name = written->op_name;
    std::size_t prefixes = 0;
    for (std::size_t at = 0; at != std::string_view::npos && prefixes++ < most_prefixes; at = name.find('/', at + 1))
      if (names_.count(std::string(name.substr(at == 0 ? 0 : at + 1))) > 0) return true;
    return false;
  }

  static constexpr bool makes_pads(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == pad || opcode == concatenate || opcode == convolution || opcode == reduce_window ||
           opcode == select_and_scatter;
  }
  std::set<std::string> names_;
  bool has_pad_ = false;
};

inline constexpr bool exchanges_halos(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == concatenate || opcode == slice || opcode == convolution || opcode == reduce_window ||
         opcode == select_and_scatter || opcode == collective_permute || opcode == collective_permute_start;
}

/// Adds the pads (all of one size) that are stored and not halos: the padded array, or an array of its size made of
/// it, is a result of its own. Only its elements are followed, not other operands.
inline void add_stored(const context& dump, byte_count size, const std::vector<id>& pads, std::set<id>& stored,
                       std::size_t& affordable) {
  const auto& readers = dump.get<users>();
  const auto& graph = dump.get<call_graph>();
  // Which instructions the pads reach, and from which each is reached: followed once for all pads.
  std::vector<hlo_instruction> reached;
  std::unordered_map<id, std::vector<id>> made_of;
  const auto reach = [&](hlo_instruction next) {
    if (made_of.try_emplace(next.id()).second) reached.push_back(next);
  };
  std::vector<id> results, halos;
  for (const id pad : pads) reach(dump.hlo()->instruction(pad));
  for (std::size_t at = 0; at < reached.size(); ++at) {
    const hlo_instruction i = reached[at];
    const auto follow = [&](hlo_instruction next) {
      if (!next) return;
      reach(next);
      made_of[next.id()].push_back(i.id());
    };
    const bool embedded = graph.execution_of(i.computation()) == execution::embedded;
    if (!embedded) results.push_back(i.id());
    if (embedded && i.computation().root() == i)
      for (const hlo_instruction caller : graph.callers(i.computation())) follow(caller);
    for (const instruction_use use : readers.of(i)) {
      if (affordable == 0) return;
      --affordable;
      if (exchanges_halos(use.user.opcode())) {
        halos.push_back(i.id());
        continue;
      }
      const hlo_computation body = use.user.opcode() == hlo_opcode::fusion ? first_called(use.user) : hlo_computation{};
      if (body)
        follow(dump.get<computation_parameters>().of(body, use.operand));
      else if (use.user.shape() && dense_size(*use.user.shape()) == size)
        follow(use.user);
    }
  }
  const auto all_that_lead_to = [&](std::vector<id> open) {
    std::unordered_set<id> out(open.begin(), open.end());
    while (!open.empty()) {
      const id at = open.back();
      open.pop_back();
      for (const id from : made_of[at])
        if (out.insert(from).second) open.push_back(from);
    }
    return out;
  };
  const std::unordered_set<id> to_result = all_that_lead_to(std::move(results)),
                               to_halo = all_that_lead_to(std::move(halos));
  for (const id pad : pads)
    if (to_result.count(pad) > 0 && to_halo.count(pad) == 0) stored.insert(pad);
}

}  // namespace pad008

HLOLINT_INLINE void uneven_shard_pad::operator()(const context& dump, sink_ref emit) const {
  const hlo_module& module = *dump.hlo();
  if (module.num_partitions() < 2) return;
  std::vector<hlo_instruction> pads;
  for (const hlo_instruction i : module.instructions())
    if (i.opcode() == hlo_opcode::pad) pads.push_back(i);
  if (pads.empty()) return;
  std::set<std::int64_t> parts;
  pad008::add_parts(module, parts);
  pad008::add_parts(*dump.earlier(), parts);
  const pad008::written_pads written(*dump.earlier());
  const auto& graph = dump.get<call_graph>();
  std::vector<pad008::padded_array> found;
  std::map<byte_count, std::vector<id>> of_size;
  for (const hlo_instruction i : pads) {
    if (graph.execution_of(i.computation()) == execution::unreached) continue;
    const auto grown = pad008::grown_dimension(i, parts, min_ratio);
    if (!grown || written.explain(i)) continue;
    const auto before = dense_size(*shape_of_operand(i, 0)), after = dense_size(*i.shape());
    if (!before || !after || checked_int64(*after) - *before < min_bytes) continue;
    found.push_back({i, *grown, *before, *after});
    of_size[*after].push_back(i.id());
  }
  std::set<id> stored;
  std::size_t affordable = 4'000'000;  // uses to follow; pads of the sizes after that are not judged
  for (const auto& [size, of_this_size] : of_size) pad008::add_stored(dump, size, of_this_size, stored, affordable);
  for (const pad008::padded_array& a : found)
    if (stored.count(a.pad.id()) > 0) emit(pad008::finding_of(a));
}

}  // namespace hlolint
#endif
