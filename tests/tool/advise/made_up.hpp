// Generated programs with all that restricts moves: writers in place, loops, effects, values without users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace hlolint::testing {

/// A scheduled program of about `instructions` instructions. With `equal` all arrays have one size, so that only the
/// numbers of values decide between them. Equal arguments make equal texts.
class made_up_program {
 public:
  made_up_program(std::size_t instructions, std::uint64_t seed, bool equal) : random_(seed), equal_(equal) {
    for (int p = 0; p < 3; ++p) add_line(array(), "parameter(" + std::to_string(p) + ")", true);
    while (next_ < instructions) add();
  }
  /// The module's text.
  std::string text() const {
    std::string shapes, operands, arguments;
    const std::size_t first = kept_.size() > 3 ? kept_.size() - 3 : 0;
    for (std::size_t k = first; k < kept_.size(); ++k) {
      const std::string comma = k == first ? "" : ", ";
      shapes += comma + kept_[k].shape, operands += comma + kept_[k].name;
    }
    return "HloModule made_up, is_scheduled=true\n\n" + bodies_ + "ENTRY %main {\n  %i = s32[] parameter(3)\n" +
           "  %one = f32[1]{0} parameter(4)\n" + lines_ + "  ROOT %root = (" + shapes + ") tuple(" + operands +
           ")\n}\n";
  }

 private:
  struct value {
    std::string name, shape;
    bool is_parameter = false;
  };

  std::size_t pick(std::size_t below) { return static_cast<std::size_t>(random_() % below); }
  std::string array() { return "f32[" + std::to_string(equal_ ? 256 : 64 << pick(6)) + "]{0}"; }
  const value& any() { return kept_[kept_.size() - 1 - pick(kept_.size() < 8 ? kept_.size() : 8)]; }
  std::string add_line(const std::string& shape, const std::string& made, bool parameter = false) {
    const std::string name = "%v" + std::to_string(next_++);
    lines_ += "  " + name + " = " + shape + " " + made + "\n";
    if (shape[0] == 'f') kept_.push_back({name, shape, parameter});
    return name;
  }
  // Removes and returns an array that is no parameter: an instruction overwrites it, so it gets no further users.
  value take() {
    for (int tries = 0; tries < 8; ++tries) {
      const std::size_t k = pick(kept_.size());
      if (kept_[k].is_parameter) continue;
      const value out = kept_[k];
      kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(k));
      return out;
    }
    const value from = any();
    const std::string name = add_line(from.shape, "copy(" + from.name + ")");
    kept_.pop_back();
    return {name, from.shape, false};
  }
  void add() {
    switch (pick(8)) {
      case 0: add_line(array(), "custom-call(" + any().name + "), custom_call_target=\"effect\""); break;
      case 1: {
        const value from = take();
        add_line(from.shape, "dynamic-update-slice(" + from.name + ", %one, %i)");
        break;
      }
      case 2: add_loop(take()); break;
      case 3:
      case 4: {
        const value from = any();
        add_line(from.shape, "negate(" + from.name + ")");
        break;
      }
      default: {
        const std::string first = any().name, second = any().name;
        add_line(array(), "custom-call(" + first + ", " + second + "), custom_call_target=\"__cublas$gemm\"");
      }
    }
  }
  void add_loop(const value& over) {
    const std::string n = std::to_string(next_), shape = "(s32[], " + over.shape + ")";
    bodies_ += "%body" + n + " {\n  %state" + n + " = " + shape + " parameter(0)\n  %count" + n +
               " = s32[] get-tuple-element(%state" + n + "), index=0\n  %held" + n + " = " + over.shape +
               " get-tuple-element(%state" + n + "), index=1\n  %step" + n + " = s32[] constant(1)\n  %next" + n +
               " = s32[] add(%count" + n + ", %step" + n + ")\n  %first" + n + " = " + over.shape + " cosine(%held" +
               n + ")\n  %second" + n + " = " + over.shape + " sine(%first" + n + ")\n  %sum" + n + " = " + over.shape +
               " add(%first" + n + ", %second" + n + ")\n  ROOT %result" + n + " = " + shape + " tuple(%next" + n +
               ", %sum" + n + ")\n}\n\n" + "%until" + n + " {\n  %limit" + n + " = " + shape + " parameter(0)\n  %now" +
               n + " = s32[] get-tuple-element(%limit" + n + "), index=0\n  %most" + n +
               " = s32[] constant(4)\n  ROOT %less" + n + " = pred[] compare(%now" + n + ", %most" + n +
               "), direction=LT\n}\n\n";
    const std::string counter = add_line("s32[]", "copy(%i)");
    const std::string start = add_line(shape, "tuple(" + counter + ", " + over.name + ")");
    const std::string loop = add_line(shape, "while(" + start + "), condition=%until" + n + ", body=%body" + n);
    add_line(over.shape, "get-tuple-element(" + loop + "), index=1");
  }

  std::mt19937_64 random_;
  bool equal_;
  std::size_t next_ = 0;
  std::vector<value> kept_;
  std::string lines_, bodies_;
};

}  // namespace hlolint::testing
