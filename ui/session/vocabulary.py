"""Session values of the Vocabulary page."""

from __future__ import annotations

from bpe_core.formats import FORMATS
from bpe_core.text.scripts import SCRIPTS
from ui.session.items import Item, Upload, is_a, is_count, is_range, one_of, some_of
from ui.session.tokenizer_choice import TRAINED, is_tokenizer

ORIGINAL = "original"
"""Export of an uploaded file unchanged, beside the other formats."""


def is_tokenizer_or_none(value: object) -> bool:
    return value == "" or is_tokenizer(value)


VOCABULARY_OF = Item("vocabulary of", TRAINED, is_tokenizer)
FIND_BY = Item("find tokens by", "text", one_of("text", "hex", "id"))
FIND = Item("find tokens", "", is_a(str))
SCRIPTS_SHOWN: Item[list[str]] = Item("scripts shown", [], some_of(*SCRIPTS))
TOKENS_SHOWN = Item("tokens shown", "all", one_of("all", "used", "unused", "twins", "unreached", "steps", "glitch"))
LENGTH_IN = Item("length in", "bytes", one_of("bytes", "characters"))
LENGTHS: Item[tuple[int, int] | None] = Item("lengths", None, is_range)
LENGTHS_SLIDER: Item[tuple[int, int] | None] = Item("lengths slider", None, is_range)
LENGTHS_DRAWN: Item[tuple[int, int] | None] = Item("range of the lengths slider", None, is_range)
CREATED: Item[tuple[int, int] | None] = Item("created", None, is_range)
CREATED_FROM = Item("created from", 0, is_count)
CREATED_TO = Item("created to", 0, is_count)
TOKEN_ORDER = Item("order of tokens", "most used", one_of("id", "longest", "most used"))
TOKEN_PAGE = Item("page of tokens", 0, is_count)
TOKEN: Item[int | None] = Item("token", None, is_count)
FREQUENCIES_OPEN = Item("frequencies open", False, is_a(bool))
FOREST_OPEN = Item("forest open", False, is_a(bool))
FOREST_BY = Item("forest by", "made", one_of("made", "used"))
FOREST_OF_TOKEN = Item("forest of the token", False, is_a(bool))
COMPOSITION_OPEN = Item("composition open", False, is_a(bool))
COMPOSITION_BY = Item("composition by", "kinds", one_of("kinds", "scripts"))
VOCABULARY_BESIDE = Item("vocabulary beside", "", is_tokenizer_or_none)
FIRST_MERGES_OPEN = Item("first merges open", False, is_a(bool))
FIRST_MERGES: Item[int | None] = Item("first merges", None, is_count)  # how many; None for all
ADD_OPEN = Item("add a token open", False, is_a(bool))
ADD_TEXT = Item("token to add", "lantern", is_a(str))
ADD_AS = Item("token to add as", "token", one_of("token", "merges"))
ADD_FLAGS: Item[list[str]] = Item(
    "flags of the token to add", [], some_of("whole_word", "strip_left", "strip_right", "special")
)
SHRINK_OPEN = Item("smaller open", False, is_a(bool))
SHRINK_BY = Item("smaller by", "first", one_of("first", "used"))
SHRINK_MERGES = Item("merges to keep", 1_000, is_count)
EXPORTS_OPEN = Item("exports open", False, is_a(bool))
EXPORT_AS = Item("export as", "tokenizers", one_of(*FORMATS))
EXPORT_OWN_AS = Item("export own as", ORIGINAL, one_of(ORIGINAL, *FORMATS))
CHECKED_FIRST = Item("own file to check", "", is_a(str))  # the file whose proof is shown above the tokens
PROOF_ON = Item("proof on", "training", one_of("training", "encode", "own"))
PROOF_TEXT = Item("proof text", "Café, naïve, 日本語 and 🙂: the same ids elsewhere?", is_a(str))
PROOF_ASKED = Item("digest of a long text to prove", "", is_a(str))
TRAINING_FILE: Item[tuple[str, bytes] | None] = Item("training file to open", None, is_a(tuple))
TRAINING_UPLOAD = Upload("training file")
