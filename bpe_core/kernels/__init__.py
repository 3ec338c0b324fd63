"""The compiled loops: splitting, merging, encoding; and the one switch between them and plain Python."""
