"""The address bar, which follows what the visitor sees."""

from ui.components.address.component import address_bar

__all__ = ["address_bar"]
