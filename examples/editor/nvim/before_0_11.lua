-- Neovim 0.7 to 0.10 (Debian 12 has 0.7.2): put this file beside hlolint.lua, anywhere, and into init.lua
--   dofile("/path/to/before_0_11.lua")
vim.g.do_filetype_lua = 1 -- 0.7 asks for it
local here = debug.getinfo(1, "S").source:sub(2):match("^(.*)/") or "."
local config = dofile(here .. "/hlolint.lua")
config.name = "hlolint"
config.root_dir = vim.fn.getcwd()

-- All dumps have one server.
local client
vim.api.nvim_create_autocmd("FileType", {
  pattern = config.filetypes,
  callback = function(event)
    if not client or not vim.lsp.get_client_by_id(client) then
      client = vim.lsp.start_client(config)
    end
    vim.lsp.buf_attach_client(event.buf or vim.api.nvim_get_current_buf(), client)
  end,
})
