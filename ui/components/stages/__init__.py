"""A text in all stages of a tokenizer, one below the other, each piece linked to the characters that it came from."""

from ui.components.stages.component import stages_view

__all__ = ["stages_view"]
