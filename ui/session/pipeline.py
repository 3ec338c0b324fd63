"""Session values of the Pipeline page."""

from __future__ import annotations

from bpe_core.text.library_splits import SPLITS
from bpe_core.text.normalizers import NORMALIZATIONS
from bpe_core.tokenizer.templates import MARKUPS, TEMPLATES, Markup
from bpe_core.tokenizer.truncation import SIDES, STRATEGIES, Side, Strategy
from ui.session.items import Item, is_a, is_count, is_count_or_none, one_of, some_of
from ui.session.limits import LONGEST_ROW
from ui.session.tokenizer_choice import is_tokenizer


def is_length(value: object) -> bool:
    return is_count_or_none(value) and (value is None or 1 <= value <= LONGEST_ROW)  # type: ignore[operator]


def is_multiple(value: object) -> bool:
    return is_length(value) and value is not None


def is_stride(value: object) -> bool:
    return is_count(value) and value < LONGEST_ROW  # type: ignore[operator]


PIPELINE_INPUT = Item("pipeline input", "text", one_of("text", "pair", "batch", "chat"))
PIPELINE_TEXT = Item("pipeline text", "The caf\u00e9 and the cafe\u0301 look alike. \U0001f642", is_a(str))
PIPELINE_PAIR = Item("pipeline second text", "Only one of them is composed.", is_a(str))
PIPELINE_SYSTEM = Item("pipeline system message", "You answer in one word.", is_a(str))
PIPELINE_USER = Item("pipeline user message", "Is seven a prime number?", is_a(str))
PIPELINE_ASSISTANT = Item("pipeline assistant message", "Yes.", is_a(str))
PIPELINE_WITH = Item("pipeline with", "gpt2", is_tokenizer)
PIPELINE_FORM = Item("pipeline normalization", "own", one_of("own", *NORMALIZATIONS))
PIPELINE_ALSO: Item[list[str]] = Item("pipeline also", [], some_of("lower", "accents"))
PIPELINE_SPLIT = Item("pipeline split", "own", one_of("own", *SPLITS))
PIPELINE_TEMPLATE = Item("pipeline template", "end of text", one_of(*TEMPLATES, "own"))
PIPELINE_EXAMPLES = Item("pipeline examples chosen", 0, is_count)
PIPELINE_MARKUP: Item[Markup] = Item("pipeline markup", "special", one_of(*MARKUPS))
PIPELINE_BATCH = Item(
    "pipeline texts", "The lantern is out.\nLight it.\nWho lights the lanterns every night?", is_a(str)
)
PIPELINE_SINGLE = Item("pipeline own template", "<BOS>:0 $A:0 <EOS>:0", is_a(str))
PIPELINE_DOUBLE = Item("pipeline own template of two", "<BOS>:0 $A:0 <EOS>:0 $B:1 <EOS>:1", is_a(str))
PIPELINE_MOST: Item[int | None] = Item("pipeline max length", None, is_length)
PIPELINE_TRUNCATED: Item[Side] = Item("pipeline truncation side", "right", one_of(*SIDES))
PIPELINE_STRATEGY: Item[Strategy] = Item("pipeline strategy", "longest_first", one_of(*STRATEGIES))
PIPELINE_STRIDE = Item("pipeline stride", 0, is_stride)
PIPELINE_PADDING = Item("pipeline padding", "none", one_of("none", "longest", "length"))
PIPELINE_PAD_LENGTH = Item("pipeline padded length", 16, is_multiple)
PIPELINE_PAD_MULTIPLE = Item("pipeline padded to multiple", 1, is_multiple)
PIPELINE_PADDED: Item[Side] = Item("pipeline padding side", "right", one_of(*SIDES))
PIPELINE_PAD_TOKEN = Item("pipeline pad token", "", is_a(str))
PIPELINE_ENCODING = Item("pipeline encoding", "1", is_a(str))
PIPELINE_COPY = Item("pipeline copy as", "table", one_of("table", "python", "json", "csv"))
