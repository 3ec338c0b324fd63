"""What a merge changed: pairs that appeared, fell or went, each with its reason."""

from __future__ import annotations

import streamlit as st

from bpe_core import CountChange
from ui.components.token_table import token_table
from ui.components.tokens import Captions, Column, Table
from ui.shared.display import counted
from ui.shared.layout import heading
from ui.train.reasons import why_changed
from ui.train.step import Step

_SHOWN = 200
_HEIGHT = 318


def show_changes(step: Step) -> None:
    """The card with what this step's merge changed."""
    with st.container(border=True, height="stretch", key="changes"):
        if not step.changes:
            heading("What this merge changed")
            st.caption("Nothing yet: the first merge takes occurrences from some pairs and creates others.")
            return
        token_table(
            step.once("changes table", lambda: _table(step, step.changes[:_SHOWN])),
            key="changes table",
            height=_HEIGHT,
            label="Pairs whose count this merge changed",
            captions=Captions(
                "What this merge changed",
                _title(step.changes),
                "Pairs with the new token are new; all others can only fall.",
            ),
        )


def _title(changes: list[CountChange]) -> str:
    count = counted(len(changes), "pair")
    return count if len(changes) <= _SHOWN else f"the {_SHOWN} largest of {count}"


def _table(step: Step, changes: list[CountChange]) -> Table:
    merge = step.training.merges[step.number - 1]
    names = step.name(merge.left), step.name(merge.right)
    return Table(
        (
            Column("Pair", [step.pair(c.left, c.right) for c in changes], "chip"),
            Column("Before", [c.before for c in changes], "number"),
            Column("After", [c.after for c in changes], "number"),
            Column("", [verdict(c) for c in changes], tones=["up" if c.after > c.before else "down" for c in changes]),
            Column("Why", [why_changed(c, merge, *names) for c in changes], tones=["dim"] * len(changes)),
        )
    )


def verdict(change: CountChange) -> str:
    """New, gone, rose or fell."""
    if not change.before:
        return "new"
    if not change.after:
        return "gone"
    return "rose" if change.after > change.before else "fell"
