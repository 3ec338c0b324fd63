"""What several pages share: layout, controls, messages, progress, the address bar, display, caches, start-up."""
