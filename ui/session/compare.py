"""Session values of the Compare page."""

from __future__ import annotations

from bpe_core.comparison.causes import CAUSES
from bpe_core.comparison.many_texts import HIGHEST_LIMIT as HIGHEST_LIMIT
from bpe_core.comparison.parallel import MOST_LANGUAGES as MOST_LANGUAGES
from bpe_core.tokenizer.tokenizer import Special
from ui.session.items import Item, Upload, is_a, is_count, is_place, is_range, one_of, or_none
from ui.session.samples import all_samples, sample
from ui.session.tokenizer_choice import SHOWN, are_tokenizers, is_tokenizer
from ui.session.tokenizer_files import is_own

SAMPLE = "python_code"

LONGEST_OF_TWO = 50_000
"""Maximum characters of each of two texts under one tokenizer."""

ALL_CAUSES = "all"
"""The cause filter that passes every disagreement."""

LONGEST_SPELLED = 60
"""Maximum characters of a word whose spellings are listed."""


JSON = """\
{
  "name": "Hanako",
  "languages": ["Japanese", "English"],
  "address": {
    "city": "Kyoto",
    "zip": "604-8571"
  },
  "active": true
}
"""
YAML = """\
name: Hanako
languages: [Japanese, English]
address:
  city: Kyoto
  zip: 604-8571
active: true
"""
"""The same data in two notations."""


def is_short_word(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_SPELLED


def is_context(value: object) -> bool:
    return is_count(value) and 1 <= value <= HIGHEST_LIMIT  # type: ignore[operator]


def are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


TEXT = Item("compare text", sample(SAMPLE).text, is_a(str))
FILE: Item[tuple[str, ...]] = Item("compared file", ("", ""), is_a(tuple))  # its name and its text
WITH = Item("compare with", [*SHOWN], are_tokenizers)
SPECIAL: Item[Special] = Item("compare special", "text", one_of("text", "parse"))
LEFT = Item("compare left", "gpt2", is_tokenizer)
RIGHT = Item("compare right", "cl100k_base", is_tokenizer)
AT = Item("disagreement", 0, is_count)  # byte offset of the selected disagreement
CAUSE = Item("compare cause", ALL_CAUSES, one_of(ALL_CAUSES, *CAUSES))
LISTED = Item("compare listed", "alike", one_of("alike", "in order"))
SAMPLE_NAME = Item("compare sample", SAMPLE, one_of(*(s.name for s in all_samples())))
UPLOAD = Upload("compare upload")
STOPPED = Item("comparison cancelled", "", is_a(str))
AGREED = Item("agreed where clicked", "", is_a(str))
AGREED_AT: Item[tuple[int, int] | None] = Item("agreed at", None, or_none(is_place))
OVERLAP_OPEN = Item("overlap open", False, is_a(bool))
SPELLED = Item("word to spell", "the", is_short_word)
COMPOSITION_OPEN = Item("compared composition open", False, is_a(bool))
TWO_OPEN = Item("two texts open", False, is_a(bool))
FIRST_TEXT = Item("first of two texts", JSON, is_a(str))
SECOND_TEXT = Item("second of two texts", YAML, is_a(str))
LINES_OPEN = Item("compared lines open", False, is_a(bool))
FERTILITY_WHY = Item("fertility why", "ja", one_of(*(s.lang or "" for s in all_samples() if s.group == "parallel")))
FERTILITY_BY = Item("fertility by", "relative", one_of("relative", "tokens", "per character", "per word"))
MANY_OPEN = Item("many texts open", False, is_a(bool))
MANY_UPLOAD = Upload("many texts upload")
MANY_SAMPLES = Item("many texts of the samples", False, is_a(bool))
MANY_ENCODING = Item("many texts encoding", "", is_a(str))  # confirmed, and the digest of the file
MANY_WAY = Item("many texts way", "each", one_of("each", "parallel"))
MANY_COLUMN = Item("many texts column", "", is_a(str))
MANY_LIMIT = Item("many texts context", 8192, is_context)
MANY_BY = Item("many texts tokenizer", "", is_a(str))  # its title
MANY_ORDER = Item("many texts order", "most", one_of("most", "fewest", "dense", "file"))
MANY_RANGE: Item[tuple[int, int] | None] = Item("many texts range", None, or_none(is_range))  # of tokens
MANY_STOPPED = Item("many texts cancelled", "", is_a(str))
MANY_LANGUAGES: Item[list[str]] = Item("many texts languages", [], are_names)
MANY_REFERENCE = Item("many texts reference", "", is_a(str))
MANY_MEASURE = Item("many texts measure", "relative", one_of("relative", "tokens", "per character", "per word"))

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


PRICES_OPEN = Item("prices open", False, is_a(bool))
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
