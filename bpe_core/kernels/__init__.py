"""Compiled loops for splitting, merging and encoding, and the switch between them and plain Python."""
