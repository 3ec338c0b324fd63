"""What a merge changed: pairs that appeared, fell or went, each with its reason."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from bpe_core import CountChange
from ui.components.token_table import relayed_table, table_frame
from ui.components.tokens import Captions, Column, Table
from ui.shared.display import counted
from ui.train.reasons import why_changed
from ui.train.step import Step

_SHOWN = 200
_HEIGHT = 136
_VIEW = "changes table"


def show_changes() -> None:
    """The card with what a step's merge changed; a relay brings the table."""
    with st.container(border=True, height="stretch", key="changes"):
        relayed_table(_VIEW)


def changes_frames(step: Step) -> dict[str, bytes]:
    """What this step's merge changed, for the view on the card."""
    title = "What this merge changed"
    return {
        _VIEW: table_frame(
            _table(step, step.changes[:_SHOWN]),
            key=_VIEW,
            height=_HEIGHT,
            label="Pairs whose count this merge changed",
            captions=Captions(title, summary(step.changes)) if step.changes else Captions(title),
            header=bool(step.changes),
            none="Nothing yet: the first merge takes occurrences from some pairs and creates others.",
        )
    }


def summary(changes: list[CountChange]) -> str:
    """How many pairs changed, and how: in a line. Only pairs with the new token are new, all others can only fall."""
    verdicts = Counter(map(verdict, changes))
    kinds = ", ".join(f"{verdicts[kind]:,} {kind}" for kind in ("new", "rose", "fell", "gone") if verdicts[kind])
    shown = "" if len(changes) <= _SHOWN else f"; the {_SHOWN} largest:"
    return f"{counted(len(changes), 'pair')}: {kinds}{shown}"


def _table(step: Step, changes: list[CountChange]) -> Table:
    return Table(
        (
            Column("Pair", [step.pair(c.left, c.right) for c in changes], "chip"),
            Column("Before", [c.before for c in changes], "number"),
            Column("After", [c.after for c in changes], "number"),
            Column("", [verdict(c) for c in changes], tones=["up" if c.after > c.before else "down" for c in changes]),
            Column("Why", _reasons(step, changes), tones=["dim"] * len(changes)),
        )
    )


def _reasons(step: Step, changes: list[CountChange]) -> list[str]:
    if not changes:
        return []  # before the first merge
    merge = step.training.merges[step.number - 1]
    names = step.name(merge.left), step.name(merge.right)
    return [why_changed(change, merge, *names) for change in changes]


def verdict(change: CountChange) -> str:
    """New, gone, rose or fell."""
    if not change.before:
        return "new"
    if not change.after:
        return "gone"
    return "rose" if change.after > change.before else "fell"
