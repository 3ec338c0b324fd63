"""The custom components, a folder each: Python's side, a script and a style."""
