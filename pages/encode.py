"""Encode: a text as the tokens of one tokenizer, and back."""

from ui.encode_view import show_encode
from ui.startup import app_first

app_first()
show_encode()
