"""The card of one token: what it is, where it occurs, at which step it was created, and its merge tree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import streamlit as st

from bpe_core import Encoding, Token, TokenNode
from ui.components.token_table import token_table
from ui.components.tokens import Column, Table
from ui.components.tree import Character, Tree, tree_view
from ui.encode.chosen import ChosenTokenizer
from ui.session import state
from ui.shared import cache
from ui.shared.display import chip
from ui.shared.layout import heading, side_by_side

LONGEST_HEX = 24
"""Bytes of a token that the card spells out."""


def show_card(chosen: ChosenTokenizer, encoding: Encoding, number: int | None) -> None:
    """The card of the chosen token; of the first one until there is a choice."""
    with st.container(border=True, key="token"):
        if not len(encoding):
            heading("Token")
            st.caption("Type a text, and choose one of its tokens.")
            return
        token = encoding[number or 0]
        heading(
            f"Token {token.index + 1:,} of {len(encoding):,}",
            "choose another with a click, or with the arrow keys and Enter",
        )
        facts, tree = side_by_side(2, 3, key="token-facts-and-tree")
        node = chosen.tokenizer.tree(token.id)
        with facts:
            _show_facts(chosen, encoding, token, node)
        with tree:
            _show_tree(chosen, encoding, token, node)


# -- facts ---------------------------------------------------------------------------------------------------


def _show_facts(chosen: ChosenTokenizer, encoding: Encoding, token: Token, node: TokenNode) -> None:
    times = int((encoding.ids == token.id).sum())
    facts = {
        "Id": f"{token.id:,}",
        "Created": _created(chosen, token, node),
        "Length": _times(len(token.bytes), "byte"),
        "Bytes": token.bytes[:LONGEST_HEX].hex(" ").upper() + (" …" if len(token.bytes) > LONGEST_HEX else ""),
        "Position": _range("byte", token.start, token.end),
        "": _range("character", token.char_start, token.char_end),
        "In this text": "once" if times == 1 else f"{times:,} times",
        **_in_training(chosen, token, node),
    }
    if split := parts(encoding, token):
        facts["Holds"] = ", ".join(split)
    table = Table((Column("", list(facts)), Column("", list(facts.values()))))
    token_table(table, key="token facts", height=None, label="The chosen token", header=False)
    if chosen.training is None or node.rank is None:
        return
    if st.button(f"Watch merge {node.rank + 1:,} on Train", icon=":material/play_circle:"):
        state.STEP.set(node.rank + 1)
        st.switch_page("pages/train.py")


def _times(count: int, unit: str) -> str:
    return f"1 {unit}" if count == 1 else f"{count:,} {unit}s"


def _range(unit: str, start: int, end: int) -> str:
    """A range as people count, from 1.

    >>> _range("byte", 4, 5), _range("byte", 4, 6)
    ('byte 5', 'bytes 5–6')
    """
    if end <= start:
        return f"before {unit} {start + 1:,}"
    return f"{unit} {end:,}" if end == start + 1 else f"{unit}s {start + 1:,}–{end:,}"


def _created(chosen: ChosenTokenizer, token: Token, node: TokenNode) -> str:
    if token.special:
        return "special token"
    if "merges" not in chosen.tokenizer.model.views:
        return "a piece of the vocabulary"
    if node.rank is None:
        single = len(token.bytes) == 1 or chosen.tokenizer.model.unit == "char"
        return "a base symbol" if single else "a whole word"
    if chosen.training is not None:
        return f"merge {node.rank + 1:,} of {len(chosen.training.merges):,}"
    return f"rank {node.rank:,}"


def _in_training(chosen: ChosenTokenizer, token: Token, node: TokenNode) -> dict[str, str]:
    """How often a trained token occurs in the text that it was learned from."""
    if chosen.training is None or chosen.step is None or token.special:
        return {}
    corpus = cache.snapshot(state.source(), state.CONFIG.get(), chosen.step, state.FORKS.get()).corpus
    now = int(np.repeat(corpus.counts, np.diff(corpus.offsets))[corpus.ids == token.id].sum())
    then = "" if node.rank is None else f", {chosen.training.merges[node.rank].count:,} when it was merged"
    return {"In training": (f"{now:,} times" if now != 1 else "once") + then}


def parts(encoding: Encoding, token: Token) -> list[str]:
    """Which bytes of which characters a token holds, where it splits them."""
    return [
        f"{'byte' if each.first == each.last else 'bytes'} {each.part} of {each.char}"
        for each in characters(encoding, token)
        if each.part
    ]


# -- the tree ------------------------------------------------------------------------------------------------


def _show_tree(chosen: ChosenTokenizer, encoding: Encoding, token: Token, node: TokenNode) -> None:
    if node.rank is None:
        heading("Merge tree", "none")
        st.caption(
            "A special token is added to the vocabulary as it is: no merge makes it."
            if token.special
            else "A piece: it is looked up as it is, and nothing is merged."
            if "merges" not in chosen.tokenizer.model.views
            else "A base symbol: in the vocabulary before any merge. Choose a longer token to see how it grew."
            if len(token.bytes) == 1 or chosen.tokenizer.model.unit == "char"
            else "No merges lead to this token: it is used only where a whole word is exactly this."
        )
        return
    numbers = "each merge with its number" if chosen.training is not None else "low ranks were learned first"
    heading("Merge tree", f"read from the bottom up: {numbers}")
    tree = Tree.of(
        node,
        lambda token_id: chip(chosen.tokenizer, token_id),
        lambda part: _label(chosen, part),
        characters=characters(encoding, token) if chosen.tokenizer.model.unit == "byte" else (),
    )
    tree_view(tree, key="token tree", height=440, label="Merge tree of the token")


def _label(chosen: ChosenTokenizer, node: TokenNode) -> str:
    if node.rank is not None:
        return chosen.rank(node.rank)
    data = chosen.tokenizer.token_bytes(node.id)
    return f"byte {data[0]:02X}" if chosen.tokenizer.model.unit == "byte" and len(data) == 1 else "base symbol"


def characters(encoding: Encoding, token: Token) -> list[Character]:
    """The characters of several bytes that a token holds, or holds a part of, with the bytes that it has of each."""
    found = []
    starts = encoding.character_starts[token.char_start : token.char_end + 1].tolist()
    for char, (first_byte, next_byte) in zip(
        encoding.text[token.char_start : token.char_end], pairwise(starts), strict=True
    ):
        size = next_byte - first_byte
        low, high = max(token.start, first_byte), min(token.end, first_byte + size)
        if size > 1 and high > low:
            first, last = low - first_byte + 1, high - first_byte
            which = f"{first}" if first == last else f"{first}–{last}"
            part = "" if high - low == size else f"{which} of {size}"
            found.append(Character(low - token.start, high - token.start - 1, char, part))
    return found
