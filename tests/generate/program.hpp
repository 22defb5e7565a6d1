// Made-up programs of any size: an HLO module and its buffer dump, as XLA prints them.
#pragma once

#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

/// The texts of two files.
struct program_texts {
  std::string hlo;
  std::string buffers;
};

/// A scheduled program of straight-line code with as many instructions as values. Most values are read soon after they
/// are made, some much later. Sizes, operands and the packing of the temporary values are as random as `seed`; the
/// packing is legal, but wastes something. The same arguments always make the same texts.
class generated_program {
 public:
  generated_program(std::size_t instructions, std::uint64_t seed) : random_(seed) {
    values_.resize(std::max<std::size_t>(instructions, 16));
    parameters_ = std::min<std::size_t>(values_.size() / 8, 4);
    for (std::size_t i = 0; i < root(); ++i) make(i);
    for (std::size_t i = 0; i < root(); ++i) finish(i);
    values_[root()].name = "tuple." + std::to_string(root());
    values_[root()].size = 8 * static_cast<byte_count>(outputs);
    values_[root()].end = last();
    pack();
  }

  program_texts texts() const { return {hlo(), buffers()}; }

 private:
  static constexpr std::size_t outputs = 4;  // the values before the root
  static constexpr byte_count alignment = 256;

  struct value {
    std::string name, opcode;
    std::vector<std::size_t> operands, users;
    byte_count size = 0, offset = 0;
    std::size_t end = 0;  // schedule position, inclusive; the start is the value's number
    bool has_metadata = false;
  };

  std::size_t root() const { return values_.size() - 1; }
  std::size_t last() const { return values_.size(); }
  bool is_output(std::size_t i) const { return i + outputs >= root() && i != root(); }
  std::size_t pick(std::size_t below) { return static_cast<std::size_t>(random_() % below); }

  void make(std::size_t i) {
    value& v = values_[i];
    v.size = 4 * static_cast<byte_count>(std::size_t{64} + pick(std::size_t{64} << pick(12)));
    v.has_metadata = pick(4) == 0;
    if (i < parameters_) {
      v.opcode = "parameter";
    } else {
      v.operands.push_back(i - 1);
      if (pick(2) == 0) {
        v.opcode = pick(2) == 0 ? "negate" : "exponential";
        v.size = values_[i - 1].size;
      } else {
        v.opcode = "custom-call";
        for (std::size_t more = pick(3); more > 0; --more)
          v.operands.push_back(i - 1 - pick(std::min(i, pick(32) == 0 ? std::size_t{1024} : std::size_t{16})));
      }
    }
    v.name = v.opcode + "." + std::to_string(i);
    for (const std::size_t operand : v.operands) values_[operand].users.push_back(i);
  }
  void finish(std::size_t i) {
    value& v = values_[i];
    if (is_output(i)) v.users.push_back(root());
    const bool kept = i < parameters_ || is_output(i);
    v.end = kept ? last() : v.users.back();
  }

  bool is_temporary(std::size_t i) const { return i >= parameters_ && i < root() && !is_output(i); }

  // Best fit in the order of the schedule.
  void pack() {
    std::map<byte_count, byte_count> gaps;                // offset -> end
    std::set<std::pair<byte_count, byte_count>> by_size;  // size, offset
    std::vector<std::vector<std::size_t>> ending(last() + 1);
    const auto add_gap = [&](byte_count offset, byte_count end) {
      gaps[offset] = end;
      by_size.emplace(end - offset, offset);
    };
    const auto drop_gap = [&](std::map<byte_count, byte_count>::iterator gap) {
      by_size.erase({gap->second - gap->first, gap->first});
      return gaps.erase(gap);
    };
    const auto rounded = [](byte_count size) { return (size + alignment - 1) / alignment * alignment; };
    byte_count top = 0;
    for (std::size_t i = 0; i < root(); ++i) {
      if (i > 0)
        for (const std::size_t gone : ending[i - 1]) {
          byte_count offset = values_[gone].offset, end = offset + rounded(values_[gone].size);
          auto next = gaps.lower_bound(offset);
          if (next != gaps.end() && next->first == end) end = next->second, next = drop_gap(next);
          if (next != gaps.begin() && std::prev(next)->second == offset) {
            offset = std::prev(next)->first;
            drop_gap(std::prev(next));
          }
          add_gap(offset, end);
        }
      if (!is_temporary(i)) continue;
      const byte_count size = rounded(values_[i].size);
      const auto fitting = by_size.lower_bound({size, 0});
      if (fitting == by_size.end()) {
        values_[i].offset = top;
        top += size;
      } else {
        values_[i].offset = fitting->second;
        const byte_count end = fitting->second + fitting->first;
        drop_gap(gaps.find(fitting->second));
        if (values_[i].offset + size < end) add_gap(values_[i].offset + size, end);
      }
      ending[values_[i].end].push_back(i);
    }
  }

  std::string shape(std::size_t i, bool layout = true) const {
    if (i == root()) {
      std::string out = "(";
      for (std::size_t k = root() - outputs; k < root(); ++k) out += (out.size() > 1 ? ", " : "") + shape(k, layout);
      return out + ")";
    }
    return "f32[" + std::to_string(values_[i].size / 4) + "]" + (layout ? "{0}" : "");
  }

  void append_instruction(std::string& out, std::size_t i) const {
    const value& v = values_[i];
    out += "%" + v.name + " = " + shape(i) + " ";
    if (i == root()) {
      out += "tuple(";
      for (std::size_t k = root() - outputs; k < root(); ++k)
        out += (k + outputs > root() ? ", %" : "%") + values_[k].name;
      out += ")";
      return;
    }
    out += v.opcode + "(";
    if (v.operands.empty()) out += std::to_string(i);
    for (std::size_t k = 0; k < v.operands.size(); ++k) out += (k ? ", %" : "%") + values_[v.operands[k]].name;
    out += ")";
    if (v.opcode == "custom-call") out += ", custom_call_target=\"work\"";
    if (v.has_metadata)
      out += ", metadata={op_name=\"jit(step)/block_" + std::to_string(i / 64) + "/" + v.opcode +
             "\" source_file=\"model.py\" source_line=" + std::to_string(i % 97 + 1) + "}";
  }

  std::string hlo() const {
    std::string out = "HloModule jit_generated, is_scheduled=true, entry_computation_layout={(", types, named;
    for (std::size_t p = 0; p < parameters_; ++p) {
      types += (p ? ", " : "") + shape(p);
      named += (p ? ", " : "") + values_[p].name + ": " + shape(p, false);
    }
    out += types + ")->" + shape(root()) + "}\n\nENTRY %main (" + named + ") -> " + shape(root(), false) + " {\n";
    for (std::size_t i = 0; i <= root(); ++i) {
      out += i == root() ? "  ROOT " : "  ";
      append_instruction(out, i);
      out += '\n';
    }
    return out + "}\n";
  }

  static std::string number(byte_count n) { return std::to_string(n); }
  std::string id(std::size_t i) const {
    return "<" + std::to_string(i) + " " + values_[i].name + (i == root() ? "{}" : "") + " @0>";
  }

  void append_allocation(std::string& out, byte_count& total, std::size_t number_of, byte_count size,
                         const std::string& flags, const std::vector<std::size_t>& held) const {
    out += "allocation " + std::to_string(number_of) + ": size " + number(size) + flags + ":\n";
    for (const std::size_t i : held)
      out += " value: " + id(i) + " (size=" + number(values_[i].size) + ",offset=" + number(values_[i].offset) +
             "): " + shape(i) + "\n";
    total += size;
  }

  std::string buffers() const {
    std::string out = "BufferAssignment:\n";
    byte_count total = 0, temporary = 0;
    std::size_t count = 0;
    std::vector<std::size_t> held;
    for (std::size_t i = 0; i <= root(); ++i) {
      const std::string parameter =
          ", parameter " + std::to_string(i) + ", shape |" + shape(i, false) + "| at ShapeIndex {}";
      if (is_temporary(i)) {
        held.push_back(i);
        temporary = std::max(temporary, values_[i].offset + values_[i].size);
      } else {
        append_allocation(out, total, count++, values_[i].size,
                          i < parameters_
                              ? parameter
                              : (i == root() ? ", output shape is |" + shape(i, false) + "|" : "") + ", maybe-live-out",
                          {i});
      }
    }
    append_allocation(out, total, count, temporary, ", preallocated-temp", held);
    out += "\nTotal bytes used: " + number(total) + " (" + human(total) + ")\n\nUsed values:\n";
    for (std::size_t i = 0; i <= root(); ++i) {
      out += id(i) + "\n positions:\n  " + values_[i].name + (i == root() ? " {}\n" : "\n");
      if (is_output(i)) out += "  " + values_[root()].name + " {" + std::to_string(i + outputs - root()) + "}\n";
      out += " uses:\n";
      append_uses(out, i);
      out += " from instruction: ";
      append_instruction(out, i);
      out += '\n';
    }
    append_live_ranges(out);
    return out;
  }

  void append_uses(std::string& out, std::size_t i) const {
    std::size_t before = last();
    for (const std::size_t user : values_[i].users) {
      if (user == before) continue;  // an instruction that reads the value twice is a user once more
      before = user;
      const auto read = [&](std::size_t operand) {
        out += "  " + values_[user].name + ", operand " + std::to_string(operand) + "\n";
      };
      if (user == root()) read(i + outputs - root());
      for (std::size_t k = 0; k < values_[user].operands.size(); ++k)
        if (values_[user].operands[k] == i) read(k);
    }
  }

  void append_live_ranges(std::string& out) const {
    out += "\n\nHloLiveRange (max " + std::to_string(last()) + "):\n  InstructionSequence:\n";
    for (std::size_t i = 0; i <= root(); ++i) out += "    " + std::to_string(i) + ":" + values_[i].name + "\n";
    out += "  BufferLiveRange:\n";
    std::vector<byte_count> starting(last() + 2), ended(last() + 2);
    for (std::size_t i = 0; i <= root(); ++i) {
      out +=
          "    " + values_[i].name + "{}:" + std::to_string(start_of(i)) + "-" + std::to_string(values_[i].end) + "\n";
      starting[start_of(i)] += values_[i].size;
      ended[values_[i].end + 1] += values_[i].size;
    }
    byte_count live = 0, most = 0;
    std::size_t peak = 0;
    for (std::size_t t = 0; t <= last() + 1; ++t) {  // XLA counts what starts before it lets go what has ended
      live += starting[t];
      if (live > most) most = live, peak = t;
      live -= ended[t];
    }
    out += "  Live ranges at " + std::to_string(peak) + " (peak):\n";
    std::vector<std::size_t> at_peak;
    for (std::size_t i = 0; i <= root(); ++i)
      if (start_of(i) <= peak && peak <= values_[i].end) at_peak.push_back(i);
    std::sort(at_peak.begin(), at_peak.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(-values_[a].size, values_[a].name) < std::pair(-values_[b].size, values_[b].name);
    });
    byte_count cumulative = 0;
    for (const std::size_t i : at_peak) {
      cumulative += values_[i].size;
      out += "    " + values_[i].name + "{}: " + number(values_[i].size) + " bytes (cumulative: " + number(cumulative) +
             " bytes)\n";
    }
  }
  std::size_t start_of(std::size_t i) const { return i < parameters_ ? 0 : i; }

  std::mt19937_64 random_;
  std::vector<value> values_;
  std::size_t parameters_ = 0;
};

}  // namespace hlolint::testing
