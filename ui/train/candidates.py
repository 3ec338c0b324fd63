"""What comes next: the pairs the next merge can take. Choosing one forks the training, or is a guess."""

from __future__ import annotations

import streamlit as st

from bpe_core import Candidate
from ui import charts, state
from ui.layout import heading
from ui.messages import note
from ui.token_view import Column, Table, Words, token_table
from ui.token_view.chips import Tone
from ui.train.clicks import clickable
from ui.train.here import Here, tied
from ui.train.player import go_to
from ui.train.reasons import times

_ROWS = 24
_GUESSES = 8
_HEIGHT = 330
_VIEWS = {"pairs": "Pairs", "chart": "Chart"}
_GUESSES_HEIGHT = 290


def candidates_table(here: Here) -> Table | None:
    """The pairs with their counts, where the card shows them as a table."""
    as_table = state.CANDIDATES_AS.get() == "pairs" and not _asks(here)
    return _table(here, here.candidates[:_ROWS]) if here.candidates and as_table else None


def show_candidates(here: Here, table: Table | None) -> None:
    """The card: in predict mode a question, else the pairs with their counts; `table` as above."""
    with st.container(border=True, height="stretch", key="candidates"):
        if _asks(here):
            _ask(here, here.candidates)
        else:
            _show(here, here.candidates, table)


def _asks(here: Here) -> bool:
    return state.PREDICTING.get() and bool(here.candidates) and not here.at_end


# -- to look at, and to fork -------------------------------------------------------------------------------------


def _show(here: Here, rows: list[Candidate], table: Table | None) -> None:
    if not rows:
        heading("What comes next", _title(here, rows))
        st.caption(_caption(here, rows))
        return
    st.segmented_control(
        "Show the candidates as",
        list(_VIEWS),
        format_func=_VIEWS.__getitem__,
        required=True,
        label_visibility="collapsed",
        **state.CANDIDATES_AS.widget(),
    )
    if table is not None:
        token_table(
            table,
            key="candidates table",
            height=_HEIGHT,
            header=False,
            label="Pairs that the next merge can take",
            words=Words("What comes next", _title(here, rows), _caption(here, rows)),
            on_pick=lambda row: _choose(here, rows[row]),
        )
    else:  # plotly draws a changed figure anew, which takes longer than all the rest of a step
        heading("What comes next", _title(here, rows))
        st.caption("A flat stretch is a tie: only the rule decides there.")
        clickable(
            charts.counts(rows, [(here.name(row.left), here.name(row.right)) for row in rows], decided=not here.at_end),
            key="candidates chart",
            alt="Counts of the pairs that come next",
            within=range(1, len(rows) + 1),
            on_pick=None if state.PLAYING.get() else lambda bar: _choose(here, rows[bar - 1]),
        )
        st.caption(_caption(here, rows))


def _title(here: Here, rows: list[Candidate]) -> str:
    if here.at_end:
        return "nothing: the training ends here"
    many, _ = tied(here.snapshot)
    rule = "the one seen first" if here.config.tie_break == "first-seen" else "the one with the lowest ids"
    return f"{many:,} tied: {rule} wins" if many > 1 else "the largest count wins"


def _caption(here: Here, rows: list[Candidate]) -> str:
    if not rows:
        return "No pair is left: every word is one token."
    if here.at_end and here.training.stop_reason == "vocabulary full":
        return "These would be merged next if the vocabulary had room."
    if here.at_end:
        return "Too seldom to be merged. Click one to merge it all the same."
    return "Click another pair: what if it had won?"


def _table(here: Here, rows: list[Candidate]) -> Table:
    return Table(
        (
            Column("Pair", [here.pair(row.left, row.right) for row in rows], "chip"),
            Column("Count", [row.count for row in rows], "bar", tones=[_tone(here, row) for row in rows]),
            Column("", ["next" if row.chosen else "tied" if row.tied and not here.at_end else "" for row in rows]),
        )
    )


def _tone(here: Here, row: Candidate) -> Tone:
    return "win" if row.chosen else "tie" if row.tied and not here.at_end else ""


def _choose(here: Here, row: Candidate) -> None:
    """The rule's choice is the next step; any other one forks the training here."""
    if row.chosen:
        go_to(here.step + 1)
        return
    if here.at_end and here.training.stop_reason == "vocabulary full":
        return
    earlier = tuple(fork for fork in here.forks if fork[0] < here.step)
    state.choose_forks((*earlier, (here.step, row.left, row.right)))
    go_to(here.step + 1)


# -- to guess ----------------------------------------------------------------------------------------------------


def _ask(here: Here, rows: list[Candidate]) -> None:
    guesses = state.GUESSES.get()
    known = here.step in guesses
    guess = guesses.get(here.step)
    asked = [pair for step, pair in guesses.items() if pair is not None and step < here.last]
    right = sum(
        pair == (here.training.merges[step].left, here.training.merges[step].right)
        for step, pair in guesses.items()
        if pair is not None and step < here.last
    )
    heading("Which pair is merged next?", f"{right} right of {len(asked)}")
    shown = sorted(rows[:_GUESSES], key=lambda row: (row.left, row.right))
    if known:
        shown = rows[:_GUESSES]
        table, current = (
            _table(here, shown),
            next((i for i, row in enumerate(shown) if (row.left, row.right) == guess), None),
        )
    else:
        table, current = Table((Column("Pair", [here.pair(row.left, row.right) for row in shown], "chip"),)), None
    token_table(
        table,
        key="guess table",
        height=_GUESSES_HEIGHT,
        header=False,
        current=current,
        label="Guess the next merge",
        on_pick=None if known else lambda row: _guess(here.step, (shown[row].left, shown[row].right)),
    )
    if known:
        note(_verdict(here, rows, guess))
    else:
        st.caption("Read the text, count, and click your guess. The pairs are in the order of their ids.")
    with st.container(horizontal=True):
        st.button("Reveal", on_click=_guess, args=(here.step, None), disabled=known)
        st.button("Next question", on_click=go_to, args=(here.step + 1,), disabled=not known, type="primary")
        st.button("Start over", on_click=_forget, disabled=not guesses, type="tertiary")


def _guess(step: int, pair: tuple[int, int] | None) -> None:
    state.GUESSES.set({**state.GUESSES.get(), step: pair})


def _forget() -> None:
    state.GUESSES.set({})


def _verdict(here: Here, rows: list[Candidate], guess: tuple[int, int] | None) -> str:
    merge = here.training.merges[here.step]
    answer = f"{here.name(merge.left)} + {here.name(merge.right)}, {times(merge.count)}"
    if guess is None:
        return f"It is {answer}."
    if guess == (merge.left, merge.right):
        return f"Right: {answer}."
    if any(row.tied and (row.left, row.right) == guess for row in rows):
        rule = "the one seen first wins" if here.config.tie_break == "first-seen" else "the lowest ids win"
        return f"As frequent, but of a tie {rule}: {answer}."
    return f"Not this one: it is {answer}."
