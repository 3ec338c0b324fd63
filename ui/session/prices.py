"""Session values of what a text costs on the Compare page: typed prices, and sizes of context windows."""

from __future__ import annotations

from ui.session.items import Item, is_a
from ui.session.tokenizer_choice import is_tokenizer
from ui.session.tokenizer_files import is_own

HIGHEST_PRICE = 1e6
LARGEST_WINDOW = 1_000_000_000
_MOST_WINDOWS = 12


def is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= HIGHEST_PRICE


def _price(written: str) -> tuple[str, float] | None:
    """Tokenizer and price of "gpt2=2.5"; None if invalid, as in a forged link."""
    name, _equals, number = written.rpartition("=")
    try:
        price = float(number)
    except ValueError:
        return None
    return (name, price) if is_tokenizer(name) and is_price(price) else None


def are_prices(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and len(each) < 200 for each in value)


OPEN = Item("prices open", False, is_a(bool))
PRICES: Item[list[str]] = Item("prices", [], are_prices)
"""Typed prices of a million tokens, such as "gpt2=2.5"."""

WINDOWS = Item("context windows", "512 2048 8192 32768 131072", is_a(str))
"""Sizes of context windows, separated by spaces or commas."""


def price_of(name: str) -> Item[float]:
    """Field of a tokenizer's price; its default is the price of the link."""
    known = dict(filter(None, map(_price, PRICES.get())))
    return Item(f"price of {name}", known.get(name, 0.0), is_price)


def keep_price(name: str, price: float) -> None:
    """Set a price; files of the visitor have no place in links."""
    others = [each for each in PRICES.get() if (found := _price(each)) is not None and found[0] != name]
    PRICES.set(others if is_own(name) or not price else [*others, f"{name}={price:.12g}"])


def windows() -> list[int]:
    """The valid sizes, smallest first."""
    words = WINDOWS.get().replace(",", " ").split()
    sizes = {int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 12}
    return sorted(size for size in sizes if 0 < size <= LARGEST_WINDOW)[:_MOST_WINDOWS]
