"""The player: steps by buttons, a slider, a field and the arrow keys, and by itself."""

from ui.components.player.component import Moved, player

__all__ = ["Moved", "player"]
