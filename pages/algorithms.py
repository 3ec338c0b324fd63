"""Algorithms: BPE, WordPiece, Unigram and SentencePiece on one corpus, side by side."""

from ui.algorithms_view import show_algorithms
from ui.startup import app_first

app_first()
show_algorithms()
