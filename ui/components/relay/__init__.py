"""Publish the data of several views in one message."""

from ui.components.relay.component import relay

__all__ = ["relay"]
