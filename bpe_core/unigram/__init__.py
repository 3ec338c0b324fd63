"""Unigram: training, which prunes a large vocabulary, and the model that takes the best path through the lattice."""
