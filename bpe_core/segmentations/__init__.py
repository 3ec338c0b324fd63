"""Alternative segmentations of a word: random ones, the n best, and the one with the fewest tokens."""
