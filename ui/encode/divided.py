"""Characters that are divided between tokens: code point, bytes and their tokens, block, and code chart."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import streamlit as st

from bpe_core import Encoding, Token
from bpe_core.arrays import sorted_place
from bpe_core.language import _, message, translate
from bpe_core.payloads.chips import Column, Table, Tone
from bpe_core.text.code_chart import Place, place_of
from bpe_core.text.marks import marked
from bpe_core.tokenizer.chips import chip
from ui.encode.chosen import ChosenTokenizer
from ui.views.token_table import token_table_view
from ui.widgets.layout import heading, side_by_side

_COLUMNS = 8


def show_divided(
    chosen: ChosenTokenizer, encoding: Encoding, token: Token, choose: Callable[[int | None], None]
) -> None:
    """Draw each character that the token shares with others: at most the one at either end."""
    for at in divided_characters(encoding, token):
        place = place_of(encoding.text[at])
        facts = (place.code_point, place.utf8.hex(" ").upper(), translate(place.block))
        heading(_("{character}, divided between tokens", character=marked(place.char)), " · ".join(filter(None, facts)))
        shares, chart = side_by_side(2, 3, key=f"divided-{at}")
        with shares:
            _show_shares(chosen, encoding, at, choose)
        with chart:
            _show_chart(place, at)
    st.caption(
        _(
            "A program that shows the tokens one by one shows � for a part of a character, until the token with its "
            "last byte has come."
        )
    )


def divided_characters(encoding: Encoding, token: Token) -> list[int]:
    """Indices of the characters that a token holds in part.

    >>> from bpe_core import load_pretrained
    >>> encoding = load_pretrained("gpt2").encode("の時")
    >>> divided_characters(encoding, encoding[0]), shares_of(encoding, 1)
    ([1], [(0, 'E6'), (1, '99 82')])
    """
    edges = encoding.character_starts
    held = range(token.char_start, token.char_end)
    return [at for at in held if int(edges[at]) < token.start or int(edges[at + 1]) > token.end]


def shares_of(encoding: Encoding, at: int) -> list[tuple[int, str]]:
    """Tokens that share a character, each with its bytes of it."""
    first, last = (int(edge) for edge in encoding.character_starts[at : at + 2])
    begin, end = sorted_place(encoding.ends, first, "right"), sorted_place(encoding.starts, last)
    found = []
    for index in range(begin, end):
        part = encoding.utf8[max(first, int(encoding.starts[index])) : min(last, int(encoding.ends[index]))]
        found.append((index, part.hex(" ").upper()))
    return found


def _show_shares(chosen: ChosenTokenizer, encoding: Encoding, at: int, choose: Callable[[int | None], None]) -> None:
    shares = shares_of(encoding, at)
    tokens = [chip(chosen.tokenizer, int(encoding.ids[index]), encoding.utf8) for index, _part in shares]
    table = Table(
        Column(message("Bytes"), [part for _index, part in shares]),
        Column(message("Token"), tokens, "chip"),
        Column(message("Number"), [index + 1 for index, _part in shares], "number"),
    )
    token_table_view(
        table,
        key=f"shares of {at}",
        height=None,
        label=_("Bytes of the character by token"),
        on_pick=lambda row: choose(shares[row][0]),
    )


def _show_chart(place: Place, at: int) -> None:
    """Draw the 64 characters that begin with the same bytes; the last byte is that of the row plus the column."""
    neighbours = [char if unicodedata.category(char)[0] not in "CM" else "" for char in place.neighbours]
    rows = range(0, len(neighbours), _COLUMNS)
    mine = place.neighbours.index(place.char)
    lasts = [place.neighbours[row].encode()[-1:].hex().upper() for row in rows]
    columns = [Column(place.shared.hex(" ").upper(), lasts)]
    for column in range(_COLUMNS):
        tones: list[Tone] = ["strong" if row + column == mine else "dim" for row in rows]
        columns.append(Column(f"+{column}", [neighbours[row + column] for row in rows], tones=tones))
    token_table_view(
        Table(*tuple(columns)),
        key=f"code chart of {at}",
        height=None,
        pickable=False,
        label=_("Characters that begin with the same bytes"),
    )
