"""Candidates for the next merge. Choosing one forks the training; in predict mode, it is a guess."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import streamlit as st

from bpe_core import Candidate
from bpe_core.bpe.step_sentences import times
from bpe_core.bpe.step_tables import MOST_CANDIDATES, candidates_captions, candidates_frame, candidates_table, tone_of
from bpe_core.bpe.training_step import CANDIDATES
from bpe_core.display.training_figures import NextPair, next_pairs_figure, next_pairs_trace
from bpe_core.language import _, joined, message, n_, translate
from bpe_core.payloads.frames import Body
from ui.session import training as state
from ui.train.step import Step, go_to
from ui.views.ask import ChoiceQuestion, ask_view
from ui.views.plot import chip_wires, plot_frame, relayed_plot
from ui.views.plot_figures import SteadyFigure
from ui.views.protocol import is_index
from ui.views.token_table import relayed_table
from ui.widgets.controls import segments
from ui.widgets.layout import heading
from ui.widgets.messages import note

_GUESSES = 8
_UNKNOWN = -1
_HEIGHT = 302
_VIEWS = {"pairs": message("Pairs"), "chart": message("Chart")}
_TABLE, _CHART = "candidates table", "candidates chart"
_MOST_IDS = 2**31
_FIGURE = SteadyFigure(lambda: next_pairs_figure([], CANDIDATES, "light").update_layout(height=_HEIGHT))


def show_candidates(step: Step) -> None:
    """Draw the card: a question in predict mode, otherwise the candidates with their counts."""
    with st.container(border=True, height="stretch", key="candidates"):
        if state.PREDICTING.get() and bool(step.candidates) and not step.at_end:
            _ask(step, step.candidates)
        else:
            _show(step)


# -- viewing and forking -----------------------------------------------------------------------------------------


def _show(step: Step) -> None:
    """Draw the empty view of the candidates; a relay fills it."""
    segments(_("Show the candidates as"), _VIEWS, state.CANDIDATES_AS, hidden=True)
    if state.CANDIDATES_AS.get() == "pairs":
        relayed_table(_TABLE, lambda row, rev, seen: _choose_row(step, row, rev, seen))
    else:
        relayed_plot(_CHART, lambda choice: _choose_pair(step, checked_choice(choice)))


def candidates_frames(step: Step, shown_as: str) -> dict[str, bytes]:
    """Frames of the candidates for the card's view; `shown_as` is a key of its display modes."""
    if shown_as == "pairs":
        return {_TABLE: candidates_frame(step, _TABLE, tells=True)}
    captions = candidates_captions(step)
    return {
        _CHART: plot_frame(
            _bars(step, step.candidates),
            key=_CHART,
            label=_("Counts of the pairs that come next"),
            captions=replace(captions, caption=translate(joined(message("Equal bars are a tie."), captions.caption)))
            if step.candidates
            else captions,
        )
    }


def _bars(step: Step, rows: list[Candidate]) -> Body:
    """Chart of the candidates with their chips; the value sent for a choice includes the step."""
    token = step.tokenizer.token_bytes
    pairs = [NextPair(token(row.left), token(row.right), row.count, tone_of(step, row)) for row in rows]
    counts = [[unescape(pair.name), pair.times] for pair in pairs]
    return _FIGURE.with_traces(
        [next_pairs_trace(pairs, "light")],
        table=[{"name": "", "columns": [_("Pair"), _("Count")], "rows": counts}],
        chips=chip_wires({0: [step.pair(row.left, row.right) for row in rows]}),
        choices=[[step.number, row.left, row.right] for row in rows],
    )


def _choose_row(step: Step, row: int, rev: str, seen: int) -> None:
    """Choose a table row at the step shown when it was clicked: the player may have moved on."""
    if seen <= step.last:
        then = step.at(seen)
        rows = then.candidates[:MOST_CANDIDATES]
        if row < len(rows) and candidates_table(then).body.rev == rev:
            _choose(then, rows[row])


def checked_choice(value: object) -> tuple[int, int, int] | None:
    """Parse a choice [step, left id, right id] from the browser; None for anything else.

    >>> checked_choice([3, 104, 101]), checked_choice([3, -1, 101]), checked_choice([True, 104, 101])
    ((3, 104, 101), None, None)
    """
    if not (isinstance(value, list) and len(value) == 3 and all(is_index(each, 0, _MOST_IDS) for each in value)):
        return None
    step, left, right = value
    return step, left, right


def _choose_pair(step: Step, choice: tuple[int, int, int] | None) -> None:
    """Choose a pair of the chart at the step shown when it was clicked."""
    if choice is None or choice[0] > step.last:
        return
    then = step.at(choice[0])
    for row in then.candidates:
        if (row.left, row.right) == choice[1:]:
            _choose(then, row)


def _choose(step: Step, row: Candidate) -> None:
    """Go to the next step if the rule chooses this pair; otherwise fork the training."""
    if row.chosen:
        go_to(step.number + 1)
        return
    if step.at_end and step.training.stop_reason == "vocabulary full":
        return
    earlier = tuple(fork for fork in step.forks if fork[0] < step.number)
    state.choose_forks((*earlier, (step.number, row.left, row.right)))
    go_to(step.number + 1)


# -- guessing ----------------------------------------------------------------------------------------------------


def _ask(step: Step, rows: list[Candidate]) -> None:
    guesses = state.GUESSES.get()
    known = step.number in guesses
    guess = guesses.get(step.number)
    asked = [pair for number, pair in guesses.items() if pair is not None and number < step.last]
    right = sum(
        pair == _winner(step.at(number)) for number, pair in guesses.items() if pair is not None and number < step.last
    )
    heading(_("Which pair is merged next?"), _("{right} of {asked} right", right=right, asked=len(asked)))
    shown = sorted(rows[:_GUESSES], key=lambda row: (row.left, row.right))
    pairs = [(row.left, row.right) for row in shown]
    winner = _winner(step)
    counts = [n_("{count:,} time", "{count:,} times", row.count) for row in shown]
    ask_view(
        ChoiceQuestion(
            [step.pair(*pair) for pair in pairs],
            pairs.index(winner) if known and winner in pairs else _UNKNOWN,
            counts if known else (),
        ),
        key=f"guess choices {step.number}",
        of="",
        prompt="",
        given=pairs.index(guess) if guess in pairs else None,
        shown=known,
        compact=False,
        on_answer=lambda at: None if known else _guess(step.number, pairs[int(at)]),  # type: ignore[arg-type]
    )
    if known:
        note(_verdict(step, rows, guess))
    else:
        with st.container(key="how to guess"):
            st.caption(_("Read the text, count, and click your guess. The pairs are in the order of their ids."))
    with st.container(horizontal=True, key="guess buttons"):
        st.button(_("Reveal"), key="reveal merge", on_click=_guess, args=(step.number, None), disabled=known)
        st.button(_("Next question"), on_click=go_to, args=(step.number + 1,), disabled=not known, type="primary")
        st.button(_("Start over"), on_click=_forget, disabled=not guesses, type="tertiary")


def _winner(step: Step) -> tuple[int, int]:
    """The pair that is merged after this step."""
    merge = step.training.merges[step.number]
    return merge.left, merge.right


def _guess(step: int, pair: tuple[int, int] | None) -> None:
    state.GUESSES.set({**state.GUESSES.get(), step: pair})


def _forget() -> None:
    state.GUESSES.set({})


def _verdict(step: Step, rows: list[Candidate], guess: tuple[int, int] | None) -> str:
    merge = step.training.merges[step.number]
    names = {"left": step.name(merge.left), "right": step.name(merge.right), "times": times(merge.count)}
    if guess is None:
        return _("It is {left} + {right}, {times}.", **names)
    if guess == (merge.left, merge.right):
        return _("Right: {left} + {right}, {times}.", **names)
    if not any(row.tied and (row.left, row.right) == guess for row in rows):
        return _("No, it is {left} + {right}, {times}.", **names)
    return {
        "first-seen": _("Just as frequent, but in a tie the one seen first wins: {left} + {right}, {times}.", **names),
        "lowest-ids": _("Just as frequent, but in a tie the lowest ids win: {left} + {right}, {times}.", **names),
        "first-counted": _(
            "Just as frequent, but in a tie the one counted first wins: {left} + {right}, {times}.", **names
        ),
    }[step.config.tie_break]
