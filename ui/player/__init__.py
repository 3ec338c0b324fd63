"""The player: steps by buttons, a slider, a field and the arrow keys, and by itself."""

from .component import Moved, player
from .course import Course

__all__ = ["Course", "Moved", "player"]
