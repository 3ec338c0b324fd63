"""Special tokens as arguments: with their flags, or as a mapping of names to ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bpe_core import checks
from bpe_core.errors import VocabularyError
from bpe_core.language import message
from bpe_core.tokenizer.special_tokens import SPECIAL_TOKEN, SpecialToken


def as_special_tokens(given: Sequence[SpecialToken] | Mapping[str, int]) -> tuple[SpecialToken, ...]:
    """Convert a mapping of names to ids to special tokens; keep sequences. Raises VocabularyError for anything else.

    >>> as_special_tokens({"<s>": 1})[0].text
    '<s>'
    """
    if isinstance(given, Mapping):
        return tuple(SpecialToken(text, token_id) for text, token_id in given.items())
    wanted = message("a mapping of ids by names, or a sequence of SpecialToken")
    tokens = tuple(checks.instance(given, "special_tokens", Sequence, wanted, error=VocabularyError))
    for token in tokens:
        checks.instance(token, SPECIAL_TOKEN, SpecialToken, message("a SpecialToken"), error=VocabularyError)
    return tokens
