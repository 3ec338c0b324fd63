"""An error inside of a message: its parts as one, so that all of it is said in the reader's language."""

from __future__ import annotations

from bpe_core import BpeError
from bpe_core.language import Message, joined


def reason(error: BpeError) -> Message:
    """Problem, limit and remedy after one another.

    >>> reason(BpeError("The file is empty.", remedy="Choose another one."))
    'The file is empty. Choose another one.'
    """
    return joined(error.problem, error.limit, error.remedy)
