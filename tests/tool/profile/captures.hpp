// Profiles for tests, written field by field: planes, lines, events, and the same as trace events.
#pragma once

#include "tool/protobuf/messages.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace captures {

using messages::number;
using messages::sized;

/// A stat: its name, and a text or a number.
struct stat {
  std::string name, text;
  std::int64_t count = 0;
  bool is_text = true, is_reference = false, is_bytes = false, is_real = false;
  double real = 0;
};
inline stat text(std::string name, std::string value) { return {std::move(name), std::move(value)}; }
inline stat reference(std::string name, std::string value) {
  stat out{std::move(name), std::move(value)};
  out.is_reference = true;
  return out;
}
inline stat integer(std::string name, std::int64_t value) { return {std::move(name), {}, value, false}; }
inline stat real(std::string name, double value) {
  stat out{std::move(name), {}, 0, false};
  out.is_real = true, out.real = value;
  return out;
}
inline stat bytes(std::string name, std::string value) {
  stat out{std::move(name), std::move(value)};
  out.is_bytes = true;
  return out;
}

/// An event, in microseconds. `shown`: its display name.
struct event {
  std::string name;
  double start = 0, length = 0;
  std::vector<stat> stats{};
  std::string shown{};
};
struct line {
  std::string name;
  std::vector<event> events{};
  std::int64_t stamp = 0;  ///< ns
};

/// XPlane. The stats of `of_names` belong to the names of events.
struct plane {
  std::string name;
  std::vector<line> lines{};
  std::vector<stat> stats{};
  std::map<std::string, std::vector<stat>> of_names{};
  bool names_last = false;  ///< the names after what uses them
};

class plane_writer {
 public:
  std::string write(const plane& from) {
    std::string lines, names, stat_names, own;
    for (const auto& [name, list] : from.of_names) id_of(name);
    for (const line& l : from.lines) {
      std::string out = number(1, static_cast<std::int64_t>(lines.size())) + sized(2, l.name) + number(3, l.stamp);
      for (const event& e : l.events) {
        if (!e.shown.empty()) shown_[e.name] = e.shown;
        std::string one = number(1, id_of(e.name)) + number(2, picoseconds(e.start)) + number(3, picoseconds(e.length));
        for (const stat& s : e.stats) one += sized(4, stat_of(s));
        out += sized(4, one);
      }
      lines += sized(3, out);
    }
    for (const stat& s : from.stats) own += sized(6, stat_of(s));
    for (const auto& [name, id] : ids_) {
      std::string entry = number(1, id) + sized(2, name);
      if (shown_.contains(name)) entry += sized(4, shown_[name]);
      if (const auto more = from.of_names.find(name); more != from.of_names.end())
        for (const stat& s : more->second) entry += sized(5, stat_of(s));
      names += sized(4, number(1, id) + sized(2, entry));
    }
    for (const auto& [name, id] : stat_ids_)
      stat_names += sized(5, number(1, id) + sized(2, number(1, id) + sized(2, name)));
    const std::string head = number(1, 1) + sized(2, from.name);
    return from.names_last ? head + lines + names + stat_names + own : head + names + stat_names + lines + own;
  }

 private:
  static std::int64_t picoseconds(double microseconds) { return static_cast<std::int64_t>(microseconds * 1e6 + 0.5); }
  std::int64_t id_of(const std::string& name) {
    return ids_.try_emplace(name, static_cast<std::int64_t>(ids_.size()) + 1).first->second;
  }
  std::int64_t stat_id(const std::string& name) {
    return stat_ids_.try_emplace(name, static_cast<std::int64_t>(stat_ids_.size()) + 100).first->second;
  }
  std::string stat_of(const stat& s) {
    const std::string id = number(1, stat_id(s.name));
    if (s.is_real) return id + messages::real(2, s.real);
    if (s.is_bytes) return id + sized(6, s.text);
    if (s.is_reference) return id + number(7, stat_id(s.text));
    return id + (s.is_text ? sized(5, s.text) : number(3, s.count));
  }

  std::map<std::string, std::int64_t> ids_, stat_ids_;
  std::map<std::string, std::string> shown_;
};

inline std::string xspace(const std::vector<plane>& planes, std::string_view host = "host0") {
  std::string out;
  for (const plane& p : planes) out += sized(1, plane_writer().write(p));
  return out + sized(4, host);
}

/// The HLO that a profile holds.
inline plane programs(const std::vector<std::pair<std::string, std::string>>& protos) {
  plane out;
  out.name = "/host:metadata";
  for (const auto& [name, proto] : protos) out.of_names[name] = {bytes("Hlo Proto", proto)};
  return out;
}

/// The same planes as Chrome's trace events, with what such a file has of them.
inline std::string trace(const std::vector<plane>& planes) {
  std::string out = R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[)";
  const auto quoted = [](const std::string& text) {
    std::string escaped = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') escaped += '\\';
      escaped += c;
    }
    return escaped + "\"";
  };
  for (std::size_t p = 0; p < planes.size(); ++p) {
    const std::string pid = std::to_string(p + 1);
    out += R"({"ph":"M","pid":)" + pid + R"(,"name":"process_name","args":{"name":)" + quoted(planes[p].name) + "}},";
    for (std::size_t l = 0; l < planes[p].lines.size(); ++l) {
      const line& one = planes[p].lines[l];
      const std::string place = R"("pid":)" + pid + R"(,"tid":)" + std::to_string(l + 1);
      out += R"({"ph":"M",)" + place + R"(,"name":"thread_name","args":{"name":)" + quoted(one.name) + "}},\n";
      for (const event& e : one.events) {
        out += R"({"ph":"X",)" + place + R"(,"ts":)" + std::to_string(e.start) + R"(,"dur":)" +
               std::to_string(e.length) + R"(,"name":)" + quoted(e.shown.empty() ? e.name : e.shown) +
               R"(,"args":{"long_name":)" + quoted(e.name);
        std::vector<stat> stats = e.stats;
        if (const auto more = planes[p].of_names.find(e.name); more != planes[p].of_names.end())
          stats.insert(stats.end(), more->second.begin(), more->second.end());
        for (const stat& s : stats)
          out += "," + quoted(s.name) + ":" +
                 quoted(s.is_real   ? std::to_string(s.real)
                        : s.is_text ? s.text
                                    : std::to_string(s.count));
        out += "}},\n";
      }
    }
  }
  return out + "{}]}";
}

/// A TPU: two runs of 500 us with a loop of three iterations, an all-gather in flight of which 2 + 50 us are exposed,
/// an all-reduce of 100 us, and 48 us of nothing.
inline plane tpu() {
  plane out;
  out.name = "/device:TPU:0";
  out.stats = {text("device_type_string", "TPU v5 lite"), real("peak_teraflops_per_second", 197),
               real("peak_hbm_bw_gigabytes_per_second", 819)};
  line modules{"XLA Modules"}, operations{"XLA Ops"}, transfers{"Async XLA Ops"}, messages_of_trace{"XLA TraceMe"};
  const std::string loop = "%while.1 = (s32[], f32[8]{0}) while(%tuple.1), condition=%c, body=%b",
                    fusion = "%fusion.4 = f32[8]{0} fusion(%p), kind=kLoop, calls=%f",
                    start = "%all-gather-start.1 = (f32[8]{0}, f32[16]{0}) all-gather-start(%p), dimensions={0}",
                    done = "%all-gather-done.1 = f32[16]{0} all-gather-done(%all-gather-start.1)",
                    reduce = "%all-reduce.9 = f32[8]{0} all-reduce(%q), to_apply=%add";
  out.of_names[fusion] = {text("hlo_category", "loop fusion"), integer("flops", 1000), integer("bytes_accessed", 4096),
                          reference("tf_op", "jit(step)/layer/add:"), text("source", "model.py:12")};
  out.of_names[reduce] = {text("hlo_category", "all-reduce")};
  for (int run = 0; run < 2; ++run) {
    const double at = 1000.0 * run;
    modules.events.push_back({"jit_step(99)", at, 500, {integer("run_id", run)}});
    operations.events.push_back({start, at, 2, {}, "all-gather-start.1"});
    operations.events.push_back({loop, at + 2, 300, {}, "while.1"});
    for (int i = 0; i < 3; ++i) operations.events.push_back({fusion, at + 12 + 100 * i, 90, {}, "fusion.4"});
    operations.events.push_back({done, at + 302, 50, {}, "all-gather-done.1"});
    operations.events.push_back({reduce, at + 400, 100, {}, "all-reduce.9"});
    transfers.events.push_back({start, at, 352, {text("hlo_op", "all-gather-done.1"), integer("program_id", 99)}});
    messages_of_trace.events.push_back({"barrier-cores", at + 352, 48, {}});
  }
  out.lines = {modules, operations, transfers, messages_of_trace};
  return out;
}

/// A GPU: three runs of 300 us, compute on one stream and all-reduce on another (profiles.md 6). `late` us at the begin
/// of the second kernel.
inline plane gpu(int ordinal = 0, double all_reduce_until = 250) {
  plane out;
  out.name = "/device:GPU:" + std::to_string(ordinal);
  out.stats = {text("device_vendor", "Nvidia"), integer("memory_bandwidth", 3'352'000'000'000),
               integer("core_count", 132)};
  line compute{"Stream #1(Kernel)"}, nccl{"Stream #20(Kernel)"}, copies{"Stream #30(MemcpyH2D)"};
  const auto stats = [](const char* instruction) {
    return std::vector<stat>{reference("hlo_op", instruction), reference("hlo_module", "jit_step"),
                             integer("program_id", 7)};
  };
  for (int run = 0; run < 3; ++run) {
    const double at = 1000.0 * run;
    compute.events.push_back({"gemm_kernel", at, 100, stats("dot.1")});
    compute.events.push_back({"loop_add_fusion", at + 120, 80, stats("fusion.2")});
    compute.events.push_back({"loop_multiply_fusion", at + 270, 30, stats("fusion.3")});
    nccl.events.push_back({"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", at + 50,
                           all_reduce_until - 50, stats("all-reduce-start.1")});
  }
  copies.events.push_back({"MemcpyH2D", 500, 10});
  out.lines = {compute, nccl, copies};
  return out;
}

}  // namespace captures
