"""Vocabulary: all tokens of a tokenizer, and export as a file."""

from ui.shared.startup import app_first
from ui.vocabulary.page import show_vocabulary

app_first()
show_vocabulary()
