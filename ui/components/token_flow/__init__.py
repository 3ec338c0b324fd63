"""The flow: tokens one after the other, as coloured spans."""

from ui.components.token_flow.component import Indices, clear_selection, token_view

__all__ = ["Indices", "clear_selection", "token_view"]
