"""Compare: the same text in the tokens of several tokenizers, and why they differ."""

from ui.compare.page import show_compare
from ui.shared.startup import app_first

app_first()
show_compare()
