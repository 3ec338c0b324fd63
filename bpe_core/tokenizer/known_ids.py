"""Ids of a tokenizer: those of its model's tokens, and those of its special tokens."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from bpe_core import checks
from bpe_core.errors import TokenIdError, quoted
from bpe_core.language import message
from bpe_core.tokenizer.model import Model
from bpe_core.tokenizer.token_ranges import used_ids


class KnownIds:
    """Ids of a model and of its special tokens. Immutable; the vocabulary is enumerated at most once.

    >>> from bpe_core.wordlevel.model import WordLevelModel
    >>> known = KnownIds(WordLevelModel(["low", None]), [3])
    >>> known.count, known.checked(3, "It"), known.listed()
    (4, 3, [0, 3])
    >>> known.checked(1, "It")
    Traceback (most recent call last):
        ...
    bpe_core.errors.TokenIdError: 1 is not a token id of It. Its ids are whole numbers from 0 to 3, with gaps. ...
    """

    def __init__(self, model: Model, special: Collection[int]) -> None:
        self._model = model
        self._special = special

    @cached_property
    def count(self) -> int:
        """Highest id plus one."""
        return max(len(self._model.tokens), max(self._special, default=-1) + 1)

    def listed(self) -> list[int]:
        """Every id, ascending."""
        return sorted({*used_ids(self._model.tokens), *self._special})

    def checked(self, token_id: object, name: str) -> int:
        """Return the id as an int. Raises TokenIdError for an unknown one; `name`: name of the tokenizer."""
        if checks.is_whole_number(token_id):
            number, tokens = int(token_id), self._model.tokens
            if number in self._special or (0 <= number < len(tokens) and tokens[number] is not None):
                return number
        last = self.count - 1
        raise TokenIdError(
            message("{token_id} is not a token id of {name}.", token_id=quoted(token_id), name=name),
            limit=message("Its ids are whole numbers from 0 to {last:,}, with gaps.", last=last)
            if self._has_gaps
            else message("Its ids are whole numbers from 0 to {last:,}.", last=last),
            remedy=message("Remove it, or decode with the tokenizer that made it."),
        )

    @cached_property
    def _has_gaps(self) -> bool:
        return len(self.listed()) < self.count
