;;; hlolint.el --- HLO dumps with eglot -*- lexical-binding: t; -*-

;; Emacs 29 or newer has eglot; for Emacs 28 install it (M-x package-install, or Debian's elpa-eglot). Load this file,
;; open a dump, and call M-x eglot, or add `eglot-ensure' to `hlo-mode-hook'.

;;; Code:

(define-derived-mode hlo-mode prog-mode "HLO"
  "Dumps of the XLA compiler."
  (setq-local comment-start "// ")
  ;; Lines of HLO are thousands of characters long.
  (setq-local truncate-lines t))

(dolist (pattern '("\\.hlo\\'"
                   "module_[0-9]+.*\\.txt\\'"
                   "_optimizations.*\\.txt\\'"
                   "after_codegen.*\\.txt\\'"
                   "after_buffer_assignment.*\\.txt\\'"
                   "buffer-assignment.*\\.txt\\'"
                   "buffer-info\\.txt\\'"
                   "live-range\\.txt\\'"
                   "memory-usage-report\\.txt\\'"
                   "thunk_sequence\\.txt\\'"))
  (add-to-list 'auto-mode-alist (cons pattern 'hlo-mode)))

(define-derived-mode hlolint-settings-mode conf-toml-mode "hlolint"
  "The configuration of hlolint.")
(add-to-list 'auto-mode-alist '("/\\.hlolint\\.toml\\'" . hlolint-settings-mode))

(with-eval-after-load 'eglot
  (dolist (mode '(hlo-mode hlolint-settings-mode))
    (add-to-list 'eglot-server-programs (cons mode '("hlolint" "lsp")))))

(provide 'hlolint)
;;; hlolint.el ends here
