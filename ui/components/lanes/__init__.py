"""Three aligned lanes, characters, bytes and tokens, so that a split character is seen as such."""

from ui.components.lanes.component import lanes_view

__all__ = ["lanes_view"]
