"""The Algorithms page: a corpus and a size above, then four trainings that are stepped through together."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.sentencepiece import MODEL_TYPES
from ui import cache, controls, state
from ui.address import keep_address
from ui.algorithms.family import Recipe, check_size
from ui.algorithms.here import Here
from ui.algorithms.member import TITLES
from ui.algorithms.player import player
from ui.algorithms.reasons import show_reasons
from ui.algorithms.steps import show_cards, show_notes
from ui.algorithms.vocabularies import show_vocabularies
from ui.algorithms.word import show_word
from ui.corpus import corpus_facts, corpus_picker
from ui.messages import note, problem
from ui.progress import TrainingBar
from ui.state import ALGORITHMS, Source

_MODELS = {"bpe": "BPE", "unigram": "Unigram"}
_INTRODUCTION = (
    "Four ways to learn pieces from one text: BPE and WordPiece join letters, Unigram begins with many pieces and "
    "drops some. Next takes one step of each."
)
_UNITS = {"bpe": "merges", "wordpiece": "tokens", "unigram": "pieces removed"}


def show_algorithms() -> None:
    """The whole page."""
    strip = st.container(horizontal=True, vertical_alignment="bottom", key="strip")
    training = controls.trained()
    source = state.source()
    with strip:
        corpus_picker()
        corpus_facts(training)
        st.space("stretch")
        asked = _choices(source)
    st.caption(_INTRODUCTION)
    try:
        check_size(source.text)
    except BpeError as error:
        problem(error, kept="The text is kept: the other pages take it.")
        return
    if not _train_all(source, asked):
        return
    _show_steps(source, asked)
    if state.FAMILY_AT.get() == "end":
        _show_words(source, asked)


@st.fragment
def _show_steps(source: Source, asked: Recipe) -> None:
    """The player and the cards; below them what follows the step, where the visitor wants it to."""
    _rerun_if_moved()
    keep_address("family steps")
    here = Here.now(source, asked)
    if here.last:
        player(here.last)
        here = Here.now(source, asked)
    show_cards(here)
    show_notes(here)
    if not here.at_end:
        _words_and_pieces(here)


@st.fragment
def _show_words(source: Source, asked: Recipe) -> None:
    """The word and the vocabularies at the end of the training: a step does not draw them again."""
    _rerun_if_moved()
    keep_address("family words")
    _words_and_pieces(Here.now(source, asked))


def _rerun_if_moved() -> None:
    """The word and the vocabularies go from the fragment of the steps to one of their own, or back."""
    if state.FAMILY_MOVED.get():
        state.FAMILY_MOVED.set(False)
        st.rerun()


def _words_and_pieces(here: Here) -> None:
    if not here.members:
        return
    word = show_word(here)
    if word:
        show_reasons(here, word)
    show_vocabularies(here)


def _choices(source: Source) -> Recipe:
    """The vocabulary size, and what SentencePiece trains."""
    usual = cache.usual_family_size(source)
    size = state.FAMILY_SIZE.get() or usual
    state.FAMILY_SIZE_DRAFT.set(size)
    st.number_input(
        "Vocabulary size",
        1,
        state.MOST_PIECES,
        step=10,
        key=state.FAMILY_SIZE_DRAFT.key,
        on_change=_resize,
        help="For all four. Empty the field for a size that fits the text.",
        width=150,
    )
    st.segmented_control(
        "SentencePiece trains",
        MODEL_TYPES,
        format_func=_MODELS.__getitem__,
        required=True,
        on_change=state.FAMILY_STOPPED.set,
        args=("",),
        **state.FAMILY_MODEL.widget(),
    )
    config = state.CONFIG.get()
    return Recipe(size, state.FAMILY_MODEL.get(), config.split, config.tie_break)


def _resize() -> None:
    state.FAMILY_SIZE.set(state.FAMILY_SIZE_DRAFT.get())
    state.FAMILY_STOPPED.set("")


def _train_all(source: Source, asked: Recipe) -> bool:
    """Train what is not trained yet, with progress and a way to cancel; False where it was cancelled."""
    stopped = f"{source.digest} {asked}"
    if state.FAMILY_STOPPED.get() == stopped:
        note("The training was cancelled. Choose a shorter text or a smaller size, or train all the same.")
        st.button("Train", on_click=state.FAMILY_STOPPED.set, args=("",), type="primary")
        return False
    bar = TrainingBar(key="family training", on_cancel=lambda: state.FAMILY_STOPPED.set(stopped))
    for name in ALGORITHMS:

        def report(done: int, total: int, name: str = name) -> None:
            bar.report(done, total, f"Training {TITLES[name]}: {done:,} of {total:,} {_UNITS[name]}")

        cache.family_member(name, source, asked, on_progress=report)
    bar.clear()
    return True
