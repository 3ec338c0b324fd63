"""Segmentations at random, and how likely each is: BPE-dropout, and subword regularization by a Unigram lattice.

`dropout` is for BPE: the probability with which a merge is skipped (see `bpe_core.bpe.dropout`). `theta` is for
Unigram: a segmentation has a probability proportional to exp(θ × its log probability) (see `bpe_core.unigram.paths`).
The rules of WordPiece and of whole words have one segmentation only, for which ConfigError is raised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import log
from random import Random
from typing import NamedTuple

from bpe_core import checks
from bpe_core.bpe.dropout import dropout_probabilities, encode_with_dropout
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message
from bpe_core.segmentations.ways import WordMerges, WordPaths, has_several, ways_of
from bpe_core.sentencepiece.model import SentencePieceModel
from bpe_core.text.normalization import Normalized
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.model import Model, WordTokens
from bpe_core.tokenizer.text_encoder import encode_plainly
from bpe_core.tokenizer.tokenizer import Special, Tokenizer
from bpe_core.unigram.paths import Paths

HIGHEST_THETA = 1_000.0
MOST_DRAWS = 100_000
MOST_LISTED = 10_000
_ONLY_STR = message("Only str is encoded.")


class SampledSegmentation(NamedTuple):
    """Segmentation of a word drawn at random: ids, bytes that each covers, number of draws with it, and their share.

    >>> from bpe_core import load_pretrained
    >>> sampled_segmentations(load_pretrained("gpt2"), "low", draws=10, dropout=0.0)
    [SampledSegmentation(ids=(9319,), lengths=(3,), draws=10, share=1.0)]
    """

    ids: tuple[int, ...]
    lengths: tuple[int, ...]
    draws: int
    share: float


class LikelySegmentation(NamedTuple):
    """Segmentation of a word with its exact probability; `score`: its log probability in a Unigram model, else None.

    >>> from bpe_core import load_pretrained
    >>> likely_segmentations(load_pretrained("gpt2"), "low", 1, dropout=0.0)
    [LikelySegmentation(ids=(9319,), lengths=(3,), probability=1.0, score=None)]
    """

    ids: tuple[int, ...]
    lengths: tuple[int, ...]
    probability: float
    score: float | None


def encode_sampled(
    tokenizer: Tokenizer,
    text: str,
    *,
    dropout: float = 0.1,
    theta: float = 1.0,
    seed: int = 0,
    special: Special = "text",
) -> Encoding:
    """Tokens of `text` with every occurrence of a word segmented at random, for training on many segmentations.

    dropout  for BPE: probability with which a merge is skipped; 0 gives `encode`, 1 base symbols
    theta    for Unigram: 0 makes all segmentations equally likely, a large one gives the best
    seed     the same seed gives the same tokens
    special  as for `Tokenizer.encode`

    Raises ConfigError for a tokenizer with one segmentation of each word, and for values out of range; CorpusError as
    `Tokenizer.encode` does.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> encode_sampled(gpt2, " lower lower lower", dropout=0.3, seed=1).tokens
    [' lower', ' low', 'er', ' low', 'er']
    """
    model, chance = has_several(tokenizer), _chance(seed)
    _check(dropout, theta)

    draws: dict[str, Callable[[Callable[[], float]], WordTokens]] = {}

    def encode_word(word: str) -> WordTokens:
        if word not in draws:
            draws[word] = _draw(model, word, dropout, theta)
        return draws[word](chance)

    segments, surrogates = tokenizer._segments(text, special)
    return tokenizer._laid_out(encode_plainly(segments, tokenizer.split, model, encode_word), surrogates)


def sampled_segmentations(
    tokenizer: Tokenizer,
    word: str,
    *,
    draws: int = 1_000,
    dropout: float = 0.1,
    theta: float = 1.0,
    seed: int = 0,
    normalized: bool = False,
) -> list[SampledSegmentation]:
    """Segmentations of one word in `draws` draws, the most frequent first; equally frequent ones in order of drawing.

    The word is normalized, and marked as the split marks a word, but not split; with `normalized` it is used unchanged,
    like a word of an Encoding's `text`, in which SentencePiece's mark is a space. Other parameters and errors are those
    of `encode_sampled`; `draws`: 1 to MOST_DRAWS.

    >>> from bpe_core import load_pretrained
    >>> found = sampled_segmentations(load_pretrained("gpt2"), " low", draws=1_000, dropout=0.1)
    >>> [(each.ids, each.draws) for each in found][:2]
    [((1877,), 885), ((300, 322), 83)]
    """
    model, chance = has_several(tokenizer), _chance(seed)
    _check(dropout, theta)
    number = checks.whole_number(draws, "draws", 1, MOST_DRAWS)
    seen = _word_of(tokenizer, word, normalized)
    draw = _draw(model, seen, dropout, theta)
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for _ in range(number):
        tokens = draw(chance)
        found[tuple(tokens.ids), tuple(tokens.lengths)] += 1
    return [SampledSegmentation(ids, lengths, times, times / number) for (ids, lengths), times in found.most_common()]


def likely_segmentations(
    tokenizer: Tokenizer,
    word: str,
    n: int | None = 10,
    *,
    dropout: float = 0.1,
    theta: float = 1.0,
    normalized: bool = False,
) -> list[LikelySegmentation]:
    """The `n` most probable segmentations of one word with their exact probabilities (None: all, up to MOST_LISTED).

    For Unigram they are the n best by score, as `nbest_encode` of SentencePiece lists them. For BPE, every state that
    skipped merges can lead to is followed. Parameters and errors are those of `sampled_segmentations`; ConfigError also
    for a word of a BPE tokenizer with too many states.

    >>> from bpe_core import load_pretrained
    >>> found = likely_segmentations(load_pretrained("gpt2"), " low", dropout=0.1)
    >>> [(each.ids, round(each.probability, 4)) for each in found][:2]
    [((1877,), 0.8901), ((300, 322), 0.0891)]
    """
    model = has_several(tokenizer)
    _check(dropout, theta)
    given = checks.how_many(n)
    most = MOST_LISTED if given is None else min(given, MOST_LISTED)
    seen = _word_of(tokenizer, word, normalized)
    ways = ways_of(model, seen)
    if isinstance(ways, WordPaths):
        paths = Paths(ways.size, ways.edges, theta)
        found = [(ways.tokens(path), score) for path, score in paths.best(most)]
        return [
            LikelySegmentation(tuple(ids), tuple(lengths), paths.probability(score), score)
            for (ids, lengths), score in found
        ] or _certain(model, seen)[:most]
    if model.merges is not None and not dropout:
        return _certain(model, seen)[:most]
    ranked = sorted(_probabilities(ways, word, dropout).items(), key=lambda each: -each[1])
    return [LikelySegmentation(*tokens, probability, None) for tokens, probability in ranked[:most]]


def segmentation_entropy(
    tokenizer: Tokenizer, word: str, *, dropout: float = 0.1, theta: float = 1.0, normalized: bool = False
) -> float:
    """Entropy of the distribution over the segmentations of one word, in nats; 0.0 if only one is possible.

    For Unigram as `calculate_entropy` of SentencePiece. Parameters and errors are those of `likely_segmentations`.

    >>> from bpe_core import load_pretrained
    >>> round(segmentation_entropy(load_pretrained("gpt2"), " low", dropout=0.1), 4)
    0.4238
    """
    model = has_several(tokenizer)
    _check(dropout, theta)
    ways = ways_of(model, _word_of(tokenizer, word, normalized))
    if isinstance(ways, WordPaths):
        return Paths(ways.size, ways.edges, theta).entropy()
    if not dropout:
        return 0.0
    return 0.0 - sum(share * log(share) for share in _probabilities(ways, word, dropout).values())


def _probabilities(ways: WordMerges, word: str, dropout: float) -> dict[tuple[tuple[int, ...], tuple[int, ...]], float]:
    """Probability of each segmentation, by its ids and lengths. Raises ConfigError for a word with too many states."""
    found = dropout_probabilities(ways.symbols, ways.merge_of, dropout)
    if found is None:
        raise ConfigError(
            message("{word} has too many segmentations for exact probabilities.", word=quoted(word)),
            limit=message("Those of words of up to about 14 symbols are computed."),
            remedy=message("Draw segmentations at random instead."),
        )
    shares: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
    for parts, share in found.items():
        tokens = ways.tokens(parts)
        key = tuple(tokens.ids), tuple(tokens.lengths)
        shares[key] = shares.get(key, 0.0) + share
    return shares


def _draw(model: Model, word: str, dropout: float, theta: float) -> Callable[[Callable[[], float]], WordTokens]:
    """Function that draws a segmentation of a word of the split; always that of `encode_word` if there is no other."""
    if model.merges is not None and not dropout:
        plain = model.encode_word(word)
        return lambda chance: plain
    ways = ways_of(model, word)
    if isinstance(ways, WordMerges):
        return lambda chance: ways.tokens(encode_with_dropout(ways.symbols, ways.merge_of, dropout, chance))
    paths = Paths(ways.size, ways.edges, theta)
    if not paths.has_any:
        only = model.encode_word(word)
        return lambda chance: only
    return lambda chance: ways.tokens(paths.sample(chance))


def _word_of(tokenizer: Tokenizer, word: str, normalized: bool) -> str:
    """The word as the model receives it."""
    given = checks.given_text(word, limit=_ONLY_STR)
    text = given if checks.true_or_false(normalized, "normalized") else tokenizer.normalizer.normalize(given).text
    model = tokenizer.model
    if isinstance(model, SentencePieceModel):
        settings = model.normalization.settings
        if not (normalized and settings.adds_mark):  # a word inside a text has a space as its mark
            return text
        return text.removesuffix(" ") if settings.mark_at_end else text.removeprefix(" ")
    if normalized:
        return text
    changed, edges = tokenizer.split.apply(Normalized.of(text), begins=True)
    return changed.text if len(edges) == 1 else text


def _certain(model: Model, word: str) -> list[LikelySegmentation]:
    tokens = model.encode_word(word)
    return [LikelySegmentation(tuple(tokens.ids), tuple(tokens.lengths), 1.0, None)]


def _check(dropout: object, theta: object) -> None:
    if not (checks.is_number(dropout) and 0 <= dropout <= 1):
        raise checks.wrong(dropout, "dropout", message("It takes a number from 0 to 1."))
    if not (checks.is_number(theta) and 0 <= theta <= HIGHEST_THETA):
        raise checks.wrong(theta, "theta", message("It takes a number from 0 to {most:,}.", most=int(HIGHEST_THETA)))


def _chance(seed: object) -> Callable[[], float]:
    return Random(checks.whole_number(seed, "seed")).random
