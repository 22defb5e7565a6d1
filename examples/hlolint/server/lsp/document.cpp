#include "document.hpp"

#include "../mcp/roots.hpp"

#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hlolint::command::server::lsp {

using hlolint::hlo_computation;
using hlolint::hlo_instruction;
using hlolint::hlo_module;
using hlolint::id;

namespace {

hlolint::span extent_of(const hlolint::module_data& in, id i) { return in.instructions[i].text; }

// An address may also be that of a folder, which holds no text.
std::string file_or_address(const std::string& uri) {
  const std::optional<std::string> path = path_of_uri(uri);
  std::error_code error;
  return path && !std::filesystem::is_directory(*path, error) ? *path : uri;
}

// In the order of the text.
std::vector<id> written_instructions(const hlolint::module_data& in) {
  std::vector<id> out;
  for (id i = 0; i < in.instructions.size(); ++i)
    if (!hlo_instruction(&in, i).is_synthesized()) out.push_back(i);
  std::sort(out.begin(), out.end(), [&](id a, id b) { return extent_of(in, a).begin < extent_of(in, b).begin; });
  return out;
}

// Takes over those of these analyses that were made.
template <class... Analyses>
void take_known(const hlolint::context& from, hlolint::context& to) {
  const auto take = [&]<class Analysis>(std::type_identity<Analysis>) {
    if (from.known<Analysis>()) to.take_over<Analysis>(from);
  };
  (take(std::type_identity<Analyses>{}), ...);
}

}  // namespace

document::document(std::string uri, std::string text, std::int64_t version, encoding in)
    : uri_(std::move(uri)), path_(file_or_address(uri_)), version_(version), in_(in), positions_({}, in) {
  set_text(std::move(text));
}

bool document::is_settings() const { return std::filesystem::path(path_).filename() == ".hlolint.toml"; }

void document::set_text(std::string text) {
  text.shrink_to_fit();  // it has grown by parts, to up to twice its size
  owned_ = std::make_shared<std::string>(std::move(text));
  positions_ = position_map(hlolint::source(*owned_, path_, std::shared_ptr<const void>(owned_)), in_);
}

void document::change(const input& changes, std::int64_t version) {
  // What was read from the old text goes first, so that two texts are never there at once.
  forget_check(), parsed_.reset();
  version_ = version;
  if (!changes.is_array()) throw request_failure{error_code::invalid_params, "contentChanges is an array"};
  for (const input& one : changes) {
    if (!member(one, "text").is_string()) throw request_failure{error_code::invalid_params, "a change has a text"};
    const std::string& fresh = one["text"].get_ref<const std::string&>();
    const input& range = member(one, "range");
    if (range.is_null()) {
      set_text(fresh);
      continue;
    }
    const std::size_t begin = positions_.offset(position_of(member(range, "start")));
    const std::size_t end = std::max(begin, positions_.offset(position_of(member(range, "end"))));
    std::string text;  // of just the size that it needs
    text.reserve(begin + fresh.size() + (owned_->size() - end));
    text.append(*owned_, 0, begin).append(fresh).append(*owned_, end);
    set_text(std::move(text));
  }
}

const hlolint::parsed_file& document::parsed() const {
  if (!parsed_) parsed_ = hlolint::parse_parts(positions_.text());
  return *parsed_;
}

const std::vector<hlo_module>& document::modules() const {
  // A module in a string with escapes, and a fragment, have texts of their own.
  if (modules_.empty() && !is_settings())
    for (const hlo_module& m : parsed().modules())
      if (m.text().text().size() == text().size())
        modules_.push_back(m), in_order_.push_back(written_instructions(m.data()));
  return modules_;
}

void document::add_context(std::shared_ptr<const hlolint::context> module) {
  if (const hlo_module* const named = module->hlo(); named && named->text().text().data() == text().data())
    for (std::size_t m = 0; m < modules().size(); ++m)
      if (&modules_[m].data() != &named->data() && modules_[m].data().extent.begin == named->data().extent.begin)
        modules_[m] = *named, in_order_[m] = written_instructions(named->data());
  contexts_.push_back(std::move(module));
}

void document::drop_analyses() {
  for (auto& each : contexts_) {
    const auto* const estimate = each->known<hlolint::memory_estimate>();
    const auto left = std::make_shared<hlolint::context>((estimate ? estimate->module() : *each).made_of());
    take_known<hlolint::module_tables, hlolint::users, hlolint::instruction_names>(*each, *left);
    each = left;
  }
}

void document::forget_check() { contexts_.clear(), modules_.clear(), in_order_.clear(), is_checked = false; }

std::vector<hlo_instruction> document::instructions_in(hlolint::span of) const {
  std::vector<hlo_instruction> out;
  for (std::size_t m = 0; m < modules().size(); ++m) {
    const hlolint::module_data& data = modules_[m].data();
    const auto ends_after = [&](id i, std::uint32_t offset) { return extent_of(data, i).end < offset; };
    auto at = std::lower_bound(in_order_[m].begin(), in_order_[m].end(), of.begin, ends_after);
    for (; at != in_order_[m].end() && extent_of(data, *at).begin <= of.end; ++at) out.push_back({&data, *at});
  }
  return out;
}

hlo_instruction document::instruction_at(std::size_t offset) const {
  const auto at = static_cast<std::uint32_t>(offset);
  // The name of a marked root begins after its text does.
  for (const hlo_instruction i : instructions_in({at, at})) return i;
  return {};
}

hlo_computation document::computation_at(std::size_t offset) const {
  for (const hlo_module& m : modules()) {
    if (const hlo_instruction i = instruction_at(offset)) return i.computation();
    for (const hlo_computation c : m.computations()) {
      const hlolint::computation_record& record = c.record();
      if (record.origin == hlolint::node_origin::written && record.text.begin <= offset && offset <= record.text.end)
        return c;
    }
  }
  return {};
}

const hlolint::context* document::context_of(const hlolint::module_data& module) const {
  for (const auto& each : contexts_)
    if (each->hlo() && &each->hlo()->data() == &module) return each.get();
  return nullptr;
}

const hlolint::context* document::context_of(hlo_instruction i) const { return context_of(i.data()); }

}  // namespace hlolint::command::server::lsp
