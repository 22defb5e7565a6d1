// The work of custom calls, as far as their targets and configurations show (time_model.md 4.1, 4.2).
#pragma once

#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/analysis/time/matmul_work.hpp>
#include <hlolint/analysis/time/memory_traffic.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// `cost_estimate`, which authors of Pallas, Mosaic and Triton kernels write; unwritten numbers have no value.
struct cost_estimate {
  /// Operations, and bytes read and written. @{
  std::optional<double> flops, bytes;
  /// @}
};

namespace detail {
/// The number at the begin of a text, if it is finite and not negative.
inline std::optional<double> amount_in(std::string_view text) {
  double value = 0;
  const auto end = double_from_chars(text.data(), text.data() + text.size(), value);
  return end.ec == std::errc{} && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

/// The number after the first `key`, separated by quotation marks, blanks, '=' or ':' at any level of escaping: a
/// `backend_config` may contain MLIR with a string that contains JSON.
inline std::optional<double> number_after(std::string_view text, std::string_view key) {
  constexpr std::string_view between[] = {"\\u0022", "\\x22", "\\22", "\\", "\"", " ", "=", ":"};
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    std::string_view rest = text.substr(at + key.size());
    bool assigned = false;
    for (bool skipped = true; skipped;) {
      skipped = false;
      for (const std::string_view part : between)
        if (rest.starts_with(part)) {
          assigned = assigned || part == "=" || part == ":";
          rest.remove_prefix(part.size());
          skipped = true;
          break;
        }
    }
    if (const auto value = assigned ? amount_in(rest) : std::nullopt) return value;
  }
  return std::nullopt;
}

/// Whether a kernel's configuration names a causal mask: cuDNN's words, or TransformerEngine's numbers from 2 on.
inline bool has_causal_mask(std::string_view config) {
  const std::size_t at = config.find("mask_type");
  if (at == config.npos) return false;
  if (const auto number = number_after(config.substr(at), "mask_type")) return *number >= 2;
  const std::string_view value = config.substr(at, 40);
  return value.find("CAUSAL") != value.npos || value.find("causal") != value.npos;
}

/// The first array of a result, which a library call computes; the others are its workspace.
inline const shape* computed_result(hlo_instruction i) {
  const shape* const whole = i.shape();
  return whole && whole->is_tuple() && !whole->elements.empty() ? whole->at({0}) : whole;
}

/// Dimensions written as a JSON array of numbers or of strings.
inline std::vector<std::int64_t> json_dimensions(std::string_view list) {
  std::vector<std::int64_t> out;
  json_for_each(list, [&](std::string_view, std::string_view item) {
    if (item.size() >= 2 && item.front() == '"') item = item.substr(1, item.size() - 2);
    if (const auto value = leading_integer(item)) out.push_back(*value);
  });
  return out;
}

inline bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view p) { return text.find(p) != text.npos; });
}

/// The extents of an operand of attention: [.., S, H, D], or with queries, keys and values (3) or keys and values (2)
/// packed in front of or behind the heads.
struct attention_operand {
  double batch = 1, rows = 0, heads = 0, depth = 0;
  std::int64_t packed = 1;
  explicit attention_operand(const shape& s) {
    const auto from_end = [&](std::size_t n) {
      return n <= s.rank() ? std::max<std::int64_t>(0, s.dimensions[s.rank() - n].size) : std::int64_t{1};
    };
    const auto packs = [](std::int64_t n) { return n == 2 || n == 3; };
    const bool before = s.rank() > 4 && packs(from_end(3)), behind = s.rank() > 4 && !before && packs(from_end(2));
    if (before || behind) packed = from_end(before ? 3 : 2);
    depth = static_cast<double>(from_end(1)), heads = static_cast<double>(from_end(behind ? 3 : 2));
    rows = static_cast<double>(from_end(packed > 1 ? 4 : 3)), batch = static_cast<double>(from_end(packed > 1 ? 5 : 4));
  }
};

/// The flops of attention by its largest operands: 4 B H Sq Sk D forward, 2.5 times as many backward, and half with a
/// causal mask; 0 if no operand tells the keys.
inline double attention_flops(hlo_instruction i, std::string_view target, std::string_view config) {
  const shape *query = nullptr, *key = nullptr;
  for (std::size_t k = 0; k < i.operand_count() && !key; ++k) {
    const shape* const s = shape_of_operand(i, k);
    if (!s || !s->is_array() || s->rank() < 4 || bit_width(s->type) > 16) continue;
    (query ? key : query) = s;
  }
  if (!query) return 0;
  const attention_operand by(*query);
  if (by.packed == 3) key = query;
  if (!key) return 0;
  const attention_operand with(*key);
  const double columns = with.depth == by.depth ? with.rows : by.rows;
  const bool backward = contains_any(target, {"backward", "Backward", "bwd"});
  return 4 * by.batch * by.heads * by.rows * columns * by.depth * (backward ? 2.5 : 1) *
         (has_causal_mask(config) ? 0.5 : 1);
}

/// Of a convolution of cuDNN. Its attributes are those of the forward convolution, whose input, kernel or
/// result it computes from the other two.
inline product_flops library_convolution_flops(const device& d, hlo_instruction i, std::string_view target,
                                               const shape* result) {
  const shape *const first = shape_of_operand(i, 0), *const second = shape_of_operand(i, 1);
  if (target.find("BackwardInput") != target.npos) return convolution_flops(d, i, result, second, first);
  if (target.find("BackwardFilter") != target.npos) return convolution_flops(d, i, first, result, second);
  return convolution_flops(d, i, first, second, result);
}

/// Decompositions and solvers of linear algebra libraries: many small kernels, whose time cannot be modeled.
inline bool is_solver(std::string_view target) {
  return contains_any(target, {"triangularSolve", "triangular_solve", "trsm", "cusolver", "hipsolver", "rocsolver",
                               "holesky", "potrf", "getrf", "geqrf", "orgqr", "ungqr", "syevd", "syevj", "gesvd",
                               "gesvdj", "sytrd", "csrlsvqr", "lapack_"});
}

/// The type of the largest floating-point operand of rank 2 or more.
inline std::optional<element_type> largest_float_type(hlo_instruction i, const memory_traffic& traffic) {
  std::optional<element_type> type;
  double most = -1;
  for (std::size_t k = 0; k < i.operand_count(); ++k) {
    const shape* const s = shape_of_operand(i, k);
    if (!s || !s->is_array() || s->rank() < 2) continue;
    const std::string_view word = name_of(s->type);
    if (word.front() != 'f' && !word.starts_with("bf")) continue;
    if (const double size = traffic.bytes(s); size > most) most = size, type = s->type;
  }
  return type;
}

}  // namespace detail

/// Finds the estimate in the text of a `backend_config`.
inline cost_estimate find_cost_estimate(std::string_view config) {
  const std::size_t at = config.find("cost_estimate");
  if (at == config.npos) return {};
  const std::string_view rest = config.substr(at);
  return {detail::number_after(rest, "flops"), detail::number_after(rest, "bytes_accessed")};
}

/// Callbacks into Python on the host; the device waits for the data in both directions.
inline bool is_host_callback(std::string_view target) {
  return target.find("python") != target.npos && target.find("callback") != target.npos &&
         target.find("_cpu_") == target.npos;
}

/// The work of a custom call. Precondition: its target is not free.
inline work custom_call_work(const device& d, const memory_traffic& traffic, hlo_instruction i) {
  const auto name = get<custom_call_target>(i);
  const std::string_view target = name ? std::string_view(name->name) : std::string_view{};
  const auto config = get<backend_config>(i);
  const std::string_view text = config ? std::string_view(config->text) : std::string_view{};
  const shape* const result = detail::computed_result(i);

  work w = traffic.whole(i);
  if (is_host_callback(target)) {
    w.host += w.bytes(), w.read = w.written = 0;
    w.unknown = true;  // the dump does not show the Python code
    return w;
  }
  std::optional<std::string_view> product;
  if (!text.empty()) product = json_find(text, "gemm_backend_config", "dot_dimension_numbers");
  if (!text.empty() && !product)
    product = json_find(text, "grouped_gemm_backend_config", "gemm_backend_config", "dot_dimension_numbers");
  const bool convolution = target.find("cudnn$conv") != target.npos && i.has(attribute_key::dim_labels);
  if (product || convolution) {
    if (convolution) {
      w.set_product(detail::library_convolution_flops(d, i, target, result));
    } else {
      const auto dimensions = [&](const char* key) {
        return detail::json_dimensions(json_find(*product, key).value_or(""));
      };
      const auto summed = dimensions("lhs_contracting_dimensions"), batch = dimensions("lhs_batch_dimensions");
      w.set_product(dot_flops(d, shape_of_operand(i, 0), result, summed, batch));
      w.tile_flops = batched_tile_flops(d, shape_of_operand(i, 0), result, summed, batch);
    }
    w.type = detail::multiplied_type(i);
    w.written = traffic.bytes(result);  // without the workspace
    return w;
  }

  const bool attention = detail::contains_any(target, {"fmha", "fused_attn", "flash"});
  if (attention) w.flops = detail::attention_flops(i, target, text);
  const cost_estimate estimate = text.empty() ? cost_estimate{} : find_cost_estimate(text);
  if (estimate.flops) w.flops = *estimate.flops;
  w.model_flops = w.flops;
  if (estimate.bytes) w.read = *estimate.bytes, w.written = 0;
  w.by_hand = w.flops > 0;
  if (w.by_hand) w.type = detail::largest_float_type(i, traffic).value_or(element_type::bf16);
  const bool known = (attention && w.flops > 0) || estimate.flops || estimate.bytes || target.starts_with("__cu") ||
                     target.starts_with("cu") || target.starts_with("xla.gpu.ext.") ||
                     target.starts_with("X64");  // parts of f64 and c64 on a TPU
  w.unknown = !known || detail::is_solver(target);
  return w;
}

}  // namespace hlolint
