"""Vocabulary: all tokens of a tokenizer, and export as a file."""

from ui.vocabulary.page import show_vocabulary

show_vocabulary()
