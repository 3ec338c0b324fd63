"""Session values of the Compare page."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.comparison.causes import CAUSES
from bpe_core.tokenizer.tokenizer import Special
from ui.session.items import Item, Upload, is_a, is_count, one_of, or_none, text_up_to
from ui.session.samples import all_samples, sample
from ui.session.tokenizer_choice import SHOWN, are_tokenizers, is_tokenizer

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


class Agreed(NamedTuple):
    """A click where both tokenizers agree: its bytes, and the text, pair and disagreement that were shown."""

    clicked: tuple[int, int]
    text: object
    pair: tuple[str, str]
    at: int


TEXT = Item("compare text", sample(SAMPLE).text, is_a(str))
FILE: Item[tuple[str, ...]] = Item("compared file", ("", ""), is_a(tuple))  # its name and its text
WITH = Item("compare with", [*SHOWN], are_tokenizers)
SPECIAL: Item[Special] = Item("compare special", "text", one_of("text", "parse"))
LEFT = Item("compare left", "gpt2", is_tokenizer)
RIGHT = Item("compare right", "cl100k_base", is_tokenizer)
AT = Item("disagreement", 0, is_count)  # byte offset of the selected disagreement
BEHIND = Item("compare behind the typed text", False, is_a(bool))
BEFORE = Item("compared text before the last key", "", is_a(str))
CAUSE = Item("compare cause", ALL_CAUSES, one_of(ALL_CAUSES, *CAUSES))
LISTED = Item("compare listed", "alike", one_of("alike", "in order"))
SAMPLE_NAME = Item("compare sample", SAMPLE, one_of(*(s.name for s in all_samples())))
UPLOAD = Upload("compare upload")
STOPPED = Item("comparison cancelled", "", is_a(str))
AGREED: Item[Agreed | None] = Item("agreed where clicked", None, or_none(is_a(Agreed)))
OVERLAP_OPEN = Item("overlap open", False, is_a(bool))
SPELLED = Item("word to spell", "the", text_up_to(LONGEST_SPELLED))
COMPOSITION_OPEN = Item("compared composition open", False, is_a(bool))
TWO_OPEN = Item("two texts open", False, is_a(bool))
FIRST_TEXT = Item("first of two texts", JSON, is_a(str))
SECOND_TEXT = Item("second of two texts", YAML, is_a(str))
LINES_OPEN = Item("compared lines open", False, is_a(bool))
FERTILITY_WHY = Item("fertility why", "ja", one_of(*(s.lang or "" for s in all_samples() if s.group == "parallel")))
FERTILITY_BY = Item("fertility by", "relative", one_of("relative", "tokens", "per character", "per word"))
