"""A text area that tells Python what is in it while a person types."""

from .component import live_text

__all__ = ["live_text"]
