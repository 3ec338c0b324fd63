"""The Algorithms page: a corpus and a size, and trainings stepped through together."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError
from bpe_core.language import _, listed, message, n_, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.sentencepiece.training import MOST_BYTES as MOST_OF_SENTENCEPIECE
from bpe_core.text.small_corpus import MOST_BYTES
from ui.algorithms import cache
from ui.algorithms.as_page import show_algorithms_as_page
from ui.algorithms.by_hand import show_by_hand
from ui.algorithms.sentence import show_sentence
from ui.algorithms.settings import choose_rules, choose_size
from ui.algorithms.shown_step import ShownStep
from ui.algorithms.step_tables import show_step_tables
from ui.algorithms.steps import show_cards, show_notes
from ui.algorithms.vocabularies import show_vocabularies
from ui.algorithms.word import show_reasons, show_word
from ui.session import algorithms as state
from ui.session import training
from ui.session import training as training_state
from ui.session.algorithms import SIDE_BY_SIDE_AT_FIRST, TITLES
from ui.session.navigation import GO_TO_PAGE
from ui.session.tokenizer_choice import TOKENIZER_FILES
from ui.session.training import Source
from ui.views.player import Playback, player_view
from ui.views.token_table import token_table_view
from ui.widgets import controls
from ui.widgets.address import keep_address
from ui.widgets.corpus import corpus_facts, corpus_picker
from ui.widgets.fragments import fragment
from ui.widgets.messages import problem
from ui.widgets.opening import HEAVY_TO_LEARN
from ui.widgets.panels import show_panel
from ui.widgets.progress import cancellable
from ui.work.algorithm_training import Recipe, check_size

_INTRODUCTION = message(
    "Four tokenizers, trained here on this text: BPE and WordPiece merge characters, Unigram starts with many pieces "
    "and removes some."
)


def show_algorithms() -> None:
    """Draw the page."""
    state.MOVED.set(False)
    strip = st.container(horizontal=True, vertical_alignment="bottom", key="strip")
    training = controls.trained()
    source = training_state.source()
    with strip:
        corpus_picker(
            _(
                "WordPiece and Unigram take {most} MB of text, SentencePiece {least} MB.",
                most=MOST_BYTES // 10**6,
                least=MOST_OF_SENTENCEPIECE // 10**6,
            )
        )
        corpus_facts(training)
        st.space("stretch")
        recipe = choose_rules(choose_size(source))
    about = st.container(horizontal=True, vertical_alignment="center", wrap=False, key="algorithms about")
    with about:
        st.caption(_introduction(recipe), width="stretch")
    if TOKENIZER_FILES.get():
        st.caption(
            _("Tokenizers that you opened are already trained: use them on Encode, Compare, Vocabulary and Pipeline.")
        )
    steps, words = st.container(), st.container()
    with steps:
        is_trained = _is_trained(source, recipe)
        if is_trained:
            _show_steps(source, recipe)
    if is_trained:
        with about:
            show_algorithms_as_page(source, recipe)
    with words:
        if is_trained and state.AT.get() == "end":
            _show_words(source, recipe)
        show_overview()
        show_by_hand()


def _is_trained(source: Source, recipe: Recipe) -> bool:
    """Train all algorithms; return False, after showing the reason, if that fails or is cancelled."""
    try:
        check_size(source.text)
    except BpeError as error:
        problem(error, unchanged=_("The text is kept: you can use it on the other pages."))
        return False
    return _train_all(source, recipe)


@fragment
def _show_steps(source: Source, recipe: Recipe) -> None:
    """Draw the player and the cards, with the words and vocabularies below if they follow the step."""
    _rerun_if_moved()
    keep_address("algorithms steps")
    shown = ShownStep.now(source, recipe)
    if shown.last:
        show_player(shown.last)
        shown = ShownStep.now(source, recipe)
    show_cards(shown)
    show_notes(shown)
    show_step_tables(shown)
    if not shown.at_end:
        _words_and_pieces(shown)


@fragment
def _show_words(source: Source, recipe: Recipe) -> None:
    """Draw the word and the vocabularies at the end of the training, unaffected by steps."""
    _rerun_if_moved()
    keep_address("algorithms words")
    _words_and_pieces(ShownStep.now(source, recipe))


def _rerun_if_moved() -> None:
    """Rerun the page if the words and vocabularies move between the two fragments, or another page is requested."""
    if state.MOVED.get() or GO_TO_PAGE.get():
        st.rerun()


def _words_and_pieces(shown: ShownStep) -> None:
    if not shown.runs:
        return
    word = show_sentence(shown)
    show_word(shown, word)
    if word:
        show_reasons(shown, word)
    show_vocabularies(shown)


def _train_all(source: Source, recipe: Recipe) -> bool:
    """Train what is not cached, with progress and a Cancel button. Return False if cancelled."""
    bar = cancellable(
        state.STOPPED,
        f"{source.digest} {recipe}",
        key="algorithms training",
        cancelled=_("The training was cancelled. Choose a shorter text or a smaller size, or train anyway."),
        again=_("Train"),
    )
    if bar is None:
        return False
    to_do = [name for name in recipe.side_by_side if not cache.is_trained(name, source, recipe)]
    with bar.turn(heavy=bool(to_do) and len(source.text) > HEAVY_TO_LEARN):
        for name in to_do:

            def report(done: int, total: int, name: str = name) -> None:
                bar.report(done, total, _progress(name, done, total))

            cache.trained_run(name, source, recipe, on_progress=report)
    bar.clear()
    return True


def _progress(name: str, done: int, total: int) -> str:
    """Progress of a training. SentencePiece's library reports none."""
    if name == "bpe":
        return _("Training BPE: {done:,} of {total:,} merges", done=done, total=total)
    if name in ("superbpe", "boundlessbpe"):
        return _("Training {algorithm}: {done:,} of {total:,} merges", algorithm=TITLES[name], done=done, total=total)
    if name == "picky":
        return _("Training PickyBPE: {done:,} of {total:,} tokens", done=done, total=total)
    if name == "wordpiece":
        return _("Training WordPiece: {done:,} of {total:,} tokens", done=done, total=total)
    return _("Training Unigram: {done:,} of {total:,} pieces removed", done=done, total=total)


def _introduction(recipe: Recipe) -> str:
    if recipe.side_by_side == SIDE_BY_SIDE_AT_FIRST:
        return translate(_INTRODUCTION)
    return n_(
        "{count:,} tokenizer, trained here on this text: {names}.",
        "{count:,} tokenizers, trained here on this text: {names}.",
        len(recipe.side_by_side),
        names=translate(listed([TITLES[name] for name in recipe.side_by_side])),
    )


_COURSE = Playback(state.STEP, state.PLAYING)


def show_player(last: int) -> int:
    """Draw the player; return the shown step, 0 … last."""
    step = min(state.STEP.get(), last)
    _COURSE.settle(step, last)
    player_view(
        step,
        last,
        key="algorithms player",
        playing=state.PLAYING.get(),
        speed=training.SPEED.get(),
        speeds=training.SPEEDS,
        on_move=_COURSE.move,
        on_play=lambda playing: _COURSE.play(playing, last),
        on_speed=training.SPEED.set,
        unit="step",
    )
    return step


_TABLE = Table(
    Column("", [message("Training"), message("A step"), message("Learned"), message("Encoding")]),
    Column(
        "BPE",
        [
            message("from characters or bytes to longer tokens"),
            message("merges the most frequent pair"),
            message("a vocabulary and the order of its merges"),
            message("applies the merges in order"),
        ],
    ),
    Column(
        "WordPiece",
        [
            message("from characters to longer pieces"),
            message("merges the pair with the highest score, which prefers rare parts"),
            message("a vocabulary alone"),
            message("takes the longest piece from the left"),
        ],
    ),
    Column(
        "Unigram",
        [
            message("from many pieces to fewer"),
            message("removes the pieces whose loss costs the text least"),
            message("a vocabulary and a score for each piece"),
            message("takes the most probable pieces"),
        ],
    ),
)


def show_overview() -> None:
    """Draw the expander with the table."""
    title = _("BPE, WordPiece and Unigram at a glance")
    show_panel(title, "table_chart", state.OVERVIEW_OPEN, _show_table, card="four algorithms")


def _show_table() -> None:
    token_table_view(_TABLE, key="algorithms overview", height=None, label=_("Three algorithms"), pickable=False)
