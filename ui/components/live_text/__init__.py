"""Text area that reports its text to Python during typing."""

from ui.components.live_text.component import holds, live_text

__all__ = ["holds", "live_text"]
