"""The model of Unigram: pieces with scores; each word becomes the segmentation with the best total score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import log
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.bpe.config import UNKNOWN
from bpe_core.errors import ConfigError, quoted
from bpe_core.kernels.pieces import PieceTree, best_paths
from bpe_core.kernels.scan import WordTable
from bpe_core.text.normalizers import IDENTITY, Normalizer
from bpe_core.text.splits import MARKED_SPLIT, WORD_MARK, Split
from bpe_core.tokenizer.decoders import SpaceMarks
from bpe_core.tokenizer.model import EncodedWords, Kind, Model, Rule, View, WordTokens
from bpe_core.tokenizer.piece_trie import PieceTrie
from bpe_core.tokenizer.segmented_words import as_bytes, encoded_words, no_unknown
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.lattice import (
    UNKNOWN_PENALTY,
    LatticeEdge,
    Segmentation,
    best_path,
    best_segmentations,
    checked_scores,
    joined_unknown,
)
from bpe_core.unigram.marking import marked, marks_as_spaces, spaces_as_marks

MOST_SEGMENTATIONS = 10_000
"""The most segmentations of one word that are listed."""


class UnigramModel(Model):
    """Pieces and their scores, −log of their probabilities. Immutable.

    <unk> has the id 0, the pieces follow in order. A word with an unknown character becomes one <unk>. The methods
    about segmentations take words as the model sees them, with ▁ in place of the space before them. For the models of
    files, where it is otherwise, see `of_vocabulary`.

    >>> model = UnigramModel.of_counts({"h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16,
    ...     "un": 16, "b": 4, "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5})
    >>> model.best("pug").pieces
    ('p', 'ug')
    >>> [segmentation.pieces for segmentation in model.segmentations("pug")]
    [('p', 'ug'), ('pu', 'g'), ('p', 'u', 'g')]

    As the model of a tokenizer it takes words of the split:

    >>> model = UnigramModel({"▁": 1.0, "h": 2.0, "u": 2.0, "▁hu": 3.0})
    >>> model.encode_word(" hu"), model.encode_word("g")
    (WordTokens(ids=[4], lengths=[3]), WordTokens(ids=[0], lengths=[1]))
    >>> [edge.piece for edge in model.explain("hu")]
    ['▁', '▁hu', 'h', 'u']
    >>> model.token_id("▁hu".encode()), model.piece(4), model.log_probability(["▁", "h"])
    (4, '▁hu', -3.0)
    >>> model.text_of("▁hu".encode(), ends=False, with_space=True)
    b' hu'
    >>> model.written(b"hu", begins=True, ends=True).decode()
    '▁hu'
    >>> model.rule, sorted(model.views), model.whole_words
    ('best score', ['lattice'], True)
    """

    kind: ClassVar[Kind] = "unigram"
    is_compiled: ClassVar[bool] = True
    unit: Literal["byte", "char"] = "char"

    def __init__(self, scores: Mapping[str, float]) -> None:
        """Raises ConfigError for anything but a mapping of pieces to numbers."""
        self.scores = checked_scores(scores)
        self.unknown_id: int | None = 0
        self.vocabulary: tuple[tuple[str, float], ...] | None = None
        self.byte_fallback = False
        self._pieces: list[str] = list(self.scores)
        self._values: list[float] = list(self.scores.values())
        self._numbers = {piece: number for number, piece in enumerate(self.scores)}
        self.tokens: list[bytes | None] = [None, *(piece.encode() for piece in self.scores)]

    @classmethod
    def of_vocabulary(
        cls, vocabulary: Iterable[tuple[str, float]], *, unknown_id: int | None, byte_fallback: bool = False
    ) -> UnigramModel:
        """The model of a file: pieces with log probabilities, segmented as the tokenizers library does.

        Ids are positions; of a doubled piece the last one counts. Texts arrive with ▁ in them. An unknown character has
        the lowest score minus 10. A run of them is the piece that it spells, else with `byte_fallback` its bytes if the
        vocabulary has all of them (<0x0A>), else one `unknown_id`; where that is None, CorpusError is raised.

        >>> model = UnigramModel.of_vocabulary([("<unk>", 0.0), ("h", -2.0), ("hu", -2.5)], unknown_id=0)
        >>> model.encode_word("huxy"), model.encode_word("xh"), model.whole_words
        (WordTokens(ids=[2, 0], lengths=[2, 2]), WordTokens(ids=[0, 1], lengths=[1, 1]), False)
        """
        pairs = tuple(vocabulary)
        model = cls({piece: -score for piece, score in pairs})
        lowest = min((score for _, score in pairs), default=np.inf)
        model.vocabulary = pairs
        model.unknown_id = unknown_id
        model.byte_fallback = byte_fallback
        model._pieces = [piece for piece, _ in pairs]
        model._values = [*(-score for _, score in pairs), -(lowest - UNKNOWN_PENALTY)]
        model._numbers = {piece: number for number, (piece, _) in enumerate(pairs)}
        model.tokens = [piece.encode() for piece, _ in pairs]
        for token_id, byte in model._byte_tokens.items():
            model.tokens[token_id] = bytes([byte])
        return model

    @property
    def whole_words(self) -> bool:
        """Whether it adds ▁ to words, and an unknown character makes the word one <unk>; false for a file's model."""
        return self.vocabulary is None

    @classmethod
    def of_counts(cls, counts: Mapping[str, int]) -> UnigramModel:
        """Scores from counts: −log(count / total). Raises ConfigError for counts that are not whole numbers above 0."""
        known = {
            piece: checks.whole_number(count, f"The count of {quoted(piece)}", 1)
            for piece, count in checks.mapping(counts, "The counts", "pieces to whole numbers").items()
        }
        total = sum(known.values())
        return cls({piece: -log(count / total) for piece, count in known.items()})

    def best(self, word: str) -> Segmentation | None:
        """The segmentation with the lowest score, by Viterbi; on a tie the first that it finds.

        None for the empty word, and for a word with a character that is not a piece. Raises ConfigError for what is not
        a str.
        """
        word = _checked_word(word)
        return next(iter(self._best_first(word, 1)), None)

    def segmentations(self, word: str, n: int | None = None) -> list[Segmentation]:
        """The best `n` segmentations of a word (all if None), lowest score first.

        Empty for a word with a character that is not a piece. Raises ConfigError for more than MOST_SEGMENTATIONS: a
        long word has billions.
        """
        word = _checked_word(word)
        most = checks.how_many(n)
        wanted = self.count(word) if most is None else most
        if wanted > MOST_SEGMENTATIONS and (n is None or self.count(word) > MOST_SEGMENTATIONS):
            raise ConfigError(
                f"{quoted(word)} has {_short(self.count(word))} segmentations.",
                limit=f"At most {MOST_SEGMENTATIONS:,} are listed.",
                remedy="Ask for the best 10, or for a shorter word.",
            )
        return list(self._best_first(word, min(wanted, MOST_SEGMENTATIONS)))

    def count(self, word: str) -> int:
        """How many segmentations a word has.

        >>> UnigramModel({"a": 1.0, "aa": 1.0}).count("aaa")
        3
        """
        word = _checked_word(word)
        ways = [1] + [0] * len(word)
        for start, end, _ in self.edges(word):
            ways[end] += ways[start]
        return ways[-1]

    def lattice(self, word: str) -> list[LatticeEdge]:
        """Every piece that fits into a word, ordered by start and then end: the edges that Viterbi compares.

        Pieces that no path reaches are left out: those after a character that is not a piece.

        >>> [(edge.piece, edge.total, edge.chosen) for edge in UnigramModel({"a": 2.0, "aa": 3.0}).lattice("aa")]
        [('a', 2.0, False), ('aa', 3.0, True), ('a', 4.0, False)]
        """
        word = _checked_word(word)
        totals, back = self._viterbi(word)
        chosen = set(best_path(back))
        return [
            LatticeEdge(
                start,
                end,
                word[start:end],
                self._values[number],
                totals[start] + self._values[number],
                best=back[end] == start,
                chosen=(start, end) in chosen,
            )
            for start, end, number in self.edges(word)
            if start == 0 or back[start] is not None
        ]

    def edges(self, word: str) -> Iterator[tuple[int, int, int]]:
        """(start, end, number of the piece) of every piece that fits into a word, ordered by start and then end.

        Numbers count the pieces from 0, without <unk>. In a file's model they are ids, and an unknown character is an
        edge as well, of the number -1.

        >>> list(UnigramModel({"a": 2.0, "aa": 3.0}).edges("aa"))
        [(0, 1, 0), (0, 2, 1), (1, 2, 0)]
        """
        return ((start, *match) for start in range(len(word)) for match in self._matches(word, start))

    def word_costs(self, word: str) -> tuple[float, dict[int, float]]:
        """The score of a word; and for each piece of its best segmentation that has more than one character, by number,
        the score that the word would have without that piece.

        Every character of the word must be a piece. All of them are computed in one pass over the lattice.

        >>> UnigramModel({"a": 2.0, "aa": 3.0}).word_costs("aa")
        (3.0, {1: 4.0})
        """
        totals, back = self._viterbi(word)
        values = self._values
        without = sorted({self._numbers[word[a:b]] for a, b in best_path(back) if b - a > 1})
        if not without:
            return totals[-1], {}
        column = {number: i for i, number in enumerate(without)}
        reached = np.full((len(word) + 1, len(without)), np.inf)
        reached[0] = 0.0
        for start, end, number in self.edges(word):
            cost = reached[start] + values[number]
            if number in column:
                cost[column[number]] = np.inf
            np.minimum(reached[end], cost, out=reached[end])
        return totals[-1], dict(zip(without, reached[-1].tolist(), strict=True))

    @property
    def rule(self) -> Rule:
        """The best total score."""
        return "best score"

    @property
    def views(self) -> frozenset[View]:
        """The lattice."""
        return frozenset(("lattice",))

    def token_id(self, token: bytes) -> int | None:
        """The id of a piece by its bytes, or None."""
        return self._ids.get(token)

    def piece(self, token_id: int) -> str:
        """A piece, with ▁ for a space."""
        if not self.whole_words:
            return self._pieces[token_id]
        return self._pieces[token_id - 1] if token_id else UNKNOWN

    def encode_word(self, word: str) -> WordTokens:
        """The tokens of one word of the split. ▁ covers the space before the word, or no bytes if there is none.

        Raises CorpusError for unknown text where a file's model has no token for it.
        """
        if not word:
            return WordTokens([], [])
        if not self.whole_words:
            byte_ids = self._byte_ids.tolist() if self.byte_fallback else None
            path = best_path(self._viterbi(word)[1])
            tokens = list(joined_unknown(word, path, self._numbers, self.unknown_id, byte_ids))
            return WordTokens([token_id for token_id, _ in tokens], [length for _, length in tokens])
        best = self.best(marked(word))
        if best is None:
            return WordTokens([0], [len(as_bytes(word))])
        lengths = [len(piece.encode()) for piece in best.pieces]
        lengths[0] -= len(WORD_MARK.encode()) - len(word[: word.startswith(" ")])
        return WordTokens([self._numbers[piece] + 1 for piece in best.pieces], lengths)

    def encode_words(self, words: WordTable) -> EncodedWords:
        """The tokens of many distinct words, found by the compiled kernels. Raises as `encode_word`.

        >>> model = UnigramModel({"▁": 1.0, "h": 2.0, "u": 2.0, "▁hu": 3.0})
        >>> model.encode_words(WordTable.of([b" hu", b"g"])).lengths.tolist()
        [3, 1]
        """
        text, offsets, unknown = words.text.tobytes(), words.offsets, -1 if self.unknown_id is None else self.unknown_id
        if not self.whole_words:
            found = best_paths(
                text,
                offsets,
                self._tree,
                np.negative(self._values[:-1]),
                unknown=unknown,
                unknown_score=-self._values[-1],
                byte_ids=self._byte_ids if self.byte_fallback else None,
            )
            return encoded_words(found, words, lambda word: no_unknown(word, UNKNOWN))
        mark = WORD_MARK.encode()
        seen = [mark + word.removeprefix(b" ") for word in words.words()]
        edges = np.cumsum([0, *map(len, seen)])
        found = best_paths(b"".join(seen), edges, self._tree, np.negative([0.0, *self._values]), unknown=unknown)
        encoded = encoded_words(found, words, lambda word: no_unknown(word, UNKNOWN))
        encoded.lengths[encoded.words.offsets[:-1]] -= (np.diff(edges) - np.diff(offsets)).astype(np.int32)
        return encoded

    def explain(self, word: str) -> list[LatticeEdge]:
        """The lattice of a word of the split."""
        return self.lattice(marked(word) if self.whole_words else word)

    def text_of(self, token: bytes, *, ends: bool, with_space: bool) -> bytes:
        """A piece with spaces in place of ▁."""
        return marks_as_spaces(token, with_space=with_space)

    def written(self, text: bytes, *, begins: bool, ends: bool) -> bytes:
        """A text with ▁ in place of spaces, and in front if it begins a word."""
        return spaces_as_marks(text, begins=begins)

    def log_probability(self, pieces: Sequence[str]) -> float | None:
        """The log probability of these pieces together; None if one is unknown."""
        costs = [self.scores.get(piece) for piece in pieces]
        return None if None in costs else -sum(cost for cost in costs if cost is not None)

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        bytes_first = sorted(enumerate(self.tokens), key=lambda each: each[0] not in self._byte_tokens)
        return {token: i for i, token in bytes_first if token is not None}

    @cached_property
    def _trie(self) -> PieceTrie:
        return PieceTrie((piece, number) for number, piece in enumerate(self._pieces))

    @cached_property
    def _tree(self) -> PieceTree:
        first = 1 if self.whole_words else 0
        return PieceTree([piece.encode() for piece in self._pieces], np.arange(len(self._pieces)) + first)

    @cached_property
    def _byte_tokens(self) -> dict[int, int]:
        ids = self._byte_ids.tolist() if self.byte_fallback else ()
        return {token_id: byte for byte, token_id in enumerate(ids) if token_id >= 0}

    @cached_property
    def _byte_ids(self) -> npt.NDArray[np.int32]:
        return np.array([self._numbers.get(f"<0x{byte:02X}>", -1) for byte in range(256)], np.int32)

    def _matches(self, word: str, start: int) -> Iterator[tuple[int, int]]:
        """(end, number) of the pieces that begin at `start`, the shortest first, and at last an unknown character."""
        single = self.whole_words
        for end, number in self._trie.matches(word, start):
            single = single or end == start + 1
            yield end, number
        if not single:
            yield start + 1, -1

    def _viterbi(self, word: str) -> tuple[list[float], list[int | None]]:
        """For every offset: the best score up to it, and where the last piece of the best path to it begins."""
        totals = [0.0] + [np.inf] * len(word)
        back: list[int | None] = [None] * (len(word) + 1)
        values = self._values
        for start in range(len(word)):
            so_far = totals[start]
            if start and back[start] is None:
                continue
            for end, number in self._matches(word, start):
                total = so_far + values[number]
                if back[end] is None or total < totals[end]:
                    if number < 0 and self.unknown_id is None:
                        raise no_unknown(word, UNKNOWN)
                    totals[end], back[end] = total, start
        return totals, back

    def _best_first(self, word: str, n: int) -> Iterator[Segmentation]:
        """The `n` best segmentations, from the `n` best paths to every offset."""
        if n == 1:
            totals, back = self._viterbi(word)
            if word and back[-1] is not None:
                yield Segmentation(tuple(word[a:b] for a, b in best_path(back)), totals[-1])
            return
        edges = ((start, end, self._values[number]) for start, end, number in self.edges(word))
        yield from best_segmentations(word, edges, n)


def unigram_tokenizer(
    model: UnigramModel, *, name: str = "Unigram", normalizer: Normalizer = IDENTITY, split: Split | None = None
) -> Tokenizer:
    """The tokenizer of a Unigram model.

    Unless another `split` is given, texts are split at white space, each word with the one space before it. Raises
    ConfigError for what is not a UnigramModel.

    >>> tokenizer = unigram_tokenizer(UnigramModel({"▁": 2.0, "h": 3.0, "u": 3.0, "g": 3.0, "▁hu": 4.0}))
    >>> tokenizer.tokenize("hug\\n\\nhu  hugs")
    ['▁hu', 'g', '▁hu', '<unk>']
    >>> [(token.char_start, token.char_end) for token in tokenizer.encode("hug hug")]
    [(0, 2), (2, 3), (3, 6), (6, 7)]
    """
    checks.instance(model, "model", UnigramModel, "a UnigramModel")
    return Tokenizer(
        name,
        model=model,
        normalizer=normalizer,
        split=Split(MARKED_SPLIT) if split is None else split,
        decoder=SpaceMarks(frozenset((0,))),
        special_tokens={UNKNOWN: 0},
    )


def _checked_word(word: object) -> str:
    return checks.joined_pairs(checks.instance(word, "The word", str, "a str"))


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**12 else "more than 10¹²"
