"""The address bar, which follows what the visitor sees."""

from ui.components.address.component import address_bar, address_frame, relayed_address

__all__ = ["address_bar", "address_frame", "relayed_address"]
