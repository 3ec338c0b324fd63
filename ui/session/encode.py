"""Session values of the Encode page."""

from __future__ import annotations

from bpe_core.tokenizer.tokenizer import SPECIAL_MODES, Special
from ui.session.items import Item, is_a, is_count, is_place, one_of, one_of_numbers, or_none
from ui.session.tokenizer_choice import is_tokenizer

TEXT = Item("encode text", "The tokenizer's choices aren't neutral: 日本語は高い。 🙂", is_a(str))
WITH = Item("encode with", "gpt2", is_tokenizer)
SPECIAL: Item[Special] = Item("encode special", "text", one_of(*SPECIAL_MODES))
COPY = Item("encode copy as", "ids", one_of("ids", "bytes", "text", "files"))
VIEW = Item("encode view as", "tokens", one_of("tokens", "lanes", "files", "prompt", "words"))
MERGES = Item("encode by merges", "all", one_of("all", "step"))
CHOSEN: Item[int | None] = Item("encode chosen token", None, or_none(is_count))
BOUNDARY: Item[int | None] = Item("encode boundary", None, or_none(is_count))  # index of the token after it
CHOSEN_AT: Item[tuple[int, int] | None] = Item("encode chosen token and its byte", None, or_none(is_place))
LANES_AT = Item("encode first token in lanes", 0, is_count)
MANY_OPEN = Item("encode other segmentations", False, is_a(bool))
DROPOUTS = range(0, 101, 5)  # in percent
DROPOUT = Item("encode dropout", 10, one_of_numbers(*DROPOUTS))
THETAS = range(51)  # in tenths
THETA = Item("encode theta", 10, one_of_numbers(*THETAS))
LARGEST_SEED = 9_999_999  # links hold numbers up to 10,000,000
SEED = Item("encode seed", 0, lambda value: is_count(value) and value <= LARGEST_SEED)
BEHIND = Item("encode behind the typed text", False, is_a(bool))
BEFORE = Item("encoded text before the last key", "", is_a(str))
STOPPED = Item("encoding cancelled", "", is_a(str))
HANDED_OVER = Item("encode handed over", False, is_a(bool))
DECODE_IDS = Item("decode ids", "", is_a(str))
DECODE_SPECIAL = Item("decode special tokens too", True, is_a(bool))
