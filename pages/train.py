"""Train: the merges, step by step."""

from ui.train.page import show_train

show_train()
