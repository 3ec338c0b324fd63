"""Pipeline: a text through normalization, split, model, special tokens and decoder."""

from ui.pipeline.page import show_pipeline

show_pipeline()
