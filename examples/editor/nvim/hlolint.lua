-- Neovim 0.11 or newer: put this file into ~/.config/nvim/lsp/hlolint.lua, and into init.lua
--   vim.lsp.enable("hlolint")
--   vim.lsp.inlay_hint.enable(true)
-- What Neovim does not know by its ending gets its type here; `require` this part, or copy it into init.lua.
vim.filetype.add({
  extension = { hlo = "hlo" },
  filename = { [".hlolint.toml"] = "toml.hlolint" }, -- as TOML is, and served
  pattern = {
    ["module_%d+.*%.txt"] = "hlo",
    [".*_optimizations.*%.txt"] = "hlo",
    [".*after_codegen.*%.txt"] = "hlo",
    [".*after_buffer_assignment.*%.txt"] = "hlo",
    [".*buffer%-assignment.*%.txt"] = "hlo",
    [".*buffer%-info%.txt"] = "hlo",
    [".*live%-range%.txt"] = "hlo",
    [".*memory%-usage%-report%.txt"] = "hlo",
    [".*thunk_sequence%.txt"] = "hlo",
  },
})

return {
  cmd = { "hlolint", "lsp" },
  filetypes = { "hlo", "toml.hlolint" },
  root_markers = { ".hlolint.toml", ".git" },
  init_options = { arguments = {} }, -- options of `hlolint lint`, such as "--device=tpu-v5p"
}
