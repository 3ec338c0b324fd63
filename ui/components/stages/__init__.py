"""A text in all stages of a tokenizer, one below the other, each piece linked to its source characters."""

from ui.components.stages.component import stages_view

__all__ = ["stages_view"]
