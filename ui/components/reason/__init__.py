"""Why two tokenizers differ at one place, drawn: the tokens of each, and the sentence with its tokens."""

from ui.components.reason.component import RegionTokens, reason_view

__all__ = ["RegionTokens", "reason_view"]
