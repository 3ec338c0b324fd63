"""A tokenizer with an added token, or with fewer tokens: the words that it segments differently, and its file."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bpe_core import BpeError, Tokenizer
from bpe_core.language import _, counted, joined, message, translate
from bpe_core.payloads.chips import LONGEST_WORD, Column, Table, Word
from bpe_core.text.marks import marked
from bpe_core.tokenizer.chips import chip
from ui.cache import maker_of
from ui.session import training
from ui.session import vocabulary as state
from ui.session.items import Item
from ui.views.token_table import token_table_view
from ui.vocabulary import cache
from ui.vocabulary.changed_tokenizer import Change, ChangedTokenizer, file_of, ids_of
from ui.vocabulary.vocabulary import Vocabulary
from ui.widgets.controls import HEAVY_TO_TRAIN, segments
from ui.widgets.display import title_of
from ui.widgets.downloads import download_button, download_popover
from ui.widgets.opening import open_made
from ui.widgets.progress import TrainingBar

_MOST_ROWS = 200
_AS = {"token": message("Added token"), "merges": message("Merges")}
_FLAGS = {
    "whole_word": message("Whole words only"),
    "strip_left": message("With white space before"),
    "strip_right": message("With white space after"),
    "special": message("Special"),
}
_KEPT = {"first": message("The first merges"), "used": message("What the text uses")}


def show_added(vocabulary: Vocabulary) -> None:
    """Draw the token to add, and the words of the training text that are then segmented differently."""
    as_token = state.ADD_AS.get() == "token"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(_("Token"), max_chars=200, width=200, **state.ADD_TEXT.widget())
        segments(_("Add it as"), _AS, state.ADD_AS)
        if as_token:
            titles = {name: translate(title) for name, title in _FLAGS.items()}
            st.pills(
                _("Flags"),
                list(titles),
                format_func=titles.__getitem__,
                selection_mode="multi",
                **state.ADD_FLAGS.widget(),
            )
    st.caption(
        _("An added token is found before the text is split into words, and inside them; no merge crosses its edges.")
        if as_token
        else _("Merges join the tokens that spell it so far, after all others: no word is cut.")
    )
    if state.ADD_TEXT.get():
        flags = tuple(sorted(state.ADD_FLAGS.get())) if as_token else ()
        _show(vocabulary, Change(state.ADD_AS.get(), state.ADD_TEXT.get(), flags), "added", state.ADD_OPEN)


def show_smaller(vocabulary: Vocabulary) -> None:
    """Draw the choice of what to keep, what is lost, and the words of the training text segmented differently."""
    by = state.SHRINK_BY.get()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        segments(_("Keep"), _KEPT, state.SHRINK_BY)
        if by == "first":
            st.number_input(_("Merges"), 0, step=100, width=200, **state.SHRINK_MERGES.widget())
    st.caption(
        _("Ids are renumbered without gaps, as the rows of a smaller embedding: the table has the old id of each.")
    )
    change = Change(by, count=state.SHRINK_MERGES.get() if by == "first" else 0)
    _show(vocabulary, change, "smaller", state.SHRINK_OPEN)


def _show(vocabulary: Vocabulary, change: Change, key: str, is_open: Item[bool]) -> None:
    """Make the tokenizer and draw its words and files. `is_open`: the panel, which Cancel closes."""
    made_of = vocabulary.name, training.source(), training.CONFIG.get(), training.FORKS.get()
    bar = TrainingBar(key=f"changing: {key}", on_cancel=lambda: is_open.set(False))
    heavy = len(vocabulary.text) > HEAVY_TO_TRAIN and not cache.changed.is_cached(*made_of, change)
    with bar.turn(heavy=heavy):
        found = cache.changed(*made_of, change)
    bar.clear()
    if isinstance(found, BpeError):
        raise found
    st.text(_sentence(found))
    if found.words.words:
        _show_words(vocabulary, found, key, with_reasons=change.how == "token")
    with st.container(horizontal=True):
        make = partial(file_of, maker_of(*made_of), change, vocabulary.text)
        download_button(
            "tokenizer.json",
            make,
            "tokenizer.json",
            disabled=bool(found.unwritable),
            help=translate(found.unwritable) or None,
            key=f"file of {key}",
        )
        if found.kept is not None:
            download_popover(
                partial(ids_of, maker_of(*made_of), change, vocabulary.text),
                "ids",
                label=_("Table of ids"),
                key=f"ids of {key}",
                about=_("One row per old id: its new id, missing if it is gone, and its bytes."),
            )
        if st.button(
            _("Open it here"),
            disabled=bool(found.unwritable),
            help=_("Every page then offers it, like a tokenizer opened on Compare; Train can continue from it."),
            key=f"open {key}",
        ):
            open_made(make, translate(title_of(vocabulary.name)))
            st.rerun()


def _sentence(found: ChangedTokenizer) -> str:
    words, before, after = found.words.words, found.words.tokens_before, found.words.tokens_after
    changed = counted(
        "{count:,} word of the training text is segmented differently: {before:,} tokens before, {after:,} after.",
        "{count:,} words of the training text are segmented differently: {before:,} tokens before, {after:,} after.",
        len(words),
        before=before,
        after=after,
    )
    if not words:
        changed = message(
            "No word of the training text is segmented differently: it still has {tokens:,} tokens.", tokens=after
        )
    if found.kept is None or found.lost is None:
        return translate(changed)
    kept = message("{kept:,} ids stay, {lost:,} are gone.", kept=len(found.kept), lost=len(found.lost))
    return translate(joined(kept, changed))


def _show_words(vocabulary: Vocabulary, found: ChangedTokenizer, key: str, *, with_reasons: bool) -> None:
    shown = found.words.words[:_MOST_ROWS]
    table = Table(
        Column(message("Word"), [marked(word.text) for word in shown]),
        Column(message("Count"), [word.count for word in shown], "number"),
        Column(message("Before"), [_chips(vocabulary.tokenizer, word.before) for word in shown], "chip"),
        Column(message("After"), [_chips(found.tokenizer, word.after) for word in shown], "chip"),
        *([Column(message("Why"), [translate(word.why) for word in shown])] if with_reasons else []),
    )
    token_table_view(table, key=f"words of {key}", height=360, label=_("Words segmented differently"), pickable=False)
    if len(found.words.words) > _MOST_ROWS:
        st.caption(_("The {shown:,} most frequent.", shown=_MOST_ROWS))


def _chips(tokenizer: Tokenizer, ids: tuple[int, ...]) -> Word:
    return Word(tuple(chip(tokenizer, each) for each in ids[:LONGEST_WORD]), max(0, len(ids) - LONGEST_WORD))
