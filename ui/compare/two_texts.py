"""Two texts under the same tokenizers: the tokens of each, and how the kinds of tokens differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from bpe_core import BpeError, Encoding
from bpe_core.language import _, message, translate
from bpe_core.payloads.chips import Column, Table
from ui import cache
from ui.compare.chosen import Chosen
from ui.session import compare as state
from ui.views.token_table import token_table_view
from ui.widgets.controls import check_length, text_input
from ui.widgets.display import title_of
from ui.widgets.messages import note, problem
from ui.widgets.panels import show_panel

_KINDS = {
    "words": message("letters and digits"),
    "signs": message("quotes, brackets and other signs"),
    "space": message("white space"),
}
_HEIGHT = 230


def show_two_texts(chosen: Chosen) -> None:
    """Draw the expander with the two texts."""
    title = _("Two texts under one tokenizer: why does JSON cost more than YAML?")
    show_panel(title, "difference", state.TWO_OPEN, partial(_show, chosen), card="two texts")


def _show(chosen: Chosen) -> None:
    left, right = st.columns(2)
    with left:
        text_input(_("First text"), state.FIRST_TEXT, height=_HEIGHT)
    with right:
        text_input(_("Second text"), state.SECOND_TEXT, height=_HEIGHT)
    st.button(_("The same data as JSON and as YAML"), on_click=_take_pair, type="tertiary", key="json and yaml")
    texts = state.FIRST_TEXT.get(), state.SECOND_TEXT.get()
    try:
        counts = [[kinds_of(_encoded(chosen, name, text)) for text in texts] for name in chosen.names]
    except BpeError as error:
        problem(error, unchanged=_("The texts are kept."), key="two texts problem")
        return
    first, second = counts[0]
    note(
        _(
            "{tokenizer}: {first:,} tokens against {second:,}, {signs:+,} of quotes, brackets and other signs, "
            "{space:+,} of white space, {words:+,} of letters and digits.",
            tokenizer=translate(title_of(chosen.names[0])),
            first=first.total(),
            second=second.total(),
            **{kind: first[kind] - second[kind] for kind in _KINDS},
        )
    )
    token_table_view(
        _table(chosen.names, counts),
        key="two texts counts",
        height=None,
        pickable=False,
        label=_("Tokens of both texts by kind"),
    )


def _table(names: Sequence[str], counts: Sequence[Sequence[Counter[str]]]) -> Table:
    rows = [
        (title_of(name), kind, one[kind], other[kind])
        for name, (one, other) in zip(names, counts, strict=True)
        for kind in _KINDS
    ]
    return Table(
        Column(message("Tokenizer"), [translate(row[0]) for row in rows]),
        Column(message("Tokens of"), [translate(_KINDS[row[1]]) for row in rows]),
        Column(message("First text"), [row[2] for row in rows], "number"),
        Column(message("Second text"), [row[3] for row in rows], "number"),
        Column(message("Difference"), [row[2] - row[3] for row in rows], "number"),
    )


def _encoded(chosen: Chosen, name: str, text: str) -> Encoding:
    check_length(text, state.LONGEST_OF_TWO)
    return cache.encoding(name, chosen.source, chosen.config, text, "text", forks=chosen.forks)


def _take_pair() -> None:
    state.FIRST_TEXT.set(state.FIRST_TEXT.default)
    state.SECOND_TEXT.set(state.SECOND_TEXT.default)


def kinds_of(encoding: Encoding) -> Counter[str]:
    """Number of tokens by kind: with a letter or digit, white space alone, or signs.

    >>> from bpe_core import load_pretrained
    >>> sorted(kinds_of(load_pretrained("gpt2").encode('{"a": 1}')).items())
    [('signs', 3), ('words', 2)]
    """
    ids, counts = np.unique(encoding.ids, return_counts=True)
    found: Counter[str] = Counter()
    for token_id, count in zip(ids.tolist(), counts.tolist(), strict=True):
        found[_kind(encoding.token_bytes(token_id))] += count
    return found


def _kind(token: bytes) -> str:
    text = token.decode("utf-8", "replace")
    if not text.strip():
        return "space"
    return "words" if re.search(r"\w|\ufffd", text) else "signs"
