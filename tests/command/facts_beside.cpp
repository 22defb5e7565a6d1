// What files beside a dump say of its device, flags and compilation, as libtpu and JAX write them.
#include "command/compressed.hpp"
#include "outside.hpp"
#include "tool/protobuf/messages.hpp"

using namespace from_outside;

namespace {

const std::string stem = "module_0001.jit_f.cl_1";

std::string topology(const std::string& wrap = {}) {
  return "replica_count: 1\nreserved_hbm_usage_bytes: 0\ntpu_topology_args {\n  version: TPU_VERSION_GHOSTLITE\n"
         "  chips_per_host_bounds {\n    x: 2\n    y: 2\n    z: 1\n  }\n  host_bounds {\n    x: 1\n    y: 2\n    z: "
         "1\n  }\n"
         "  wrap {\n" +
         wrap + "  }\n}\n";
}

std::string assignment(const std::vector<int>& devices) {
  std::string out = "num_replicas: 1\ndevice_assignment {\n  replica_count: 1\n  computation_count: 8\n";
  for (const int device : devices)
    out += "  computation_devices {\n    replica_device_ids: " + std::to_string(device) + "\n  }\n";
  return out + "}\n";
}

// The seconds that the only transfer takes, in microseconds as printed.
double microseconds(const folder& f) {
  const json report = f.run_json("time " + stem + ".after_codegen.txt", 0);
  return report.at("time").at(0).at("transfers").at(0).at("transfer_us");
}

}  // namespace

TEST_CASE("the slice and the devices of the program decide which groups share links") {
  const folder f;
  f.write(
      stem + ".after_codegen.txt",
      "HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[4000000]{0})->f32[4000000]{0}}, "
      "num_partitions=8\n\n%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
      "ENTRY %e {\n%a = f32[4000000]{0} parameter(0)\nROOT %r = f32[4000000]{0} all-reduce(%a), channel_id=1, "
      "replica_groups={{0,2},{1,3},{4,6},{5,7}}, use_global_device_ids=true, to_apply=%sum\n}\n");
  f.write(stem + ".target_arguments.txt", topology());
  f.write(stem + ".execution_options.txt", assignment({0, 1, 2, 3, 4, 5, 6, 7}));
  const double neighbors = microseconds(f);
  f.write(stem + ".execution_options.txt", assignment({0, 1, 4, 5, 2, 3, 6, 7}));
  CHECK(microseconds(f) > 1.8 * neighbors);
  const outcome shown = f.run("time " + stem + ".after_codegen.txt");
  CHECK(has(shown.output, "tpu-v6e"));
  CHECK(has(shown.output, "chips 2x4 in the order of the device assignment"));
  CHECK(has(shown.output, ", open, "));
  f.write(stem + ".target_arguments.txt", topology("    y: true\n"));
  CHECK(has(f.run("time " + stem + ".after_codegen.txt").output, "closed along y"));
}

TEST_CASE("JAX's topology names the device where nothing else does") {
  const folder f;
  f.write(stem + ".after_codegen.txt", clean);
  f.write(stem + "/topology.textproto", "platform_name: \"tpu\"\nplatform_version: \"TFRT TPU v5\\nBuilt on Nov 5\"\n");
  const outcome shown = f.run("time --target tpu " + stem + ".after_codegen.txt");
  CHECK(has(shown.output, "tpu-v5p"));
  CHECK_FALSE(has(shown.output, "guess"));
}

TEST_CASE("reserved memory and a failed compilation decide whether a program fits") {
  const folder f;
  const std::string text =
      "HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[1024,1048576]{1,0:T(8,128)})->"
      "f32[1024,1048576]{1,0:T(8,128)}}\n\nENTRY %e {\n  %p = f32[1024,1048576]{1,0:T(8,128)} "
      "parameter(0)\n  ROOT %n = f32[1024,1048576]{1,0:T(8,128)} negate(%p)\n}\n";
  f.write(stem + ".after_optimizations.txt", text);
  f.write(stem + ".target_arguments.txt",
          "tpu_topology_args {\n  version: TPU_VERSION_VIPERFISH\n  variant: \"lite\"\n}\n");
  const std::string words = "--select BUD001 .";
  CHECK(f.run(words).status == 0);
  f.write(stem + ".tpu_comp_env.txt", "xla_tpu_user_reserved_hbm_bytes: 8589934592\n");
  CHECK(has(f.run(words).output, "256.00MiB more than the memory of tpu-v5e, 7.75GiB"));
  f.write(stem + ".tpu_comp_env.txt", "xla_tpu_user_reserved_hbm_bytes: -1\n");
  CHECK(f.run(words).status == 0);
  f.write(stem + ".oom_intermediate_module.txt", text);
  CHECK(has(f.run(words).output, "the compilation failed although tpu-v5e has 15.75GiB"));
  f.write(stem + ".after_codegen.txt", text);  // of a later run, which did not fail
  CHECK(f.run(words).status == 0);
}

TEST_CASE("flags of this compilation count more than those of the process") {
  const folder f;
  f.write(stem + ".after_codegen.txt",
          "HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[1048576]{0}, f32[4096,4096]{1,0})->"
          "(f32[4194304]{0}, f32[4096,4096]{1,0})}, num_partitions=4\n\nENTRY %main {\n"
          "  %p = f32[1048576]{0} parameter(0)\n  %q = f32[4096,4096]{1,0} parameter(1)\n"
          "  %g = f32[4194304]{0} all-gather(%p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, "
          "use_global_device_ids=true\n  %d = f32[4096,4096]{1,0} dot(%q, %q), lhs_contracting_dims={1}, "
          "rhs_contracting_dims={0}\n  ROOT %t = (f32[4194304]{0}, f32[4096,4096]{1,0}) tuple(%g, %d)\n}\n");
  const std::string words = "--select COL001 --target tpu " + stem + ".after_codegen.txt",
                    flag = "--xla_tpu_enable_async_collective_fusion=true";
  const auto advises = [&] { return has(f.run(words).output, flag); };
  CHECK(advises());
  f.write(stem + ".flagfile", flag + "\n");
  CHECK_FALSE(advises());
  f.write(stem + ".tpu_comp_env.txt", "xla_tpu_enable_async_collective_fusion: false\n");
  CHECK(advises());
  f.write(stem + ".tpu_comp_env.txt", "xla_other: true\n");
  CHECK_FALSE(advises());
}

TEST_CASE("a time in front of some names does not part the files of a module") {
  const folder f;
  const std::string dated = "1795996155692763.module_0001.jit_f.";
  f.write("dump/" + dated + "sm_9.0_gpu_after_optimizations.txt", clean);
  f.write("dump/module_0001.jit_f.gpu_target_config.pbtxt",
          "gpu_device_info { memory_bandwidth: 4000000000000 name: \"NVIDIA H200\" }\n");
  f.write("dump/module_0001.jit_f.thunk_sequence.txt", "000: kKernel  fusion\n");
  const outcome shown = f.run("time dump");
  CHECK(has(shown.output, "NVIDIA H200 (from the dump's files)"));
  CHECK(f.run_json("memory dump", 0)["memory"].size() == 1);
}

TEST_CASE("XLA writes the device and the devices of the program as messages, too") {
  using namespace messages;
  const folder f;
  f.write(stem + ".after_codegen.txt", clean);
  const std::string bounds = number(1, 2) + number(2, 2) + number(3, 1),
                    one = number(1, 1) + number(2, 1) + number(3, 1);
  const std::string slice = number(1, 5) + number(3, 1) + sized(5, bounds) + sized(6, one) + sized(7, "");
  f.write(stem + ".target_arguments.pb", number(3, 1) + number(4, 0) + sized(6, slice));
  const std::string time = "time --target tpu " + stem + ".after_codegen.txt";
  CHECK(has(f.run(time).output, "tpu-v6e"));
  const std::string lite = number(1, 4) + sized(2, "lite") + sized(5, bounds) + sized(6, one);
  f.write(stem + ".target_arguments.pb", sized(6, lite));
  CHECK(has(f.run(time).output, "tpu-v5e"));
  fs::remove(f / (stem + ".target_arguments.pb"));
  f.write(stem + "/topology.pb", sized(2, "tpu") + sized(3, "TFRT TPU v5\nBuilt on Nov 5"));
  CHECK(has(f.run(time).output, "tpu-v5p"));
  f.write(stem + "/topology.pb", "\x0a\xff");
  CHECK(has(f.run(time).output, "guess"));
}

TEST_CASE("the device assignment of a message decides as that of a text does") {
  using namespace messages;
  const folder f;
  const std::string groups =
      "HloModule jit_f, is_scheduled=true, num_partitions=4\n\n%sum {\n%x = f32[] parameter(0)\n%y = f32[] "
      "parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\nENTRY %e {\n%a = f32[4000000]{0} parameter(0)\nROOT %r = "
      "f32[4000000]{0} all-reduce(%a), channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, "
      "to_apply=%sum\n}\n";
  f.write(stem + ".after_codegen.txt", groups);
  f.write(stem + ".target_arguments.txt",
          "tpu_topology_args {\n  version: TPU_VERSION_GHOSTLITE\n  chips_per_host_bounds "
          "{\n    x: 1\n    y: 4\n    z: 1\n  }\n  host_bounds {\n    x: 1\n    y: 1\n"
          "    z: 1\n  }\n}\n");
  const auto assigned = [](std::initializer_list<int> devices) {
    std::string out = number(1, 1) + number(2, 4);
    for (const int device : devices) out += sized(3, sized(1, std::string(1, static_cast<char>(device))));
    return out;
  };
  f.write(stem + ".execution_options.pb", sized(7, assigned({0, 1, 2, 3})));
  const double crossing = microseconds(f);
  f.write(stem + ".execution_options.pb", sized(7, assigned({0, 2, 1, 3})));
  CHECK(microseconds(f) < 0.7 * crossing);
  fs::remove(f / (stem + ".execution_options.pb"));
  f.write(stem + "/compile_options.pb", sized(3, sized(9, assigned({0, 2, 1, 3}))));
  CHECK(microseconds(f) < 0.7 * crossing);
}

TEST_CASE("the facts of a folder of compressed files are compressed, too") {
  const folder f;
  f.write(stem + ".after_codegen.txt.gz", gzip_of(clean));
  f.write(stem + ".target_arguments.txt.gz", gzip_of(topology()));
  CHECK(has(f.run("time --target tpu " + stem + ".after_codegen.txt.gz").output, "tpu-v6e"));
}
