"""The text at a step: the training text, or one that the training has not seen, in coloured tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from bpe_core import BpeError, Encoding
from bpe_core.normalize import normalize
from bpe_core.split import PATTERNS
from ui import cache, state
from ui.display import counted, spans
from ui.messages import note
from ui.state import TRAINED
from ui.token_view import Indices, TokenSpans, Words, token_view
from ui.train.here import Here

WINDOW = 3_000
"""A training text of more characters is drawn in part; the counts are of the whole text."""

PART = 1_200
"""Characters that are drawn of such a text: each of them takes its time at each step."""

LONGEST_UNSEEN = 10_000
_HEIGHT = 374
_NAMES = {"training": "Training text", "unseen": "Unseen text"}


@dataclass(frozen=True)
class _Window:
    """A part of the training text: its first character and its characters."""

    start: int
    text: str
    total: int


@dataclass(frozen=True)
class ShownText:
    """A text in the tokens of a step, ready to be drawn."""

    key: str
    label: str
    words: Words
    spans: TokenSpans
    fresh: Indices


def shown_text(here: Here) -> ShownText:
    """The text that the visitor chose to see."""
    return _unseen(here) if state.SHOWN_TEXT.get() == "unseen" else _training(here)


def show_text(shown: ShownText) -> None:
    """The card with a text in the tokens of this step."""
    with st.container(border=True, height="stretch", key="text"):
        with st.container(horizontal=True, vertical_alignment="center", key="text choice"):
            if state.SHOWN_TEXT.get() == "unseen":
                _edit_unseen()
            st.segmented_control(
                "Text to show",
                list(_NAMES),
                format_func=_NAMES.__getitem__,
                required=True,
                label_visibility="collapsed",
                **state.SHOWN_TEXT.widget(),
            )
        token_view(shown.spans, key=shown.key, height=_HEIGHT, fresh=shown.fresh, label=shown.label, words=shown.words)


def _count(here: Here, unseen: Encoding | None) -> tuple[str, str]:
    if unseen is None:
        tokens, compression = here.training.token_count(here.step), here.training.compression(here.step)
    else:
        tokens = len(unseen)
        size = len(unseen.text.encode()) if here.config.unit == "byte" else len(unseen.text)
        compression = size / tokens if tokens else 0.0
    return counted(tokens, "token"), f"{compression:.2f} {here.symbols} per token"


def _training(here: Here) -> ShownText:
    window = _window(here)
    encoding = cache.encoding(TRAINED, here.source, here.config, window.text, "text", here.step, here.forks)
    words = Words(*_count(here, None), _place(here, window))
    return ShownText("text view", "The training text in tokens", words, spans(encoding), _fresh(here, encoding))


def _fresh(here: Here, encoding: Encoding) -> Indices:
    """The tokens that this merge made."""
    return np.flatnonzero(encoding.ids == here.training.merges[here.step - 1].token_id) if here.step else ()


def _place(here: Here, window: _Window) -> str:
    if window.total > len(window.text):
        first, last = window.start + 1, window.start + len(window.text)
        place = f"Characters {first:,} to {last:,} of {window.total:,}"
        return f"{place}, where this merge first stands." if window.start else f"{place}; counts are of all."
    return "Outlined: made by this merge." if here.step else "Nothing is merged yet."


def _window(here: Here) -> _Window:
    """The beginning of the text, or where this step's token first stands if that is later."""
    text = here.source.text
    if len(text) <= WINDOW:
        return _Window(0, text, len(text))
    start = 0
    if here.step:
        corpus = here.snapshot.corpus
        found = np.flatnonzero(corpus.ids == here.training.merges[here.step - 1].token_id)
        if found.size:
            word = int(np.searchsorted(corpus.offsets, found[0], side="right")) - 1
            whole, places = cache.word_places(here.source, here.config)
            place = int(places[word]) if word < len(places) else 0
            if place > PART - 200:
                start = max(whole.rfind("\n", place - 400, place) + 1, place - 400)
            text = whole
    return _Window(start, text[start : start + PART], len(text))


def _unseen(here: Here) -> ShownText:
    text = state.UNSEEN_TEXT.get()[:LONGEST_UNSEEN]
    encoding = cache.encoding(TRAINED, here.source, here.config, text, "text", here.step, here.forks)
    merges = "no merge" if not here.step else "the first merge" if here.step == 1 else f"the first {here.step:,} merges"
    words = Words(*_count(here, encoding), f"A text the training has not seen, encoded with {merges}.")
    return ShownText("unseen view", "The unseen text in tokens", words, spans(encoding), _fresh(here, encoding))


def _edit_unseen() -> None:
    with st.popover("Edit", icon=":material/edit:"):
        st.text_area(
            "A text that the training has not seen",
            height=160,
            width=460,
            max_chars=LONGEST_UNSEEN,
            **state.UNSEEN_TEXT.widget(),
        )


def show_notes(here: Here) -> None:
    """What a visitor should know about this text under these settings: what was replaced, dropped or kept."""
    for text in notes_on(here):
        note(text)


def notes_on(here: Here) -> list[str]:
    """The notes as sentences."""
    notes = []
    replaced = here.training.surrogates
    if replaced:
        many = "1 lone surrogate has" if replaced == 1 else f"{replaced:,} lone surrogates have"
        notes.append(f"{many} no UTF-8 and became U+FFFD (�) before anything else.")
    if here.config.split == "words" and any(map(str.isspace, here.source.text)):
        back = f"; decoding turns every {here.config.end_of_word} into one space" if here.config.end_of_word else ""
        notes.append(f"The split into words drops white space: it belongs to no token{back}.")
    elif here.config.end_of_word:
        notes.append(
            f"Decoding turns every {here.config.end_of_word} into a space, beside the white space that is kept."
        )
    elif here.config.split not in PATTERNS and _drops(here):
        notes.append("Your pattern leaves out characters of this text: they belong to no token, and show no colour.")
    if "\r\n" in here.source.text:
        notes.append("Lines end with CR LF here: two characters, and both are trained on.")
    return notes


def _drops(here: Here) -> bool:
    """Whether the split leaves out a part of the beginning of the text."""
    text = normalize(here.source.text[:WINDOW], here.config).text
    words = cache.words_of(text, here.config.split)
    return not isinstance(words, BpeError) and bool(words.gaps)
