"""Parts shared by pages: layout, controls, messages, progress, the address bar, display, caches, startup."""
