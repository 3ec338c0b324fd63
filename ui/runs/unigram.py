"""Unigram for the page: the losses of its pieces, and segmentation by its lattice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bpe_core import PieceLoss, Tokenizer, UnigramModel, UnigramTraining
from bpe_core.bpe.config import UNKNOWN
from bpe_core.language import _, parts, sentence
from bpe_core.payloads.chips import Chip
from bpe_core.unigram.lattice import UnknownRule
from ui.runs.algorithm_run import Segmentation, VocabularyEntry, bare, piece_chip, segmented
from ui.views.algorithm_cards import CARD_ROWS, Card, CardPart, CardRow, CardTone

_NAMED = 3
"""Maximum number of pieces named in a sentence."""


@dataclass(frozen=True, eq=False)
class Unigram:
    """A Unigram training; `unknown`: whether an unknown character or its whole word becomes <unk>."""

    training: UnigramTraining
    requested: int
    note: str = ""
    unknown: UnknownRule = "characters"

    @property
    def steps(self) -> int:
        return len(self.training.rounds)

    def card(self, step: int) -> Card:
        at_end = step == self.steps
        return Card(
            title="Unigram",
            rule=_("removes the pieces that are missed least"),
            progress=_("Round {step:,} of {last:,}", step=step, last=self.steps),
            finished=at_end,
            size=_(
                "{pieces:,} pieces, down to {requested:,}",
                pieces=len(self.model(step).scores),
                requested=self.requested,
            ),
            did=self._did(step),
            asks=_("Best pieces") if at_end else _("Criterion: loss added without the piece"),
            columns=(_("Piece"), _("Count"), _("Score") if at_end else _("Loss grows by")),
            rows=tuple(self._best() if at_end else self._judged(step)),
            foot=self._end() if at_end else _("+0.00: the text can be cut as well without that piece."),
        )

    def vocabulary(self, step: int) -> list[VocabularyEntry]:
        scores = self.model(step).scores
        return [VocabularyEntry(bare(piece), piece, f"{score:z.2f}") for piece, score in scores.items()]

    def segment(self, word: str, step: int) -> Segmentation:
        tokenizer = self.tokenizer(step)
        found = [tokenizer.token(i) for i in tokenizer.encode(word).ids.tolist()]
        return segmented([(self._ids.get(piece, 0), piece) for piece in found], UNKNOWN)

    def model(self, step: int) -> UnigramModel:
        """The scores after `step` rounds."""
        model = self.training.at(step).model
        return model if self.unknown == "characters" else UnigramModel(model.scores, unknown=self.unknown)

    def tokenizer(self, step: int) -> Tokenizer:
        """The tokenizer after `step` rounds."""
        return self.training.tokenizer(step, unknown=self.unknown)

    @cached_property
    def _ids(self) -> dict[str, int]:
        """A number for every piece of the seed, so that colours stay stable when pieces are removed."""
        return {piece: i for i, piece in enumerate(self.model(0).scores, start=1)}

    @cached_property
    def _losses(self) -> list[float]:
        """The loss of the text at every step."""
        return [*(one.loss for one in self.training.rounds), self.training.loss()]

    def chip(self, piece: str) -> Chip:
        """A piece as a chip, in the same colour at every step."""
        return piece_chip(self._ids.get(piece, 0), piece)

    def _did(self, step: int) -> tuple[CardPart, ...]:
        if not step:
            return self._begins()
        removed = self.training.rounds[step - 1].removed
        named: object = self.chip(removed[0].piece)
        for one in removed[1:_NAMED]:
            named = sentence("{pieces} {piece}", pieces=named, piece=self.chip(one.piece))
        losses = {"before": self._losses[step - 1], "after": self._losses[step]}
        if len(removed) <= _NAMED:
            return parts("Removed {pieces} . Loss {before:,.1f} → {after:,.1f}.", pieces=named, **losses)
        return parts(
            "Removed {pieces} and {more:,} more. Loss {before:,.1f} → {after:,.1f}.",
            pieces=named,
            more=len(removed) - _NAMED,
            **losses,
        )

    def _begins(self) -> tuple[CardPart, ...]:
        """The size of the seed, and its most frequent substrings with their counts."""
        pieces, loss = len(self.training.seed), self._losses[0]
        most = [(self.chip(piece), count) for piece, count in self.training.seed.items() if len(piece) > 1][:_NAMED]
        if not most:
            return (_("Starts with {count:,} characters. Loss {loss:,.1f}.", count=pieces, loss=loss),)
        named: object = sentence("{piece} ({count:,})", piece=most[0][0], count=most[0][1])
        for piece, count in most[1:]:
            named = sentence("{pieces} {piece} ({count:,})", pieces=named, piece=piece, count=count)
        return parts(
            "Starts with {count:,} pieces: every character, and by count {pieces} … Loss {loss:,.1f}.",
            count=pieces,
            pieces=named,
            loss=loss,
        )

    def _judged(self, step: int) -> list[CardRow]:
        """The first removed pieces, the last one, and the first kept ones."""
        one = self.training.rounds[step]
        most = max((loss.increase for loss in (*one.removed, *one.kept[:2])), default=0.0)
        fate: dict[bool, tuple[CardTone, str]] = {True: ("out", _("goes")), False: ("", _("stays"))}

        def row(loss: PieceLoss, goes: bool) -> CardRow:
            share = loss.increase / most if most > 0 else 0.0
            numbers = (f"{self.training.seed[loss.piece]:,}", f"{loss.increase:+z,.2f}")
            return CardRow((self.chip(loss.piece),), numbers, *fate[goes], max(share, 0.0))

        kept = [row(loss, goes=False) for loss in one.kept[: max(2, CARD_ROWS - len(one.removed))]]
        room = CARD_ROWS - len(kept)
        if len(one.removed) <= room:
            return [*(row(loss, goes=True) for loss in one.removed), *kept]
        gap = CardRow((), (), "gap", _("{more:,} more that go", more=len(one.removed) - room + 1))
        return [
            *(row(loss, goes=True) for loss in one.removed[: room - 2]),
            gap,
            row(one.removed[-1], goes=True),
            *kept,
        ]

    def _best(self) -> list[CardRow]:
        longer = sorted(
            ((score, p) for p, score in self.training.vocab.items() if len(p) > 1), key=lambda each: each[0]
        )
        counts = self.training.seed
        return [
            CardRow((self.chip(piece),), (f"{counts[piece]:,}", f"{score:z.2f}")) for score, piece in longer[:CARD_ROWS]
        ]

    def _end(self) -> str:
        if not self.steps:
            return _("Nothing to remove: this text gives no more pieces than you asked for.")
        return _("Finished: small enough. A round removes a share of the pieces, so it may end below.")
