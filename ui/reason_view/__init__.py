"""Why two tokenizers differ at one place, drawn: what either makes of it, and the sentence with its tokens."""

from .component import Side, reason_view

__all__ = ["Side", "reason_view"]
