"""The Algorithms page: a corpus and a size above, then four trainings that are stepped through together."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.sentencepiece.training import MODEL_TYPES
from ui.algorithms import cache
from ui.algorithms.algorithm_run import TITLES
from ui.algorithms.player import show_player
from ui.algorithms.reasons import show_reasons
from ui.algorithms.shown_step import ShownStep
from ui.algorithms.steps import show_cards, show_notes
from ui.algorithms.training import Recipe, check_size
from ui.algorithms.vocabularies import show_vocabularies
from ui.algorithms.word import show_word
from ui.session import state
from ui.session.state import ALGORITHMS, Source
from ui.shared import controls
from ui.shared.address import keep_address
from ui.shared.corpus import corpus_facts, corpus_picker
from ui.shared.messages import note, problem
from ui.shared.progress import TrainingBar

_MODELS = {"bpe": "BPE", "unigram": "Unigram"}
_INTRODUCTION = (
    "Four ways to learn pieces from one text: BPE and WordPiece merge characters, Unigram starts with many pieces "
    "and removes some. Next takes one step of each."
)
_HEAVY = 5_000
"""Characters from which on the four wait their turn: three of them are trained in plain Python."""
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
        recipe = _choices(source)
    st.caption(_INTRODUCTION)
    try:
        check_size(source.text)
    except BpeError as error:
        problem(error, kept="The text is kept: the other pages take it.")
        return
    if not _train_all(source, recipe):
        return
    _show_steps(source, recipe)
    if state.ALGORITHMS_AT.get() == "end":
        _show_words(source, recipe)


@st.fragment
def _show_steps(source: Source, recipe: Recipe) -> None:
    """The player and the cards; below them what follows the step, where the visitor wants it to."""
    _rerun_if_moved()
    keep_address("algorithms steps")
    shown = ShownStep.now(source, recipe)
    if shown.last:
        show_player(shown.last)
        shown = ShownStep.now(source, recipe)
    show_cards(shown)
    show_notes(shown)
    if not shown.at_end:
        _words_and_pieces(shown)


@st.fragment
def _show_words(source: Source, recipe: Recipe) -> None:
    """The word and the vocabularies at the end of the training: a step does not draw them again."""
    _rerun_if_moved()
    keep_address("algorithms words")
    _words_and_pieces(ShownStep.now(source, recipe))


def _rerun_if_moved() -> None:
    """The word and the vocabularies go from the fragment of the steps to one of their own, or back."""
    if state.ALGORITHMS_MOVED.get():
        state.ALGORITHMS_MOVED.set(False)
        st.rerun()


def _words_and_pieces(shown: ShownStep) -> None:
    if not shown.runs:
        return
    word = show_word(shown)
    if word:
        show_reasons(shown, word)
    show_vocabularies(shown)


def _choices(source: Source) -> Recipe:
    """The vocabulary size, and what SentencePiece trains."""
    usual = cache.usual_vocabulary_size(source)
    size = state.ALGORITHMS_SIZE.get() or usual
    state.ALGORITHMS_SIZE_DRAFT.set(size)
    st.number_input(
        "Vocabulary size",
        1,
        state.MOST_PIECES,
        step=10,
        key=state.ALGORITHMS_SIZE_DRAFT.key,
        on_change=_resize,
        help="For all four. Empty the field for a size that fits the text.",
        width=150,
    )
    st.segmented_control(
        "SentencePiece trains",
        MODEL_TYPES,
        format_func=_MODELS.__getitem__,
        required=True,
        on_change=state.ALGORITHMS_STOPPED.set,
        args=("",),
        **state.ALGORITHMS_MODEL.widget(),
    )
    config = state.CONFIG.get()
    return Recipe(size, state.ALGORITHMS_MODEL.get(), config.split, config.tie_break)


def _resize() -> None:
    state.ALGORITHMS_SIZE.set(state.ALGORITHMS_SIZE_DRAFT.get())
    state.ALGORITHMS_STOPPED.set("")


def _train_all(source: Source, recipe: Recipe) -> bool:
    """Train what is not trained yet, with progress and a way to cancel; False where it was cancelled."""
    stopped = f"{source.digest} {recipe}"
    if state.ALGORITHMS_STOPPED.get() == stopped:
        note("The training was cancelled. Choose a shorter text or a smaller size, or train all the same.")
        st.button("Train", on_click=state.ALGORITHMS_STOPPED.set, args=("",), type="primary")
        return False
    bar = TrainingBar(key="algorithms training", on_cancel=lambda: state.ALGORITHMS_STOPPED.set(stopped))
    to_do = [name for name in ALGORITHMS if not cache.is_trained(name, source, recipe)]
    with bar.turn(heavy=bool(to_do) and len(source.text) > _HEAVY):
        for name in to_do:

            def report(done: int, total: int, name: str = name) -> None:
                bar.report(done, total, f"Training {TITLES[name]}: {done:,} of {total:,} {_UNITS[name]}")

            cache.trained_run(name, source, recipe, on_progress=report)
    bar.clear()
    return True
