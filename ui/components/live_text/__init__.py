"""A text area that reports its text to Python while a person types."""

from ui.components.live_text.component import holds, live_text

__all__ = ["holds", "live_text"]
