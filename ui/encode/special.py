"""Special tokens: their list, and the reason for a refused text."""

from __future__ import annotations

import re
from typing import NamedTuple

import streamlit as st

from bpe_core import Tokenizer
from bpe_core.language import _, message, n_, term
from bpe_core.payloads.chips import Chip, Column, Table
from bpe_core.payloads.spans import TokenSpans
from bpe_core.tokenizer.tokenizer import Special
from ui.encode import cache
from ui.encode.chosen import ChosenTokenizer
from ui.views.token_flow import token_view
from ui.views.token_table import token_table_view
from ui.widgets.layout import heading

_INSTEAD: tuple[Special, Special] = ("text", "parse")
_AROUND = 120
"""Characters of context shown around the first special token."""


class Found(NamedTuple):
    """A special token in a text, with its character range."""

    name: str
    token_id: int
    start: int
    end: int


def show_list(chosen: ChosenTokenizer) -> None:
    """Draw a popover with the tokenizer's special tokens, if any."""
    names = chosen.tokenizer.special_tokens
    if not names:
        return
    label = n_("{count:,} special token", "{count:,} special tokens", len(names))
    with st.popover(label, icon=":material/token:"):
        st.caption(
            _("{tokenizer}: names with an id of their own. No merge makes or crosses them.", tokenizer=chosen.title)
        )
        table = Table(
            Column(
                message("Special token"),
                [Chip.of_label(token_id, name) for name, token_id in names.items()],
                "chip",
            ),
            Column(message("Id"), list(names.values()), "number"),
        )
        token_table_view(table, key="special tokens", height=260, label=_("Special tokens"))


def find(tokenizer: Tokenizer, text: str) -> list[Found]:
    """Special tokens named in a text, in order; the longest of overlapping names.

    >>> from bpe_core import load_pretrained
    >>> find(load_pretrained("gpt2"), "a<|endoftext|>")
    [Found(name='<|endoftext|>', token_id=50256, start=1, end=14)]
    """
    names = tokenizer.special_tokens
    if not names:
        return []
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return [Found(m.group(), names[m.group()], m.start(), m.end()) for m in re.finditer(pattern, text)]


def show_refused(chosen: ChosenTokenizer, text: str) -> None:
    """Draw the card shown in place of tokens: the refused names, where they occur, and the other modes' results."""
    found = find(chosen.tokenizer, text)
    title = (
        _("Refused: the text names a special token")
        if len(found) == 1
        else _("Refused: the text names {names:,} special tokens", names=len(found))
    )
    with st.container(border=True, key="refused"):
        heading(title, _("{tokenizer} · special tokens refused", tokenizer=chosen.title))
        st.text(
            _(
                "Nothing was encoded, and the text is kept. Programs refuse such text from strangers: parsed, it could "
                "end a document or change who is speaking."
            )
        )
        token_view(_excerpt(text, found), key="refused text", label=_("Where the special tokens occur"))
        as_text, parsed = (len(cache.encoding(chosen.tokenizer, text, mode)) for mode in _INSTEAD)
        table = Table(
            Column(message("Choose above"), [_("As plain text"), _("Parsed")]),
            Column(term("number", "Tokens"), [as_text, parsed], "number"),
            Column("", [_("characters like any others"), _("each name becomes its one special token")]),
        )
        token_table_view(table, key="refused choices", height=None, label=_("What the other modes do"))


def _excerpt(text: str, found: list[Found]) -> TokenSpans:
    """The text around the first special token, with each name drawn as a token."""
    first = found[0] if found else Found("", 0, 0, 0)
    start, stop = max(0, first.start - _AROUND), first.end + _AROUND
    shown = text[start:stop].encode("utf-8", "replace").decode()
    inside = [each for each in found if start <= each.start and each.end <= stop]
    byte_at = [[len(shown[: at - start].encode()) for at in (each.start, each.end)] for each in inside]
    return TokenSpans.of(
        shown,
        [each.token_id for each in inside],
        [low for low, _ in byte_at],
        [high for _, high in byte_at],
        special=range(len(inside)),
        labels={i: each.name for i, each in enumerate(inside)},
    )
