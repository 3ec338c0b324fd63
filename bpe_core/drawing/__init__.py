"""SVG pictures from plain data: a text in coloured tokens, with its text as text."""
