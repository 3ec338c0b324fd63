"""Not one segmentation of a word but many: at random, the n best, and the one with the fewest tokens."""
