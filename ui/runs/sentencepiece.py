"""SentencePiece for the page: the library's pieces and scores, and how they segment a word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bpe_core import SentencePieceTraining, Tokenizer, UnigramModel
from bpe_core.language import _, message, parts, translate
from bpe_core.payloads.chips import Chip
from bpe_core.sentencepiece.merging import PieceMerge, merge_pieces
from bpe_core.text.splits import WORD_MARK
from ui.runs.algorithm_run import Segmentation, VocabularyEntry, bare, piece_chip, row_tone, segmented
from ui.views.algorithm_cards import CARD_ROWS, Card, CardRow


@dataclass(frozen=True, eq=False)
class SentencePiece:
    """A model trained by the sentencepiece library. A BPE model's ranks are its merge order."""

    training: SentencePieceTraining
    requested: int
    note: str = ""

    @property
    def is_bpe(self) -> bool:
        return self.training.model_type == "bpe"

    @property
    def steps(self) -> int:
        return len(self._merged) if self.is_bpe else 0

    def card(self, step: int) -> Card:
        return self._merging(step) if self.is_bpe else self._trained()

    def vocabulary(self, step: int) -> list[VocabularyEntry]:
        return [
            VocabularyEntry(bare(piece), piece, f"{score:z.2f}".replace(".00", ""))
            for piece, score in self._at(step).items()
        ]

    def segment(self, word: str, step: int) -> Segmentation:
        if not self.is_bpe or step >= self.steps:
            ids = self.tokenizer.encode(word).ids.tolist()
            return segmented([(i, self.tokenizer.token(i)) for i in ids], _UNKNOWN)
        return self.merged_segmentation(word, step)

    def merged_segmentation(self, word: str, step: int) -> Segmentation:
        """Segment a word with the first pieces of a BPE model, which the library itself cannot do."""
        steps = self.merges(word, step)
        found: list[tuple[int, str]] = []
        for piece in steps[-1].pieces if steps else ():
            if piece in self._ids:
                found.append((self._ids[piece], piece))
            elif self.training.byte_fallback:
                found += [self._bytes[byte] for byte in piece.encode()]
            elif not found or found[-1][0]:  # a run of unknown characters becomes one <unk>
                found.append((0, _UNKNOWN))
        return segmented(found, _UNKNOWN)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The library's tokenizer."""
        return self.training.tokenizer()

    @cached_property
    def model(self) -> UnigramModel:
        """The scores of a Unigram model in the lattice's form: −log probabilities."""
        return UnigramModel({piece: -score for piece, score in self._scores.items()})

    def marked(self, word: str) -> str:
        """A word as the model sees it: normalized by the library, with ▁ for every space and at the start."""
        text = self.tokenizer.encode(word).text
        return WORD_MARK + text.replace(" ", WORD_MARK) if text else ""

    def merges(self, word: str, step: int) -> list[PieceMerge]:
        """The merges of a BPE model's first pieces in a word, step by step."""
        return merge_pieces(self.marked(word), self._at(step))

    def rank(self, score: float) -> int:
        """Number of a merge in training order, from 1."""
        return round(-score) + 1

    def has(self, piece: str) -> bool:
        """Whether this piece can spell text."""
        return piece in self._ids

    def bytes_of(self, text: str) -> str:
        """The byte pieces of a text, abbreviated after the first ones."""
        found = [self._bytes[byte][1] for byte in text.encode()]
        first = " ".join(found[:_SHOWN])
        return _("{first} … {more} more", first=first, more=len(found) - _SHOWN) if len(found) > _SHOWN else first

    def chip(self, piece: str) -> Chip:
        """A piece as a chip."""
        number = self._ids.get(piece)
        return Chip.of_label(0, piece) if number is None else piece_chip(number, piece)

    @cached_property
    def _ids(self) -> dict[str, int]:
        """Pieces that spell text, without special tokens and bytes, with their ids."""
        left_out = {*self._special, *(number for number, _ in self._bytes)}
        return {piece: i for i, piece in enumerate(self.training.vocab) if i not in left_out}

    @cached_property
    def _bytes(self) -> list[tuple[int, str]]:
        """Id and piece of each byte; empty without byte fallback."""
        if not self.training.byte_fallback:
            return []
        ids = {piece: i for i, piece in enumerate(self.training.vocab)}
        return [(ids[f"<0x{byte:02X}>"], f"<0x{byte:02X}>") for byte in range(256)]

    @cached_property
    def _scores(self) -> dict[str, float]:
        vocab = self.training.vocab
        return {piece: vocab[piece] for piece in self._ids}

    @cached_property
    def _merged(self) -> list[str]:
        """Pieces of more than one character, in training order."""
        return [piece for piece in self._ids if len(piece) > 1]

    @cached_property
    def _characters(self) -> list[str]:
        return [piece for piece in self._ids if len(piece) == 1]

    def _at(self, step: int) -> dict[str, float]:
        """Pieces after the first merges, with their scores; merged ones first, as in the library's file."""
        if not self.is_bpe:
            return self._scores
        return {piece: self._scores[piece] for piece in (*self._merged[:step], *self._characters)}

    def _merging(self, step: int) -> Card:
        following = self._merged[step : step + CARD_ROWS]
        rows = [
            CardRow((self.chip(piece),), (f"{self._scores[piece]:z.0f}",), *row_tone(chosen=not i, tied=False))
            for i, piece in enumerate(following)
        ]
        at_end = step == self.steps
        made = self._merged[step - 1] if step else None
        return Card(
            title="SentencePiece",
            rule=_("its library's BPE"),
            progress=_("Merge {step:,} of {last:,}", step=step, last=self.steps),
            finished=at_end,
            size=self._size(len(self._characters) + step),
            did=(_("Every character is a piece, ▁ for spaces among them."),)
            if made is None
            else parts(
                "{piece} has the score {score:z.0f}: minus its rank, from 0 on.",
                piece=self.chip(made),
                score=self._scores[made],
            ),
            asks="" if at_end else _("The library gives its pieces in order, without counts"),
            columns=(_("Piece"), _("Score")),
            rows=tuple(rows),
            foot=_("Finished: these are all the pieces that the library made.") if at_end else "",
        )

    def _trained(self) -> Card:
        kind = self.training.model_type
        listed = [piece for piece in self._ids if len(piece) > 1 or kind != "unigram"]
        longer = sorted(listed, key=lambda p: -self._scores[p])[:CARD_ROWS]
        top = [-self._scores[piece] for piece in longer]
        least = min(top, default=1.0)
        return Card(
            title="SentencePiece",
            rule=translate(_RULES[kind]),
            progress=_("No steps to see"),
            finished=True,
            size=self._size(len(self._ids)),
            did=(translate(_MADE[kind]),),
            asks=_("Best pieces, by the log of their probability")
            if kind == "unigram"
            else _("Most frequent pieces, by the log of their probability"),
            columns=(_("Piece"), _("Score")),
            rows=tuple(
                CardRow((self.chip(piece),), (f"{-cost:z.2f}",), share=least / cost if cost > 0 else 1.0)
                for piece, cost in zip(longer, top, strict=True)
            ),
            foot=self._fewer(),
        )

    def _fewer(self) -> str:
        if len(self._special) + len(self._ids) < self.requested:
            return _("The library found no more pieces in this text than these.")
        return "" if self.training.model_type == "unigram" else _("The vocabulary is full: what is rarer has no piece.")

    def _size(self, pieces: int) -> str:
        """Number of ids with this many pieces besides special tokens and bytes."""
        ids = len(self._special) + pieces
        if self._bytes:
            return _("{ids:,} ids, of {requested:,} asked for; and 256 bytes", ids=ids, requested=self.requested)
        return _("{ids:,} ids, of {requested:,} asked for", ids=ids, requested=self.requested)

    @cached_property
    def _special(self) -> list[int]:
        return list(self.tokenizer.special_tokens.values())


_UNKNOWN = "<unk>"

_SHOWN = 4
"""Maximum number of bytes listed in a sentence."""

_RULES = {
    "unigram": message("its library's Unigram"),
    "char": message("its library's characters"),
    "word": message("its library's words"),
}
_MADE = {
    "unigram": message("Trained by expectation maximization. The library shows only its result."),
    "char": message("Counted, not learned: the characters of the text, as many as fit. Nothing is merged."),
    "word": message("Counted, not learned: the words between spaces, as many as fit."),
}
