// Patterns on opcodes: one for each opcode, which can be called with patterns for operands, and classes of opcodes.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/match/pattern.hpp>
#include <hlolint/text/glob.hpp>

#include <string_view>
#include <utility>

namespace hlolint::match {

/// Lets a pattern be called with patterns for the operands in order; `rest` stands for any number of them.
template <class Self>
struct takes_operands {
  /// The pattern with its operands.
  template <class... Ps>
  constexpr auto operator()(Ps... ps) const {
    return static_cast<const Self&>(*this) & operands(std::move(ps)...);
  }
};

/// An instruction with one opcode: `dot`, or with its operands, `dot(transpose, rest)`.
struct of_opcode : pattern_base, takes_operands<of_opcode> {
  hlo_opcode opcode;  ///< the opcode
  /// Any operands.
  constexpr explicit of_opcode(hlo_opcode o) : opcode(o) {}
  /// See `pattern_base`.
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return state.step() && state.opcode_of(i) == opcode && next();
  }
};

/// An instruction with operands, whose opcode is in a class.
template <auto IsOne>
struct of_class : tested<of_class<IsOne>>, takes_operands<of_class<IsOne>> {
  /// Whether the opcode is in the class, and there are operands.
  template <class Facts>
  bool test(hlo_instruction i, const Facts&) const {
    return i.operand_count() > 0 && IsOne(i.opcode());
  }
};
/// Elementwise operations.
inline constexpr of_class<&is_elementwise> elementwise{};

/// A collective in any form: one instruction, a start opcode, or an async-start around one, at any depth of calls. What
/// an async-start runs does not count itself, nor do copies in TPU fusions that carry on a transfer.
struct any_collective : tested<any_collective>, takes_operands<any_collective> {
  hlo_opcode kind;  ///< the opcode of the form without a start; `unknown`: any collective
  /// Collectives of one kind, or all.
  constexpr explicit any_collective(hlo_opcode k = hlo_opcode::unknown) : kind(k) {}
  /// Whether the instruction is such a collective.
  template <class Facts>
  bool test(hlo_instruction i, const Facts& facts) const {
    if (!is_collective(i.opcode()) && i.opcode() != hlo_opcode::async_start) return false;
    const transfer_sources& sources = facts.template get<transfer_sources>();
    const hlo_instruction transfer = sources.collective_of(i);
    if (!transfer || (kind != hlo_opcode::unknown && sources.kind_of(transfer) != kind)) return false;
    return facts.template get<call_graph>().execution_of(i.computation()) != execution::async && !sources.is_copy(i);
  }
};
/// A collective in any form.
inline constexpr any_collective collective{};

/// A custom call whose target matches a glob.
struct custom_call_to : tested<custom_call_to> {
  std::string_view target;  ///< `*` and `?` are allowed
  constexpr explicit custom_call_to(std::string_view t) : target(t) {}
  /// Whether the instruction calls the target.
  template <class Facts>
  bool test(hlo_instruction i, const Facts&) const {
    const auto to = i.opcode() == hlo_opcode::custom_call ? get<custom_call_target>(i) : std::nullopt;
    return to && matches_glob(target, to->name);
  }
};
/// `custom_call("__cublas$*")`, or `custom_call` with operands as for other opcodes.
struct custom_call_pattern : of_opcode {
  using of_opcode::of_opcode, of_opcode::operator();
  constexpr custom_call_to operator()(const char* target) const { return custom_call_to(target); }
};
/// A custom call.
inline constexpr custom_call_pattern custom_call{hlo_opcode::custom_call};

/// The opcodes of HLO. @{
inline constexpr of_opcode abs{hlo_opcode::abs}, acos{hlo_opcode::acos}, acosh{hlo_opcode::acosh}, add{hlo_opcode::add},
    add_dependency{hlo_opcode::add_dependency}, after_all{hlo_opcode::after_all}, all_gather{hlo_opcode::all_gather},
    all_gather_done{hlo_opcode::all_gather_done}, all_gather_start{hlo_opcode::all_gather_start},
    all_reduce{hlo_opcode::all_reduce}, all_reduce_done{hlo_opcode::all_reduce_done},
    all_reduce_start{hlo_opcode::all_reduce_start}, all_to_all{hlo_opcode::all_to_all}, and_{hlo_opcode::and_},
    asin{hlo_opcode::asin}, asinh{hlo_opcode::asinh}, async_done{hlo_opcode::async_done},
    async_start{hlo_opcode::async_start}, async_update{hlo_opcode::async_update}, atan2{hlo_opcode::atan2},
    atanh{hlo_opcode::atanh}, batch_norm_grad{hlo_opcode::batch_norm_grad},
    batch_norm_inference{hlo_opcode::batch_norm_inference}, batch_norm_training{hlo_opcode::batch_norm_training},
    bitcast{hlo_opcode::bitcast}, bitcast_convert{hlo_opcode::bitcast_convert}, broadcast{hlo_opcode::broadcast},
    call{hlo_opcode::call}, cbrt{hlo_opcode::cbrt}, ceil{hlo_opcode::ceil}, cholesky{hlo_opcode::cholesky},
    clamp{hlo_opcode::clamp}, collective_broadcast{hlo_opcode::collective_broadcast},
    collective_permute{hlo_opcode::collective_permute}, collective_permute_done{hlo_opcode::collective_permute_done},
    collective_permute_start{hlo_opcode::collective_permute_start}, collective_reduce{hlo_opcode::collective_reduce},
    compare{hlo_opcode::compare}, complex{hlo_opcode::complex}, concatenate{hlo_opcode::concatenate},
    conditional{hlo_opcode::conditional}, constant{hlo_opcode::constant}, convert{hlo_opcode::convert},
    convolution{hlo_opcode::convolution}, copy{hlo_opcode::copy}, copy_done{hlo_opcode::copy_done},
    copy_start{hlo_opcode::copy_start}, cosh{hlo_opcode::cosh}, cosine{hlo_opcode::cosine},
    count_leading_zeros{hlo_opcode::count_leading_zeros}, divide{hlo_opcode::divide}, domain{hlo_opcode::domain},
    dot{hlo_opcode::dot}, dynamic_reshape{hlo_opcode::dynamic_reshape}, dynamic_slice{hlo_opcode::dynamic_slice},
    dynamic_update_slice{hlo_opcode::dynamic_update_slice}, erf{hlo_opcode::erf}, exp2{hlo_opcode::exp2},
    exponential{hlo_opcode::exponential}, exponential_minus_one{hlo_opcode::exponential_minus_one},
    fft{hlo_opcode::fft}, floor{hlo_opcode::floor}, fusion{hlo_opcode::fusion}, gather{hlo_opcode::gather},
    get_dimension_size{hlo_opcode::get_dimension_size}, get_tuple_element{hlo_opcode::get_tuple_element},
    imag{hlo_opcode::imag}, infeed{hlo_opcode::infeed}, iota{hlo_opcode::iota}, is_finite{hlo_opcode::is_finite},
    log{hlo_opcode::log}, log_plus_one{hlo_opcode::log_plus_one}, log2{hlo_opcode::log2},
    logistic{hlo_opcode::logistic}, map{hlo_opcode::map}, maximum{hlo_opcode::maximum}, minimum{hlo_opcode::minimum},
    mulhi{hlo_opcode::mulhi}, multiply{hlo_opcode::multiply}, negate{hlo_opcode::negate}, not_{hlo_opcode::not_},
    opt_barrier{hlo_opcode::opt_barrier}, or_{hlo_opcode::or_}, outfeed{hlo_opcode::outfeed}, pad{hlo_opcode::pad},
    parameter{hlo_opcode::parameter}, partition_id{hlo_opcode::partition_id}, popcnt{hlo_opcode::popcnt},
    power{hlo_opcode::power}, ragged_all_to_all{hlo_opcode::ragged_all_to_all}, ragged_dot{hlo_opcode::ragged_dot},
    real{hlo_opcode::real}, recv{hlo_opcode::recv}, recv_done{hlo_opcode::recv_done}, reduce{hlo_opcode::reduce},
    reduce_precision{hlo_opcode::reduce_precision}, reduce_scatter{hlo_opcode::reduce_scatter},
    reduce_window{hlo_opcode::reduce_window}, remainder{hlo_opcode::remainder}, replica_id{hlo_opcode::replica_id},
    reshape{hlo_opcode::reshape}, reverse{hlo_opcode::reverse}, rng{hlo_opcode::rng},
    rng_bit_generator{hlo_opcode::rng_bit_generator}, rng_get_and_update_state{hlo_opcode::rng_get_and_update_state},
    round_nearest_afz{hlo_opcode::round_nearest_afz}, round_nearest_even{hlo_opcode::round_nearest_even},
    rsqrt{hlo_opcode::rsqrt}, scaled_dot{hlo_opcode::scaled_dot}, scan{hlo_opcode::scan}, scatter{hlo_opcode::scatter},
    select{hlo_opcode::select}, select_and_scatter{hlo_opcode::select_and_scatter}, send{hlo_opcode::send},
    send_done{hlo_opcode::send_done}, set_dimension_size{hlo_opcode::set_dimension_size},
    shift_left{hlo_opcode::shift_left}, shift_right_arithmetic{hlo_opcode::shift_right_arithmetic},
    shift_right_logical{hlo_opcode::shift_right_logical}, shuffle{hlo_opcode::shuffle}, sign{hlo_opcode::sign},
    sine{hlo_opcode::sine}, sinh{hlo_opcode::sinh}, slice{hlo_opcode::slice}, sort{hlo_opcode::sort},
    sqrt{hlo_opcode::sqrt}, stochastic_convert{hlo_opcode::stochastic_convert}, subtract{hlo_opcode::subtract},
    tan{hlo_opcode::tan}, tanh{hlo_opcode::tanh}, topk{hlo_opcode::topk}, transpose{hlo_opcode::transpose},
    triangular_solve{hlo_opcode::triangular_solve}, tuple{hlo_opcode::tuple}, while_{hlo_opcode::while_},
    xor_{hlo_opcode::xor_};
/// @}

}  // namespace hlolint::match
