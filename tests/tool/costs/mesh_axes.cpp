#include <hlolint/tool/costs/mesh_axes.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string axis_of(const std::string& groups, const std::string& other = "") {
  const std::string text = "HloModule m, num_partitions=8\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n" + other +
                           "  ROOT %t = f32[64]{0} all-gather(%p), channel_id=1, replica_groups=" + groups +
                           ", dimensions={0}, use_global_device_ids=true\n}\n";
  const hlo_module module = module_of(text);
  return mesh_axes(module).of(instruction_of(module, "t"));
}
std::string gather_over(const std::string& groups) {
  return "  %o = f32[16]{0} all-gather(%p), channel_id=2, replica_groups=" + groups +
         ", dimensions={0}, use_global_device_ids=true\n";
}

}  // namespace

TEST_CASE("mesh_axes: the axes that XLA writes") {
  CHECK(axis_of("mesh['fsdp'=4,'tensor'=2] {'fsdp'}") == "fsdp");
  CHECK(axis_of("mesh['fsdp'=4,'tensor'=2] {'fsdp','tensor'}") == "fsdp, tensor");
}

TEST_CASE("mesh_axes: one collective names the mesh for all") {
  const std::string named = gather_over("mesh['fsdp'=4,'tensor'=2] {'fsdp'}");
  CHECK(axis_of("[4,2]<=[8]", named) == "tensor");
  CHECK(axis_of("{{0,2,4,6},{1,3,5,7}}", named) == "fsdp");
  CHECK(axis_of("[1,8]<=[8]", named) == "fsdp, tensor");
  CHECK(axis_of("{{0,3},{1,2},{4,7},{5,6}}", named) == "{0,3} and 3 more");
}

TEST_CASE("mesh_axes: shardings name the mesh, too") {
  const std::string named = "  %o = f32[8]{0} copy(%p), sharding={mesh['fsdp'=4,'tensor'=2], [{'fsdp'}]}\n";
  CHECK(axis_of("[4,2]<=[8]", named) == "tensor");
}

TEST_CASE("mesh_axes: without names the numbers of the devices tell the axes") {
  CHECK(axis_of("[2,4]<=[8]") == "4 neighbors");
  CHECK(axis_of("[1,8]<=[8]") == "all 8 devices");
  const std::string other = gather_over("[4,2]<=[8]");
  CHECK(axis_of("[2,4]<=[4,2]T(1,0)", other) == "4 devices 2 apart");
  CHECK(axis_of("{{0,1},{2,3},{4,5},{6,7}}", other) == "2 neighbors");
  CHECK(axis_of("[1,8]<=[8]", gather_over("{{0,2,4,6},{1,3,5,7}}")) == "all 8 devices");
  CHECK(axis_of("{{0,1,2,3},{4,5,6,7}}", gather_over("{{0,2},{1,3},{4,6},{5,7}}")) == "4 neighbors");
  CHECK(axis_of("{{0,1,4,5},{2,3,6,7}}", gather_over("{{0,2},{1,3},{4,6},{5,7}}")) == "2 devices 4 apart, 2 neighbors");
}

TEST_CASE("mesh_axes: devices along no axis") {
  CHECK(axis_of("{{0,3,5,6},{1,2,4,7}}") == "{0,3,5,6} and 1 more");
  CHECK(axis_of("{{0,1,2},{3,4,5},{6,7}}") == "{0,1,2} and 2 more");
}

TEST_CASE("mesh_axes: pairs lie along an axis") {
  const hlo_module module =
      module_of("HloModule m, num_partitions=8\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n" +
                gather_over("mesh['fsdp'=4,'tensor'=2] {'fsdp'}") +
                "  ROOT %t = f32[8]{0} collective-permute(%p), channel_id=1, source_target_pairs={{0,1},{1,0}}\n}\n");
  CHECK(mesh_axes(module).of(instruction_of(module, "t")) == "tensor");
}
