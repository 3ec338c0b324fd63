"""Vocabulary: every token of a tokenizer, and the training as a file."""

from ui.shared.startup import app_first
from ui.vocabulary.page import show_vocabulary

app_first()
show_vocabulary()
