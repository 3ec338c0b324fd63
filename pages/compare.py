"""Compare: one text segmented by several tokenizers, and the causes of the differences."""

from ui.compare.page import show_compare
from ui.shared.startup import app_first

app_first()
show_compare()
