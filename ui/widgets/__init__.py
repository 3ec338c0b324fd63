"""Parts shared by pages: layout, controls, pickers, messages, progress, the address bar, display."""
