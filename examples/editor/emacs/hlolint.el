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
                   "buffer-assignment.*\\.txt\\'"
                   "live-range\\.txt\\'"
                   "memory-usage-report\\.txt\\'"
                   "thunk_sequence\\.txt\\'"))
  (add-to-list 'auto-mode-alist (cons pattern 'hlo-mode)))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(hlo-mode . ("hlolint" "lsp"))))

(provide 'hlolint)
;;; hlolint.el ends here
