// PRF002: an array that is copied only to change the order of its dimensions in memory.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks at copies between layouts, and transposes, alone or wrapped into a fusion of their own.
struct layout_copy {
  static constexpr rule about{
      .id = "PRF002",
      .name = "layout-copy",
      .costs = cost_kind::time,
      .what = "An instruction only brings a large array into another dimension order. It is a note if all readers "
              "demand an order (custom calls, transforms, the caller that gets the result). Collectives demand none: "
              "copies around an all-to-all follow from the dimensions that the program splits and joins.",
      .why = "The array is read and written once more, and is in memory twice in the meantime.",
      .advice = "Let the producer write the order that the consumer wants: transpose weights once where they are "
                "made, choose dimension numbers of dots and convolutions that need no transpose, or set the layouts "
                "of arguments.",
      .example = "%t = f32[4096,4096]{0,1} copy(f32[4096,4096]{1,0} %p)",
      .source = "openxla/xla #26987, #1851"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &layout_copy::min_bytes, "smaller arrays are not reported"}};

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/checks/program_code.hpp>
#include <hlolint/checks/value_readers.hpp>

namespace hlolint {

struct layout_copy::code {
  static bool reorders(hlo_instruction move) {
    if (move.opcode() == hlo_opcode::transpose) return true;
    const shape* const from = shape_of_operand(move, 0);
    return move.opcode() == hlo_opcode::copy && from && move.shape() && differs_in_order(*move.shape(), *from);
  }
  static std::string orders_text(hlo_instruction move) {
    const shape* const from = shape_of_operand(move, 0);
    return from && move.shape() ? ": " + to_string(*from) + " to " + to_string(*move.shape()) : std::string{};
  }
  static bool transfers(hlo_opcode opcode) {
    return is_collective(opcode) || opcode == hlo_opcode::async_start || is_done_opcode(opcode);
  }
  /// Whether an instruction for which `is(opcode)` is true made one of the operands.
  template <class Is>
  static bool comes_from(hlo_instruction i, Is is) {
    for (const hlo_instruction operand : i.operands())
      if (const hlo_instruction maker = operand ? detail::maker_of(operand) : hlo_instruction{})
        if (is(maker.opcode())) return true;
    return false;
  }
  static bool is_transform(hlo_opcode opcode) { return opcode == hlo_opcode::fft; }

  /// Adds the readers. The level is note if every reader demands an order: the caller fixes that of a result, and a
  /// transform needs the same order on both sides of a transfer. Collectives demand none: copies around them follow
  /// from the dimensions that the program splits and joins.
  static void add_users(const context& dump, hlo_instruction i, finding& d) {
    bool of_transform = comes_from(i, is_transform), demanded = true, sent = false, returned = false;
    std::size_t named = 0;
    record_list<hlo_instruction> open{i};
    for (std::size_t next = 0; next < open.size(); ++next) {
      returned = returned || open[next].is_root();
      for (const instruction_use use : dump.get<users>().of(open[next])) {
        const hlo_opcode opcode = use.user.opcode();
        if (opcode == hlo_opcode::bitcast && use.user.id() > open[next].id() && open.size() < max_followed) {
          open.push_back(use.user);
          continue;
        }
        of_transform = of_transform || is_transform(opcode);
        if (transfers(opcode))
          sent = true;
        else if (!is_transform(opcode) && opcode != hlo_opcode::custom_call &&
                 !(opcode == hlo_opcode::tuple && use.user.is_root()))
          demanded = false;
        if (named++ < max_named) d.related.push_back(related_at(use.user, "reads it in the new order"));
      }
    }
    const bool around_transfer = sent || comes_from(i, transfers);
    if (demanded && (named > 0 || returned) && (of_transform || !around_transfer)) d.level = severity::note;
  }
  static constexpr std::size_t max_followed = 64;
  static constexpr std::size_t max_named = 3;
};

HLOLINT_INLINE void layout_copy::operator()(const context& dump, sink_ref report) const {
  for (const hlo_instruction i : detail::sequential_instructions(dump)) {
    const auto bytes = detail::array_bytes(i);
    if (!bytes || *bytes < min_bytes) continue;
    const hlo_instruction move = dump.get<sole_operations>().of(i);
    if (!move || !code::reorders(move)) continue;
    finding d = finding_at(i,
        str_cat({move.opcode() == hlo_opcode::copy ? "a copy" : "a transpose", " of ", human(*bytes),
                 repetition_text(dump.get<loops>(), i.computation()), " only changes the dimension order",
                 code::orders_text(move), " (", detail::position_text(i), ")"}), {.bytes = bytes});
    code::add_users(dump, i, d);
    report(std::move(d));
  }
}

}  // namespace hlolint
#endif
