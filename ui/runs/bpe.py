"""BPE and its variants that cross words, for the page: their counts, and segmentation by their merges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bpe_core import Encoding, PickyTraining, Tokenizer, Training
from bpe_core.arrays import Bools
from bpe_core.bpe.config import UNKNOWN
from bpe_core.language import _, message, translate
from bpe_core.payloads.chips import Chip
from bpe_core.tokenizer.chips import plain
from ui.runs.algorithm_run import Segmentation, VocabularyEntry, bare, merged, piece_chip, row_tone, segmented
from ui.session.algorithms import TITLES
from ui.views.algorithm_cards import CARD_ROWS, Card, CardPart, CardRow

TIES = {
    "first-seen": message("Of tied pairs, the one seen first wins."),
    "lowest-ids": message("Of tied pairs, the lowest ids win."),
    "first-counted": message("Of tied pairs, the one counted first wins."),
}


_RULES = {
    "bpe": message("merges the most frequent pair"),
    "superbpe": message("merges inside words, then across them"),
    "boundlessbpe": message("merges pairs, and whole words too"),
}


@dataclass(frozen=True, eq=False)
class OfCharacters:
    """Segmentation by a training on characters, whose words may begin with a space."""

    training: Training | PickyTraining
    text: str
    requested: int
    note: str = ""

    def pair_rows(self, step: int) -> list[CardRow]:
        """The pairs that the next merge can take."""
        pairs = self.training.at(step).candidates(CARD_ROWS)
        most = max((pair.count for pair in pairs), default=1)
        return [
            CardRow(
                (self.chip(pair.left), self.chip(pair.right)),
                (f"{pair.count:,}",),
                *row_tone(pair.chosen, pair.tied and step < self.steps),
                pair.count / most,
            )
            for pair in pairs
        ]

    def chip(self, token_id: int) -> Chip:
        """A token as a chip, even one that a later event removes."""
        return piece_chip(token_id, self.token_bytes(token_id).decode())

    def token_bytes(self, token_id: int) -> bytes:
        """Bytes of a token of any step."""
        return self._finished.token_bytes(token_id)

    def vocabulary(self, step: int) -> list[VocabularyEntry]:
        tokenizer = self.tokenizer(step)
        special = set(tokenizer.special_tokens.values())
        pieces = [(i, tokenizer.token_bytes(i).decode()) for i in tokenizer.ids if i not in special]
        return [VocabularyEntry(bare(piece), plain(piece.encode()), f"id {i}") for i, piece in pieces]

    def segment(self, word: str, step: int) -> Segmentation:
        tokenizer = self.tokenizer(step)
        ids = self.encode(word, step).ids.tolist()
        return segmented([(i, tokenizer.token_bytes(i).decode()) for i in ids], UNKNOWN)

    def encode(self, word: str, step: int) -> Encoding:
        """Encode the word as it occurs in the text, with a preceding space if words have one."""
        return self.tokenizer(step).encode(self.with_space(word))

    def with_space(self, word: str) -> str:
        """The word, with a preceding space if it occurs so in the text, or if most words do."""
        spaced = f" {word}" in self.text or (word not in self.text and self._spaces)
        return f" {word}" if spaced and self.training.config.split != "words" else word

    def tokenizer(self, step: int) -> Tokenizer:
        """Tokenizer after `step` steps."""
        return self._finished if step == self.steps else self.training.tokenizer(step)

    @property
    def steps(self) -> int:
        """The last step."""
        raise NotImplementedError

    @cached_property
    def _finished(self) -> Tokenizer:
        return self.training.tokenizer()

    @cached_property
    def _spaces(self) -> bool:
        return self.text.count(" ") * 12 > len(self.text)


@dataclass(frozen=True, eq=False)
class Bpe(OfCharacters):
    """A BPE training on characters, by any of its methods."""

    training: Training

    @property
    def method(self) -> str:
        """Name of the method, which is that of the algorithm on the page."""
        return self.training.config.method

    @property
    def steps(self) -> int:
        return len(self.training.merges)

    def card(self, step: int) -> Card:
        rows, at_end = self.pair_rows(step), step == self.steps
        return Card(
            title=TITLES[self.method],
            rule=translate(_RULES[self.method]),
            progress=_("Merge {step:,} of {last:,}", step=step, last=self.steps),
            finished=at_end,
            size=_(
                "{ids:,} ids, of {requested:,} asked for",
                ids=self.training.vocab_size - self.steps + step,
                requested=self.requested,
            ),
            did=self._did(step),
            asks=_("Criterion: pair frequency") if not at_end else _("Next candidates") if rows else "",
            columns=(_("Pair"), _("Count")),
            rows=tuple(rows),
            foot=self._end() if at_end else self._tie() if any(row.tone == "tied" for row in rows) else "",
        )

    def _did(self, step: int) -> tuple[CardPart, ...]:
        if not step:
            return (_("Every word starts as its characters."),)
        merge = self.training.merges[step - 1]
        change = self.training.rule_change
        then = []
        if change is not None and change.step == step:
            then = [message("From here on, merges cross words.")]
        elif self._crossing[step - 1]:
            then = [message("It crosses words.")]
        pair = self.chip(merge.left), self.chip(merge.right)
        return merged(pair, self.chip(merge.token_id), merge.count, *then)

    @cached_property
    def _crossing(self) -> Bools:
        """bool[merges]: whether each merge crosses words."""
        return self.training.crossing

    def _tie(self) -> str:
        return translate(TIES[self.training.config.tie_break])

    def _end(self) -> str:
        if self.training.stop_reason == "vocabulary full":
            return _("Finished: the vocabulary is full.")
        if not self.steps:
            return _("Nothing to merge: no word has two symbols next to each other.")
        return _("Finished: no pair is left, every word is one token.")
