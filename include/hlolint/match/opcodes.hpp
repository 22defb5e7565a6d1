// Patterns on opcodes: one for each opcode, which can be called with patterns for operands, and classes of opcodes.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/elementwise.hpp>
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
template <hlo_opcode Op>
struct of_opcode : pattern_base, takes_operands<of_opcode<Op>> {
  static constexpr knowledge needs = knowledge::module;  ///< the HLO alone
  /// See `pattern_base`.
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return state.step() && state.opcode_of(i) == Op && next();
  }
};

/// An instruction with operands, whose opcode is in a class.
template <auto IsOne>
struct of_class : tested<of_class<IsOne>>, takes_operands<of_class<IsOne>> {
  static constexpr knowledge needs = knowledge::module;  ///< the HLO alone
  /// Whether the opcode is in the class, and there are operands.
  template <class Facts>
  bool test(hlo_instruction i, const Facts&) const {
    return i.operand_count() > 0 && IsOne(i.opcode());
  }
};
/// Elementwise operations.
inline constexpr of_class<&is_elementwise> elementwise{};

/// A collective in any form: one instruction, a start opcode, or an async-start around one. The wrapped instruction
/// itself does not count.
struct any_collective : tested<any_collective>, takes_operands<any_collective> {
  static constexpr knowledge needs = knowledge::module;  ///< the HLO alone
  /// Whether the instruction is a collective.
  template <class Facts>
  bool test(hlo_instruction i, const Facts& facts) const {
    return collective_of(i) && facts.template get<call_graph>().execution_of(i.computation()) != execution::async;
  }
};
/// A collective in any form.
inline constexpr any_collective collective{};

/// A custom call whose target matches a glob.
struct custom_call_to : tested<custom_call_to> {
  static constexpr knowledge needs = knowledge::module;  ///< the HLO alone
  std::string_view target;                               ///< `*` and `?` are allowed
  constexpr explicit custom_call_to(std::string_view t) : target(t) {}
  /// Whether the instruction calls the target.
  template <class Facts>
  bool test(hlo_instruction i, const Facts&) const {
    const auto to = i.opcode() == hlo_opcode::custom_call ? get<custom_call_target>(i) : std::nullopt;
    return to && matches_glob(target, to->name);
  }
};
/// `custom_call("__cublas$*")`, or `custom_call` with operands as for other opcodes.
struct custom_call_pattern : of_opcode<hlo_opcode::custom_call> {
  using of_opcode<hlo_opcode::custom_call>::operator();
  constexpr custom_call_to operator()(const char* target) const { return custom_call_to(target); }
};
/// A custom call.
inline constexpr custom_call_pattern custom_call{};

/// The opcodes of HLO. @{
inline constexpr of_opcode<hlo_opcode::abs> abs{};
inline constexpr of_opcode<hlo_opcode::acos> acos{};
inline constexpr of_opcode<hlo_opcode::acosh> acosh{};
inline constexpr of_opcode<hlo_opcode::add> add{};
inline constexpr of_opcode<hlo_opcode::add_dependency> add_dependency{};
inline constexpr of_opcode<hlo_opcode::after_all> after_all{};
inline constexpr of_opcode<hlo_opcode::all_gather> all_gather{};
inline constexpr of_opcode<hlo_opcode::all_gather_done> all_gather_done{};
inline constexpr of_opcode<hlo_opcode::all_gather_start> all_gather_start{};
inline constexpr of_opcode<hlo_opcode::all_reduce> all_reduce{};
inline constexpr of_opcode<hlo_opcode::all_reduce_done> all_reduce_done{};
inline constexpr of_opcode<hlo_opcode::all_reduce_start> all_reduce_start{};
inline constexpr of_opcode<hlo_opcode::all_to_all> all_to_all{};
inline constexpr of_opcode<hlo_opcode::and_> and_{};
inline constexpr of_opcode<hlo_opcode::asin> asin{};
inline constexpr of_opcode<hlo_opcode::asinh> asinh{};
inline constexpr of_opcode<hlo_opcode::async_done> async_done{};
inline constexpr of_opcode<hlo_opcode::async_start> async_start{};
inline constexpr of_opcode<hlo_opcode::async_update> async_update{};
inline constexpr of_opcode<hlo_opcode::atan2> atan2{};
inline constexpr of_opcode<hlo_opcode::atanh> atanh{};
inline constexpr of_opcode<hlo_opcode::batch_norm_grad> batch_norm_grad{};
inline constexpr of_opcode<hlo_opcode::batch_norm_inference> batch_norm_inference{};
inline constexpr of_opcode<hlo_opcode::batch_norm_training> batch_norm_training{};
inline constexpr of_opcode<hlo_opcode::bitcast> bitcast{};
inline constexpr of_opcode<hlo_opcode::bitcast_convert> bitcast_convert{};
inline constexpr of_opcode<hlo_opcode::broadcast> broadcast{};
inline constexpr of_opcode<hlo_opcode::call> call{};
inline constexpr of_opcode<hlo_opcode::cbrt> cbrt{};
inline constexpr of_opcode<hlo_opcode::ceil> ceil{};
inline constexpr of_opcode<hlo_opcode::cholesky> cholesky{};
inline constexpr of_opcode<hlo_opcode::clamp> clamp{};
inline constexpr of_opcode<hlo_opcode::collective_broadcast> collective_broadcast{};
inline constexpr of_opcode<hlo_opcode::collective_permute> collective_permute{};
inline constexpr of_opcode<hlo_opcode::collective_permute_done> collective_permute_done{};
inline constexpr of_opcode<hlo_opcode::collective_permute_start> collective_permute_start{};
inline constexpr of_opcode<hlo_opcode::compare> compare{};
inline constexpr of_opcode<hlo_opcode::complex> complex{};
inline constexpr of_opcode<hlo_opcode::concatenate> concatenate{};
inline constexpr of_opcode<hlo_opcode::conditional> conditional{};
inline constexpr of_opcode<hlo_opcode::constant> constant{};
inline constexpr of_opcode<hlo_opcode::convert> convert{};
inline constexpr of_opcode<hlo_opcode::convolution> convolution{};
inline constexpr of_opcode<hlo_opcode::copy> copy{};
inline constexpr of_opcode<hlo_opcode::copy_done> copy_done{};
inline constexpr of_opcode<hlo_opcode::copy_start> copy_start{};
inline constexpr of_opcode<hlo_opcode::cosh> cosh{};
inline constexpr of_opcode<hlo_opcode::cosine> cosine{};
inline constexpr of_opcode<hlo_opcode::count_leading_zeros> count_leading_zeros{};
inline constexpr of_opcode<hlo_opcode::divide> divide{};
inline constexpr of_opcode<hlo_opcode::domain> domain{};
inline constexpr of_opcode<hlo_opcode::dot> dot{};
inline constexpr of_opcode<hlo_opcode::dynamic_reshape> dynamic_reshape{};
inline constexpr of_opcode<hlo_opcode::dynamic_slice> dynamic_slice{};
inline constexpr of_opcode<hlo_opcode::dynamic_update_slice> dynamic_update_slice{};
inline constexpr of_opcode<hlo_opcode::erf> erf{};
inline constexpr of_opcode<hlo_opcode::exponential> exponential{};
inline constexpr of_opcode<hlo_opcode::exponential_minus_one> exponential_minus_one{};
inline constexpr of_opcode<hlo_opcode::fft> fft{};
inline constexpr of_opcode<hlo_opcode::floor> floor{};
inline constexpr of_opcode<hlo_opcode::fusion> fusion{};
inline constexpr of_opcode<hlo_opcode::gather> gather{};
inline constexpr of_opcode<hlo_opcode::get_dimension_size> get_dimension_size{};
inline constexpr of_opcode<hlo_opcode::get_tuple_element> get_tuple_element{};
inline constexpr of_opcode<hlo_opcode::imag> imag{};
inline constexpr of_opcode<hlo_opcode::infeed> infeed{};
inline constexpr of_opcode<hlo_opcode::iota> iota{};
inline constexpr of_opcode<hlo_opcode::is_finite> is_finite{};
inline constexpr of_opcode<hlo_opcode::log> log{};
inline constexpr of_opcode<hlo_opcode::log_plus_one> log_plus_one{};
inline constexpr of_opcode<hlo_opcode::logistic> logistic{};
inline constexpr of_opcode<hlo_opcode::map> map{};
inline constexpr of_opcode<hlo_opcode::maximum> maximum{};
inline constexpr of_opcode<hlo_opcode::minimum> minimum{};
inline constexpr of_opcode<hlo_opcode::mulhi> mulhi{};
inline constexpr of_opcode<hlo_opcode::multiply> multiply{};
inline constexpr of_opcode<hlo_opcode::negate> negate{};
inline constexpr of_opcode<hlo_opcode::not_> not_{};
inline constexpr of_opcode<hlo_opcode::opt_barrier> opt_barrier{};
inline constexpr of_opcode<hlo_opcode::or_> or_{};
inline constexpr of_opcode<hlo_opcode::outfeed> outfeed{};
inline constexpr of_opcode<hlo_opcode::pad> pad{};
inline constexpr of_opcode<hlo_opcode::parameter> parameter{};
inline constexpr of_opcode<hlo_opcode::partition_id> partition_id{};
inline constexpr of_opcode<hlo_opcode::popcnt> popcnt{};
inline constexpr of_opcode<hlo_opcode::power> power{};
inline constexpr of_opcode<hlo_opcode::ragged_all_to_all> ragged_all_to_all{};
inline constexpr of_opcode<hlo_opcode::ragged_dot> ragged_dot{};
inline constexpr of_opcode<hlo_opcode::real> real{};
inline constexpr of_opcode<hlo_opcode::recv> recv{};
inline constexpr of_opcode<hlo_opcode::recv_done> recv_done{};
inline constexpr of_opcode<hlo_opcode::reduce> reduce{};
inline constexpr of_opcode<hlo_opcode::reduce_precision> reduce_precision{};
inline constexpr of_opcode<hlo_opcode::reduce_scatter> reduce_scatter{};
inline constexpr of_opcode<hlo_opcode::reduce_window> reduce_window{};
inline constexpr of_opcode<hlo_opcode::remainder> remainder{};
inline constexpr of_opcode<hlo_opcode::replica_id> replica_id{};
inline constexpr of_opcode<hlo_opcode::reshape> reshape{};
inline constexpr of_opcode<hlo_opcode::reverse> reverse{};
inline constexpr of_opcode<hlo_opcode::rng> rng{};
inline constexpr of_opcode<hlo_opcode::rng_bit_generator> rng_bit_generator{};
inline constexpr of_opcode<hlo_opcode::rng_get_and_update_state> rng_get_and_update_state{};
inline constexpr of_opcode<hlo_opcode::round_nearest_afz> round_nearest_afz{};
inline constexpr of_opcode<hlo_opcode::round_nearest_even> round_nearest_even{};
inline constexpr of_opcode<hlo_opcode::rsqrt> rsqrt{};
inline constexpr of_opcode<hlo_opcode::scaled_dot> scaled_dot{};
inline constexpr of_opcode<hlo_opcode::scan> scan{};
inline constexpr of_opcode<hlo_opcode::scatter> scatter{};
inline constexpr of_opcode<hlo_opcode::select> select{};
inline constexpr of_opcode<hlo_opcode::select_and_scatter> select_and_scatter{};
inline constexpr of_opcode<hlo_opcode::send> send{};
inline constexpr of_opcode<hlo_opcode::send_done> send_done{};
inline constexpr of_opcode<hlo_opcode::set_dimension_size> set_dimension_size{};
inline constexpr of_opcode<hlo_opcode::shift_left> shift_left{};
inline constexpr of_opcode<hlo_opcode::shift_right_arithmetic> shift_right_arithmetic{};
inline constexpr of_opcode<hlo_opcode::shift_right_logical> shift_right_logical{};
inline constexpr of_opcode<hlo_opcode::sign> sign{};
inline constexpr of_opcode<hlo_opcode::sine> sine{};
inline constexpr of_opcode<hlo_opcode::sinh> sinh{};
inline constexpr of_opcode<hlo_opcode::slice> slice{};
inline constexpr of_opcode<hlo_opcode::sort> sort{};
inline constexpr of_opcode<hlo_opcode::sqrt> sqrt{};
inline constexpr of_opcode<hlo_opcode::stochastic_convert> stochastic_convert{};
inline constexpr of_opcode<hlo_opcode::subtract> subtract{};
inline constexpr of_opcode<hlo_opcode::tan> tan{};
inline constexpr of_opcode<hlo_opcode::tanh> tanh{};
inline constexpr of_opcode<hlo_opcode::topk> topk{};
inline constexpr of_opcode<hlo_opcode::transpose> transpose{};
inline constexpr of_opcode<hlo_opcode::triangular_solve> triangular_solve{};
inline constexpr of_opcode<hlo_opcode::tuple> tuple{};
inline constexpr of_opcode<hlo_opcode::while_> while_{};
inline constexpr of_opcode<hlo_opcode::xor_> xor_{};
/// @}

}  // namespace hlolint::match
