"""Sentence card: one sentence as segmented by every algorithm; a click on a token follows its word."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from bpe_core.language import _, message
from ui.algorithms import cache
from ui.algorithms.shown_step import ShownStep
from ui.runs.sentences import (
    LONGEST_FOLLOWED,
    LONGEST_SENTENCE,
    SentenceRow,
    SentenceWord,
    chosen_sentence,
    followed_word,
    in_bytes,
    in_one_line,
    sentence_words,
)
from ui.session import algorithms as state
from ui.session.algorithms import TITLES
from ui.views.interlinear import interlinear_view
from ui.widgets.controls import segments
from ui.widgets.messages import note

_AT = {"end": message("at the end"), "step": message("at this step")}


def show_sentence(shown: ShownStep) -> str:
    """Draw the card with the sentence; return the followed word, or "" if there is none."""
    with st.container(border=True, key="algorithms sentence card"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="algorithms typed"):
            typed = _field(shown)
            segments(_("Using the vocabularies"), _AT, state.AT, on_change=state.MOVED.set, args=(True,))
        sentence = _checked(typed)
        words = sentence_words(sentence)
        if sentence:
            _show_rows(shown, sentence, words)
        if sentence and not words:
            note(_("None of its words is short enough to follow: at most {most} characters.", most=LONGEST_FOLLOWED))
    return _followed(shown, sentence)


def _field(shown: ShownStep) -> str:
    """Draw the text field; return its content."""
    sentence, word = state.SENTENCE.get(), state.WORD.get()
    chosen = chosen_sentence(sentence, word, shown.source.text, lambda: _differing(shown))
    state.SENTENCE_DRAFT.set(chosen)
    st.text_input(
        _("A sentence or a word"),
        key=state.SENTENCE_DRAFT.key,
        on_change=_typed,
        placeholder=_("Type a sentence"),
        max_chars=LONGEST_SENTENCE,
    )
    return chosen


def _typed() -> None:
    state.SENTENCE.set(state.SENTENCE_DRAFT.get())
    state.WORD.set(None)


def _checked(typed: str) -> str:
    """The typed text as one line; "" if it is empty or too long."""
    sentence = in_one_line(typed)
    if not sentence:
        note(_("Type a sentence, or click a word in the list."))
    if len(sentence) > LONGEST_SENTENCE:
        note(
            _(
                "This has {characters:,} characters. This page takes {most}: Encode and Compare take whole texts.",
                characters=len(sentence),
                most=LONGEST_SENTENCE,
            )
        )
        return ""
    return sentence


def _show_rows(shown: ShownStep, sentence: str, words: list[SentenceWord]) -> None:
    rows = cache.sentence_rows(shown.source, shown.recipe, None if shown.at_end else shown.step, sentence)
    word = _followed(shown, sentence)
    at = next((each for each in words if each.word == word), None)
    start = sentence.find(word) if at is None else at.start
    place = (start, start + len(word)) if word and start >= 0 else None
    interlinear_view(
        sentence,
        [row.lane() for row in rows],
        key="algorithms sentence rows",
        highlight=in_bytes(sentence, place) if place and len(word) < len(sentence) else None,
        height=None,
        label=_("The sentence in the pieces of each algorithm"),
        on_pick=lambda row, token: _pick(rows[row], token, sentence, words),
    )
    st.caption(_("The number counts its pieces. Click one to follow its word below."))
    _show_count(shown, rows)


def _show_count(shown: ShownStep, rows: list[SentenceRow]) -> None:
    """Note on how often the clicked piece of Unigram or SentencePiece occurs in the training text."""
    title, piece = state.PIECE.get()
    name = next((name for name in ("unigram", "sentencepiece") if TITLES[name] == title and name in shown.runs), None)
    if name is None or not any(row.title == title and piece in (form for *_, form in row.pieces) for row in rows):
        return
    count, words = cache.piece_occurrences(name, shown.source, shown.recipe, piece)
    note(
        _(
            "{piece} of {algorithm} occurs in the text: {count:,}. Distinct words with it: {words:,}.",
            piece=piece,
            algorithm=title,
            count=count,
            words=words,
        )
    )


def _pick(row: SentenceRow, token: int, sentence: str, words: list[SentenceWord]) -> None:
    """Follow the word of a clicked token; for white space, the next word."""
    state.PIECE.set((row.title, row.pieces[token][3]))
    end = row.pieces[token][2]
    last = max(len(sentence.encode()[:end].decode(errors="ignore")) - 1, 0)
    word = next((each.word for each in words if each.end > last), None)
    if word is not None:
        state.SENTENCE.set(sentence)
        state.WORD.set(word)


def _followed(shown: ShownStep, sentence: str) -> str:
    return followed_word(state.WORD.get(), sentence, lambda: _differing(shown))


def _differing(shown: ShownStep) -> Sequence[str]:
    return cache.words_that_differ(shown.source, shown.recipe).words
