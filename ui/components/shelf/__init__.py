"""A user's recent files and texts, saved in the browser and offered again."""

from ui.components.shelf.component import kept_files, kept_text

__all__ = ["kept_files", "kept_text"]
