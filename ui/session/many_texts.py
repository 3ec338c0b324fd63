"""Session values of the card Many texts of the Compare page."""

from __future__ import annotations

from typing import Any

from bpe_core.comparison.many_texts import HIGHEST_LIMIT as HIGHEST_LIMIT
from bpe_core.comparison.parallel import MOST_LANGUAGES as MOST_LANGUAGES
from ui.session.items import Item, Upload, is_a, is_range, list_of, number_in, one_of, or_none

OPEN = Item("many texts open", False, is_a(bool))
UPLOAD = Upload("many texts upload")
SAMPLES = Item("many texts of the samples", False, is_a(bool))
ENCODING = Item("many texts encoding", "", is_a(str))  # confirmed, and the digest of the file
WAY = Item("many texts way", "each", one_of("each", "parallel"))
COLUMN = Item("many texts column", "", is_a(str))
LIMIT = Item("many texts context", 8192, number_in(1, HIGHEST_LIMIT))
BY = Item("many texts tokenizer", "", is_a(str))  # its title
ORDER = Item("many texts order", "most", one_of("most", "fewest", "dense", "file"))
RANGE: Item[tuple[int, int] | None] = Item("many texts range", None, or_none(is_range))  # of tokens
STOPPED = Item("many texts cancelled", "", is_a(str))
LANGUAGES: Item[list[str]] = Item("many texts languages", [], list_of(str))
REFERENCE = Item("many texts reference", "", is_a(str))
MEASURE = Item("many texts measure", "relative", one_of("relative", "tokens", "per character", "per word"))
FILE = Item("many texts file", "", is_a(str))  # identity of the file whose choices are drawn


def begin(file: str) -> None:
    """Send the choices to the browser again if another file is drawn than in the last run.

    Between two files none is drawn, and the browser forgets the values of its fields.
    """
    if FILE.get() != file:
        FILE.set(file)
        choices: tuple[Item[Any], ...] = WAY, COLUMN, LIMIT, LANGUAGES, REFERENCE
        for item in choices:
            item.reset(item.get())
