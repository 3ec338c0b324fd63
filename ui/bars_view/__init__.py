"""A histogram whose bars can be chosen."""

from .component import bars_view

__all__ = ["bars_view"]
