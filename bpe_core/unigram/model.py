"""Unigram model: pieces with scores; each word becomes the segmentation with the best total score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import log
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.bpe.config import UNKNOWN
from bpe_core.kernels.pieces import PieceTree, best_paths
from bpe_core.kernels.scan import WordTable
from bpe_core.text.splits import WORD_MARK
from bpe_core.tokenizer.model import EncodedWords, Kind, Model, Rule, View, WordTokens
from bpe_core.tokenizer.piece_trie import PieceTrie
from bpe_core.tokenizer.segmented_words import as_bytes, encoded_words, no_unknown
from bpe_core.unigram.lattice import (
    UNKNOWN_RULES,
    LatticeEdge,
    Segmentation,
    UnknownRule,
    best_path,
    best_segmentations,
    checked_counts,
    checked_scores,
    checked_special,
    checked_word,
    joined_unknown,
    too_many,
    unknown_score,
)
from bpe_core.unigram.marking import marked, marks_as_spaces, spaces_as_marks
from bpe_core.unigram.paths import Paths

MOST_SEGMENTATIONS = 10_000
"""Limit on the listed segmentations of one word."""


class UnigramModel(Model):
    """Pieces and their scores, −log of their probabilities. Immutable.

    The special tokens have the first ids, with <unk> as the last if it is not among them; the pieces follow in order.
    The methods about segmentations take words in the model's form, with ▁ for the space before them. For the models of
    files, which have other ids and add no ▁, see `of_vocabulary`.
    `unknown`, the result for a character that is not a piece:

    "characters"  <unk>; the pieces around it stay, as in the tokenizers library and SentencePiece. In segmentations
                  it is alone, with the highest score of the pieces plus 10; a run of them is one token.
    "word"        the whole word is one <unk> without segmentation, as in the Hugging Face course

    >>> model = UnigramModel.of_counts({"h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16,
    ...     "un": 16, "b": 4, "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5})
    >>> model.best("pug").pieces
    ('p', 'ug')
    >>> [segmentation.pieces for segmentation in model.segmentations("pug")]
    [('p', 'ug'), ('pu', 'g'), ('p', 'u', 'g')]

    As the model of a tokenizer, it takes words of the split:

    >>> model = UnigramModel({"▁": 1.0, "h": 2.0, "u": 2.0, "▁hu": 3.0})
    >>> model.encode_word(" hu"), model.encode_word("g")
    (WordTokens(ids=[4], lengths=[3]), WordTokens(ids=[1, 0], lengths=[0, 1]))
    >>> UnigramModel(model.scores, unknown="word").encode_word("hug"), model.encode_word("hug")
    (WordTokens(ids=[0], lengths=[3]), WordTokens(ids=[4, 0], lengths=[2, 1]))
    >>> [edge.piece for edge in model.explain("hu")]
    ['▁', '▁hu', 'h', 'u']
    >>> model.token_id("▁hu".encode()), model.piece(4), model.log_probability(["▁", "h"])
    (4, '▁hu', -3.0)
    >>> model.text_of("▁hu".encode(), ends=False, with_space=True)
    b' hu'
    >>> model.written(b"hu", begins=True, ends=True).decode()
    '▁hu'
    >>> model.rule, sorted(model.views), model.marks_words, model.word_bytes
    ('best score', ['lattice'], True, (14, 20))
    >>> list(model.scored_edges("h")), model.seen(" h"), model.tokens_on(" h", [(0, 1), (1, 2)])
    ([(0, 1, -2.0, True)], '▁h', WordTokens(ids=[1, 2], lengths=[1, 1]))
    """

    kind: ClassVar[Kind] = "unigram"
    rule: Rule = "best score"
    views: frozenset[View] = frozenset(("lattice",))
    is_compiled: ClassVar[bool] = True
    unit: Literal["byte", "char"] = "char"

    def __init__(
        self,
        scores: Mapping[str, float],
        *,
        unknown: UnknownRule = "characters",
        special_tokens: Sequence[str] = (UNKNOWN,),
    ) -> None:
        """Raises ConfigError for anything but a mapping of pieces to numbers, for another `unknown`, and for special
        tokens that are repeated or not text."""
        self.scores = checked_scores(scores)
        self.unknown: UnknownRule = unknown
        checks.choice(unknown, "unknown", UNKNOWN_RULES)
        self.special_tokens = checked_special(special_tokens)
        self.unknown_id: int | None = self.special_tokens.index(UNKNOWN)
        self.vocabulary: tuple[tuple[str, float], ...] | None = None
        self.byte_fallback = False
        self._pieces: list[str] = list(self.scores)
        self._values: list[float] = [*self.scores.values(), unknown_score(self.scores.values())]
        self._numbers = {piece: number for number, piece in enumerate(self.scores)}
        none = [None] * len(self.special_tokens)
        self.tokens: list[bytes | None] = [*none, *(piece.encode() for piece in self.scores)]

    @classmethod
    def of_vocabulary(
        cls, vocabulary: Iterable[tuple[str, float]], *, unknown_id: int | None, byte_fallback: bool = False
    ) -> UnigramModel:
        """Model of a file: pieces with log probabilities, segmented as in the tokenizers library.

        Ids are positions; of duplicate pieces the last one wins. Texts already contain ▁. A run of unknown
        characters becomes the piece that it spells, else with `byte_fallback` its bytes if the vocabulary has all of
        them (<0x0A>), each covering that byte (in the library each covers the run), else one `unknown_id`; if that is
        None, CorpusError is raised.

        >>> model = UnigramModel.of_vocabulary([("<unk>", 0.0), ("h", -2.0), ("hu", -2.5)], unknown_id=0)
        >>> model.encode_word("huxy"), model.encode_word("xh"), model.marks_words
        (WordTokens(ids=[2, 0], lengths=[2, 2]), WordTokens(ids=[0, 1], lengths=[1, 1]), False)
        """
        pairs = tuple(vocabulary)
        model = cls({piece: -score for piece, score in pairs})
        model.vocabulary = pairs
        model.unknown_id = unknown_id
        model.byte_fallback = byte_fallback
        model._pieces = [piece for piece, _ in pairs]
        model._values = [*(-score for _, score in pairs), unknown_score(-score for _, score in pairs)]
        model._numbers = {piece: number for number, (piece, _) in enumerate(pairs)}
        model.tokens = [piece.encode() for piece, _ in pairs]
        for token_id, byte in model._byte_tokens.items():
            model.tokens[token_id] = bytes([byte])
        return model

    @property
    def marks_words(self) -> bool:
        """Whether it adds ▁ to words; false for a file's model."""
        return self.vocabulary is None

    @classmethod
    def of_counts(cls, counts: Mapping[str, int], *, unknown: UnknownRule = "characters") -> UnigramModel:
        """Scores from counts: −log(count / total). Raises ConfigError for counts that are not whole numbers above 0."""
        known = checked_counts(counts)
        total = sum(known.values())
        return cls({piece: -log(count / total) for piece, count in known.items()}, unknown=unknown)

    def best(self, word: str) -> Segmentation | None:
        """Segmentation with the lowest score, by Viterbi; on a tie the first found.

        None for the empty word, and under the rule "word" for an unknown character. Raises ConfigError for a non-str.
        """
        word = checked_word(word)
        return next(iter(self._best_first(word, 1)), None)

    def segmentations(self, word: str, n: int | None = None) -> list[Segmentation]:
        """Best `n` segmentations of a word (all if None), lowest score first; empty if `best` is None.

        Raises ConfigError for more than MOST_SEGMENTATIONS: a long word has billions.
        """
        word = checked_word(word)
        most = checks.how_many(n)
        wanted = self.count(word) if most is None else most
        if wanted > MOST_SEGMENTATIONS and (n is None or self.count(word) > MOST_SEGMENTATIONS):
            raise too_many(word, self.count(word), MOST_SEGMENTATIONS)
        return list(self._best_first(word, min(wanted, MOST_SEGMENTATIONS)))

    def count(self, word: str) -> int:
        """Number of segmentations of a word.

        >>> UnigramModel({"a": 1.0, "aa": 1.0}).count("aaa")
        3
        """
        word = checked_word(word)
        return Paths(len(word), (edge[:3] for edge in self.scored_edges(word))).count

    def lattice(self, word: str) -> list[LatticeEdge]:
        """Every piece that fits into a word, ordered by start and then end: the edges that Viterbi compares.

        An unknown character is an edge as well; under the rule "word", the pieces after it are omitted, because no path
        reaches them.

        >>> [(edge.piece, edge.total, edge.chosen) for edge in UnigramModel({"a": 2.0, "aa": 3.0}).lattice("aa")]
        [('a', 2.0, False), ('aa', 3.0, True), ('a', 4.0, False)]
        """
        word = checked_word(word)
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
                unknown=number < 0,
            )
            for start, end, number in self.edges(word)
            if start == 0 or back[start] is not None
        ]

    def edges(self, word: str) -> Iterator[tuple[int, int, int]]:
        """(start, end, index of the piece) of every piece that fits into a word, ordered by start and then end.

        Indices count the pieces from 0, without special tokens; in a file's model they are ids. An unknown character is
        an edge with the index -1, unless the rule is "word".

        >>> list(UnigramModel({"a": 2.0, "aa": 3.0}).edges("aa"))
        [(0, 1, 0), (0, 2, 1), (1, 2, 0)]
        """
        return ((start, *match) for start in range(len(word)) for match in self._matches(word, start))

    def scored_edges(self, word: str) -> Iterator[tuple[int, int, float, bool]]:
        """(start, end, log probability, whether it is a piece) of every edge, in the order of `edges`."""
        return ((start, end, -self._values[number], number >= 0) for start, end, number in self.edges(word))

    def word_costs(self, word: str) -> tuple[float, dict[int, float]]:
        """Score of a word, and without each piece of several characters in its best segmentation, by index.

        Every character of the word must be a piece. One pass over the lattice computes all scores.

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

    def token_id(self, token: bytes) -> int | None:
        """Id of a piece by its bytes, or None."""
        return self._ids.get(token)

    def piece(self, token_id: int) -> str:
        """Piece as a string, with ▁ for a space."""
        first = self._first
        return self._pieces[token_id - first] if token_id >= first else self.special_tokens[token_id]

    def encode_word(self, word: str) -> WordTokens:
        """Tokens of one word of the split. ▁ covers the space before the word, or no bytes if there is none.

        Raises CorpusError for unknown text if a file's model has no token for it.
        """
        if not word:
            return WordTokens([], [])
        path = best_path(self._viterbi(self.seen(word))[1])
        if not path:
            assert self.unknown_id is not None  # only a file's model has None, and never the rule "word"
            return WordTokens([self.unknown_id], [len(as_bytes(word))])
        return self.tokens_on(word, path)

    def seen(self, word: str) -> str:
        """Text of the lattice of a word of the split: with ▁ for the space before it, if the model adds it."""
        return marked(word) if self.marks_words else word

    def tokens_on(self, word: str, path: Sequence[tuple[int, int]]) -> WordTokens:
        """Tokens of a word of the split on a path through the lattice of `seen(word)`: (start, end) of each piece."""
        seen = self.seen(word)
        byte_ids = self._byte_ids.tolist() if self.byte_fallback else None
        found = joined_unknown(seen, path, self._token_ids, self.unknown_id, byte_ids)
        ids, lengths = map(list, zip(*found, strict=True))
        lengths[0] -= len(as_bytes(seen)) - len(as_bytes(word))
        return WordTokens(ids, lengths)

    def encode_words(self, words: WordTable) -> EncodedWords:
        """Tokens of many distinct words, found by the compiled kernels. Raises as `encode_word`.

        >>> model = UnigramModel({"▁": 1.0, "h": 2.0, "u": 2.0, "▁hu": 3.0})
        >>> model.encode_words(WordTable.of([b" hu", b"g"])).lengths.tolist()
        [3, 0, 1]
        """
        text, offsets = words.text.tobytes(), words.offsets
        if self.marks_words:
            seen = [WORD_MARK.encode() + word.removeprefix(b" ") for word in words.words()]
            text, offsets = b"".join(seen), np.cumsum([0, *map(len, seen)])
        found = best_paths(
            text,
            offsets,
            self._tree,
            np.negative([*[0.0] * self._first, *self._values[:-1]]),
            unknown=-1 if self.unknown_id is None else self.unknown_id,
            unknown_score=-np.inf if self.unknown == "word" else -self._values[-1],
            byte_ids=self._byte_ids if self.byte_fallback else None,
        )
        encoded = encoded_words(found, words, lambda word: no_unknown(word, UNKNOWN))
        if self.marks_words:
            added = np.diff(offsets) - np.diff(words.offsets)
            encoded.lengths[encoded.words.offsets[:-1]] -= added.astype(np.int32)
        return encoded

    def explain(self, word: str) -> list[LatticeEdge]:
        """Lattice of a word of the split."""
        return self.lattice(self.seen(word))

    def text_of(self, token: bytes, *, ends: bool, with_space: bool) -> bytes:
        """Text of a piece, with spaces for ▁."""
        return marks_as_spaces(token, with_space=with_space)

    def written(self, text: bytes, *, begins: bool, ends: bool) -> bytes:
        """Text with ▁ for spaces, and prepended if it begins a word."""
        return spaces_as_marks(text, begins=begins)

    def log_probability(self, pieces: Sequence[str]) -> float | None:
        """Log probability of these pieces together; None if one is unknown."""
        costs = [self.scores.get(piece) for piece in pieces]
        return None if None in costs else -sum(cost for cost in costs if cost is not None)

    @property
    def _first(self) -> int:
        """Id of the first piece."""
        return len(self.special_tokens) if self.marks_words else 0

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        bytes_first = sorted(enumerate(self.tokens), key=lambda each: each[0] not in self._byte_tokens)
        return {token: i for i, token in bytes_first if token is not None}

    @cached_property
    def _trie(self) -> PieceTrie:
        return PieceTrie((piece, number) for number, piece in enumerate(self._pieces))

    @cached_property
    def _tree(self) -> PieceTree:
        return PieceTree([piece.encode() for piece in self._pieces], np.arange(len(self._pieces)) + self._first)

    @cached_property
    def _token_ids(self) -> dict[str, int]:
        """Ids of the pieces: after the special tokens, or in a file's model their indices."""
        return {piece: number + self._first for piece, number in self._numbers.items()}

    @cached_property
    def _byte_tokens(self) -> dict[int, int]:
        ids = self._byte_ids.tolist() if self.byte_fallback else ()
        return {token_id: byte for byte, token_id in enumerate(ids) if token_id >= 0}

    @cached_property
    def _byte_ids(self) -> npt.NDArray[np.int32]:
        return np.array([self._numbers.get(f"<0x{byte:02X}>", -1) for byte in range(256)], np.int32)

    def _matches(self, word: str, start: int) -> Iterator[tuple[int, int]]:
        """(end, index) of the pieces that begin at `start`, the shortest first, then of an unknown character."""
        single = self.unknown == "word"
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
