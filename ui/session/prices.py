"""Session values for the cost of a text on the Compare page: typed prices, and sizes of context windows."""

from __future__ import annotations

import re
from decimal import Decimal

from ui.session.items import Item, is_a
from ui.session.tokenizer_choice import is_tokenizer
from ui.session.tokenizer_files import is_own

HIGHEST_PRICE = 1e6
LARGEST_WINDOW = 1_000_000_000
_MOST_WINDOWS = 12
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")
_SIZE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)([kKmM]?)")
_SUFFIXES = {"": 1, "k": 1_000, "m": 1_000_000}


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
    """Field of a tokenizer's price; its default is the price in the link."""
    known = dict(filter(None, map(_price, PRICES.get())))
    return Item(f"price of {name}", known.get(name, 0.0), is_price)


def keep_price(name: str, price: float) -> None:
    """Set a price for links, which omit the visitor's own files."""
    others = [each for each in PRICES.get() if (found := _price(each)) is not None and found[0] != name]
    PRICES.set(others if is_own(name) or not price else [*others, f"{name}={price:.12g}"])


def windows() -> tuple[list[int], list[str]]:
    """The valid sizes, smallest first, and the invalid words.

    A size may have thousands separators, "131,072", or a suffix, "128k" and "1M".
    """
    words = [word for spaced in WINDOWS.get().replace(";", " ").split() for word in _by_commas(spaced)]
    sizes = {word: _size(word) for word in words}
    valid = sorted({size for size in sizes.values() if size is not None})
    return valid[:_MOST_WINDOWS], [word for word, size in sizes.items() if size is None]


def _by_commas(word: str) -> list[str]:
    """Split "512,2048", but not the thousands of "131,072"."""
    stripped = word.strip(",")
    return [stripped] if _THOUSANDS.fullmatch(stripped) else [part for part in stripped.split(",") if part]


def _size(word: str) -> int | None:
    found = _SIZE.fullmatch(word.replace(",", "") if _THOUSANDS.fullmatch(word) else word)
    if found is None:
        return None
    size = Decimal(found[1]) * _SUFFIXES[found[2].lower()]
    return int(size) if size == int(size) and 0 < size <= LARGEST_WINDOW else None
