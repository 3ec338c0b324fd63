"""Train: the merges, step by step."""

from ui.shared.startup import app_first
from ui.train.page import show_train

app_first()
show_train()
