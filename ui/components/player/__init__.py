"""Player: steps by buttons, slider, field and arrow keys, and by playback."""

from ui.components.player.component import Moved, player

__all__ = ["Moved", "player"]
