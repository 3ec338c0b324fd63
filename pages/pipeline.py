"""Pipeline: a text on its way through normalization, split, model, special tokens, and back."""

from ui.pipeline.page import show_pipeline
from ui.shared.startup import app_first

app_first()
show_pipeline()
