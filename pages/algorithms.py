"""Algorithms: BPE, WordPiece, Unigram and SentencePiece on one corpus, side by side."""

from ui.algorithms.page import show_algorithms

show_algorithms()
