// A document that is open in the editor.
#pragma once

#include "positions.hpp"

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/lint/context.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::command::server::lsp {

/// The text of a document, and what was read from it. All that is computed belongs to one version of the text.
class document {
 public:
  document(std::string uri, std::string text, std::int64_t version, encoding in);

  const std::string& uri() const { return uri_; }
  /// The file of the document; for one that is in no file, its address.
  const std::string& path() const { return path_; }
  std::int64_t version() const { return version_; }
  /// Whether it is a configuration, `.hlolint.toml`.
  bool is_settings() const;

  /// Whether its check may take longer than a moment, and leave freed memory that is worth returning.
  bool is_large() const { return text().size() >= std::size_t{1} << 20; }

  /// Changes the text as `textDocument/didChange` describes. Throws `request_failure` for a change that is none.
  void change(const input& changes, std::int64_t version);

  std::string_view text() const { return positions_.text().text(); }
  const position_map& positions() const { return positions_; }

  /// The parsed text; read when it is first asked for.
  const hlolint::parsed_file& parsed() const;
  /// The modules whose positions are those of the text, as their contexts have them: files beside a text name what its
  /// short form leaves out (`%x#1`). A configuration has none, whatever its texts hold.
  const std::vector<hlolint::hlo_module>& modules() const;
  /// The modules with their companions and analyses, as far as the last check found them; may be empty.
  const std::vector<std::shared_ptr<const hlolint::context>>& contexts() const { return contexts_; }
  void add_context(std::shared_ptr<const hlolint::context> module);
  /// Frees the analyses of a check but some that hovers ask for. Estimated buffers become those of the context.
  void drop_analyses();
  /// Whether the last check was one of this text and of what stands beside it.
  bool is_checked = false;
  void forget_check();

  /// The instruction around an offset; an empty view if there is none.
  hlolint::hlo_instruction instruction_at(std::size_t offset) const;
  /// The computation around an offset, or that is named there.
  hlolint::hlo_computation computation_at(std::size_t offset) const;
  /// The written instructions of which a part is in the span, in text order.
  std::vector<hlolint::hlo_instruction> instructions_in(hlolint::span of) const;
  /// The context of an instruction's module; null if it was not checked yet.
  const hlolint::context* context_of(hlolint::hlo_instruction i) const;
  const hlolint::context* context_of(const hlolint::module_data& module) const;

 private:
  void set_text(std::string text);

  std::string uri_, path_;
  std::int64_t version_;
  encoding in_;
  std::shared_ptr<std::string> owned_;
  position_map positions_;
  mutable std::optional<hlolint::parsed_file> parsed_;
  mutable std::vector<hlolint::hlo_module> modules_;
  mutable std::vector<std::vector<hlolint::id>> in_order_;  // of each module, the written instructions
  std::vector<std::shared_ptr<const hlolint::context>> contexts_;
};

}  // namespace hlolint::command::server::lsp
