"""Encode: a text as the tokens of one tokenizer, and decoding."""

from ui.encode.page import show_encode
from ui.shared.startup import app_first

app_first()
show_encode()
