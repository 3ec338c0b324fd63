"""Agreement of the tokens of a text with its words by a dictionary."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.language import message
from bpe_core.text.segmenters import DictionaryWords


class WordAgreement(NamedTuple):
    """Boundaries of tokens against those of dictionary words, and words that tokens cut.

    Two neighbouring segments have one boundary between them, whatever the white space there: a token boundary anywhere
    in it counts as the same. The ends of the text are not boundaries.

    token_boundaries  between the tokens
    outside           number of these that are not inside a segment
    word_boundaries   between the segments
    met               number of these with a token boundary
    words             segments with a letter or a digit
    cut               number of these with a token boundary inside

    >>> from bpe_core.text.segmenters import dictionary_words
    >>> words = dictionary_words("low lower", str.split)
    >>> found = word_agreement(np.array([2, 3, 7]), words)
    >>> found
    WordAgreement(token_boundaries=3, outside=1, word_boundaries=1, met=1, words=2, cut=2)
    >>> found.precision, found.recall, found.f1
    (0.3333333333333333, 1.0, 0.5)
    """

    token_boundaries: int
    outside: int
    word_boundaries: int
    met: int
    words: int
    cut: int

    @property
    def precision(self) -> float:
        """Share of the token boundaries that cut no segment; 1.0 without any.

        >>> WordAgreement(4, 3, 0, 0, 1, 1).precision
        0.75
        """
        return self.outside / self.token_boundaries if self.token_boundaries else 1.0

    @property
    def recall(self) -> float:
        """Share of the word boundaries with a token boundary; 1.0 without any.

        >>> WordAgreement(4, 3, 6, 3, 7, 1).recall
        0.5
        """
        return self.met / self.word_boundaries if self.word_boundaries else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0.0 if both are.

        >>> WordAgreement(4, 2, 2, 1, 3, 1).f1
        0.5
        """
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def word_agreement(boundaries: npt.NDArray[np.integer[Any]], words: DictionaryWords) -> WordAgreement:
    """Compare token boundaries with dictionary words.

    `boundaries`: array of the offsets, in bytes of the words' text, at which a token starts or ends, as
    `Comparison.boundaries` gives them; those at or beyond an end of the text are ignored. Raises ConfigError for other
    values.

    >>> from bpe_core import compare, load_pretrained
    >>> from bpe_core.text.segmenters import dictionary_words
    >>> comparison = compare("時計は", {"GPT-2": load_pretrained("gpt2")})
    >>> comparison.boundaries("GPT-2").tolist()
    [1, 3, 4, 5, 6]
    >>> word_agreement(comparison.boundaries("GPT-2"), dictionary_words("時計は", lambda text: ["時計", "は"]))
    WordAgreement(token_boundaries=5, outside=1, word_boundaries=1, met=1, words=2, cut=1)
    """
    checks.instance(words, "words", DictionaryWords, message("DictionaryWords"))
    if not (
        isinstance(boundaries, np.ndarray) and boundaries.ndim == 1 and np.issubdtype(boundaries.dtype, np.integer)
    ):
        raise checks.wrong(boundaries, "boundaries", message("It is an array of byte offsets."))
    places = np.unique(boundaries)
    places = places[(places > 0) & (places < words.size)]
    starts, ends = words.starts, words.ends
    # the space between two segments extends from the end of one to the start of the next, inclusive
    met = np.searchsorted(places, starts[1:], "right") > np.searchsorted(places, ends[:-1])
    inside = np.searchsorted(places, ends) - np.searchsorted(places, starts, "right")
    return WordAgreement(
        token_boundaries=len(places),
        outside=len(places) - int(inside.sum()),
        word_boundaries=max(len(starts) - 1, 0),
        met=int(np.count_nonzero(met)),
        words=int(np.count_nonzero(words.is_word)),
        cut=int(np.count_nonzero((inside > 0) & words.is_word)),
    )
