"""What a merge changed: pairs that appeared, fell or went, each with its reason."""

from __future__ import annotations

import streamlit as st

from bpe_core import CountChange
from ui.display import counted
from ui.layout import heading
from ui.token_view import Column, Table, Words, token_table
from ui.train.here import Here
from ui.train.reasons import why_changed

_SHOWN = 200
_HEIGHT = 318


def changes_table(here: Here) -> Table | None:
    """The pairs whose count this step's merge changed, if there are any."""
    return _table(here, here.changes[:_SHOWN]) if here.changes else None


def show_changes(here: Here, table: Table | None) -> None:
    """The card with what this step's merge changed; `table` as above."""
    with st.container(border=True, height="stretch", key="changes"):
        if table is None:
            heading("What this merge changed")
            st.caption("Nothing yet: the first merge takes places away from pairs, and makes new ones.")
            return
        token_table(
            table,
            key="changes table",
            height=_HEIGHT,
            label="Pairs whose count this merge changed",
            words=Words(
                "What this merge changed",
                _title(here.changes),
                "Pairs with the new token are new; all others only fall.",
            ),
        )


def _title(changes: list[CountChange]) -> str:
    count = counted(len(changes), "pair")
    return count if len(changes) <= _SHOWN else f"the {_SHOWN} largest of {count}"


def _table(here: Here, changes: list[CountChange]) -> Table:
    merge = here.training.merges[here.step - 1]
    names = here.name(merge.left), here.name(merge.right)
    return Table(
        (
            Column("Pair", [here.pair(c.left, c.right) for c in changes], "chip"),
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
