"""A lesson's question to the reader, with the right answer computed if a tokenizer or a training gives it."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import streamlit as st

from bpe_core import BpeError
from bpe_core.comparison.reason_views import piece_chip, reason_parts
from bpe_core.comparison.token_boundary import why_boundary
from bpe_core.language import _, n_, translate
from bpe_core.payloads.chips import Chip
from bpe_core.tokenizer.chips import pair_chips
from ui import cache
from ui.session.asks import Ask, AskChoice, AskCuts, AskMerge, AskNumber
from ui.session.items import Item
from ui.session.navigation import GIVEN_ANSWERS, LOOKED
from ui.session.places import Place
from ui.session.shared_view import training_of
from ui.views.ask import ChoiceQuestion, CutsQuestion, Given, NumberQuestion, Question, ask_view
from ui.widgets.display import NAMES

_PAIRS = 4
"""Number of pairs to choose the next merge from."""


def show_ask(shown: Place, *, key: str, shows: Item[str], compact: bool = False) -> None:
    """Draw the lesson's question to the reader, if any; an answer is saved, and reveals the lesson's own answer.

    shows: holds the name of the lesson whose answer is shown here. compact: for the strip.
    """
    ask = shown.lesson.ask
    if ask is None or (compact and isinstance(ask, AskMerge)):  # Train itself shows the next pair, or asks for it
        return

    def answer(value: Given) -> None:
        GIVEN_ANSWERS.set({**GIVEN_ANSWERS.get(), shown.lesson_name: value})
        reveal(shows, "" if value is None else shown.name)
        if value is None:
            LOOKED.set("")

    question = question_of(shown, ask)
    if question is None:
        st.text(_("Nothing is asked: the training of this lesson has no such merge."))
        return
    ask_view(
        question,
        key=f"{key} {shown.lesson_name}",
        of=shown.lesson_name,
        prompt=prompt_of(ask),
        given=GIVEN_ANSWERS.get().get(shown.lesson_name),
        shown=shows.get() == shown.name,
        compact=compact,
        on_answer=answer,
    )


def waits_for_answer(shown: Place) -> bool:
    """Whether everything that reveals the answer is hidden: the learner has neither answered nor read on without."""
    is_answered = GIVEN_ANSWERS.get().get(shown.lesson_name) is not None
    return shown.lesson.ask is not None and not is_answered and LOOKED.get() != shown.name


def covers_page(shown: Place) -> bool:
    """Whether the lesson's page is hidden until the answer; on Train, predict mode hides the next merge instead."""
    return not isinstance(shown.lesson.ask, AskMerge) and waits_for_answer(shown)


def reveal(shows: Item[str], name: str) -> None:
    """Show the answer of the lesson of this name where `shows` is drawn, or hide it if ""; for callbacks."""
    shows.set(name)
    LOOKED.set(name or LOOKED.get())


def go_on_button(shown: Place, label: str, *, key: str) -> None:
    """Draw the button that reveals everything without an answer."""
    st.button(label, key=key, icon=":material/visibility:", type="tertiary", on_click=LOOKED.set, args=(shown.name,))


def question_of(shown: Place, ask: Ask) -> Question | None:
    """The question with its right answer; None for a merge after the end of a training."""
    if isinstance(ask, AskNumber):
        return NumberQuestion(ask.number, ask.near)
    if isinstance(ask, AskChoice):
        return ChoiceQuestion([shown.translated(each) for each in ask.choices], ask.right)
    return _cuts(ask) if isinstance(ask, AskCuts) else _next_merge(shown, ask)


def prompt_of(ask: Ask) -> str:
    """Instruction above the choices or the field."""
    if isinstance(ask, AskNumber):
        return _("Your answer, a number")
    if isinstance(ask, AskChoice):
        return _("Your answer")
    if isinstance(ask, AskCuts):
        return _("Where does {tokenizer} cut this? Click between the characters.", tokenizer=translate(NAMES[ask.by]))
    if ask.step == 0:
        return _("Which pair is merged first?")
    return n_(
        "Which pair is merged next, after {count} merge?", "Which pair is merged next, after {count} merges?", ask.step
    )


def _cuts(ask: AskCuts) -> CutsQuestion:
    tokenizer = cache.published(ask.by)
    encoding = tokenizer.encode(ask.text)
    cells = ask.cells
    edges = [0, *accumulate(len(cell.encode()) for cell in cells)]

    # A token that begins or ends inside a character extends over the whole character.
    starts = np.searchsorted(edges, encoding.starts, side="right") - 1
    ends = np.searchsorted(edges, encoding.ends)
    tokens: list[tuple[int, int, int]] = []
    why: list[list[str | Chip | bytes]] = []
    for at, (start, end, token_id) in enumerate(
        zip(starts.tolist(), ends.tolist(), encoding.ids.tolist(), strict=True)
    ):
        if tokens and start < tokens[-1][1]:
            tokens[-1] = (tokens[-1][0], end, -1)
            continue
        if tokens:
            reason = why_boundary(tokenizer, encoding, at)
            why.append(reason_parts(reason.sentence, lambda piece: piece_chip(tokenizer, piece, encoding.utf8)))
        tokens.append((start, end, token_id))
    return CutsQuestion(cells, translate(NAMES[ask.by]), tokens, why)


def _next_merge(shown: Place, ask: AskMerge) -> ChoiceQuestion | None:
    training = training_of(shown.scene)
    if training is None:
        return None
    source, made = training.source, (training.source, training.config)
    try:
        if ask.step >= len(cache.training(*made, training.forks).merges):
            return None
    except BpeError:  # reported by the lesson's page
        return None
    tokenizer = cache.trained_tokenizer(*made, ask.step, training.forks)
    snapshot = cache.snapshot(*made, ask.step, training.forks)
    pairs = snapshot.candidates(_PAIRS)
    if not any(pair.chosen for pair in pairs):  # a fork chose a pair further down
        every = snapshot.candidates(len(source.text))
        pairs = [*pairs[: _PAIRS - 1], next(pair for pair in every if pair.chosen)]
    pairs.sort(key=lambda pair: (pair.left, pair.right))  # so that the winner is not always the first
    return ChoiceQuestion(
        [pair_chips(tokenizer, pair.left, pair.right, source.text.encode()) for pair in pairs],
        next(at for at, pair in enumerate(pairs) if pair.chosen),
        [n_("{count:,} time", "{count:,} times", pair.count) for pair in pairs],
    )
