// Valid programs of some variety.
#pragma once

#include "written_program.hpp"

#include <hlolint/ir/target.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

/// Writes one random program: element-wise work, kernels, fusions with two results, updates in place, loops and
/// asynchronous transfers with work beside them. Operands that are written in place are not read afterwards.
class program_writer {
 public:
  program_writer(std::uint64_t seed, target backend) : random_(seed), backend_(backend) {
    out_.name = "jit_step_" + std::to_string(seed);
    devices_ = random_.chance(50) ? 4 : 8;
    groups_ = groups();
    out_.computations.push_back({"add.0",
                                 {{"x.0", scalar("f32"), "parameter", {}, "0"},
                                  {"y.0", scalar("f32"), "parameter", {}, "1"},
                                  {"sum.0", scalar("f32"), "add", {"x.0", "y.0"}, {}, {}, true}}});
    written_computation entry{"main", {}};
    at_ = &entry;
    parameters();
    for (std::int64_t steps = random_.between(3, 6); steps > 0; --steps) step();
    if (random_.chance(60)) loop();
    for (std::int64_t steps = random_.between(2, 4); steps > 0; --steps) step();
    finish();
    out_.computations.push_back(std::move(entry));
  }

  const written_module& program() const { return out_; }
  std::int64_t devices() const { return devices_; }

 private:
  struct array {
    std::string name;
    std::int64_t rows = 0, columns = 0;
    bool owned = false;  ///< no one outside holds it, so it may be written in place
  };

  std::string scalar(const std::string& type) const { return type + (backend_ == target::tpu ? "[]{:T(128)}" : "[]"); }
  std::string shape_of(std::int64_t rows, std::int64_t columns) const {
    return "f32[" + std::to_string(rows) + "," + std::to_string(columns) + "]{1,0" +
           (backend_ == target::tpu ? ":T(8,128)}" : "}");
  }
  std::string shape_of(const array& a) const { return shape_of(a.rows, a.columns); }

  std::string fresh(const std::string& stem) { return stem + "." + std::to_string(++last_number_); }
  std::string emit(const std::string& stem, std::string shape, std::string opcode, std::vector<std::string> operands,
                   written_attributes attributes = {}, std::string argument = {}) {
    std::string name = fresh(stem);
    at_->instructions.push_back(
        {name, std::move(shape), std::move(opcode), std::move(operands), std::move(argument), std::move(attributes)});
    return name;
  }

  std::string groups() {
    const std::int64_t size = random_.chance(50) ? devices_ : devices_ / 2;
    group_size_ = size;
    std::string out = "{";
    for (std::int64_t first = 0; first < devices_; first += size) {
      out += first ? ",{" : "{";
      for (std::int64_t d = first; d < first + size; ++d) out += (d > first ? "," : "") + std::to_string(d);
      out += "}";
    }
    return out + "}";
  }
  std::string ring() const {
    std::string out = "{";
    for (std::int64_t d = 0; d < devices_; ++d)
      out += (d ? ",{" : "{") + std::to_string(d) + "," + std::to_string((d + 1) % devices_) + "}";
    return out + "}";
  }
  written_attributes collective(bool grouped = true) {
    written_attributes out{{"channel_id", std::to_string(++last_channel_)}};
    if (grouped) out.insert(out.end(), {{"replica_groups", groups_}, {"use_global_device_ids", "true"}});
    return out;
  }

  void parameters() {
    for (std::int64_t n = 0, count = random_.between(3, 6); n < count; ++n) {
      const array a{"param." + std::to_string(n), 256 * random_.between(1, 3), 1024, false};
      at_->instructions.push_back({a.name, shape_of(a), "parameter", {}, std::to_string(n)});
      pool_.push_back(a);
      parameters_.push_back(a);
    }
    zero_ = emit("constant", scalar("s32"), "constant", {}, {}, "0");
  }

  array& any() { return pool_[random_.below(pool_.size())]; }
  array any_of(std::int64_t rows) {
    std::vector<array> fitting;
    for (const array& a : pool_)
      if (a.rows == rows) fitting.push_back(a);
    return random_.pick(fitting);
  }
  void add(std::string name, std::int64_t rows) { pool_.push_back({std::move(name), rows, 1024, true}); }

  /// Takes an owned array that no one will read again; makes one if there is none.
  array take_owned() {
    for (std::size_t tries = 0; tries < 8; ++tries) {
      const std::size_t at = random_.below(pool_.size());
      if (!pool_[at].owned || pool_.size() < 3) continue;
      const array out = pool_[at];
      pool_.erase(pool_.begin() + static_cast<std::ptrdiff_t>(at));
      return out;
    }
    const array from = any();
    return {emit("exponential", shape_of(from), "exponential", {from.name}), from.rows, 1024, true};
  }

  void work() {
    const array a = any();
    switch (random_.below(5)) {
      case 3: return add(emit("reverse", shape_of(a), "reverse", {a.name}, {{"dimensions", "{0}"}}), a.rows);
      case 0: return add(emit("negate", shape_of(a), "negate", {a.name}), a.rows);
      case 1: return add(emit("multiply", shape_of(a), "multiply", {a.name, any_of(a.rows).name}), a.rows);
      case 2: {
        const std::int64_t rows = 256 * random_.between(1, 3);
        return add(
            emit("kernel", shape_of(rows, 1024), "custom-call", {a.name}, {{"custom_call_target", "\"kernel\""}}),
            rows);
      }
      default: return fusion(a);
    }
  }

  void fusion(const array& a) {
    const std::string number = std::to_string(++last_number_), pair = "(" + shape_of(a) + ", " + shape_of(a) + ")";
    out_.computations.push_back(
        {"fused_computation." + number,
         {{"param_0." + number, shape_of(a), "parameter", {}, "0"},
          {"cosine." + number, shape_of(a), "cosine", {"param_0." + number}},
          {"sine." + number, shape_of(a), "sine", {"param_0." + number}},
          {"pair." + number, pair, "tuple", {"cosine." + number, "sine." + number}, {}, {}, true}}});
    const std::string made =
        emit("fusion", pair, "fusion", {a.name}, {{"kind", "kLoop"}, {"calls", "%fused_computation." + number}});
    const std::size_t unread = random_.below(3);  // a result that no one asks for, at times
    for (const std::string index : {"0", "1"})
      if (index != std::to_string(unread))
        add(emit("get-tuple-element", shape_of(a), "get-tuple-element", {made}, {{"index", index}}), a.rows);
  }

  void update() {
    const array base = take_owned();
    const std::string row =
        emit("row", shape_of(8, 1024), "custom-call", {any().name}, {{"custom_call_target", "\"row\""}});
    add(emit("dynamic-update-slice", shape_of(base), "dynamic-update-slice", {base.name, row, zero_, zero_}),
        base.rows);
  }

  void step() {
    // no transfer runs beside other work there
    if (backend_ == target::cpu) return random_.chance(30) ? update() : work();
    switch (random_.below(backend_ == target::gpu ? 8 : 7)) {
      case 0: return update();
      case 1: return all_reduce();
      case 2: return all_gather();
      case 3: return permute();
      case 4: return reduce_scatter();
      case 7: return exchange();
      default: return work();
    }
  }
  /// Enough work to hide any transfer here: the first instruction itself states that it takes a millisecond.
  void window() {
    const std::size_t first = at_->instructions.size();
    for (std::int64_t n = random_.between(1, 3); n > 0; --n) work();
    at_->instructions[first].attributes.emplace_back("frontend_attributes", "{latency_metadata=\"1000000\"}");
  }

  void all_reduce() {
    array a = take_owned();
    if (a.name.starts_with("all-reduce-done")) a.name = kernel(a);  // it is equal on all devices already (COL019)
    written_attributes attributes = collective();
    attributes.emplace_back("to_apply", "%add.0");
    const std::string start = emit("all-reduce-start", shape_of(a), "all-reduce-start", {a.name}, attributes);
    window();
    add(emit("all-reduce-done", shape_of(a), "all-reduce-done", {start}), a.rows);
  }
  /// An array that no collective of that kind has sent yet: what is sent twice is a fault (COL019).
  array unsent(const std::string& kind) {
    array a = any();
    if (!sent_.insert(kind + " " + a.name).second) a.name = kernel(a);
    return a;
  }
  std::string kernel(const array& of) {
    return emit("kernel", shape_of(of), "custom-call", {of.name}, {{"custom_call_target", "\"kernel\""}});
  }
  void all_gather() {
    const array a = unsent("all-gather");
    const std::int64_t rows = a.rows * group_size_;
    written_attributes attributes = collective();
    attributes.emplace_back("dimensions", "{0}");
    const std::string start = emit("all-gather-start", "(" + shape_of(a) + ", " + shape_of(rows, 1024) + ")",
                                   "all-gather-start", {a.name}, attributes);
    window();
    const std::string whole = emit("all-gather-done", shape_of(rows, 1024), "all-gather-done", {start});
    add(emit("kernel", shape_of(a), "custom-call", {whole}, {{"custom_call_target", "\"kernel\""}}), a.rows);
  }
  void permute() {
    const array a = unsent("permute");
    written_attributes attributes = collective(false);
    attributes.emplace_back("source_target_pairs", ring());
    const std::string start =
        emit("collective-permute-start", "(" + shape_of(a) + ", " + shape_of(a) + ", " + flag() + ", " + flag() + ")",
             "collective-permute-start", {a.name}, attributes);
    window();
    add(emit("collective-permute-done", shape_of(a), "collective-permute-done", {start}), a.rows);
  }
  std::string flag() const { return backend_ == target::tpu ? "u32[]{:S(2)}" : "u32[]"; }
  void reduce_scatter() {
    const array a = unsent("reduce-scatter");
    const std::string small = shape_of(a.rows / group_size_, 1024), number = std::to_string(++last_number_);
    written_attributes attributes = collective();
    attributes.insert(attributes.end(), {{"dimensions", "{0}"}, {"to_apply", "%add.0"}});
    out_.computations.push_back(
        {"async_computation." + number,
         {{"param_0." + number, shape_of(a), "parameter", {}, "0"},
          {"reduce-scatter." + number, small, "reduce-scatter", {"param_0." + number}, {}, attributes, true}}});
    const std::string start = emit("reduce-scatter-start", "((" + shape_of(a) + "), " + small + ")", "async-start",
                                   {a.name}, {{"calls", "%async_computation." + number}});
    window();
    const std::string done = emit("reduce-scatter-done", small, "async-done", {start});
    add(emit("kernel", shape_of(a), "custom-call", {done}, {{"custom_call_target", "\"kernel\""}}), a.rows);
  }
  void exchange() {
    const array a = any();
    const auto attributes = [&] {
      return written_attributes{{"channel_id", std::to_string(++last_channel_)},
                                {"frontend_attributes", "{_xla_send_recv_source_target_pairs={{0,1},{1,2}}}"}};
    };
    const std::string token = emit("after-all", "token[]", "after-all", {}),
                      moving = "(" + shape_of(a) + ", u32[], token[])";
    const written_attributes of_recv = attributes(), of_send = attributes();
    const std::string recv = emit("recv", moving, "recv", {token}, of_recv);
    const std::string send = emit("send", moving, "send", {a.name, token}, of_send);
    window();
    const std::string got = emit("recv-done", "(" + shape_of(a) + ", token[])", "recv-done", {recv}, {of_recv.front()});
    emit("send-done", "token[]", "send-done", {send}, {of_send.front()});
    add(emit("get-tuple-element", shape_of(a), "get-tuple-element", {got}, {{"index", "0"}}), a.rows);
  }

  void loop() {
    const array a = take_owned();
    const std::string number = std::to_string(++last_number_), state = "(" + scalar("s32") + ", " + shape_of(a) + ")";
    written_computation condition{"condition." + number, {}}, body{"body." + number, {}};
    written_computation* const outer = at_;
    const std::vector<array> outer_pool = std::move(pool_);

    at_ = &condition;
    std::string carried = emit("state", state, "parameter", {}, {}, "0");
    const std::string counter = emit("counter", scalar("s32"), "get-tuple-element", {carried}, {{"index", "0"}});
    const std::string bound = emit("constant", scalar("s32"), "constant", {}, {}, "5");
    emit("compare", scalar("pred"), "compare", {counter, bound}, {{"direction", "LT"}});
    condition.instructions.back().root = true;

    at_ = &body;
    carried = emit("state", state, "parameter", {}, {}, "0");
    const std::string before = emit("counter", scalar("s32"), "get-tuple-element", {carried}, {{"index", "0"}});
    const std::string held = emit("held", shape_of(a), "get-tuple-element", {carried}, {{"index", "1"}});
    const std::string one = emit("constant", scalar("s32"), "constant", {}, {}, "1");
    const std::string after = emit("add", scalar("s32"), "add", {before, one});
    pool_ = {{held, a.rows, 1024, false}};
    work();
    if (backend_ != target::cpu && random_.chance(50)) permute();
    const std::string last =
        emit("subtract", shape_of(a), "subtract", {pool_.back().name, any_of(pool_.back().rows).name});
    const std::int64_t rows = pool_.back().rows;
    at_->instructions.back().shape = shape_of(rows, 1024);
    const std::string result =
        rows == a.rows ? last
                       : emit("kernel", shape_of(a), "custom-call", {last}, {{"custom_call_target", "\"kernel\""}});
    emit("tuple", state, "tuple", {after, result});
    body.instructions.back().root = true;

    at_ = outer;
    pool_ = outer_pool;
    out_.computations.push_back(condition);
    out_.computations.push_back(body);
    const std::string first = emit("copy", scalar("s32"), "copy", {zero_});
    const std::string init = emit("tuple", state, "tuple", {first, a.name});
    const std::string done = emit("while", state, "while", {init},
                                  {{"condition", "%" + condition.name},
                                   {"body", "%" + body.name},
                                   {"backend_config", "{\"known_trip_count\":{\"n\":\"5\"}}"}});
    add(emit("get-tuple-element", shape_of(a), "get-tuple-element", {done}, {{"index", "1"}}), a.rows);
  }

  /// Results: two or more, the first of them in the place of parameters that are read for the last time.
  void finish() {
    std::vector<array> results;
    std::string aliases;
    for (std::size_t n = 0; n < parameters_.size() && results.size() < 2; ++n) {
      const array& p = parameters_[n];
      aliases += (results.empty() ? " {" : ", {") + std::to_string(results.size()) + "}: (" + std::to_string(n) +
                 ", {}, " + (results.empty() ? "must-alias)" : "may-alias)");
      results.push_back({emit("update", shape_of(p), "add", {p.name, p.name}), p.rows, 1024, true});
    }
    for (std::int64_t count = random_.between(1, 2); count > 0; --count) {
      const array from = results[random_.below(results.size())];
      results.push_back(
          {emit("result", shape_of(from), "custom-call", {from.name}, {{"custom_call_target", "\"kernel\""}}),
           from.rows, 1024, true});
    }
    for (const array& a : pool_)  // something made early
      if (a.owned && results.size() < 4 && random_.chance(40)) results.push_back(a);
    std::string shapes, layout = "{(";
    std::vector<std::string> names;
    for (std::size_t n = 0; n < parameters_.size(); ++n) layout += (n ? ", " : "") + shape_of(parameters_[n]);
    for (const array& r : results) {
      shapes += (names.empty() ? "(" : ", ") + shape_of(r);
      names.push_back(r.name);
    }
    emit("tuple", shapes + ")", "tuple", names);
    at_->instructions.back().root = true;
    out_.header = {{"is_scheduled", "true"},
                   {"input_output_alias", "{" + aliases + " }"},
                   {"entry_computation_layout", layout + ")->" + shapes + ")}"},
                   {"num_partitions", std::to_string(devices_)}};
  }

  dice random_;
  target backend_;
  written_module out_;
  written_computation* at_ = nullptr;
  std::vector<array> pool_, parameters_;
  std::string zero_, groups_;
  std::int64_t devices_ = 4, group_size_ = 4;
  std::set<std::string> sent_;  // kinds of collectives and what they have sent
  int last_number_ = 0, last_channel_ = 0;
};

}  // namespace hlolint::testing
