"""A histogram whose bars can be chosen."""

from ui.components.bars.component import bars_view

__all__ = ["bars_view"]
