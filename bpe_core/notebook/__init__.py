"""HTML for notebooks, made from plain data: cards, tables and token spans. User text is always escaped."""
