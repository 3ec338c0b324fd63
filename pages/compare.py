"""Compare: the same text cut by several tokenizers, and why they differ."""

from ui.compare_view import show_compare
from ui.startup import app_first

app_first()
show_compare()
