// What travels with the reading of a protobuf dump: where in the message it is, and what is wrong there.
#pragma once

#include <hlolint/protobuf/wire.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::protobuf {

/// Something in a message that could not be read.
struct problem {
  std::string path;  ///< `HloProto.hlo_module.computations[3].instructions[17].shape`
  std::string why;
  std::size_t at = 0;  ///< how much text was written before it
};

/// The place in a message, the problems so far, and the text that is written.
class reading {
 public:
  /// `root` is the name of the outermost message. More text than `most_text` bytes is refused.
  reading(std::string root, std::size_t most_text) : root_(std::move(root)), most_text_(most_text) {}

  std::string out;  ///< the text

  const record_list<problem>& problems() const { return problems_; }
  /// How many problems there are beyond those in the list.
  std::size_t unlisted() const { return unlisted_; }
  /// Whether the file ends in the middle of a message.
  bool cut_off() const { return !cut_path_.empty(); }

  /// Reports what is wrong here.
  void report(std::string why) { report_at(path(), std::move(why)); }
  /// `field` of the message here is cut off: the innermost such place is reported once, at the end.
  void cut(const char* field, std::int64_t index, std::size_t missing) {
    in(field, index, [&] { cut_path_ = path(); });
    missing_ = missing;
  }
  void report_cut() {
    if (cut_off())
      report_at(cut_path_,
                "the file ends in this message, and " + std::to_string(missing_) + " bytes of it are missing");
  }

  /// Does what is to be done in a field of the message here.
  template <class Do>
  void in(const char* field, std::int64_t index, Do&& what) {
    path_.push_back({field, index});
    what();
    path_.pop_back();  // not where something was thrown: then `guarded` needs to know the place
  }
  template <class Do>
  void in(const char* field, Do&& what) {
    in(field, -1, what);
  }

  /// Does it, and reports what it throws. This is the only place that catches what protozero throws.
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

  /// The same without a report: for what is read a second time where it belongs.
  template <class Do>
  bool attempted(Do&& what) {
    const std::size_t before = problems_.size(), unlisted = unlisted_;
    const bool done = guarded(what);
    problems_.resize(before), unlisted_ = unlisted;
    return done;
  }

  /// Throws once there is too much text. Small messages can stand for a lot of it: names and payloads repeat.
  void check_size() const {
    if (out.size() > most_text_) throw too_much_text();
  }
  struct too_much_text {};

  /// A message or text that is given in several parts is all of them, one after the other.
  void merge(std::string_view& to, std::string_view more) {
    if (to.empty()) return void(to = more);
    joined_size_ += to.size() + more.size();
    if (joined_size_ > most_joined) throw bad_message("too many parts of one message");
    to = joined_.emplace_front(std::string(to) + std::string(more));
  }

 private:
  struct step {
    const char* field;
    std::int64_t index;
  };
  static constexpr std::size_t most_problems = 100, most_joined = std::size_t{1} << 24;

  std::string path() const {
    std::string text = root_;
    for (const step& s : path_) {
      text += '.';
      text += s.field;
      if (s.index >= 0) text += "[" + std::to_string(s.index) + "]";
    }
    return text;
  }
  void report_at(std::string path, std::string why) {
    if (problems_.size() == most_problems) return void(++unlisted_);
    problems_.push_back({std::move(path), std::move(why), out.size()});
  }

  std::string root_;
  std::size_t most_text_;
  record_list<step> path_;
  record_list<problem> problems_;
  std::size_t unlisted_ = 0;
  std::string cut_path_;
  std::size_t missing_ = 0, joined_size_ = 0;
  std::forward_list<std::string> joined_;
};

}  // namespace hlolint::protobuf
