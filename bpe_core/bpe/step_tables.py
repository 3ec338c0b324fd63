"""Tables of a step: the pairs that the next merge can take, and those whose count the step's merge changed."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from bpe_core.bpe.crossing_sentences import why_crossing
from bpe_core.bpe.snapshot import Candidate, CountChange
from bpe_core.bpe.step_sentences import what_changed, whys_of
from bpe_core.bpe.training_step import TrainingStep, tied
from bpe_core.language import _, listed, message, n_, term, translate
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import Column, Table, Tone
from bpe_core.payloads.tables import table_frame

MOST_CANDIDATES = 24
_MOST_CHANGES = 200
"""Maximum numbers of rows."""

_CANDIDATES_HEIGHT, _CHANGES_HEIGHT = 302, 104

Verdict = Literal["new", "rose", "fell", "gone"]

# -- what comes next ---------------------------------------------------------------------------------------------


def candidates_frame(step: TrainingStep, key: str, *, tells: bool = False) -> bytes:
    """Frame of the candidates of the next merge, for the table `key`. `tells`: whether clicks are reported.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1)
    >>> b"What would come next" in candidates_frame(step, "candidates")
    True
    """
    return table_frame(
        candidates_table(step),
        key=key,
        height=_CANDIDATES_HEIGHT,
        header=False,
        label=_("Pairs that the next merge can take"),
        captions=candidates_captions(step, tells=tells),
        tells=tells,
        pickable=tells,
        seen_at=step.number,
    )


def candidates_captions(step: TrainingStep, *, tells: bool = True) -> Captions:
    """Captions of the candidates; after the last merge its pairs are those that would come next.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1)
    >>> candidates_captions(step).rest
    'the training ends here'
    """
    rows = step.candidates
    if step.at_end and rows:
        return Captions(_("What would come next"), _("the training ends here"), _caption(step, rows, tells))
    return Captions(_("What comes next"), _title(step), _caption(step, rows, tells))


def _title(step: TrainingStep) -> str:
    if step.at_end:
        return _("nothing: the training ends here")
    many = tied(step.snapshot)[0]
    if many <= 1:
        return _("the largest count wins")
    return {
        "first-seen": _("{pairs:,} tied: the one seen first wins", pairs=many),
        "lowest-ids": _("{pairs:,} tied: the one with the lowest ids wins", pairs=many),
        "first-counted": _("{pairs:,} tied: the one counted first wins", pairs=many),
    }[step.config.tie_break]


def _caption(step: TrainingStep, rows: list[Candidate], tells: bool) -> str:
    if not rows:
        return _("No pair is left: every word is one token.")
    if step.at_end and step.training.stop_reason == "vocabulary full":
        return _("These would be merged next if the vocabulary had room.")
    if step.at_end:
        return _("Too rare to be merged.") + ("\n" + _("Click one to merge it anyway.") if tells else "")
    return "\n" + _("Click another pair: what if it had won?") if tells else ""


def candidates_table(step: TrainingStep) -> Table:
    """The first candidates with their counts.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1)
    >>> candidates_table(step).rows
    2
    """
    rows = step.candidates[:MOST_CANDIDATES]
    comes, ties, words = _("next"), _("tied"), translate(term("crossed", "words"))
    return Table(
        Column(message("Pair"), [step.pair(row.left, row.right) for row in rows], "chip"),
        Column(message("Count"), [row.count for row in rows], "bar", tones=[tone_of(step, row) for row in rows]),
        *([Column("", [words if row.crosses else "" for row in rows])] if any(row.crosses for row in rows) else []),
        Column("", [comes if row.chosen else ties if row.tied and not step.at_end else "" for row in rows]),
    )


def tone_of(step: TrainingStep, row: Candidate) -> Tone:
    """Tone of a bar; after the last merge no pair wins.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1)
    >>> tone_of(step, step.candidates[0])
    ''
    """
    return "" if step.at_end else "win" if row.chosen else "tie" if row.tied else ""


# -- what changed ------------------------------------------------------------------------------------------------


def changes_frame(step: TrainingStep, key: str) -> bytes:
    """Frame of the pairs whose count this step's merge changed, for the table `key`.

    >>> from bpe_core import TrainConfig, train
    >>> step = TrainingStep(train("low low", TrainConfig(vocab_size=257)), 1)
    >>> b"What this merge changed" in changes_frame(step, "changes")
    True
    """
    title = _("What this merge changed")
    return table_frame(
        _changes(step, step.changes[:_MOST_CHANGES]),
        key=key,
        height=_CHANGES_HEIGHT,
        label=_("Pairs whose count this merge changed"),
        captions=Captions(title, summary(step.changes), _recounted(step)) if step.changes else Captions(title),
        header=bool(step.changes),
        none=_("Nothing yet: the first merge takes occurrences from some pairs and creates others."),
    )


def _recounted(step: TrainingStep) -> str:
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
    """One-line summary of the changes. Only pairs with the new token are new; all others can only fall.

    >>> summary([CountChange(108, 111, 2, 0)])
    '1 pair: 1 gone'
    """
    verdicts = Counter(map(verdict, changes))
    parts = (
        message("{pairs:,} new", pairs=verdicts["new"]) if verdicts["new"] else "",
        message("{pairs:,} rose", pairs=verdicts["rose"]) if verdicts["rose"] else "",
        message("{pairs:,} fell", pairs=verdicts["fell"]) if verdicts["fell"] else "",
        message("{pairs:,} gone", pairs=verdicts["gone"]) if verdicts["gone"] else "",
    )
    kinds = listed([each for each in parts if each], last="")
    if len(changes) <= _MOST_CHANGES:
        return n_("{count:,} pair: {kinds}", "{count:,} pairs: {kinds}", len(changes), kinds=kinds)
    return _("{pairs:,} pairs: {kinds}; the {shown} largest:", pairs=len(changes), kinds=kinds, shown=_MOST_CHANGES)


def _changes(step: TrainingStep, changes: list[CountChange]) -> Table:
    words: dict[Verdict, str] = {"new": _("new"), "rose": _("rose"), "fell": _("fell"), "gone": _("gone")}
    return Table(
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


def _reasons(step: TrainingStep, changes: list[CountChange]) -> list[str]:
    if not changes:
        return []  # step 0 has no merge
    merge = step.training.merges[step.number - 1]
    whys = whys_of(step.name(merge.left), step.name(merge.right))
    return [
        why_crossing(change.before)
        if change.crosses and (change.left, change.right) != (merge.left, merge.right)
        else whys[what_changed(change, merge)]
        for change in changes
    ]


def verdict(change: CountChange) -> Verdict:
    """Kind of a change: new, gone, rose or fell.

    >>> verdict(CountChange(108, 111, 2, 1))
    'fell'
    """
    if not change.before:
        return "new"
    if not change.after:
        return "gone"
    return "rose" if change.after > change.before else "fell"
