"""WordPiece on the page: its scores or counts, and how the longest match segments a word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bpe_core import Tokenizer, WordPieceCandidate, WordPieceTraining
from bpe_core.wordpiece.model import UNKNOWN_WORD
from ui.algorithms.algorithm_run import Entry, Segmentation, bare, counted_times, of, piece_chip, segmented
from ui.components.algorithm_cards import CARD_ROWS, Card, CardPart, CardRow
from ui.components.tokens import Chip
from ui.shared.display import counted


@dataclass(frozen=True, eq=False)
class WordPiece:
    """A WordPiece training."""

    training: WordPieceTraining
    requested: int
    note: str = ""

    @property
    def by_count(self) -> bool:
        """Whether it merges the most frequent pair, as its library does, rather than the one with the best score."""
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
                (self._chip(pair.left), self._chip(pair.right)),
                self._numbers(pair),
                "chosen" if pair.chosen else "tied" if pair.tied and not at_end else "",
                "next" if pair.chosen else "tied" if pair.tied and not at_end else "",
                value / most,
            )
            for pair, value in zip(pairs, judged, strict=True)
        ]
        looks_at = "how often each pair occurs" if self.by_count else "count ÷ (left × right)"
        return Card(
            title="WordPiece",
            rule="merges the most frequent pair" if self.by_count else "merges the pair with the highest score",
            progress=f"Merge {of(step, self.steps)}",
            finished=at_end,
            size=f"{len(snapshot.vocab):,} ids, of {self.requested:,} asked for",
            did=self._did(step),
            asks=f"Looks at: {looks_at}" if not at_end else "Would look at" if rows else "",
            columns=("Pair", "Count") if self.by_count else ("Pair", "Count", "÷ (left × right)", "Score"),
            rows=tuple(rows),
            foot=self._end() if at_end else self._tie() if _tied(rows) else "",
        )

    def vocabulary(self, step: int) -> list[Entry]:
        special = set(self.training.special_tokens)
        vocab = self.training.at(step).vocab
        return [Entry(bare(piece), piece, f"id {i}") for i, piece in enumerate(vocab) if piece not in special]

    def segment(self, word: str, step: int) -> Segmentation:
        tokenizer = self.tokenizer(step)
        return segmented([(i, tokenizer.token(i)) for i in tokenizer.encode(word).ids.tolist()], UNKNOWN_WORD)

    def tokenizer(self, step: int) -> Tokenizer:
        """The tokenizer of the first merges."""
        return self.training.tokenizer(step)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {piece: i for i, piece in enumerate(self.training.vocab)}

    def _chip(self, piece: str) -> Chip:
        return piece_chip(self._ids[piece], piece)

    def _did(self, step: int) -> tuple[CardPart, ...]:
        if not step:
            special = counted(len(self.training.special_tokens), "special token")
            return (f"Every word starts as its characters; ## marks those inside. {special} come first.",)
        merge = self.training.merges[step - 1]
        pair = self._chip(merge.left), self._chip(merge.right)
        how = f"occurred {counted_times(round(merge.score))}" if self.by_count else f"scored {merge.score:.3g}"
        return (pair, " → ", self._chip(merge.new), f" {how}.")

    def _numbers(self, pair: WordPieceCandidate) -> tuple[str, ...]:
        """What the pair is judged by."""
        if self.by_count:
            return (f"{pair.count:,}",)
        return (f"{pair.count:,}", f"({pair.left_count:,} × {pair.right_count:,})", f"{pair.score:.3g}")

    def _tie(self) -> str:
        if self.by_count:
            return "Of tied pairs, the lowest ids win; its library gives the ids of ## characters by chance."
        return "Of tied pairs, the one seen first wins."

    def _end(self) -> str:
        if self.training.stop_reason == "vocabulary full":
            return "Finished: the vocabulary is full."
        if not self.steps:
            return "Nothing to merge: every word is one character."
        return "Finished: no pair is left, every word is one piece."


def _tied(rows: list[CardRow]) -> bool:
    return any(row.tone == "tied" for row in rows)
