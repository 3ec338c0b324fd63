"""A text area that tells Python what is in it while a person types."""

from .component import holds, live_text

__all__ = ["holds", "live_text"]
