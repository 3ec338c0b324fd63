"""The model of Unigram: pieces with scores; each word becomes the segmentation with the best total score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import merge
from itertools import islice
from math import log
from typing import ClassVar, Literal

import numpy as np

from bpe_core import checks
from bpe_core.bpe.config import UNKNOWN
from bpe_core.errors import ConfigError, quoted
from bpe_core.text.normalizers import IDENTITY, Normalizer
from bpe_core.text.splits import MARKED_SPLIT, WORD_MARK, Split
from bpe_core.tokenizer.decoders import SpaceMarks
from bpe_core.tokenizer.model import Kind, Model, Rule, View, WordTokens
from bpe_core.tokenizer.piece_trie import PieceTrie
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.lattice import LatticeEdge, Segmentation, best_path

MOST_SEGMENTATIONS = 10_000
"""The most segmentations of one word that are listed."""


class UnigramModel(Model):
    """Pieces and their scores, −log of their probabilities. Immutable.

    <unk> has the id 0, the pieces follow in order. A word with an unknown character becomes one <unk>. The methods
    about segmentations take words as the model sees them, with ▁ in place of the space before them.

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
    >>> model.rule, sorted(model.views)
    ('best score', ['lattice'])
    """

    kind: ClassVar[Kind] = "unigram"
    unit: Literal["byte", "char"] = "char"

    def __init__(self, scores: Mapping[str, float]) -> None:
        """Raises ConfigError for anything but a mapping of pieces to numbers."""
        self.scores = dict(checks.mapping(scores, "The scores", "pieces to numbers"))
        for piece in self.scores:
            checks.utf8_text(piece, "A piece")
        wrong = next((piece for piece, score in self.scores.items() if not checks.is_number(score)), None)
        if wrong is not None:
            raise ConfigError(
                f"The score of {quoted(wrong)} is {quoted(self.scores[wrong])}.",
                limit="A score is a number.",
                remedy="Correct it.",
            )
        self.unknown_id: int = 0
        self.tokens: list[bytes | None] = [None, *(piece.encode() for piece in self.scores)]

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
        edges = [(start, end, self._pieces[number]) for start, end, number in self.edges(word)]
        totals, back = self._viterbi(word)
        chosen = set(best_path(back))
        return [
            LatticeEdge(
                start,
                end,
                piece,
                self.scores[piece],
                totals[start] + self.scores[piece],
                best=back[end] == start,
                chosen=(start, end) in chosen,
            )
            for start, end, piece in edges
            if start == 0 or back[start] is not None
        ]

    def edges(self, word: str) -> Iterator[tuple[int, int, int]]:
        """(start, end, number of the piece) of every piece that fits into a word, ordered by start and then end.

        Numbers count the pieces from 0, without <unk>.

        >>> list(UnigramModel({"a": 2.0, "aa": 3.0}).edges("aa"))
        [(0, 1, 0), (0, 2, 1), (1, 2, 0)]
        """
        return ((start, *match) for start in range(len(word)) for match in self._trie.matches(word, start))

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

    # -- the model of a tokenizer -----------------------------------------------------------------------------------

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
        return self._pieces[token_id - 1] if token_id else UNKNOWN

    def encode_word(self, word: str) -> WordTokens:
        """The tokens of one word of the split. ▁ covers the space before the word, or no bytes if there is none."""
        if not word:
            return WordTokens([], [])
        best = self.best(marked(word))
        if best is None:
            return WordTokens([self.unknown_id], [len(word.encode())])
        lengths = [len(piece.encode()) for piece in best.pieces]
        lengths[0] -= len(WORD_MARK.encode()) - len(word[: word.startswith(" ")])
        return WordTokens([self._numbers[piece] + 1 for piece in best.pieces], lengths)

    def explain(self, word: str) -> list[LatticeEdge]:
        """The lattice of a word of the split."""
        return self.lattice(marked(word))

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
        return {token: i for i, token in enumerate(self.tokens) if token is not None}

    # -- helpers ----------------------------------------------------------------------------------------------------

    @cached_property
    def _pieces(self) -> list[str]:
        return list(self.scores)

    @cached_property
    def _values(self) -> list[float]:
        return list(self.scores.values())

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(self.scores)}

    @cached_property
    def _trie(self) -> PieceTrie:
        return PieceTrie((piece, number) for number, piece in enumerate(self.scores))

    def _viterbi(self, word: str) -> tuple[list[float], list[int | None]]:
        """For every offset: the best score up to it, and where the last piece of the best path to it begins."""
        totals = [0.0] + [np.inf] * len(word)
        back: list[int | None] = [None] * (len(word) + 1)
        values, matches = self._values, self._trie.matches
        for start in range(len(word)):
            so_far = totals[start]
            if so_far == np.inf:
                continue
            for end, number in matches(word, start):
                total = so_far + values[number]
                if total < totals[end]:
                    totals[end], back[end] = total, start
        return totals, back

    def _best_first(self, word: str, n: int) -> Iterator[Segmentation]:
        """The `n` best segmentations, from the `n` best paths to every offset."""
        if n == 1:
            totals, back = self._viterbi(word)
            if word and back[-1] is not None:
                yield Segmentation(tuple(word[a:b] for a, b in best_path(back)), totals[-1])
            return
        # A path is (score, where its last piece begins, which of the paths to there it continues).
        incoming: list[list[tuple[int, int]]] = [[] for _ in range(len(word) + 1)]
        for start, end, number in self.edges(word):
            incoming[end].append((start, number))
        paths: list[list[tuple[float, int, int]]] = [[(0.0, -1, -1)]]
        for end in range(1, len(word) + 1):
            sources = [
                [(path[0] + self._values[number], start, i) for i, path in enumerate(paths[start])]
                for start, number in incoming[end]
            ]
            paths.append(list(islice(merge(*sources), n)))
        for score, start, which in paths[-1] if word else ():
            pieces: list[str] = []
            end = len(word)
            while start >= 0:
                pieces.insert(0, word[start:end])
                end = start
                _, start, which = paths[start][which]
            yield Segmentation(tuple(pieces), score)


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
        decoder=SpaceMarks(frozenset((model.unknown_id,))),
        special_tokens={UNKNOWN: model.unknown_id},
    )


def marked(word: str) -> str:
    """A word as the model sees it: ▁ in place of the space before it, or added if there is none.

    >>> marked("low"), marked(" low")
    ('▁low', '▁low')
    """
    return WORD_MARK + word.removeprefix(" ")


def marks_as_spaces(token: bytes, *, with_space: bool) -> bytes:
    """A piece as text: spaces in place of ▁, except in front if the piece covers no space there (`with_space`).

    >>> marks_as_spaces("▁low".encode(), with_space=True), marks_as_spaces("▁low".encode(), with_space=False)
    (b' low', b'low')
    """
    text = token.replace(WORD_MARK.encode(), b" ")
    return text if with_space else text.removeprefix(b" ")


def spaces_as_marks(text: bytes, *, begins: bool) -> bytes:
    """A text as a piece: ▁ in place of spaces, and added if it begins a word without one.

    >>> spaces_as_marks(b"low", begins=True).decode(), spaces_as_marks(b" low", begins=True).decode()
    ('▁low', '▁low')
    """
    mark = WORD_MARK.encode()
    return (mark if begins and not text.startswith(b" ") else b"") + text.replace(b" ", mark)


def _checked_word(word: object) -> str:
    return checks.joined_pairs(checks.instance(word, "The word", str, "a str"))


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**12 else "more than 10¹²"
