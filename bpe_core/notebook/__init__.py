"""HTML for notebooks from plain data: cards, tables and token spans. User text is always escaped."""
