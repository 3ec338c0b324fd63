"""Text before any model: UTF-8, normalization, splits, files in blocks, words and counts, scripts."""
