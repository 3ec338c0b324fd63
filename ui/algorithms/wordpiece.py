"""WordPiece on the page: its scores, and how the longest match cuts a word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bpe_core import WordPieceTokenizer, WordPieceTraining
from bpe_core.wordpiece_tokenizer import UNKNOWN_WORD
from ui.algorithms.card import ROWS, Card, Cut, Entry, Part, Row
from ui.algorithms.member import bare, cut_of, of, piece_chip
from ui.display import counted
from ui.token_view import Chip


@dataclass(frozen=True, eq=False)
class WordPiece:
    """A WordPiece training."""

    training: WordPieceTraining
    asked: int
    note: str = ""

    @property
    def steps(self) -> int:
        return len(self.training.merges)

    def card(self, step: int) -> Card:
        snapshot = self.training.at(step)
        pairs = snapshot.candidates(ROWS)
        at_end = step == self.steps
        most = max((pair.score for pair in pairs), default=1.0)
        rows = [
            Row(
                (self._chip(pair.left), self._chip(pair.right)),
                (f"{pair.count:,}", f"({pair.left_count:,} × {pair.right_count:,})", f"{pair.score:.3g}"),
                "chosen" if pair.chosen else "tied" if pair.tied and not at_end else "",
                "next" if pair.chosen else "tied" if pair.tied and not at_end else "",
                pair.score / most,
            )
            for pair in pairs
        ]
        return Card(
            title="WordPiece",
            rule="merges the pair with the highest score",
            progress=f"Merge {of(step, self.steps)}",
            finished=at_end,
            size=f"{len(snapshot.vocab):,} ids, of {self.asked:,} asked for",
            did=self._did(step),
            asks="Looks at: count ÷ (left × right)" if not at_end else "Would look at" if rows else "",
            columns=("Pair", "Count", "÷ (left × right)", "Score"),
            rows=tuple(rows),
            foot=self._end() if at_end else "Of tied pairs the one seen first wins." if _tied(rows) else "",
        )

    def vocabulary(self, step: int) -> list[Entry]:
        special = set(self.training.special_tokens)
        vocab = self.training.at(step).vocab
        return [Entry(bare(piece), piece, f"id {i}") for i, piece in enumerate(vocab) if piece not in special]

    def cut(self, word: str, step: int) -> Cut:
        tokenizer = self.tokenizer(step)
        return cut_of([(i, tokenizer.token(i)) for i in tokenizer.encode(word).ids.tolist()], UNKNOWN_WORD)

    def tokenizer(self, step: int) -> WordPieceTokenizer:
        """The tokenizer of the first merges."""
        return self.training.tokenizer(step)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {piece: i for i, piece in enumerate(self.training.vocab)}

    def _chip(self, piece: str) -> Chip:
        return piece_chip(self._ids[piece], piece)

    def _did(self, step: int) -> tuple[Part, ...]:
        if not step:
            special = counted(len(self.training.special_tokens), "special token")
            return (f"Every word is cut into its letters; ## marks those inside. {special} come first.",)
        merge = self.training.merges[step - 1]
        pair = self._chip(merge.left), self._chip(merge.right)
        return (pair, " → ", self._chip(merge.new), f" scored {merge.score:.3g}.")

    def _end(self) -> str:
        if self.training.stop_reason == "vocabulary full":
            return "Finished: the vocabulary is full."
        if not self.steps:
            return "Nothing to merge: every word is one letter."
        return "Finished: no pair is left, every word is one piece."


def _tied(rows: list[Row]) -> bool:
    return any(row.tone == "tied" for row in rows)
