"""Pictures as SVG, made of data that they are given: a text in coloured tokens, with its text as text."""
