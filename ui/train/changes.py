"""Effect of a merge on pair counts: new, risen, fallen and vanished pairs, each with a reason."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import streamlit as st

from bpe_core import CountChange
from bpe_core.language import _, listed, message, n_
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import Column, Table
from bpe_core.payloads.tables import table_frame
from ui.train.reasons import what_changed, whys_of
from ui.train.step import Step
from ui.views.token_table import relayed_table

_SHOWN = 200
_HEIGHT = 104
_VIEW = "changes table"

Verdict = Literal["new", "rose", "fell", "gone"]


def show_changes() -> None:
    """Draw the card with an empty table; a relay fills it."""
    with st.container(border=True, height="stretch", key="changes"):
        relayed_table(_VIEW)


def changes_frames(step: Step) -> dict[str, bytes]:
    """Frames of the pairs whose count this step's merge changed."""
    title = _("What this merge changed")
    return {
        _VIEW: table_frame(
            _table(step, step.changes[:_SHOWN]),
            key=_VIEW,
            height=_HEIGHT,
            label=_("Pairs whose count this merge changed"),
            captions=Captions(title, summary(step.changes), _recounted(step)) if step.changes else Captions(title),
            header=bool(step.changes),
            none=_("Nothing yet: the first merge takes occurrences from some pairs and creates others."),
        )
    }


def _recounted(step: Step) -> str:
    """Share of the pairs that a program has to count again, if it keeps its counts."""
    changed, gone = len(step.changes), sum(not change.after for change in step.changes)
    return _(
        "Counted: {changed:,} − {gone:,} gone = {count:,} of {all:,} pairs; the rest stay.",
        changed=changed,
        gone=gone,
        count=changed - gone,
        all=len(step.snapshot.pairs.count),
    )


def summary(changes: list[CountChange]) -> str:
    """One-line summary of the changes. Only pairs with the new token are new; all others can only fall."""
    verdicts = Counter(map(verdict, changes))
    parts = (
        message("{pairs:,} new", pairs=verdicts["new"]) if verdicts["new"] else "",
        message("{pairs:,} rose", pairs=verdicts["rose"]) if verdicts["rose"] else "",
        message("{pairs:,} fell", pairs=verdicts["fell"]) if verdicts["fell"] else "",
        message("{pairs:,} gone", pairs=verdicts["gone"]) if verdicts["gone"] else "",
    )
    kinds = listed([each for each in parts if each], last="")
    if len(changes) <= _SHOWN:
        return n_("{count:,} pair: {kinds}", "{count:,} pairs: {kinds}", len(changes), kinds=kinds)
    return _("{pairs:,} pairs: {kinds}; the {shown} largest:", pairs=len(changes), kinds=kinds, shown=_SHOWN)


def _table(step: Step, changes: list[CountChange]) -> Table:
    words: dict[Verdict, str] = {"new": _("new"), "rose": _("rose"), "fell": _("fell"), "gone": _("gone")}
    return Table(
        (
            Column(message("Pair"), [step.pair(c.left, c.right) for c in changes], "chip"),
            Column(message("Before"), [c.before for c in changes], "number"),
            Column(message("After"), [c.after for c in changes], "number"),
            Column(
                "",
                [words[verdict(c)] for c in changes],
                tones=["up" if c.after > c.before else "down" for c in changes],
            ),
            Column(message("Why"), _reasons(step, changes), tones=["dim"] * len(changes)),
        )
    )


def _reasons(step: Step, changes: list[CountChange]) -> list[str]:
    if not changes:
        return []  # step 0 has no merge
    merge = step.training.merges[step.number - 1]
    whys = whys_of(step.name(merge.left), step.name(merge.right))
    return [whys[what_changed(change, merge)] for change in changes]


def verdict(change: CountChange) -> Verdict:
    """Kind of a change: new, gone, rose or fell."""
    if not change.before:
        return "new"
    if not change.after:
        return "gone"
    return "rose" if change.after > change.before else "fell"
