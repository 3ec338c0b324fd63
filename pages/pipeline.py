"""Pipeline: a text on its way through normalization, split, model, special tokens, and back."""

from ui.pipeline_view import show_pipeline
from ui.startup import app_first

app_first()
show_pipeline()
