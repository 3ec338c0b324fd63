"""Long pastes, in every text area."""

from .component import quick_pastes

__all__ = ["quick_pastes"]
