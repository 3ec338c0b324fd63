"""What brings several views on the page their data, in one message."""

from ui.components.relay.component import relay

__all__ = ["relay"]
