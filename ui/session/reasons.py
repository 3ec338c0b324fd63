"""Convert an error into one translatable message."""

from __future__ import annotations

from bpe_core import BpeError
from bpe_core.language import TranslatableMessage, joined


def reason(error: BpeError) -> TranslatableMessage:
    """Problem, limit and remedy, joined.

    >>> reason(BpeError("The file is empty.", remedy="Choose another one."))
    'The file is empty. Choose another one.'
    """
    return joined(error.problem, error.limit, error.remedy)
