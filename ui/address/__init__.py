"""The address bar: follows what the visitor sees, and is read when a link is opened or Back is pressed."""

from .component import keep_address
from .opening import open_link

__all__ = ["keep_address", "open_link"]
