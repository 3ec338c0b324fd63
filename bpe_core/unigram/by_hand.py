"""Unigram by hand: manually entered piece counts, and the probabilities and losses that follow for a few words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

from bpe_core import checks
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message
from bpe_core.unigram.lattice import Segmentation, best_segmentations
from bpe_core.unigram.model import UnigramModel

MOST_PIECES = 500
MOST_WORDS = 200
LONGEST_WORD = 40
"""Limit on the characters of a word or a piece."""

MOST_LISTED = 1_000
"""Limit on the listed segmentations of one word."""

_A_WORD, _A_PIECE = message("A word"), message("A piece")

LARGEST_COUNT = 10**9


@dataclass(frozen=True)
class PieceShare:
    """A piece with its count, its share of all counts, and its score: −log of the share, by the natural log.

    >>> UnigramByHand({"a": 3, "b": 1}, {"ab": 1}).shares[1]
    PieceShare(piece='b', count=1, share=0.25, score=1.3862943611198906)
    """

    piece: str
    count: int
    share: float
    score: float


@dataclass(frozen=True)
class WordLoss:
    """A word of the corpus, its count, and its best segmentation; None if no pieces make the word.

    >>> UnigramByHand({"a": 3, "b": 1}, {"ab": 2}).word_losses[0].best.pieces
    ('a', 'b')
    """

    word: str
    count: int
    best: Segmentation | None

    @property
    def loss(self) -> float:
        """Count times score of the best segmentation; infinite without one.

        >>> WordLoss("ab", 2, Segmentation(("ab",), 1.5)).loss, WordLoss("x", 1, None).loss
        (3.0, inf)
        """
        return inf if self.best is None else self.count * self.best.score


class UnigramByHand:
    """Piece counts, and the loss that they give a corpus of counted words. Immutable.

    The loss is the sum of count × −log P over the words, each with its most probable segmentation, as in the Hugging
    Face course. Words are used unchanged: no ▁ is prepended.

    >>> words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> by_hand = UnigramByHand(substring_counts(words), words)
    >>> by_hand.total, round(by_hand.loss, 1)
    (210, 169.8)
    >>> [(found.pieces, round(by_hand.probability(found), 6)) for found in by_hand.segmentations("pug")]
    [(('p', 'ug'), 0.00771), (('pu', 'g'), 0.00771), (('p', 'u', 'g'), 0.001322)]
    >>> {piece: round(by_hand.increase(piece), 1) for piece in ("hug", "pu", "ug", "un")}
    {'hug': 23.5, 'pu': 0.0, 'ug': 0.0, 'un': 0.0}
    """

    def __init__(self, counts: Mapping[str, int], words: Mapping[str, int]) -> None:
        """Raises ConfigError for invalid pieces or words.

        Both must map texts to whole numbers above 0, within MOST_PIECES, MOST_WORDS, LONGEST_WORD and LARGEST_COUNT;
        there must be a piece.
        """
        self.counts = _checked(counts, "piece", MOST_PIECES)
        self.words = _checked(words, "word", MOST_WORDS)
        if not self.counts:
            raise ConfigError(
                message("There are no pieces."),
                limit=message("At least one is needed."),
                remedy=message("Write one down, with its count."),
            )

    @property
    def total(self) -> int:
        """Sum of all counts."""
        return sum(self.counts.values())

    @cached_property
    def shares(self) -> tuple[PieceShare, ...]:
        """Every piece with its share and its score, in input order.

        >>> [each.share for each in UnigramByHand({"a": 3, "b": 1}, {}).shares]
        [0.75, 0.25]
        """
        scores = UnigramModel.of_counts(self.counts).scores
        return tuple(
            PieceShare(piece, count, count / self.total, scores[piece]) for piece, count in self.counts.items()
        )

    @cached_property
    def word_losses(self) -> tuple[WordLoss, ...]:
        """Every word of the corpus in its best segmentation.

        >>> [each.best.pieces for each in UnigramByHand({"a": 3, "b": 1}, {"ab": 2}).word_losses]
        [('a', 'b')]
        """
        return tuple(WordLoss(word, count, self._best(word)) for word, count in self.words.items())

    @property
    def loss(self) -> float:
        """Loss of the corpus; infinite if a word cannot be made of the pieces."""
        return sum(each.loss for each in self.word_losses)

    def segmentations(self, word: str, n: int = MOST_LISTED) -> list[Segmentation]:
        """Best `n` segmentations of a word, the most probable first; empty if no pieces make it.

        On a tie, the first found comes first. Raises ConfigError for a word longer than LONGEST_WORD, and for more
        segmentations than MOST_LISTED.
        """
        if checks.whole_number(n, message("The number of segmentations"), 1) > MOST_LISTED:
            raise ConfigError(
                message("{n:,} segmentations were requested.", n=n),
                limit=message("At most {most:,} are listed.", most=MOST_LISTED),
                remedy=message("Ask for fewer; `count` says how many there are."),
            )
        return list(best_segmentations(_checked_text(word, "word"), self._edges(word), n))

    def count(self, word: str) -> int:
        """Number of segmentations of a word.

        >>> UnigramByHand({"a": 1, "aa": 1}, {}).count("aaa")
        3
        """
        ways = [1] + [0] * len(_checked_text(word, "word"))
        for start, end, _ in self._edges(word):
            ways[end] += ways[start]
        return ways[-1]

    def probability(self, segmentation: Segmentation) -> float:
        """Product of the shares of these pieces. Raises ConfigError for an unknown piece.

        >>> by_hand = UnigramByHand({"a": 3, "b": 1}, {})
        >>> by_hand.probability(by_hand.segmentations("ab")[0])
        0.1875
        """
        product = 1.0
        for piece in segmentation.pieces:
            product *= self._count(piece) / self.total
        return product

    def without(self, piece: str) -> tuple[WordLoss, ...]:
        """Every word as segmented without a piece; the others keep their scores, as in the course.

        Raises ConfigError for an unknown piece.

        >>> [found.best.pieces for found in UnigramByHand({"a": 3, "b": 1, "ab": 2}, {"ab": 1}).without("ab")]
        [('a', 'b')]
        """
        self._count(piece)
        return tuple(
            WordLoss(each.word, each.count, self._best(each.word, piece))
            if each.best is not None and piece in each.best.pieces
            else each
            for each in self.word_losses
        )

    def increase(self, piece: str) -> float:
        """Increase of the loss without a piece: 0 if no word needs it, infinite if a word cannot be made without it.

        Raises ConfigError for an unknown piece.

        >>> UnigramByHand({"a": 1, "b": 1}, {"a": 1}).increase("b"), UnigramByHand({"a": 1}, {"a": 1}).increase("a")
        (0.0, inf)
        """
        changed = zip(self.word_losses, self.without(piece), strict=True)
        return sum((after.loss - before.loss for before, after in changed if after is not before), 0.0)

    def _count(self, piece: str) -> int:
        if piece not in self.counts:
            raise ConfigError(
                message("{piece} is not a piece.", piece=quoted(piece)),
                limit=message("Only pieces have a count."),
                remedy=message("Write it down first."),
            )
        return self.counts[piece]

    def _best(self, word: str, without: str | None = None) -> Segmentation | None:
        return next(best_segmentations(word, self._edges(word, without), 1), None)

    def _edges(self, word: str, without: str | None = None) -> Iterator[tuple[int, int, float]]:
        """(start, end, score) of every piece that fits into a word, ordered by start and then end."""
        scores = self._scores
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                piece = word[start:end]
                if piece in scores and piece != without:
                    yield start, end, scores[piece]

    @cached_property
    def _scores(self) -> dict[str, float]:
        return {each.piece: each.score for each in self.shares}


def substring_counts(words: Mapping[str, int]) -> dict[str, int]:
    """Initial pieces of the course: every proper substring of a word, with its count in all words.

    The substrings of a word come in order of length. Raises ConfigError as `UnigramByHand` does.

    >>> substring_counts({"hug": 10, "hugs": 5})
    {'h': 15, 'u': 15, 'g': 15, 'hu': 15, 'ug': 15, 's': 5, 'gs': 5, 'hug': 15, 'ugs': 5}
    """
    known = _checked(words, "word", MOST_WORDS)
    parts: dict[str, int] = {}
    for word in known:
        for size in range(1, len(word)):
            parts.update(dict.fromkeys((word[at : at + size] for at in range(len(word) - size + 1)), 0))
    for word, count in known.items():
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                if word[start:end] in parts:
                    parts[word[start:end]] += count
    if len(parts) > MOST_PIECES:
        raise ConfigError(
            message("These words have {number:,} parts.", number=len(parts)),
            limit=message("At most {most:,} pieces are allowed.", most=MOST_PIECES),
            remedy=message("Take fewer or shorter words."),
        )
    return parts


def read_counts(text: str, what: str = "piece") -> dict[str, int]:
    """Parse texts with counts: one per line, the text, a space and its count; empty lines are skipped.

    what: kind of text, for the errors. Raises ConfigError for a line without a count, a repeated text, and for anything
    that `UnigramByHand` rejects.

    >>> read_counts("hug 10\\npug  5\\n")
    {'hug': 10, 'pug': 5}
    """
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        parts = line.split()
        if not parts:
            continue
        if (
            len(parts) != 2
            or not (parts[1].isascii() and parts[1].isdigit())
            or len(parts[1]) > len(str(LARGEST_COUNT))
        ):
            raise ConfigError(
                message("Line {number:,} is {line}.", number=number, line=quoted(line)),
                limit=message("A line is a word, a space, and a whole number up to {largest:,}.", largest=LARGEST_COUNT)
                if what == "word"
                else message(
                    "A line is a piece, a space, and a whole number up to {largest:,}.", largest=LARGEST_COUNT
                ),
                remedy=message(
                    "Write, for example: {line}",
                    line=f"{parts[0][:LONGEST_WORD] if parts[0].isprintable() else what} 5",
                ),
            )
        if parts[0] in found:
            raise ConfigError(
                message("Line {number:,} repeats {text}.", number=number, text=quoted(parts[0])),
                limit=message("Every word is in one line.")
                if what == "word"
                else message("Every piece is in one line."),
                remedy=message("Add the counts in one of them."),
            )
        found[parts[0]] = int(parts[1])
    return _checked(found, what, MOST_WORDS if what == "word" else MOST_PIECES)


def _checked(counts: object, what: str, most: int) -> dict[str, int]:
    """Return checked texts with counts. `what`: kind of text, for the errors."""
    they = message("The words") if what == "word" else message("The pieces")
    known = checks.mapping(counts, they, message("texts to whole numbers"))
    if len(known) > most:
        number = len(known)
        raise ConfigError(
            message("There are {number:,} words.", number=number)
            if what == "word"
            else message("There are {number:,} pieces.", number=number),
            limit=message("At most {most:,} are taken.", most=most),
            remedy=message("Leave some out."),
        )
    found = {}
    for text, count in known.items():
        number = checks.whole_number(count, message("The count of {token}", token=quoted(text)), 1)
        if number > LARGEST_COUNT:
            raise ConfigError(
                message("The count of {token} is {number:,}.", token=quoted(text), number=number),
                limit=message("A count is at most {largest:,}.", largest=LARGEST_COUNT),
                remedy=message("Divide all counts by the same number: the shares stay."),
            )
        found[_checked_text(text, what)] = number
    return found


def _checked_text(text: object, what: str) -> str:
    is_word = what == "word"
    known = checks.utf8_text(text, _A_WORD if is_word else _A_PIECE)
    if not known or len(known) > LONGEST_WORD:
        number = len(known)
        raise ConfigError(
            message("The word {word} has {number:,} characters.", word=quoted(known), number=number)
            if is_word
            else message("The piece {piece} has {number:,} characters.", piece=quoted(known), number=number),
            limit=message("A word has 1 to {longest}.", longest=LONGEST_WORD)
            if is_word
            else message("A piece has 1 to {longest}.", longest=LONGEST_WORD),
            remedy=message("Shorten it.") if known else message("Leave it out."),
        )
    return known
