"""Model of BoundlessBPE: merges inside words, and merges of words that are whole at that moment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe.merge_tables import PairMerges, TableMerges
from bpe_core.bpe.model import Base, BpeModel, SymbolModel
from bpe_core.bpe.word_encoding import encode_steps
from bpe_core.kernels import word_encoder
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.text.splits import Split
from bpe_core.tokenizer.model import EncodedWords, EncodeStep, Kind, Rule, View, WordTokens


class BoundlessModel(SymbolModel):
    """Base symbols and merges of both kinds; its words are runs of the words that `split` finds.

    Merges apply in order of their rank, those of words only where both parts are whole words. The parts of such a merge
    are older than the token it makes, so words can be encoded first, and then joined by rank.

    base     conversion of words to symbols
    tokens   bytes of every id; None for special tokens
    merges   all merges in order
    crosses  whether each of them joins words
    split    name of the split into words

    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low low low", TrainConfig(vocab_size=260, method="boundlessbpe"))
    >>> model = training.tokenizer().model
    >>> model.encode_word(" low low low"), [step.rank for step in model.explain(" low low")]
    (WordTokens(ids=[259, 258], lengths=[8, 4]), [None, 0, 1, 2, 3])
    >>> model.rule, sorted(model.views), model.decoder, model.word_bytes
    ('merges', ['merges'], JoinBytes(), (80, 0))
    >>> model.token_id(b"low"), model.piece(257), model.spelling(258)
    (257, 'low', 'Ġlow')
    >>> model.text_of(b" low low", ends=False, with_space=False), model.written(b"low", begins=True, ends=True)
    (b' low low', b'low')
    """

    kind: ClassVar[Kind] = "boundlessbpe"
    rule: Rule = "merges"
    views: frozenset[View] = frozenset(("merges",))
    is_compiled: ClassVar[bool] = True

    def __init__(
        self,
        base: Base,
        tokens: Sequence[bytes | None],
        merges: PairMerges,
        crosses: Sequence[bool],
        *,
        split: str,
        unit: Literal["byte", "char"],
    ) -> None:
        rows = list(zip(merges.rows, crosses, strict=True))
        self.merges: PairMerges = merges
        self.crosses = tuple(crosses)
        self.split = split
        self.unit = unit
        self.base = base
        self.tokens = tokens
        self.aliases = {}
        self.unknown_id = base.unknown_id
        self.inside = BpeModel(base, tokens, TableMerges([row for row, joins in rows if not joins]), unit=unit)
        self._of_words = TableMerges([row for row, joins in rows if joins])

    @property
    def word_bytes(self) -> tuple[int, int]:
        """Bytes of memory that `encode_words` takes for each byte and each character of the distinct words."""
        per_byte, per_character = self.inside.word_bytes
        return 2 * per_byte, 2 * per_character

    def encode_word(self, word: str) -> WordTokens:
        """Tokens of a run of words, and the bytes that each covers."""
        encoded = self.encode_words(WordTable.of([word.encode("utf-8", "surrogateescape")]))
        return WordTokens(encoded.words.symbols.tolist(), encoded.lengths.tolist())

    def encode_words(self, words: WordTable) -> EncodedWords:
        """Tokens of many distinct runs of words.

        >>> from bpe_core import TrainConfig, train
        >>> training = train("low low low low", TrainConfig(vocab_size=260, method="boundlessbpe"))
        >>> training.tokenizer().model.encode_words(WordTable.of([b"low low"])).words.symbols.tolist()
        [257, 258]
        """
        table, numbers, parts, edges = self._words_of(words)
        encoded, lengths = self.inside.encode_words(table)
        starts, sizes = encoded.offsets[:-1][numbers], np.diff(encoded.offsets)[numbers]
        whole = self._whole(encoded, numbers)
        joined, places = word_encoder.encode_symbols(Words(whole, edges), self._of_words.pair_table)
        # expand the words: joined ones to their single token, the others to their own tokens
        ends = np.append(places[1:], len(whole))
        counts = np.where(joined.symbols == self._no_word, sizes[places], 1)
        offsets = np.append(0, np.cumsum(counts))
        flat = np.repeat(starts[places] - offsets[:-1], counts) + np.arange(offsets[-1])
        ids, covered = encoded.symbols[flat], lengths[flat]
        is_word = joined.symbols != self._no_word
        ids[offsets[:-1][is_word]] = joined.symbols[is_word]
        widths = np.append(0, np.cumsum(parts[:, 1] - parts[:, 0]))
        covered[offsets[:-1][is_word]] = (widths[ends] - widths[places])[is_word]
        return EncodedWords(Words(ids, offsets[joined.offsets]), covered.astype(np.int32))

    def tokens_over_merges(self, words: WordTable, counts: Int64s) -> Int64s:
        """int64[merges + 1]: token count of runs with these counts, under no merge, under the first, and so on.

        >>> from bpe_core import TrainConfig, train
        >>> training = train("low low low low", TrainConfig(vocab_size=260, method="boundlessbpe"))
        >>> training.tokenizer().model.tokens_over_merges(WordTable.of([b"low low"]), np.array([1])).tolist()
        [7, 5, 3, 2, 2]
        """
        table, numbers, _, edges = self._words_of(words)
        weights = np.repeat(counts, np.diff(edges))
        of_words = np.bincount(numbers, weights, len(table)).astype(np.int64)
        inside = self.inside.tokens_over_merges(table, of_words)
        whole = self._whole(self.inside.encode_words(table).words, numbers)
        ranks = word_encoder.joined_at(Words(whole, edges), self._of_words.pair_table)
        crosses = np.array(self.crosses, np.bool_)
        saved = np.zeros(len(crosses), np.int64)
        saved[~crosses] = inside[:-1] - inside[1:]
        made = ranks != word_encoder.NEVER
        saved[crosses] = np.bincount(ranks[made], weights[made], int(crosses.sum()))
        counts_of_tokens: Int64s = inside[0] - np.append(0, np.cumsum(saved))
        return counts_of_tokens

    def with_first_merges(self, count: int) -> BoundlessModel:
        """The model with its first merges only; the tokens of the others keep their ids.

        >>> from bpe_core import TrainConfig, train
        >>> training = train("low low low low", TrainConfig(vocab_size=260, method="boundlessbpe"))
        >>> training.tokenizer().model.with_first_merges(3).encode_word(" low low").ids
        [258, 258]
        """
        merges, crosses = self.merges.first(count), self.crosses[:count]
        return BoundlessModel(self.base, self.tokens, merges, crosses, split=self.split, unit=self.unit)

    def explain(self, word: str) -> list[EncodeStep]:
        """The run before any merge and after each; consecutive uses of one merge are one step."""
        parts = Split(self.split).words(word)
        now = [self.base.symbols(part) for part in parts]
        steps = [EncodeStep(tuple(token for part in now for token in part), None, None)]
        ranks = [rank for rank, joins in enumerate(self.crosses) if not joins]
        inside = sorted(
            (ranks[applied.rank], at, applied)
            for at, part in enumerate(now)
            for applied in encode_steps(part, self.inside.merges.merge_of)
        )
        events = {rank: [each for each in inside if each[0] == rank] for rank in sorted({each[0] for each in inside})}
        for rank, every in events.items():
            for _, at, applied in every:
                now[at] = applied.word
            steps.append(EncodeStep(tuple(token for part in now for token in part), every[0][2].pair, rank))
        return [*steps, *self._joins(now)]

    def _joins(self, words: Sequence[Sequence[int]]) -> list[EncodeStep]:
        """The steps that join encoded words."""
        of_words = [rank for rank, joins in enumerate(self.crosses) if joins]
        items = [word[0] if len(word) == 1 else -1 - at for at, word in enumerate(words)]
        return [
            EncodeStep(
                tuple(token for item in applied.word for token in ((item,) if item >= 0 else words[-1 - item])),
                applied.pair,
                of_words[applied.rank],
            )
            for applied in encode_steps(items, lambda left, right: self._joined(left, right))
        ]

    def _joined(self, left: int, right: int) -> tuple[int, int] | None:
        return None if left < 0 or right < 0 else self._of_words.merge_of(left, right)

    @cached_property
    def _no_word(self) -> int:
        """Placeholder id for a word of several tokens; no merge contains it."""
        return len(self.tokens)

    def _whole(self, encoded: Words, numbers: Int32s) -> Int32s:
        """The token of each word that is a single one, and `_no_word` for the others."""
        starts, sizes = encoded.offsets[:-1][numbers], np.diff(encoded.offsets)[numbers]
        whole = np.full(len(numbers), self._no_word, np.int32)
        whole[sizes == 1] = encoded.symbols[starts[sizes == 1]]
        return whole

    def _words_of(self, runs: WordTable) -> tuple[WordTable, Int32s, Int64s, Int64s]:
        """The distinct words of runs; the words one after another, their byte ranges, and the first of each run."""
        table, text = WordTable(), runs.text.tobytes()
        starts, numbers = table.number_texts(text, runs.offsets[:-1].copy(), runs.offsets[1:].copy(), self.split)
        parts = np.column_stack((starts, np.append(starts[1:], len(text))[: len(starts)]))
        return table, numbers, parts, np.searchsorted(starts, runs.offsets)
