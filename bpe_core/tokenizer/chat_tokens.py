"""Writer of each token of a chat: the template, a message, or both for a token that spans the border."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.tokenizer.stages import Pipeline
from bpe_core.tokenizer.templates import Chat

TEMPLATE, MESSAGE, BOTH = range(3)
"""Values of `writers`."""


class WriterCounts(NamedTuple):
    """Numbers of tokens by the writer of their characters.

    >>> WriterCounts(3, 2, 0).total
    5
    """

    template: int
    messages: int
    both: int

    @property
    def total(self) -> int:
        """Number of all tokens."""
        return sum(self)


def writers(done: Pipeline, whole: Chat) -> npt.NDArray[np.int8]:
    """int8[tokens]: writer of each token of a chat: TEMPLATE, MESSAGE or BOTH. `whole`: the chat of the pipeline.

    Roles count as the template's; text of unknown origin, `whole.mixed`, counts as written by both.

    >>> from bpe_core import chat_pipeline, load_pretrained
    >>> whole = Chat("user: Hi", None, ((6, 8),))
    >>> done = chat_pipeline(whole, load_pretrained("gpt2"))
    >>> [done.tokenizer.token(i) for i in done.ids], writers(done, whole).tolist()
    (['user', ':', ' Hi'], [0, 0, 2])
    """
    size = len(whole.text)
    said = _in_ranges(whole.said, size)
    mixed = _in_ranges(whole.mixed, size)
    tokens = done.passages[0].tokens
    starts, ends = np.minimum(tokens.starts, size), np.minimum(tokens.ends, size)
    own = said[ends] - said[starts]
    both = (mixed[ends] > mixed[starts]) | ((own > 0) & (own < ends - starts))
    return np.where(both, BOTH, np.where(own > 0, MESSAGE, TEMPLATE)).astype(np.int8)


def writer_counts(done: Pipeline, whole: Chat) -> WriterCounts:
    """Number of tokens written by the template, by messages, and by both.

    >>> from bpe_core import chat_pipeline, load_pretrained
    >>> whole = Chat("user: Hi", None, ((6, 8),))
    >>> writer_counts(chat_pipeline(whole, load_pretrained("gpt2")), whole)
    WriterCounts(template=2, messages=0, both=1)
    """
    counts = np.bincount(writers(done, whole), minlength=3).tolist()
    return WriterCounts(*counts)


def _in_ranges(ranges: tuple[tuple[int, int], ...], size: int) -> npt.NDArray[np.int64]:
    """int64[size + 1]: number of characters before each place that are in one of the ranges."""
    inside = np.zeros(size + 1, np.int64)
    for start, end in ranges:
        inside[start + 1 : end + 1] = 1
    return np.cumsum(inside)
