"""Encode: a text as the tokens of one tokenizer, and decoding."""

from ui.encode.page import show_encode

show_encode()
