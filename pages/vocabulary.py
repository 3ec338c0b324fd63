"""Vocabulary: every token of a tokenizer, and the training as a file."""

from ui.startup import app_first
from ui.vocabulary_view import show_vocabulary

app_first()
show_vocabulary()
