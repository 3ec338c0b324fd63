"""Card of one token: its facts, occurrences, step of creation, and merge tree."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import streamlit as st

from bpe_core import Encoding, Token, TokenNode
from bpe_core.language import _, listed, n_, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.text.character_names import told_characters
from bpe_core.text.marks import marked
from bpe_core.tokenizer.chips import chip
from bpe_core.tokenizer.encoding_page import created, is_base, node_label, token_hex
from bpe_core.tokenizer.trees import Character, Tree
from ui import cache
from ui.encode.chosen import ChosenTokenizer
from ui.encode.divided import show_divided
from ui.encode.sentences import as_number, with_other_space
from ui.session import training
from ui.session.elsewhere import show_in_vocabulary, show_on_compare
from ui.views.token_table import token_table_view
from ui.views.tree import tree_view
from ui.widgets.layout import heading, side_by_side


def show_card(
    chosen: ChosenTokenizer, encoding: Encoding, number: int | None, choose: Callable[[int | None], None]
) -> None:
    """Draw the card of the chosen token (default: the first); `choose`: called with a token of its characters."""
    with st.container(border=True, key="token"):
        if not len(encoding):
            heading(_("Token"))
            st.caption(_("Type a text, and choose one of its tokens."))
            return
        token = encoding[number or 0]
        heading(
            _("Token {number:,} of {tokens:,}", number=token.index + 1, tokens=len(encoding)),
            _("choose another with a click, or with the arrow keys and Enter"),
        )
        facts, tree = side_by_side(2, 3, key="token-facts-and-tree")
        node = chosen.tokenizer.tree(token.id)
        with facts:
            _show_facts(chosen, encoding, token, node)
        with tree:
            _show_tree(chosen, encoding, token, node)
        if any(each.part for each in characters(encoding, token)):
            show_divided(chosen, encoding, token, choose)


# -- facts ---------------------------------------------------------------------------------------------------


def _show_facts(chosen: ChosenTokenizer, encoding: Encoding, token: Token, node: TokenNode) -> None:
    times = int((encoding.ids == token.id).sum())
    facts = [
        (_("Id"), f"{token.id:,}"),
        (_("Created"), _created(chosen, token, node)),
        (_("Length"), n_("{count:,} byte", "{count:,} bytes", len(token.bytes))),
        (_("Bytes"), token_hex(token.bytes)),
        (_("Position"), _byte_range(token.start, token.end)),
        ("", _character_range(token.char_start, token.char_end)),
        (_("In this text"), _("once") if times == 1 else _("{times:,} times", times=times)),
    ]
    if in_training := _in_training(chosen, token, node):
        facts.append((_("In training"), in_training))
    if split := parts(encoding, token):
        facts.append((_("Holds"), translate(listed(split, last=""))))
    if names := told_characters(encoding.text[token.char_start : token.char_end]):
        facts.append((_("Character"), translate(listed(names, last=""))))
    table = Table(Column("", [name for name, _value in facts]), Column("", [value for _name, value in facts]))
    token_table_view(table, key="token facts", height=None, label=_("The chosen token"), header=False)
    for sentence in (as_number(token), with_other_space(chosen.tokenizer, token)):
        if sentence:
            st.text(sentence)
    with st.container(horizontal=True, gap="small"):
        _show_ways_on(chosen, encoding, token, node)


def _show_ways_on(chosen: ChosenTokenizer, encoding: Encoding, token: Token, node: TokenNode) -> None:
    """Draw buttons that open the token on other pages."""
    merge = chosen.merge_number(node.id)
    if merge and st.button(_("Watch merge {number:,} on Train", number=merge), icon=":material/play_circle:"):
        training.STEP.set(merge)
        st.switch_page("pages/train.py")
    if st.button(_("Show in Vocabulary"), icon=":material/arrow_forward:", key="token in vocabulary"):
        show_in_vocabulary(chosen.name, token.id)
        st.switch_page("pages/vocabulary.py")
    if st.button(_("Compare here"), icon=":material/compare_arrows:", key="token on compare"):
        show_on_compare(chosen.name, encoding.normalized.original, token.start)
        st.switch_page("pages/compare.py")


def _byte_range(start: int, end: int) -> str:
    """Format a byte range, counting from 1.

    >>> _byte_range(4, 5), _byte_range(4, 6)
    ('byte 5', 'bytes 5–6')
    """
    if end <= start:
        return _("before byte {number:,}", number=start + 1)
    if end == start + 1:
        return _("byte {number:,}", number=end)
    return _("bytes {first:,}–{last:,}", first=start + 1, last=end)


def _character_range(start: int, end: int) -> str:
    """Format a character range, counting from 1.

    >>> _character_range(4, 5), _character_range(4, 4)
    ('character 5', 'before character 5')
    """
    if end <= start:
        return _("before character {number:,}", number=start + 1)
    if end == start + 1:
        return _("character {number:,}", number=end)
    return _("characters {first:,}–{last:,}", first=start + 1, last=end)


def _created(chosen: ChosenTokenizer, token: Token, node: TokenNode) -> str:
    number = chosen.merge_number(node.id)
    if chosen.training is not None and number is not None and not token.special:
        return _("merge {number:,} of {merges:,}", number=number, merges=len(chosen.training.merges))
    return created(chosen.tokenizer, node, special=token.special)


def _in_training(chosen: ChosenTokenizer, token: Token, node: TokenNode) -> str:
    """Occurrences of a trained token in the training text; "" for other tokens."""
    if chosen.training is None or chosen.step is None or token.special:
        return ""
    corpus = cache.snapshot(training.source(), training.CONFIG.get(), chosen.step, training.FORKS.get()).corpus
    now = int(np.repeat(corpus.counts, np.diff(corpus.offsets))[corpus.ids == token.id].sum())
    number = chosen.merge_number(node.id)
    if number is None:
        return _("once") if now == 1 else _("{count:,} times", count=now)
    then = chosen.training.merges[number - 1].count
    if now == 1:
        return _("once, {then:,} when it was merged", then=then)
    return _("{now:,} times, {then:,} when it was merged", now=now, then=then)


def parts(encoding: Encoding, token: Token) -> list[str]:
    """Descriptions of the characters that a token holds in part, with the bytes it holds."""
    return [
        n_(
            "byte {part} of {char}",
            "bytes {part} of {char}",
            each.last - each.first + 1,
            part=each.part,
            char=marked(each.char),
        )
        for each in characters(encoding, token)
        if each.part
    ]


# -- the tree ------------------------------------------------------------------------------------------------


def _show_tree(chosen: ChosenTokenizer, encoding: Encoding, token: Token, node: TokenNode) -> None:
    if node.rank is None:
        heading(_("Merge tree"), _("none"))
        st.caption(_why_no_tree(chosen, token))
        return
    heading(
        _("Merge tree"),
        _("read from the bottom up: each merge with its number")
        if chosen.counts_merges
        else _("read from the bottom up: low ranks were learned first"),
    )
    tree = Tree.of(
        node,
        lambda token_id: chip(chosen.tokenizer, token_id),
        lambda part: node_label(chosen.tokenizer, part, chosen.rank),
        characters=characters(encoding, token) if chosen.tokenizer.model.unit == "byte" else (),
    )
    tree_view(tree, key="token tree", height=440, label=_("Merge tree of the token"))


def _why_no_tree(chosen: ChosenTokenizer, token: Token) -> str:
    if token.special:
        return _("A special token is added to the vocabulary as it is: no merge makes it.")
    if "merges" not in chosen.tokenizer.model.views:
        return _("A piece: it is looked up as it is, and nothing is merged.")
    if is_base(chosen.tokenizer, token.id):
        return _("A base symbol: in the vocabulary before any merge. Choose a longer token to see how it grew.")
    return _("No merges lead to this token: it is used only where a whole word is exactly this.")


def characters(encoding: Encoding, token: Token) -> list[Character]:
    """Multi-byte characters that a token holds at least in part, with its bytes of each."""
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
            part = "" if high - low == size else _("{range} of {all}", range=which, all=size)
            found.append(Character(low - token.start, high - token.start - 1, char, part))
    return found
