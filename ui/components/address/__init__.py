"""Keep the address bar in step with the page."""

from ui.components.address.component import address_bar, address_frame, relayed_address

__all__ = ["address_bar", "address_frame", "relayed_address"]
