"""WordPiece training: merges pairs by score or by count, with every step available for inspection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.corpus import Progress
from bpe_core.errors import ConfigError, CorpusError, quoted
from bpe_core.language import message
from bpe_core.text.small_corpus import PER_BYTE, count_small
from bpe_core.text.splits import BERT_SPLIT, compile_split, words
from bpe_core.text.word_counts import WordCounts
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.wordpiece.merging import merge_by_score, merges_by_count
from bpe_core.wordpiece.model import INSIDE, UNKNOWN_WORD, wordpiece_tokenizer
from bpe_core.work import taking

MOST_CHARACTERS = 50_000_000
"""Limit on the characters of all new tokens together: those of one long word are quadratic in its length."""

WordPieceRule = Literal["score", "count"]
RULES: tuple[WordPieceRule, ...] = ("score", "count")

SPECIAL_TOKENS = ("[PAD]", UNKNOWN_WORD, "[CLS]", "[SEP]", "[MASK]")


class WordPieceMerge(NamedTuple):
    """One merge: `left` + `right` became `new`, the best pair at that step. ## continues a word.

    `score`: its criterion, the largest score or, in a training by count, the largest count.

    >>> train_wordpiece("hug hug hugs", 11).merges[0]
    WordPieceMerge(left='h', right='##u', new='hu', score=0.3333333333333333)
    """

    left: str
    right: str
    new: str
    score: float


@dataclass(frozen=True, slots=True)
class WordPieceCandidate:
    """A pair that the next merge could take, and the counts in its score.

    score = count / (left_count × right_count). `tied`: whether another pair shares its score (in a training by count,
    its count), the largest; `chosen`: whether the next merge takes it.

    >>> train_wordpiece("hug hug hugs", 11).at(0).candidates(1)
    [WordPieceCandidate(left='h', right='##u', count=3, left_count=3, right_count=3, score=0.333..., tied=True,
    chosen=True)]
    """

    left: str
    right: str
    count: int
    left_count: int
    right_count: int
    score: float
    tied: bool
    chosen: bool


def train_wordpiece(
    texts: str | Iterable[str] | WordCounts,
    vocab_size: int,
    *,
    rule: WordPieceRule = "score",
    special_tokens: Sequence[str] = SPECIAL_TOKENS,
    on_progress: Progress | None = None,
) -> WordPieceTraining:
    """Train WordPiece on one or many texts, 5 MB together at most, or on WordCounts of any corpus.

    It trains on the distinct words and their counts. WordCounts must be those of the split BERT_SPLIT.
    Texts are split by BERT's rule; every character but the first of a word is marked with ##. The vocabulary has the
    special tokens ([UNK] is appended to them if missing), the characters sorted, then the merges in order, until there
    are `vocab_size` tokens or no pair is left. A merge whose result is already a token adds none.

    `rule`, criterion of the best pair:

    "score"   the largest count / (count of the left × count of the right), as in the Hugging Face course; a tie goes to
              the pair seen first
    "count"   the largest count, as in the tokenizers library: BPE with ##; a tie goes to the lowest ids. As there,
              every character also has a token without ##, and those without ## come first. The library numbers the
              characters with ## differently in each run, and so breaks ties differently; here they are sorted. By
              default it also drops all but the 1,000 most frequent characters; here all are kept.

    `on_progress(done, total)` is called with numbers of tokens; an exception raised in it cancels the training.

    Raises CorpusError for texts that are not text, have no words, or are too large, and if the new tokens have more
    than MOST_CHARACTERS together, as those of one long word can; ConfigError for a `vocab_size` that the characters
    alone exceed, for special tokens that could occur in a word, and for another `rule`.

    Source: the WordPiece chapter of the Hugging Face course; `WordPieceTrainer` of
    https://github.com/huggingface/tokenizers. BERT's own training was never published.

    >>> training = train_wordpiece("hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5, 15)
    >>> training.vocab[5:]
    ['##g', '##n', '##s', '##u', 'b', 'h', 'p', '##gs', 'hu', 'hugs']
    >>> training.merges[0]
    WordPieceMerge(left='##g', right='##s', new='##gs', score=0.05)
    >>> training = train_wordpiece("hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5, 20, rule="count")
    >>> training.vocab[5:]
    ['b', 'g', 'h', 'n', 'p', 's', 'u', '##g', '##n', '##s', '##u', '##ug', '##un', 'hug', 'pun']
    >>> training.merges[0]
    WordPieceMerge(left='##u', right='##g', new='##ug', score=20.0)
    """
    checks.choice(rule, "rule", RULES)
    config = TrainConfig(vocab_size=vocab_size, unit="char", split=BERT_SPLIT, special_tokens=_named(special_tokens))
    checks.callback(on_progress)
    for token in config.special_tokens:
        _require_no_piece(token)
    counted = count_small(texts, config)
    with taking(PER_BYTE * len(counted.text)):
        return _train(counted, config, rule, on_progress)


def _train(
    counted: WordCounts, config: TrainConfig, rule: WordPieceRule, on_progress: Progress | None
) -> WordPieceTraining:
    vocab_size = config.vocab_size
    symbols = base_of(counted.words, rule)
    base = [*config.special_tokens, *symbols]
    if len(base) > vocab_size:
        characters = len(base) - len(config.special_tokens)
        raise ConfigError(
            message(
                "vocab_size is {vocab_size:,}, and this text alone needs {needed:,} tokens: {characters:,} "
                "characters, first and inner ones of words, and {special:,} special tokens.",
                vocab_size=vocab_size,
                needed=len(base),
                characters=characters,
                special=len(config.special_tokens),
            ),
            limit=message("The least for this text is {least:,}.", least=len(base)),
            remedy=message("Ask for at least {least:,}.", least=len(base)),
            least=len(base),
        )
    vocab = dict.fromkeys(base)
    merges: list[WordPieceMerge] = []
    sizes = [len(vocab)]
    removed_at = np.full(sum(map(len, counted.words)), np.iinfo(np.int32).max, np.int32)
    occurrences = counted.counts.tolist()
    if rule == "score":
        steps = merge_by_score(counted.words, occurrences)
    else:
        steps = merges_by_count(counted.words, occurrences, symbols, most=vocab_size)
    full = len(vocab) >= vocab_size
    if on_progress is not None:
        on_progress(0, vocab_size - len(base))
    characters = 0
    while not full and (step := next(steps, None)) is not None:
        characters += len(step.new)
        if characters > MOST_CHARACTERS:
            raise _too_long(len(merges) + 1, characters)
        merges.append(WordPieceMerge(step.left, step.right, step.new, step.score))
        removed_at[step.removed] = len(merges)
        vocab[step.new] = None
        sizes.append(len(vocab))
        full = len(vocab) >= vocab_size
        if on_progress is not None and (full or len(merges) % _SLICE == 0):
            on_progress(len(vocab) - len(base), vocab_size - len(base))
    return WordPieceTraining(
        rule=rule,
        special_tokens=config.special_tokens,
        vocab=list(vocab),
        merges=merges,
        sizes=sizes,
        counted=counted,
        removed_at=removed_at,
        stop_reason="vocabulary full" if full else "no pairs left",
    )


def base_of(words: Sequence[str], rule: WordPieceRule) -> list[str]:
    """Base symbols of a training in id order.

    >>> base_of(["hug", "gs"], "score"), base_of(["hug", "gs"], "count")
    (['##g', '##s', '##u', 'g', 'h'], ['g', 'h', 's', 'u', '##g', '##s', '##u'])
    """
    first, inner = {word[0] for word in words}, set("".join(word[1:] for word in words))
    marked = [INSIDE + char for char in inner]
    return sorted([*first, *marked]) if rule == "score" else [*sorted(first | inner), *sorted(marked)]


class WordPieceTraining:
    """Result of a WordPiece training. Immutable, so sessions can share it.

    `merges`: the merges in order. `rule`: their criterion, "score" or "count". `special_tokens`: those of the
    vocabulary. `stop_reason`: "vocabulary full" or "no pairs left". `surrogates`: number of lone surrogates replaced by
    U+FFFD.

    >>> training = train_wordpiece("hug hug hugs", 11)
    >>> training.at(1).words()
    [(('hu', '##g'), 2), (('hu', '##g', '##s'), 1)]
    >>> training.tokenizer().tokenize("hugs, hug")
    ['hug', '##s', '[UNK]', 'hug']
    >>> training.vocab[5:], training.vocab_size
    (['##g', '##s', '##u', 'h', 'hu', 'hug'], 11)
    """

    def __init__(
        self,
        *,
        rule: WordPieceRule,
        special_tokens: Sequence[str],
        vocab: Sequence[str],
        merges: Sequence[WordPieceMerge],
        sizes: Sequence[int],
        counted: WordCounts,
        removed_at: npt.NDArray[np.int32],
        stop_reason: Literal["vocabulary full", "no pairs left"],
    ) -> None:
        """Use `train_wordpiece` instead.

        `sizes`: vocabulary size at every step; `removed_at`: for every character of all words, the step that joined it
        to the character before it.
        """
        self.rule: WordPieceRule = rule
        self.special_tokens = tuple(special_tokens)
        self.merges = tuple(merges)
        self.stop_reason = stop_reason
        self.surrogates = counted.surrogates
        self._vocab = tuple(vocab)
        self._sizes = tuple(sizes)
        self._counted = counted
        self._removed_at = removed_at

    def __repr__(self) -> str:
        return f"<WordPieceTraining: {len(self.merges):,} merges, {self.stop_reason}>"

    @property
    def vocab(self) -> list[str]:
        """Every token in id order: special tokens, characters, merges."""
        return list(self._vocab)

    @property
    def vocab_size(self) -> int:
        """Number of tokens: special tokens, characters and merges."""
        return len(self._vocab)

    def at(self, step: int) -> WordPieceSnapshot:
        """State after `step` merges, 0 … len(merges), in any order; rebuilt on demand.

        Raises ConfigError for another step.
        """
        number = self._checked_step(step)
        return WordPieceSnapshot(
            step=number,
            merge=self.merges[number - 1] if number else None,
            vocab=self._vocab[: self._sizes[number]],
            rule=self.rule,
            counted=self._counted,
            symbols=tuple(self._symbols(number)),
            following=self.merges[number] if number < len(self.merges) else None,
        )

    def tokenizer(self, step: int | None = None) -> Tokenizer:
        """Tokenizer of the vocabulary after `step` merges (all if None). Raises ConfigError for another step."""
        number = self._checked_step(len(self.merges) if step is None else step)
        return wordpiece_tokenizer(self._vocab[: self._sizes[number]], special_tokens=self.special_tokens)

    def _symbols(self, step: int) -> Iterable[tuple[str, ...]]:
        """Distinct words after `step` merges: a symbol begins where no merge has yet joined two characters."""
        begins = (self._removed_at > step).tolist()
        place = 0
        for word in self._counted.words:
            edges = [i for i in range(len(word)) if begins[place + i]]
            yield tuple((INSIDE if start else "") + word[start:end] for start, end in pairwise((*edges, len(word))))
            place += len(word)

    def _checked_step(self, step: object) -> int:
        return checks.step_number(step, len(self.merges))


@dataclass(frozen=True, eq=False)
class WordPieceSnapshot:
    """State after `step` merges; `merge` is the last of them (None at step 0), `vocab` the tokens so far.

    >>> [(pair.left, pair.right, pair.score) for pair in train_wordpiece("hug hug pug hugs", 11).at(0).candidates(3)]
    [('h', '##u', 0.25), ('##u', '##g', 0.25), ('p', '##u', 0.25)]
    >>> train_wordpiece("hug hug pug hugs", 11).at(1).words(2)
    [(('hu', '##g'), 2), (('p', '##u', '##g'), 1)]
    """

    step: int
    merge: WordPieceMerge | None
    vocab: tuple[str, ...] = field(repr=False)
    rule: WordPieceRule
    counted: WordCounts = field(repr=False)
    symbols: tuple[tuple[str, ...], ...] = field(repr=False)
    following: WordPieceMerge | None = field(repr=False)

    def words(self, n: int | None = None) -> list[tuple[tuple[str, ...], int]]:
        """First `n` distinct words (all if None) as symbols, each with its count, in first-seen order.

        Raises ConfigError if `n` is not a whole number, at least 0.
        """
        most = checks.how_many(n)
        return list(zip(self.symbols[:most], self.counted.counts[:most].tolist(), strict=True))

    def candidates(self, n: int = 10) -> list[WordPieceCandidate]:
        """The `n` best pairs, largest score first, ties in first-seen order; by count: largest count first, ties by id.

        After the last merge of the training no pair is `chosen`. Raises ConfigError if `n` is not a whole number.
        """
        most = max(checks.whole_number(n, "n", None), 0)
        pairs = self.pairs()
        judged = {(pair.left, pair.right): pair.score if self.rule == "score" else pair.count for pair in pairs}
        order = self._order(judged)
        return sorted(pairs, key=lambda pair: order((pair.left, pair.right)))[:most]

    def pairs(self) -> list[WordPieceCandidate]:
        """Every pair as in `candidates`, in first-seen order.

        >>> [(pair.left, pair.right, pair.count) for pair in train_wordpiece("hug hug pug", 11).at(0).pairs()]
        [('h', '##u', 2), ('##u', '##g', 3), ('p', '##u', 1)]
        """
        pairs: dict[tuple[str, str], int] = {}
        singles: dict[str, int] = {}
        for word, count in self.words():
            for symbol in word:
                singles[symbol] = singles.get(symbol, 0) + count
            for pair in pairwise(word):
                pairs[pair] = pairs.get(pair, 0) + count
        scores = {pair: count / (singles[pair[0]] * singles[pair[1]]) for pair, count in pairs.items()}
        judged = scores if self.rule == "score" else pairs
        top = max(judged.values(), default=0)
        tied = list(judged.values()).count(top) > 1
        chosen = None if self.following is None else self.following[:2]
        return [
            WordPieceCandidate(
                *pair,
                pairs[pair],
                singles[pair[0]],
                singles[pair[1]],
                scores[pair],
                tied=tied and judged[pair] == top,
                chosen=pair == chosen,
            )
            for pair in pairs
        ]

    def _order(self, judged: Mapping[tuple[str, str], float]) -> Callable[[tuple[str, str]], tuple[float, ...]]:
        """Sort key for pairs in first-seen order."""
        ids = {piece: i for i, piece in enumerate(self.vocab)} if self.rule == "count" else {}
        return lambda pair: (-judged[pair], *(ids[symbol] for symbol in pair if ids))


_SLICE = 64
"""Merges between two calls of `on_progress`."""


def _too_long(merges: int, characters: int) -> CorpusError:
    return CorpusError(
        message(
            "The first {merges:,} new tokens have {characters:,} characters together.",
            merges=merges,
            characters=characters,
        ),
        limit=message("WordPiece takes {most:,} characters of new tokens at most.", most=MOST_CHARACTERS),
        remedy=message("The text has very long words: put spaces between them, or ask for a smaller vocab_size."),
    )


def _named(special_tokens: Sequence[str]) -> tuple[str, ...]:
    """Special tokens including [UNK]; TrainConfig checks the rest."""
    tokens = TrainConfig(unit="char", special_tokens=special_tokens).special_tokens  # type: ignore[arg-type]
    return tokens if UNKNOWN_WORD in tokens else (*tokens, UNKNOWN_WORD)


def _require_no_piece(token: str) -> None:
    """Raise ConfigError for a special token that could occur in a word: its id would be ambiguous."""
    text = token.removeprefix(INSIDE)
    if list(words(compile_split(BERT_SPLIT), text)) == [text]:
        raise ConfigError(
            message("The special token {token} could be a word of the text, or a part of one.", token=quoted(token)),
            limit=message("A special token has punctuation in it, so that no word equals it."),
            remedy=message("Write {token}.", token=quoted(f"[{text}]")),
        )
