"""Session values of words by a dictionary, on the pages Encode and Compare."""

from __future__ import annotations

from ui.session.items import Item, is_a, one_of

SOURCES = ("browser", "japanese", "chinese")
ON_ENCODE = Item("encode words by", "browser", one_of(*SOURCES))
ON_COMPARE = Item("compare words by", "off", one_of("off", *SOURCES))
OF_BROWSER: Item[tuple[str, tuple[int, ...]]] = Item("words of the browser", ("", ()), is_a(tuple))
"""The last text segmented by the browser, and the length of each segment in characters."""
