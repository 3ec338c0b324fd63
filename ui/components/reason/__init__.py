"""Reason why two tokenizers differ in one region: the tokens of each, and a sentence with its tokens."""

from ui.components.reason.component import RegionTokens, reason_view

__all__ = ["RegionTokens", "reason_view"]
