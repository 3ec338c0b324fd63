"""Three aligned lanes, characters, bytes and tokens, which make split characters visible."""

from ui.components.lanes.component import lanes_view

__all__ = ["lanes_view"]
