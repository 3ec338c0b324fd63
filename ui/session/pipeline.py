"""Session values of the Pipeline page."""

from __future__ import annotations

from bpe_core import Tokenizer
from bpe_core.bundled.openai import OPENAI
from bpe_core.text.library_splits import SPLITS
from bpe_core.text.normalizers import NORMALIZATIONS
from bpe_core.tokenizer.templates import MARKUPS, NO_TEMPLATE, TEMPLATES, Markup, Template
from bpe_core.tokenizer.truncation import SIDES, STRATEGIES, Side, Strategy
from ui.session.items import Item, is_a, is_count, number_in, one_of, or_none, some_of
from ui.session.limits import LONGEST_ROW
from ui.session.tokenizer_choice import is_tokenizer

is_length = number_in(1, LONGEST_ROW)

INPUT = Item("pipeline input", "text", one_of("text", "pair", "batch", "chat"))
TEXT = Item("pipeline text", "The caf\u00e9 and the cafe\u0301 look alike. \U0001f642", is_a(str))
PAIR = Item("pipeline second text", "Only one of them is composed.", is_a(str))
SYSTEM = Item("pipeline system message", "You answer in one word.", is_a(str))
USER = Item("pipeline user message", "Is seven a prime number?", is_a(str))
ASSISTANT = Item("pipeline assistant message", "Yes.", is_a(str))
MOST_MESSAGES = 10
ROLES = ("system", "user", "assistant", "tool", "developer")
MESSAGES = (
    SYSTEM,
    USER,
    ASSISTANT,
    *(Item(f"pipeline message {number}", "", is_a(str)) for number in range(4, MOST_MESSAGES + 1)),
)
"""Texts of a chat; the first MESSAGE_COUNT are used."""

MESSAGE_ROLES = tuple(
    Item(f"pipeline role {number}", "system" if number == 1 else ROLES[1 + number % 2], one_of(*ROLES))
    for number in range(1, MOST_MESSAGES + 1)
)

MESSAGE_COUNT = Item("pipeline messages", 3, number_in(1, MOST_MESSAGES))
CHAT_TEMPLATE = Item("pipeline chat template", "", is_a(str))
"""Name of one of the model's chat templates, or CHATML; "" for its default."""

CHATML = "chatml, built in"
PROMPTED = Item("pipeline generation prompt", False, is_a(bool))
WITH = Item("pipeline with", "gpt2", is_tokenizer)
FORM = Item("pipeline normalization", "own", one_of("own", *NORMALIZATIONS))
ALSO: Item[list[str]] = Item("pipeline also", [], some_of("lower", "accents"))
SPLIT = Item("pipeline split", "own", one_of("own", *SPLITS))
TEMPLATE = Item("pipeline template", "model", one_of("model", *TEMPLATES, "own"))
EXAMPLES = Item("pipeline examples chosen", 0, is_count)
MARKUP: Item[Markup] = Item("pipeline markup", "special", one_of(*MARKUPS))
BATCH = Item("pipeline texts", "The lantern is out.\nLight it.\nWho lights the lanterns every night?", is_a(str))
SINGLE = Item("pipeline own template", "<BOS>:0 $A:0 <EOS>:0", is_a(str))
DOUBLE = Item("pipeline own template of two", "<BOS>:0 $A:0 <EOS>:0 $B:1 <EOS>:1", is_a(str))
MOST: Item[int | None] = Item("pipeline max length", None, or_none(is_length))
TRUNCATED: Item[Side] = Item("pipeline truncation side", "right", one_of(*SIDES))
STRATEGY: Item[Strategy] = Item("pipeline strategy", "longest_first", one_of(*STRATEGIES))
STRIDE = Item("pipeline stride", 0, number_in(0, LONGEST_ROW - 1))
PADDING = Item("pipeline padding", "none", one_of("none", "longest", "length"))
PAD_LENGTH = Item("pipeline padded length", 16, is_length)
PAD_MULTIPLE = Item("pipeline padded to multiple", 1, is_length)
PADDED: Item[Side] = Item("pipeline padding side", "right", one_of(*SIDES))
PAD_TOKEN = Item("pipeline pad token", "", is_a(str))
ENCODING = Item("pipeline encoding", "1", is_a(str))
COPY = Item("pipeline copy as", "table", one_of("table", "python", "json", "csv"))


def model_template(tokenizer: Tokenizer) -> str | Template:
    """Template of a tokenizer's file; without one, BERT's if it has [CLS] and [SEP], GPT-2's for OpenAI's.

    >>> from bpe_core import load_pretrained
    >>> model_template(load_pretrained("gpt2"))
    'end of text'
    """
    if tokenizer.template != NO_TEMPLATE:
        return tokenizer.template
    if {"[CLS]", "[SEP]"} <= set(tokenizer.special_tokens):
        return "bert"
    return "end of text" if tokenizer.name in OPENAI else "none"
