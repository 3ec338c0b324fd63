"""After a visitor's training the other pages open with its text and tokenizer, unless they hold the visitor's own."""

from __future__ import annotations

from typing import Any

from ui.session import compare, encode, pipeline
from ui.session.items import Item
from ui.session.tokenizer_choice import TRAINED
from ui.session.training import Source

_TEXTS = {encode.TEXT: 100_000, compare.TEXT: 100_000, pipeline.TEXT: 2_000}
"""Texts of the other pages, with the longest training text in characters that each opens with."""

_CHOSEN_IN: dict[Item[str], tuple[Item[Any], ...]] = {
    encode.TEXT: (encode.CHOSEN, encode.CHOSEN_AT, encode.BOUNDARY, encode.LANES_AT),
    compare.TEXT: (compare.AT,),
}
"""What is chosen in a text."""


def carry(before: Source, trained: Source) -> None:
    """Open the other pages with a training; `before`: the training text until now.

    A text that was typed there, or a tokenizer that was chosen, stays.
    """
    for with_ in (encode.WITH, pipeline.WITH):
        if with_.get() == with_.default:
            with_.set(TRAINED)
    if (compare.LEFT.get(), compare.RIGHT.get()) == (compare.LEFT.default, compare.RIGHT.default):
        compare.LEFT.set(TRAINED)
        compare.RIGHT.set("gpt2")
    for item, longest in _TEXTS.items():
        if item.get() in (item.default, before.text) and len(trained.text) <= longest:
            item.set(trained.text)
            for chosen in _CHOSEN_IN.get(item, ()):
                chosen.set(chosen.default)
