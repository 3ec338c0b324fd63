"""PickyBPE for the page: its merges and removals, and segmentation by these events in order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from bpe_core import PickyMerge, PickyModel, PickyTraining, Removal
from bpe_core.language import _, n_, parts, translate
from bpe_core.tokenizer.chips import plain
from ui.runs.algorithm_run import merged
from ui.runs.bpe import TIES, OfCharacters
from ui.views.algorithm_cards import Card, CardPart, CardRow, CardTone
from ui.views.steps import StepRow


@dataclass(frozen=True, eq=False)
class Picky(OfCharacters):
    """A PickyBPE training on characters."""

    training: PickyTraining

    @property
    def steps(self) -> int:
        return self.training.steps

    def card(self, step: int) -> Card:
        snapshot = self.training.at(step)
        at_end, event = step == self.steps, snapshot.event
        removes = isinstance(snapshot.following, Removal)
        rows = self._judged(step) if removes else self.pair_rows(step)
        return Card(
            title="PickyBPE",
            rule=_("merges, and removes what is used up"),
            progress=_("Event {step:,} of {last:,}", step=step, last=self.steps),
            finished=at_end,
            size=_(
                "{ids:,} ids, of {requested:,} asked for",
                ids=self.training.size_at(step),
                requested=self.requested,
            ),
            did=self._did(step),
            did_tone="out" if isinstance(event, Removal) else "",
            asks=self._asks(at_end, removes) if rows else "",
            columns=(_("Token"), _("Merged"), _("Before"), _("Share")) if removes else (_("Pair"), _("Count")),
            rows=tuple(rows),
            foot=self._foot(step, rows),
        )

    def token_bytes(self, token_id: int) -> bytes:
        return self.training.token_bytes(token_id)

    def replayed(self, word: str, step: int) -> list[StepRow]:
        """A word of the split after each event that changes it; joints have the numbers of future merges."""
        model = self._model(step)
        states = model.explain(word)
        rows = []
        for at, (ids, event) in enumerate(states):
            following = states[at + 1].event if at + 1 < len(states) else None
            joints = tuple(model.next_merge(pair, -1 if event is None else event) for pair in pairwise(ids))
            changed = None if event is None else self.training.events[event]
            made = changed.pieces if isinstance(changed, Removal) else () if changed is None else (changed.token_id,)
            fresh = tuple(place for place, token in enumerate(ids) if token in made)
            nexts = tuple(place for place, number in enumerate(joints) if number is not None and number == following)
            rows.append(StepRow(tuple(map(self.chip, ids)), joints, nexts, fresh))
        return rows

    def removed_within(self, word: str, step: int) -> list[int]:
        """Tokens that removals have split in a word of the split."""
        events = (
            self.training.events[each.event] for each in self._model(step).explain(word) if each.event is not None
        )
        return [event.token_id for event in events if isinstance(event, Removal)]

    def _model(self, step: int) -> PickyModel:
        model = self.tokenizer(step).model
        assert isinstance(model, PickyModel)
        return model

    def _judged(self, step: int) -> list[CardRow]:
        """The tokens of the last merge with their shares: whether each goes, stays, was removed, or is a character."""
        merge = next(event for event in reversed(self.training.events[:step]) if isinstance(event, PickyMerge))
        before = {merge.left: merge.left_count, merge.right: merge.right_count}
        removed, rows = set(self.training.removed_at(step)), []
        tone: CardTone
        for token, count in before.items():
            share = merge.replaced / count
            if token < self.training.first_id:
                tone, says = "", _("character")
            elif token in removed:
                tone, says = "", _("removed")
            else:
                goes = share >= self.training.threshold
                tone, says = ("out", _("goes")) if goes else ("", _("stays"))
            numbers = (f"{merge.replaced:,}", f"{count:,}", _percent(share))
            rows.append(CardRow((self.chip(token),), numbers, tone, says, share))
        return rows

    def _asks(self, at_end: bool, removes: bool) -> str:
        if removes:
            return _("Criterion: share merged, from {threshold}", threshold=self._threshold)
        return _("Next candidates") if at_end else _("Criterion: pair frequency")

    def _did(self, step: int) -> tuple[CardPart, ...]:
        if not step:
            return (_("Every word starts as its characters."),)
        event = self.training.events[step - 1]
        if isinstance(event, PickyMerge):
            return merged((self.chip(event.left), self.chip(event.right)), self.chip(event.token_id), event.count)
        return parts(
            "{token} is used almost nowhere now: removed. {made} has {used:,} of {count:,}: {share} ≥ {threshold}.",
            token=self.chip(event.token_id),
            count=event.count,
            used=event.used,
            made=self.chip(event.made),
            share=_percent(event.score),
            threshold=self._threshold,
        )

    def _foot(self, step: int, rows: list[CardRow]) -> str:
        event = self.training.events[step - 1] if step else None
        if step == self.steps:
            return self._end()
        if isinstance(event, Removal) and event.remaining:
            pieces = "|".join(plain(self.training.token_bytes(piece)) for piece in event.pieces)
            return n_(
                "{count:,} that was left is split: {pieces}",
                "{count:,} that were left are split: {pieces}",
                event.remaining,
                pieces=pieces,
            )
        return translate(TIES[self.training.config.tie_break]) if any(row.tone == "tied" for row in rows) else ""

    def _end(self) -> str:
        """Why the training ended, and how many tokens the text does not use, here and in plain BPE of the same size."""
        if not self.steps:
            return _("Nothing to merge: no word has two symbols next to each other.")
        plain_bpe = self.training.plain
        unused = plain_bpe.sweep([len(plain_bpe.merges)])[0].unused
        here = self.training.cost().unused
        if self.training.stop_reason == "no pairs left":
            return _(
                "No pair is left. Tokens that the text never uses: {here:,}; with plain BPE of this size: {plain:,}.",
                here=here,
                plain=unused,
            )
        return _(
            "Finished. Tokens that the text never uses: {here:,}; with plain BPE of this size: {plain:,}.",
            here=here,
            plain=unused,
        )

    @property
    def _threshold(self) -> str:
        return _percent(self.training.threshold)


def _percent(share: float) -> str:
    """A share in percent; rounded down, so that a share below a threshold never seems to reach it."""
    return _("{percent} %", percent=int(100 * share + 1e-9))
