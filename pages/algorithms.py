"""Algorithms: BPE, WordPiece, Unigram and SentencePiece on one corpus, side by side."""

from ui.algorithms.page import show_algorithms
from ui.shared.startup import app_first

app_first()
show_algorithms()
