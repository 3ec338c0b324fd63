"""Pipeline: a text through normalization, split, model, special tokens and decoder."""

from ui.pipeline.page import show_pipeline
from ui.shared.startup import app_first

app_first()
show_pipeline()
