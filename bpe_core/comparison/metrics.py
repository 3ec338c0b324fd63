"""Metrics of tokenizers on a text, and of one in many languages. None of them measures quality."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from bpe_core import checks
from bpe_core.comparison.comparison import Comparison
from bpe_core.language import message
from bpe_core.text.utf8 import code_points, utf8_lengths

ALPHA = 2.5
"""Order of the Rényi entropy chosen by Zouhar et al. (2023)."""

_SPACELESS = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}"
    r"\p{Script=Myanmar}\p{Script=Tibetan}]"
)
_LETTER = regex.compile(r"\p{L}")


class Metrics(NamedTuple):
    """Metrics of one tokenizer on a text. Words are separated by white space; None where a metric is meaningless.

    fertility        tokens per word; None without words, and if most letters are of scripts without spaces
    bytes_per_token  bytes of the text's UTF-8 per token
    continued        share of the words that a token boundary divides; None as for fertility
    renyi            Rényi entropy of the text's tokens, α = 2.5, divided by the logarithm of the vocabulary size
    used             number of distinct tokens of the text
    vocabulary       number of tokens of the vocabulary

    >>> from bpe_core import compare, load_pretrained
    >>> [found] = measured(compare("low lower lowerings", {"GPT-2": load_pretrained("gpt2")}))
    >>> found.fertility, found.continued, found.used, found.vocabulary
    (1.3333333333333333, 0.3333333333333333, 3, 50257)
    """

    name: str
    fertility: float | None
    bytes_per_token: float | None
    continued: float | None
    renyi: float | None
    used: int
    vocabulary: int

    @property
    def used_share(self) -> float:
        """Share of the vocabulary that the text uses.

        >>> Metrics("mine", None, None, None, None, 3, 12).used_share
        0.25
        """
        return self.used / self.vocabulary if self.vocabulary else 0.0


def measured(comparison: Comparison, vocabularies: Mapping[str, int] | None = None) -> list[Metrics]:
    """Metrics of every compared tokenizer, in order.

    `vocabularies`: number of tokens by tokenizer name, if already known: counting is slow.

    >>> from bpe_core import compare, load_pretrained
    >>> [found] = measured(compare("日本語", {"GPT-2": load_pretrained("gpt2")}))
    >>> found.fertility, found.bytes_per_token
    (None, 1.5)
    """
    checks.instance(comparison, message("The comparison"), Comparison, message("a Comparison"))
    starts, ends = _words(comparison.text)
    known = vocabularies or {}
    return [
        _of(comparison, name, starts, ends, known.get(name) or len(comparison.tokenizer(name).ids))
        for name in comparison.names
    ]


_AS_INFINITE = 1e15
"""α above which the entropy is that of an infinite α to the last digit."""


def renyi_efficiency(counts: npt.ArrayLike, vocabulary: int, alpha: float = ALPHA) -> float | None:
    """Rényi entropy of a distribution of tokens, divided by its maximum for this vocabulary: 0 to 1.

    H_α / log |V|, where H_α = log(Σ p^α) / (1 − α), and −log max p if α is infinite. `counts`: count of each token;
    zeros have no effect. None for a text without tokens, and for a vocabulary of fewer than two. Raises ConfigError if
    α is 1 or negative.

    tokenization-scorer, its authors' program, gives the same for the same `vocabulary`; by default it uses the number
    of distinct tokens in the text, which gives a larger value.

    >>> renyi_efficiency([5, 5, 5, 5], 4), renyi_efficiency([5, 5], 4), renyi_efficiency([9], 4)
    (1.0, 0.5, 0.0)
    """
    checks.whole_number(vocabulary, "vocabulary")
    if not checks.is_number(alpha) or alpha < 0 or alpha == 1:
        raise checks.wrong(
            alpha, "α", message("It is 0 or more, and not 1."), message("Take 2.5, as Zouhar et al. do.")
        )
    found = _column(counts, "counts")
    found = found[found > 0]
    if not len(found) or vocabulary < 2:
        return None
    shares = found / found.sum()
    most = shares.max()
    entropy = -np.log(most)
    if alpha <= _AS_INFINITE:  # the largest is factored out, because small shares to a high power are 0
        entropy += (np.log(np.sum((shares / most) ** alpha)) + np.log(most)) / (1 - alpha)
    return float(max(0.0, entropy) / math.log(vocabulary))


def gini(values: Sequence[float]) -> float:
    """Inequality of numbers: 0 if all are equal, towards 1 if one has everything; 0 for none.

    >>> gini([1, 1, 1, 1]), gini([0, 0, 0, 1])
    (0.0, 0.75)
    """
    ordered = np.sort(_column(values, "values"))
    total = float(ordered.sum())
    if not len(ordered) or not total:
        return 0.0
    ranks = np.arange(1, len(ordered) + 1)
    return max(0.0, float(2 * np.sum(ranks * ordered) / (len(ordered) * total) - (len(ordered) + 1) / len(ordered)))


def _column(given: object, what: str) -> npt.NDArray[np.float64]:
    """Convert numbers to an array. Raises ConfigError for other values, negative ones, and other dimensions."""
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.zeros((0, 0))
    if found.ndim != 1 or not np.isfinite(found).all() or (found < 0).any() or isinstance(given, str | bytes):
        raise checks.wrong(given, what, message("It takes a sequence of numbers of 0 or more."))
    return found


def _of(comparison: Comparison, name: str, starts: Any, ends: Any, vocabulary: int) -> Metrics:
    ids = comparison.encoding(name).ids
    counts = np.bincount(ids) if len(ids) else np.zeros(0, np.int64)
    size = len(comparison.text.encode())
    inside = 0
    if len(starts):
        boundaries = comparison.boundaries(name)
        inside = int(np.count_nonzero(np.searchsorted(boundaries, starts, "right") < np.searchsorted(boundaries, ends)))
    return Metrics(
        name=name,
        fertility=len(ids) / len(starts) if len(starts) else None,
        bytes_per_token=size / len(ids) if len(ids) else None,
        continued=inside / len(starts) if len(starts) else None,
        renyi=renyi_efficiency(counts, vocabulary),
        used=int(np.count_nonzero(counts)),
        vocabulary=vocabulary,
    )


def has_word_spaces(text: str) -> bool:
    """Whether a text has spaces between its words: False if most letters are of scripts without, such as Japanese.

    The first 100,000 characters decide.

    >>> has_word_spaces("low lower"), has_word_spaces("日本語は高い。 low")
    (True, False)
    """
    sample = text[:100_000]
    if sample.isascii():
        return True
    return 2 * sum(1 for _ in _SPACELESS.finditer(sample)) <= sum(1 for _ in _LETTER.finditer(sample))


def _words(text: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Starts and ends of the words in bytes; none if most letters are of scripts without spaces."""
    if not has_word_spaces(text):
        none = np.zeros(0, np.int64)
        return none, none
    spaces = np.isin(code_points(text), _SPACES)
    places = np.concatenate(([0], np.cumsum(utf8_lengths(text))))
    edges = np.diff(np.concatenate(([True], spaces, [True])).astype(np.int8))
    return places[np.flatnonzero(edges == -1)], places[np.flatnonzero(edges == 1)]


_SPACES = np.array([point for point in range(0x3001) if chr(point).isspace()], np.uint32)
"""White space by which `str.split` divides."""
