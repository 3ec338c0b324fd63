"""Unigram: training by pruning a large vocabulary, and the model that takes the best path through the lattice."""
