// The state of reading a protobuf dump: the place in the message, the problems, the text.
#pragma once

#include <hlolint/text/diagnostic.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::protobuf {

/// A part of a message that could not be read, or is left out.
struct problem {
  std::string path;  ///< `HloProto.hlo_module.computations[3].instructions[17].shape`
  std::string why;
  std::size_t at = 0;  ///< the size of the text that was written before it
  severity level = severity::error;
  std::string advice{};  ///< empty: that of the rule
};

/// The place in the message, the problems so far, and the text that is written.
class reading {
 public:
  /// `root` is the name of the outermost message. `check_size` refuses more text than `most_text` bytes.
  reading(std::string root, std::size_t most_text) : root_(std::move(root)), most_text_(most_text) {}

  std::string out;  ///< the text

  const std::vector<problem>& problems() const { return problems_; }
  /// How many problems there are beyond those in the list.
  std::size_t unlisted() const { return unlisted_; }
  /// Whether the file ends inside a message.
  bool cut_off() const { return !cut_path_.empty(); }

  /// Reports a problem at the current place.
  void report(std::string why) { report_at(path(), std::move(why)); }
  /// Notes that the current place is left out, with advice.
  void leave_out(std::string why, std::string advice) {
    report_at(path(), "is left out: " + std::move(why), severity::note, std::move(advice));
  }
  /// Notes that `field` of the current message is cut off. `report_cut` reports only the innermost place.
  void cut(const char* field, std::int64_t index, std::size_t missing) {
    in(field, index, [&] { cut_path_ = path(); });
    missing_ = missing;
  }
  void report_cut() {
    if (cut_off())
      report_at(cut_path_,
                "the file ends in this message, and " + std::to_string(missing_) + " bytes of it are missing");
  }

  /// Calls `what()`, with a field of the current message as the current place.
  template <class Do>
  void in(const char* field, std::int64_t index, Do&& what) {
    path_.push_back({field, index});
    what();
    path_.pop_back();  // not after an exception: `guarded` reports it at this place
  }
  template <class Do>
  void in(const char* field, Do&& what) {
    in(field, -1, what);
  }

  /// Calls `what()` and reports the exceptions of protozero and `bad_message`. No other function catches them.
  template <class Do>
  bool guarded(Do&& what) {
    const std::size_t depth = path_.size();
    try {
      what();
      return true;
    } catch (const protozero::end_of_buffer_exception&) {
      report("a length goes beyond the end of the message");
    } catch (const protozero::varint_too_long_exception&) {
      report("a number has more than 10 bytes");
    } catch (const protozero::unknown_pbf_wire_type_exception&) {
      report("a field has a type that protobuf does not have");
    } catch (const protozero::invalid_tag_exception&) {
      report("a field has a number that protobuf does not allow");
    } catch (const bad_message& bad) {
      report(bad.what());
    }
    path_.resize(depth);
    return false;
  }

  /// Calls `what()` and reports its exceptions; then also removes the text that it has written.
  template <class Do>
  void all_or_nothing(Do&& what) {
    const std::size_t begin = out.size();
    if (!guarded(what)) out.resize(begin);
  }

  /// Calls `use(bytes)` for each message of a repeated field, with that as the current place.
  template <class Use>
  void each_message(std::string_view bytes, std::uint32_t tag, const char* name, Use&& use) {
    std::int64_t index = 0;
    for_each_field<cut_field::used>(bytes, [&](const field& f) {
      if (f.key() != sized(tag)) return;
      if (f.missing) return cut(name, index, f.missing);
      in(name, index++, [&] { use(f.bytes); });
    });
  }

  /// Calls `what()` and drops its reports: the part is read again later, and reported then.
  template <class Do>
  bool attempted(Do&& what) {
    const std::size_t before = problems_.size(), unlisted = unlisted_;
    const bool done = guarded(what);
    problems_.resize(before), unlisted_ = unlisted;
    return done;
  }

  /// Throws once there is too much text. A small message can lead to a long text, as names and payloads repeat.
  void check_size() const {
    if (out.size() > most_text_) throw too_much_text();
  }
  struct too_much_text {};

  /// Adds a part of a message: protobuf joins the parts of a message that is written in several.
  void merge(std::string_view& to, std::string_view more) { joined_(to, more); }

 private:
  struct step {
    const char* field;
    std::int64_t index;
  };
  static constexpr std::size_t most_problems = 100;

  std::string path() const {
    std::string text = root_;
    for (const step& s : path_) {
      text += '.';
      text += s.field;
      if (s.index >= 0) text += "[" + std::to_string(s.index) + "]";
    }
    return text;
  }
  void report_at(std::string path, std::string why, severity level = severity::error, std::string advice = {}) {
    if (problems_.size() == most_problems) return void(++unlisted_);
    problems_.push_back({std::move(path), std::move(why), out.size(), level, std::move(advice)});
  }

  std::string root_;
  std::size_t most_text_;
  std::vector<step> path_;
  std::vector<problem> problems_;
  std::size_t unlisted_ = 0;
  std::string cut_path_;
  std::size_t missing_ = 0;
  joined_parts joined_;
};

}  // namespace hlolint::protobuf
