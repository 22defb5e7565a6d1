#include "device_choice.hpp"
#include "../reading/facts_beside.hpp"
#include "toml.hpp"

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/text/file.hpp>
#include <hlolint/text/suggestion.hpp>
#include <hlolint/tool/device/guessed_device.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

struct device_key {
  std::string_view name;
  double device::*member;
  double unit;
};
constexpr device_key device_keys[] = {{"f16-tflops", &device::f16_flops, 1e12},
                                      {"f8-tflops", &device::f8_flops, 1e12},
                                      {"f32-tflops", &device::f32_flops, 1e12},
                                      {"f64-tflops", &device::f64_flops, 1e12},
                                      {"vector-tflops", &device::vector_ops, 1e12},
                                      {"clock-ghz", &device::clock, 1e9},
                                      {"memory-gb-per-s", &device::memory_rate, 1e9},
                                      {"host-gb-per-s", &device::host_rate, 1e9},
                                      {"bus-gb-per-s", &device::bus_rate, 1e9},
                                      {"pair-gb-per-s", &device::pair_rate, 1e9},
                                      {"network-gb-per-s", &device::network_rate, 1e9},
                                      {"matmul-efficiency", &device::matmul_efficiency, 1},
                                      {"f32-matmul-efficiency", &device::f32_matmul_efficiency, 1},
                                      {"attention-efficiency", &device::attention_efficiency, 1},
                                      {"memory-efficiency", &device::memory_efficiency, 1},
                                      {"kernel-overhead-us", &device::kernel_overhead, 1e-6},
                                      {"write-overhead-us", &device::write_overhead, 1e-6},
                                      {"matmul-overhead-us", &device::matmul_overhead, 1e-6}};

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> out;
  for_each_device_name([&](std::string_view name) { out.push_back(name); });
  return out;
}

// `a100` stands for several presets, which the message lists.
std::string several_or_one(const std::string& name) {
  std::vector<std::string_view> longer;
  for (const std::string_view known : preset_names())
    if (known.starts_with(name + "-") || known.ends_with("-" + name)) longer.push_back(known);
  if (longer.empty()) return did_you_mean(name, preset_names());
  std::string out = " (did you mean ";
  for (std::size_t i = 0; i < longer.size(); ++i)
    out.append(i == 0 ? "" : i + 1 == longer.size() ? " or " : ", ").append(longer[i]);
  return out + "?)";
}

named_device wrong(const std::string& path, std::string what) { return {std::nullopt, path + ": " + std::move(what)}; }

// Reads `base = "h100-sxm"` and the differing values. Unknown keys are errors.
named_device read_device_file(const std::string& path) {
  const loaded_file file = load_file(path);
  if (!file.text) return wrong(path, file.error);
  toml::table table;
  try {
    table = toml::parse(file.text->text());
  } catch (const toml::parse_error& error) {
    return wrong(path, std::string(error.description()));
  }
  const auto base = table["base"].value<std::string>();
  if (!base) return wrong(path, "no base = \"NAME\": the preset that it differs from");
  std::optional<device> d = find_device(*base);
  if (!d) return wrong(path, "unknown base '" + *base + "'" + did_you_mean(*base, preset_names()));
  d->name = table["name"].value_or(path);
  std::vector<std::string_view> known{"base", "name", "per-node", "torus-axes", "torus-wraps"};
  for (const device_key& k : device_keys) known.push_back(k.name);
  for (const auto& [name, value] : table) {
    const std::string word(name.str());
    if (word == "base" || word == "name") continue;
    if (word == "torus-wraps" && value.is_boolean()) {
      d->torus_wraps_from = *value.value<bool>() ? 1 : hlolint::device::never;
      continue;
    }
    const auto number = value.value<double>();
    const bool whole = word == "per-node" || word == "torus-axes";
    bool found = whole;
    if (number && std::isfinite(*number) && *number >= 0) {
      if (whole && (*number < 1 || *number > 1e6)) return wrong(path, word + " is no number of 1 to 1000000");
      if (word == "per-node") d->domain_size = static_cast<std::int64_t>(*number);
      if (word == "torus-axes") d->torus_axes = static_cast<int>(*number);
      for (const device_key& k : device_keys)
        if (word == k.name) (*d).*(k.member) = *number * k.unit, found = true;
      if (found) continue;
    }
    for (const device_key& k : device_keys) found = found || word == k.name;
    return wrong(path, found || word == "torus-wraps" ? word + " has a value of the wrong kind"
                                                      : "unknown key '" + word + "'" + did_you_mean(word, known));
  }
  return {std::move(d), {}};
}

void apply(const device_choice& choice, device& d) {
  if (choice.per_node) d.domain_size = *choice.per_node;
  if (choice.network) d.network_rate = *choice.network * 1e9;
}

}  // namespace

named_device find_named_device(const device_choice& choice) {
  if (choice.name.empty()) return {};
  named_device out;
  if (choice.name.ends_with(".toml")) {
    out = read_device_file(choice.name);
  } else if (out.device = find_device(choice.name); !out.device) {
    out.error = "unknown device '" + choice.name + "'" + several_or_one(choice.name) + "; known are";
    for (const std::string_view name : preset_names()) out.error.append(" ").append(name);
    out.error += " and files that end in .toml";
  }
  if (out.device) apply(choice, *out.device);
  return out;
}

void choose_device(context::parts& module, const std::optional<device>& named, const device_choice& choice,
                   const packed_files* packed) {
  module.device = device_beside(module, packed);
  const auto target_of = [](const device& on) { return on.is_tpu() ? target::tpu : target::gpu; };
  if (module.target == target::unknown)
    module.target = named ? target_of(*named) : choice.profiled_on.value_or(target::unknown);
  const bool counts = named && (!choice.is_of_profile || module.target == target_of(*named));
  // The files know more of a preset that the user names, but not of the user's own device.
  if (counts && !(module.device && module.device->name == named->name)) module.device = named;
  if (!module.device && choice.fallback && module.target == target_of(*choice.fallback))
    module.device = choice.fallback;
}

std::shared_ptr<const context> module_on_device(context::parts module, const device_choice& choice,
                                                const packed_files* packed) {
  const std::shared_ptr<const likely_buffers> planned = guess_device(module);
  if (module.device) {
    apply(choice, *module.device);
    module.device->slice.ids = assignment_beside(module, packed);
  }
  const auto out = std::make_shared<context>(std::move(module));
  if (planned) {
    out->take(planned->made->sets().flow().share_tables());
    out->take(planned->made->share_sets());
    out->take(std::make_shared<const memory_estimate>(*out, *planned));  // smaller than the plan
  }
  return out;
}

shown_device device_for(const context& module, const device_choice& choice) {
  shown_device out{module.device(), module.device_evidence(), !choice.name.empty()};
  if (choice.name.empty()) apply(choice, out.device);
  return out;
}

}  // namespace hlolint::command
