"""What is chosen on the Pipeline page."""

from __future__ import annotations

from bpe_core.text.library_splits import SPLITS
from bpe_core.text.normalizers import NORMALIZATIONS
from bpe_core.tokenizer.templates import MARKUPS, TEMPLATES, Markup
from ui.session.items import Item, is_a, is_count, one_of, some_of
from ui.session.tokenizer_choice import is_tokenizer


def is_pipeline_tokenizer(value: object) -> bool:
    return is_tokenizer(value) or value in ("wordpiece", "unigram")


PIPELINE_INPUT = Item("pipeline input", "text", one_of("text", "pair", "chat"))
PIPELINE_TEXT = Item("pipeline text", "The caf\u00e9 and the cafe\u0301 look alike. \U0001f642", is_a(str))
PIPELINE_PAIR = Item("pipeline second text", "Only one of them is composed.", is_a(str))
PIPELINE_SYSTEM = Item("pipeline system message", "You answer in one word.", is_a(str))
PIPELINE_USER = Item("pipeline user message", "Is seven a prime number?", is_a(str))
PIPELINE_ASSISTANT = Item("pipeline assistant message", "Yes.", is_a(str))
PIPELINE_WITH = Item("pipeline with", "gpt2", is_pipeline_tokenizer)
PIPELINE_FORM = Item("pipeline normalization", "own", one_of("own", *NORMALIZATIONS))
PIPELINE_ALSO: Item[list[str]] = Item("pipeline also", [], some_of("lower", "accents"))
PIPELINE_SPLIT = Item("pipeline split", "own", one_of("own", *SPLITS))
PIPELINE_TEMPLATE = Item("pipeline template", "end of text", one_of(*TEMPLATES))
PIPELINE_EXAMPLES = Item("pipeline examples chosen", 0, is_count)
PIPELINE_MARKUP: Item[Markup] = Item("pipeline markup", "special", one_of(*MARKUPS))
