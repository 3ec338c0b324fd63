"""Fast insertion of long pastes, in every text area."""

from ui.components.long_paste.component import quick_pastes

__all__ = ["quick_pastes"]
