"""Unigram by hand: typed words and pieces with counts, and everything that Unigram computes from them."""

from __future__ import annotations

from math import inf

import streamlit as st

from bpe_core import BpeError, ConfigError, UnigramModel, wordpiece_tokenizer
from bpe_core.language import _, message, n_, term, translate
from bpe_core.text.marks import marked
from bpe_core.unigram.by_hand import LONGEST_WORD, UnigramByHand, read_counts, substring_counts
from bpe_core.wordpiece.model import UNKNOWN_WORD
from ui.algorithms import cache
from ui.algorithms.by_hand_tables import LEAST, losses_table, number, viterbi_table, ways_table
from ui.runs.algorithm_run import piece_chip
from ui.session import by_hand as by_hand_state
from ui.session.by_hand import written
from ui.session.items import Item
from ui.views.lattice import Lattice, lattice_view
from ui.views.token_table import token_table_view
from ui.widgets import controls
from ui.widgets.address import keep_address
from ui.widgets.fragments import fragment
from ui.widgets.layout import heading, side_by_side
from ui.widgets.messages import note, problem
from ui.widgets.panels import show_panel

_LISTED = 50
"""Maximum number of listed segmentations."""

_HEIGHT = 430


@fragment
def show_by_hand() -> None:
    """Draw the expander; its content is computed only when open."""
    keep_address("unigram by hand")
    title = _("Unigram by hand: type in words and pieces, and see probabilities, logarithms and losses")
    show_panel(title, "edit_note", by_hand_state.OPEN, _show_content, card="by hand")


def _show_content() -> None:
    typed, shares = side_by_side(2, 3, key="by-hand-typed")
    with typed:
        _show_fields()
    try:
        by_hand = _read()
    except BpeError as error:
        with shares:
            problem(error, unchanged=_("What you typed is kept."), key="by hand problem")
        return
    with shares, st.container(border=True, height="stretch", key="by hand pieces card"):
        _show_pieces(by_hand)
    ways, losses = side_by_side(1, 1, key="by-hand-found")
    with ways, st.container(border=True, height="stretch", key="by hand ways"):
        _show_ways(by_hand)
    with losses, st.container(border=True, height="stretch", key="by hand losses"):
        _show_losses(by_hand)
    lattice, matches = side_by_side(1, 1, key="by-hand-viterbi")
    with lattice, st.container(border=True, height="stretch", key="by hand viterbi"):
        _show_viterbi(by_hand)
    with matches, st.container(border=True, height="stretch", key="by hand wordpiece"):
        _show_wordpiece(_word(by_hand))


# -- input ---------------------------------------------------------------------------------------------------------


def _show_fields() -> None:
    words, pieces = st.columns(2)
    with words:
        controls.text_input(_("Words and counts"), by_hand_state.WORDS, height=_HEIGHT - 90)
    with pieces:
        controls.text_input(_("Pieces and counts"), by_hand_state.PIECES, height=_HEIGHT - 90)
    with st.container(horizontal=True):
        st.button(
            _("Count all parts of the words"),
            on_click=_count_parts,
            key="count parts",
            help=_("The pieces become every part of a word that is shorter than it, as the course begins."),
        )
        st.button(_("The course's example"), on_click=_take_course, key="course by hand", type="tertiary")


def _count_parts() -> None:
    try:
        by_hand_state.PIECES.set(written(substring_counts(_counts(by_hand_state.WORDS, "word"))))
    except BpeError:  # the page reports the error in the list of words
        return
    by_hand_state.WITHOUT.set(None)


def _take_course() -> None:
    for item in (by_hand_state.WORDS, by_hand_state.PIECES):
        item.set(item.default)
    by_hand_state.WORD.set(None)
    by_hand_state.WITHOUT.set(None)


def _read() -> UnigramByHand:
    """The typed input. Raises ConfigError if invalid."""
    words = _counts(by_hand_state.WORDS, "word")
    return cache.unigram_by_hand(tuple(_counts(by_hand_state.PIECES, "piece").items()), tuple(words.items()))


def _counts(item: Item[str], what: str) -> dict[str, int]:
    text = item.get()
    if len(text) > by_hand_state.LONGEST_LIST:
        raise ConfigError(
            message("The words have {characters:,} characters.", characters=len(text))
            if what == "word"
            else message("The pieces have {characters:,} characters.", characters=len(text)),
            limit=message("The limit here is {most:,}.", most=by_hand_state.LONGEST_LIST),
            remedy=message("Leave some out, or call bpe_core.unigram.by_hand in Python."),
        )
    return read_counts(text, what)


# -- the pieces ----------------------------------------------------------------------------------------------------


def _show_pieces(by_hand: UnigramByHand) -> None:
    heading(
        n_(
            "{count:,} piece, total count {total:,}",
            "{count:,} pieces, total count {total:,}",
            len(by_hand.counts),
            total=by_hand.total,
        ),
        _("click one to remove it"),
    )
    pieces, removed = list(by_hand.counts), _removed(by_hand)
    token_table_view(
        cache.by_hand_table(tuple(by_hand.counts.items()), tuple(by_hand.words.items())),
        key="by hand pieces",
        current=None if removed is None else pieces.index(removed),
        height=_HEIGHT - 60,
        label=_("The pieces with their probabilities"),
        on_pick=lambda row: by_hand_state.WITHOUT.set(None if pieces[row] == removed else pieces[row]),
    )


def _removed(by_hand: UnigramByHand) -> str | None:
    removed = by_hand_state.WITHOUT.get()
    return removed if removed in by_hand.counts else None


# -- one word ------------------------------------------------------------------------------------------------------


def _show_ways(by_hand: UnigramByHand) -> None:
    heading(_("All ways to write one word"), _("the most probable first"))
    word = _word(by_hand)
    by_hand_state.WORD_DRAFT.set(word)
    st.text_input(
        translate(term("typed", "Word")),
        key=by_hand_state.WORD_DRAFT.key,
        on_change=_choose_word,
        max_chars=LONGEST_WORD,
        width=220,
    )
    try:
        ways, found = by_hand.count(word), by_hand.segmentations(word, _LISTED)
    except BpeError as error:
        problem(error, key="by hand word problem")
        return
    if not found:
        note(_("No pieces make this word: one of its characters is in no piece."))
        return
    if ways > len(found):
        st.caption(_("The best {best:,} of {all:,}.", best=len(found), all=ways))
    token_table_view(
        ways_table(by_hand, found),
        key="by hand segmentations",
        height=_HEIGHT - 90,
        pickable=False,
        current=0,
        label=_("All segmentations of the word"),
    )


def _word(by_hand: UnigramByHand) -> str:
    chosen = by_hand_state.WORD.get()
    return next(iter(by_hand.words), "") if chosen is None else chosen.strip()


def _show_viterbi(by_hand: UnigramByHand) -> None:
    """Draw the lattice of the word, and the best sum at each of its positions."""
    heading(_("The best way, by Viterbi"), _("the best sum at each position, from left to right"))
    word, numbers = _word(by_hand), {piece: at for at, piece in enumerate(by_hand.counts, 1)}
    if not word or len(word) > LONGEST_WORD:
        return
    model = UnigramModel.of_counts(by_hand.counts, unknown="word")
    lattice = Lattice.of(model.lattice(word), len(word), lambda piece: piece_chip(numbers[piece], piece))
    lattice_view(lattice, key="by hand lattice", label=_("The lattice of the word"))
    st.caption(_("Thick: the best path. Solid: the best to its end. Below: best sums."))
    token_table_view(
        viterbi_table(lattice),
        key="by hand best sums",
        height=_HEIGHT - 90,
        pickable=False,
        label=_("The best sum at each position"),
    )


def _show_wordpiece(word: str) -> None:
    """Draw the pieces of a word by WordPiece's longest match in typed pieces."""
    heading(_("WordPiece: the longest match"), _("from the left, by these pieces alone"))
    st.text_input(
        _("Pieces, with spaces between them"), max_chars=by_hand_state.LONGEST_LIST, **by_hand_state.WORDPIECES.widget()
    )
    pieces = list(dict.fromkeys((UNKNOWN_WORD, *by_hand_state.WORDPIECES.get().split())))
    tokenizer = wordpiece_tokenizer(pieces, special_tokens=[UNKNOWN_WORD])
    st.text(_("{word} → {pieces}", word=marked(word), pieces=marked(" ".join(tokenizer.tokenize(word)))))


def _choose_word() -> None:
    by_hand_state.WORD.set(by_hand_state.WORD_DRAFT.get())


# -- the loss ------------------------------------------------------------------------------------------------------


def _show_losses(by_hand: UnigramByHand) -> None:
    removed = _removed(by_hand)
    if not by_hand.words:
        heading(_("Loss"))
        note(_("Type words with counts, and the loss of each is shown."))
        return
    after = None if removed is None else by_hand.without(removed)
    if removed is None or after is None:
        heading(
            _("Loss {loss}", loss=number(by_hand.loss, 1)), _("count × the score of each word's best way, added up")
        )
    else:
        total = sum(each.loss for each in after)
        heading(
            _("Loss {before} → {after}", before=number(by_hand.loss, 1), after=number(total, 1)),
            _difference(by_hand.increase(removed)),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(_("Without {piece}. All other scores stay.", piece=removed), width="content")
            st.button(
                _("Put it back"), on_click=by_hand_state.WITHOUT.set, args=(None,), type="tertiary", key="put back"
            )
    token_table_view(
        losses_table(by_hand.word_losses, after),
        key="by hand loss",
        height=_HEIGHT - 40,
        pickable=True,
        label=_("The loss of every word"),
        on_pick=lambda row: by_hand_state.WORD.set(by_hand.word_losses[row].word),
    )


def _difference(increase: float) -> str:
    if increase == inf:
        return _("a word cannot be written without it")
    if increase > LEAST:
        return _("grows by {increase:,.1f}", increase=increase)
    return _("stays the same: it costs nothing to remove")
