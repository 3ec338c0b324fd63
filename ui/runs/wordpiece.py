"""WordPiece for the page: its scores or counts, and segmentation by longest match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bpe_core import Tokenizer, WordPieceCandidate, WordPieceTraining
from bpe_core.bpe.reference import merge
from bpe_core.language import _, n_, parts
from bpe_core.payloads.chips import Chip
from bpe_core.wordpiece.merging import base_symbols
from bpe_core.wordpiece.model import UNKNOWN_WORD
from ui.runs.algorithm_run import Segmentation, VocabularyEntry, bare, merged, piece_chip, row_tone, segmented
from ui.views.algorithm_cards import CARD_ROWS, Card, CardPart, CardRow


@dataclass(frozen=True, eq=False)
class WordPiece:
    """A WordPiece training."""

    training: WordPieceTraining
    requested: int
    note: str = ""

    @property
    def by_count(self) -> bool:
        """Whether it merges the most frequent pair, as its library does, instead of the one with the best score."""
        return self.training.rule == "count"

    @property
    def steps(self) -> int:
        return len(self.training.merges)

    def card(self, step: int) -> Card:
        snapshot = self.training.at(step)
        pairs = snapshot.candidates(CARD_ROWS)
        at_end = step == self.steps
        judged = [pair.count if self.by_count else pair.score for pair in pairs]
        most = max(judged, default=1.0)
        rows = [
            CardRow(
                (self.chip(pair.left), self.chip(pair.right)),
                self._numbers(pair),
                *row_tone(pair.chosen, pair.tied and not at_end),
                value / most,
            )
            for pair, value in zip(pairs, judged, strict=True)
        ]
        scored = () if self.by_count else (_("÷ (left × right)"), _("Score"))
        return Card(
            title="WordPiece",
            rule=_("merges the most frequent pair") if self.by_count else _("merges the pair with the highest score"),
            progress=_("Merge {step:,} of {last:,}", step=step, last=self.steps),
            finished=at_end,
            size=_("{ids:,} ids, of {requested:,} asked for", ids=len(snapshot.vocab), requested=self.requested),
            did=self._did(step),
            asks=self._looks_at() if not at_end else _("Next candidates") if rows else "",
            columns=(_("Pair"), _("Count"), *scored),
            rows=tuple(rows),
            foot=self._end() if at_end else self._tie() if any(row.tone == "tied" for row in rows) else "",
        )

    def vocabulary(self, step: int) -> list[VocabularyEntry]:
        special = set(self.training.special_tokens)
        vocab = self.training.at(step).vocab
        return [VocabularyEntry(bare(piece), piece, f"id {i}") for i, piece in enumerate(vocab) if piece not in special]

    def segment(self, word: str, step: int) -> Segmentation:
        tokenizer = self.tokenizer(step)
        return segmented([(i, tokenizer.token(i)) for i in tokenizer.encode(word).ids.tolist()], UNKNOWN_WORD)

    def tokenizer(self, step: int) -> Tokenizer:
        """Tokenizer of the first `step` merges."""
        return self.training.tokenizer(step)

    def by_merges(self, word: str, step: int) -> list[str]:
        """The words of a text segmented by the first `step` merges in order, as BPE would apply them."""
        symbols = [base_symbols(part) for part in self.tokenizer(step).split.words(word)]
        for left, right, new, _score in self.training.merges[:step]:
            symbols = [merge(part, (left, right), new) for part in symbols]
        return [symbol for part in symbols for symbol in part]

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {piece: i for i, piece in enumerate(self.training.vocab)}

    def chip(self, piece: str) -> Chip:
        """A piece as a chip, in the same colour at every step."""
        return piece_chip(self._ids[piece], piece)

    def _did(self, step: int) -> tuple[CardPart, ...]:
        if not step:
            first = n_(
                "Every word starts as its characters; ## marks those inside. {count:,} special token come first.",
                "Every word starts as its characters; ## marks those inside. {count:,} special tokens come first.",
                len(self.training.special_tokens),
            )
            return (first,)
        made = self.training.merges[step - 1]
        pair, token = (self.chip(made.left), self.chip(made.right)), self.chip(made.new)
        if self.by_count:
            return merged(pair, token, round(made.score))
        return parts("{pair} → {token} scored {score:.3g}.", pair=pair, token=token, score=made.score)

    def _looks_at(self) -> str:
        if self.by_count:
            return _("Criterion: pair frequency")
        return _("Criterion: count ÷ (left × right)")

    def _numbers(self, pair: WordPieceCandidate) -> tuple[str, ...]:
        """Numbers by which pairs are compared."""
        if self.by_count:
            return (f"{pair.count:,}",)
        return (f"{pair.count:,}", f"({pair.left_count:,} × {pair.right_count:,})", f"{pair.score:.3g}")

    def _tie(self) -> str:
        if self.by_count:
            return _("Of tied pairs, the lowest ids win; its library gives the ids of ## characters by chance.")
        return _("Of tied pairs, the one seen first wins.")

    def _end(self) -> str:
        if self.training.stop_reason == "vocabulary full":
            return _("Finished: the vocabulary is full.")
        if not self.steps:
            return _("Nothing to merge: every word is one character.")
        return _("Finished: no pair is left, every word is one piece.")
