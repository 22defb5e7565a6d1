#include "words.hpp"

#include "facts.hpp"

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/report/show/sharding_words.hpp>

#include <iterator>

namespace hlolint::command::server::lsp {

namespace {

// By enumerators, as the names of the opcodes.
constexpr std::string_view opcode_sentences[] = {
    "The absolute value of each element.",
    "The arc cosine of each element.",
    "The inverse hyperbolic cosine of each element.",
    "The sum of two arrays, element by element.",
    "The first operand, only to be used once the second is computed.",
    "A token that is there once all operands are.",
    "Every device of a group gets the parts of all of them, joined along a dimension.",
    "Waits for an all-gather that was started before.",
    "Starts an all-gather; other work can run until its done.",
    "Every device of a group gets the arrays of all of them, reduced element by element.",
    "Waits for an all-reduce that was started before.",
    "Starts an all-reduce; other work can run until its done.",
    "Every device of a group sends a part of its array to every other one.",
    "The logical or bitwise and of two arrays.",
    "The arc sine of each element.",
    "The inverse hyperbolic sine of each element.",
    "Waits for the end of an asynchronous computation, and is its result.",
    "Starts a computation that runs beside what follows.",
    "A point between the start of an asynchronous computation and its done.",
    "The angle of the point (x, y), for elements y of the first operand and x of the second.",
    "The inverse hyperbolic tangent of each element.",
    "The gradients of a batch normalization.",
    "A batch normalization with given means and variances.",
    "A batch normalization with the batch's own means and variances.",
    "The same bytes with another shape or layout; takes no time.",
    "The same bits as elements of another type.",
    "Repeats an array along new dimensions.",
    "Runs a computation with the operands.",
    "The cube root of each element.",
    "Each element, rounded up.",
    "The Cholesky decomposition of each matrix of a batch.",
    "Each element, limited to a range.",
    "One device of a group sends its array to all others.",
    "Devices send arrays to each other in pairs of source and target.",
    "Waits for a collective-permute that was started before.",
    "Starts a collective-permute; other work can run until its done.",
    "Reduces the arrays of a group of devices into that of one of them.",
    "Compares two arrays, element by element.",
    "Complex numbers of real and imaginary parts.",
    "Joins arrays along a dimension.",
    "Runs the one of several computations that a predicate or an index chooses.",
    "An array that the program holds.",
    "The elements as another type.",
    "Slides a kernel over an array and sums products: a convolution.",
    "A copy in other memory, perhaps with another layout.",
    "Waits for a copy that was started before.",
    "Starts a copy; other work can run until its done.",
    "The hyperbolic cosine of each element.",
    "The cosine of each element.",
    "The number of zero bits before the first one of each element.",
    "Calls code that is not HLO: a library or a kernel.",
    "The quotient of two arrays, element by element.",
    "Marks where a property of the program, such as a sharding, changes.",
    "Sums products along dimensions of two arrays: a matrix product.",
    "A reshape to sizes that are only known when the program runs.",
    "A part of an array, at a place that is computed.",
    "An array of which a part, at a place that is computed, is replaced.",
    "The error function of each element.",
    "2 to the power of each element.",
    "e to the power of each element.",
    "e to the power of each element, minus one.",
    "A Fourier transform.",
    "Each element, rounded down.",
    "Several operations that run as one kernel, without memory between them.",
    "Slices of an array at places that another array lists.",
    "The size of a dimension when the program runs.",
    "One element of a tuple; takes no time.",
    "The imaginary parts of complex numbers.",
    "Takes an array that the host has sent.",
    "Numbers from 0 up along a dimension.",
    "Whether each element is finite.",
    "The natural logarithm of each element.",
    "The natural logarithm of 1 plus each element.",
    "The logarithm of each element to base 2.",
    "The logistic function of each element.",
    "Applies a computation to each element.",
    "The greater of two elements each.",
    "The smaller of two elements each.",
    "The high half of the product of two integers each.",
    "The product of two arrays, element by element.",
    "Each element with the other sign.",
    "The logical or bitwise not of each element.",
    "Its operands; the compiler moves nothing across it.",
    "The logical or bitwise or of two arrays.",
    "Sends an array to the host.",
    "An array with more elements at its edges or between its elements.",
    "An argument of the computation.",
    "The number of this device among the partitions.",
    "The number of one bits of each element.",
    "The first operand's elements to the power of the second's.",
    "Devices exchange parts whose sizes are computed.",
    "Matrix products of groups of rows whose sizes are computed.",
    "The real parts of complex numbers.",
    "Begins to receive an array from another device or the host.",
    "Waits for what recv receives, and is it.",
    "Combines the elements along some dimensions into one.",
    "Rounds each element as a type with fewer bits would.",
    "As all-reduce, but each device of a group keeps only its part of the result.",
    "Combines the elements of each window of an array.",
    "The remainder of a division, element by element.",
    "The number of this device among the replicas.",
    "The same elements in order, with other dimensions.",
    "The elements in the opposite order along some dimensions.",
    "Random numbers of a distribution.",
    "Random bits, and the next state of their generator.",
    "The state of a random number generator, which goes on by a step.",
    "Each element, rounded; halves away from zero.",
    "Each element, rounded; halves to even.",
    "One over the square root of each element.",
    "A matrix product of blocks that have scales of their own.",
    "Applies a computation along a dimension and keeps what is carried on.",
    "Combines values into an array at places that another array lists.",
    "Elements of one of two arrays, as a third one selects.",
    "Adds values where a window operation selected elements.",
    "Begins to send an array to another device or the host.",
    "Waits for a send that was begun before.",
    "Sets the size that a dimension has when the program runs.",
    "The bits of each element, moved left.",
    "The bits of each element, moved right; the sign stays.",
    "The bits of each element, moved right; zeros come in.",
    "The elements along dimensions, moved by a number of places.",
    "-1, 0 or 1 by the sign of each element.",
    "The sine of each element.",
    "The hyperbolic sine of each element.",
    "A part of an array, at a place that is known.",
    "Sorts along a dimension.",
    "The square root of each element.",
    "The elements as another type, rounded at random.",
    "The difference of two arrays, element by element.",
    "The tangent of each element.",
    "The hyperbolic tangent of each element.",
    "The k greatest or smallest elements of each row.",
    "The dimensions in another order.",
    "Solves systems of equations with triangular matrices.",
    "Several values as one.",
    "Runs its body again and again while its condition is true.",
    "The logical or bitwise exclusive or of two arrays.",
    ""};
static_assert(std::size(opcode_sentences) == hlo_opcode_names.size());

struct key_sentence {
  attribute_key key;
  std::string_view sentence;
};
constexpr key_sentence key_sentences[] = {
    {attribute_key::algorithm, "How products are computed, or which generator makes random bits."},
    {attribute_key::async_execution_thread, "The thread on which the asynchronous computation runs."},
    {attribute_key::backend_config, "What the compiler's backend has decided about this instruction."},
    {attribute_key::block_scaling_config, "Which operands scale blocks of the operands that are multiplied."},
    {attribute_key::body, "The computation of one iteration."},
    {attribute_key::branch_computations, "The computations of which one runs."},
    {attribute_key::buffer_donor, "Parameters whose memory the program may use for anything."},
    {attribute_key::called_computations, "The computations that it calls."},
    {attribute_key::calls, "The computation that is fused or called."},
    {attribute_key::channel_id, "Transfers of one number belong together on all devices."},
    {attribute_key::condition, "The computation that tells whether there is another iteration."},
    {attribute_key::control_predecessors,
     "Instructions that must have run before, although their results are not used."},
    {attribute_key::custom_call_has_side_effect, "Whether the call does more than compute its result."},
    {attribute_key::custom_call_target, "The code that is called."},
    {attribute_key::dim_labels, "Which dimensions are batch, feature and space."},
    {attribute_key::dimensions, "The dimensions that the operation is about."},
    {attribute_key::direction, "The comparison."},
    {attribute_key::dynamic_slice_sizes, "The size of the part."},
    {attribute_key::entry_computation_layout, "The shapes and layouts of the program's arguments and results."},
    {attribute_key::feature_group_count, "The number of groups that features are convolved in."},
    {attribute_key::frontend_attributes, "What the framework notes about the instruction."},
    {attribute_key::index, "The position of the element."},
    {attribute_key::input_output_alias, "Results that take the memory of donated arguments."},
    {attribute_key::iota_dimension, "The dimension along which the numbers grow."},
    {attribute_key::is_scheduled, "Whether the order of the text is the order of execution."},
    {attribute_key::is_host_transfer, "Whether the other side is the host."},
    {attribute_key::k, "The number of elements to keep."},
    {attribute_key::kind, "The kind of the fusion: kLoop, kInput, kOutput or kCustom."},
    {attribute_key::lhs_batch_dims, "Dimensions of the first operand that are batches."},
    {attribute_key::lhs_contracting_dims, "Dimensions of the first operand along which products are summed."},
    {attribute_key::metadata, "The operation and the line of the program that it comes from."},
    {attribute_key::num_partitions, "The number of devices over which one program is spread."},
    {attribute_key::operand_precision, "How precisely products are computed."},
    {attribute_key::order, "Whether NaN and the signs of zero have a place in the order: TOTAL or PARTIAL."},
    {attribute_key::output_to_operand_aliasing, "Results that take the memory of operands."},
    {attribute_key::padding, "Elements added at the low end, at the high end and between elements, by dimension."},
    {attribute_key::replica_count, "The number of copies of the program that work on different data."},
    {attribute_key::replica_groups, "The groups of devices that exchange data with each other."},
    {attribute_key::rhs_batch_dims, "Dimensions of the second operand that are batches."},
    {attribute_key::rhs_contracting_dims, "Dimensions of the second operand along which products are summed."},
    {attribute_key::sharding, "How the array is spread over devices."},
    {attribute_key::slice, "The part of each dimension: [begin:end:step]."},
    {attribute_key::slice_sizes, "The size of each slice."},
    {attribute_key::source_target_pairs, "Which device sends to which."},
    {attribute_key::to_apply, "The computation that combines elements."},
    {attribute_key::use_global_device_ids, "Whether groups count devices of all replicas and partitions."},
    {attribute_key::window, "The sizes, steps, padding and dilation of windows, by dimension."}};

constexpr value_word value_word_table[] = {
    {attribute_key::kind, "kLoop", "One loop computes each element of the result by itself."},
    {attribute_key::kind, "kInput", "What an operation reads, such as a reduction, is fused into it."},
    {attribute_key::kind, "kOutput", "What follows an operation, such as a matrix product, is fused into it."},
    {attribute_key::kind, "kCustom", "The backend has code of its own for the fusion."},
    {attribute_key::direction, "EQ", "Equal."},
    {attribute_key::direction, "NE", "Not equal."},
    {attribute_key::direction, "GE", "Greater or equal."},
    {attribute_key::direction, "GT", "Greater."},
    {attribute_key::direction, "LE", "Less or equal."},
    {attribute_key::direction, "LT", "Less."}};

void add_line(std::string& out, std::string_view line) { out.append(out.empty() ? "" : "\n").append(line); }

}  // namespace

std::string_view sentence_of(hlo_opcode opcode) { return opcode_sentences[static_cast<std::size_t>(opcode)]; }

std::string_view sentence_of(attribute_key key) {
  for (const key_sentence& each : key_sentences)
    if (each.key == key) return each.sentence;
  return {};
}

std::vector<value_word> words_of(attribute_key key) {
  std::vector<value_word> out;
  for (const value_word& each : value_word_table)
    if (each.key == key) out.push_back(each);
  return out;
}

std::string value_words(hlo_instruction i, attribute_key key, const hlo_module& module) {
  for (const value_word& each : words_of(key))
    if (i.attribute(key) == each.word) return std::string(each.word) + ": " + std::string(each.sentence);
  if (key == attribute_key::sharding) {
    const auto spread = get<sharding>(i);
    return spread ? report::sharding_words(*spread) : std::string{};
  }
  if (key == attribute_key::replica_groups) {
    const auto groups = find_device_groups(i, module);
    if (!groups || groups->devices.empty()) return {};
    std::string out = std::to_string(groups->devices.size()) +
                      (groups->devices.size() == 1 ? " group of " : " groups of ") + std::to_string(groups->largest()) +
                      " devices; the first one:";
    constexpr std::size_t most = 16;
    const std::vector<std::int64_t>& first = groups->devices.front();
    for (std::size_t d = 0; d < first.size() && d < most; ++d) out += (d ? ", " : " ") + std::to_string(first[d]);
    return out + (first.size() > most ? ", ..." : "");
  }
  if (key == attribute_key::source_target_pairs) {
    const auto pairs = get<source_target_pairs>(i);
    return pairs ? std::to_string(pairs->pairs.size()) + " pairs: " + pairs_text(pairs->pairs) : std::string{};
  }
  return {};
}

std::string shape_words(const shape& of, target on) {
  std::string out;
  if (of.is_tuple()) {
    const auto sum = bytes_of(of, on);
    return "a tuple of " + std::to_string(of.elements.size()) + " elements" +
           (sum ? ", " + human(*sum) + " together" : std::string{});
  }
  if (!of.is_array()) return out;
  if (const auto cost = explain_padding(of)) {
    add_line(out, human(cost->padded) + (cost->waste() > 0
                                             ? ", " + human(cost->waste()) + " of it padding: " + to_string(*cost)
                                             : std::string(", no padding")));
  }
  if (!of.layout) return out;
  if (of.rank() > 1 && of.layout->minor_to_major.size() == of.rank()) {
    std::string order;
    for (std::size_t d = 0; d < of.rank(); ++d)
      order += (d ? ", " : "") + std::to_string(of.layout->minor_to_major[of.rank() - 1 - d]);
    add_line(out, "dimensions from major to minor: " + order);
  }
  for (const tile& t : of.layout->tiles) {
    std::string sizes;
    for (const std::int64_t size : t.dimensions)
      sizes += (sizes.empty() ? "" : " x ") + (size == tile::combined ? std::string("*") : std::to_string(size));
    add_line(out, "stored in tiles of " + sizes);
  }
  if (of.layout->element_size_in_bits > 0)
    add_line(out, std::to_string(of.layout->element_size_in_bits) + " bits for each element");
  if (of.memory_space() != 0)
    add_line(out,
             "in memory space " + std::to_string(of.memory_space()) + ": " + memory_space_name(on, of.memory_space()));
  return out;
}

}  // namespace hlolint::command::server::lsp
