"""Train: watch the merges, step by step."""

from ui.startup import app_first
from ui.train_view import show_train

app_first()
show_train()
