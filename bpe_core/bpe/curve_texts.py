"""Words of the two curves over the merges of a training: its tokens, and what a token stands for."""

from __future__ import annotations

from typing import NamedTuple

from bpe_core.language import message


class CurveWords(NamedTuple):
    """Untranslated text of a curve at each step.

    title: accessible name; caption: the line above it; digits: decimal places of the values.
    saves: share saved since step 0: 1 for falling values, -1 for rising ones.

    >>> curve_words(by_bytes=True)[1].unit
    'bytes per token'
    """

    title: str
    caption: str
    unit: str
    digits: int
    saves: int


def curve_words(*, by_bytes: bool) -> tuple[CurveWords, CurveWords]:
    """Words of the tokens, and of the bytes (or characters) per token.

    >>> [words.digits for words in curve_words(by_bytes=False)]
    [0, 2]
    """
    tokens = (
        message("Tokens of the training text over the merges"),
        message("Tokens: every merge saves some, later ones fewer."),
        message("tokens"),
    )
    by_byte = (
        message("Bytes per token over the merges"),
        message("Bytes per token: what a larger vocabulary buys."),
        message("bytes per token"),
    )
    by_character = (
        message("Characters per token over the merges"),
        message("Characters per token: what a larger vocabulary buys."),
        message("characters per token"),
    )
    return CurveWords(*tokens, 0, saves=1), CurveWords(*(by_byte if by_bytes else by_character), 2, saves=-1)
