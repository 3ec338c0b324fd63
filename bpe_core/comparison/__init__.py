"""Comparison of tokenizers on one text: counts, shared boundaries, and the cause of every difference in a sentence."""
