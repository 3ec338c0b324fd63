"""Compare: one text segmented by several tokenizers, and the causes of the differences."""

from ui.compare.page import show_compare

show_compare()
