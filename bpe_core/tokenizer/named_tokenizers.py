"""Tokenizers by name, as arguments of comparisons and figures."""

from __future__ import annotations

from bpe_core import checks
from bpe_core.errors import quoted
from bpe_core.language import message
from bpe_core.tokenizer.tokenizer import Tokenizer


def checked_tokenizers(tokenizers: object) -> dict[str, Tokenizer]:
    """Return tokenizers by name. Raises ConfigError for anything else.

    >>> checked_tokenizers({})
    {}
    """
    found = dict(checks.mapping(tokenizers, "tokenizers", message("tokenizers by their names")))
    for name, tokenizer in found.items():
        what = message("The tokenizer {name}", name=quoted(name))
        checks.instance(tokenizer, what, Tokenizer, message("a Tokenizer"))
    return found
