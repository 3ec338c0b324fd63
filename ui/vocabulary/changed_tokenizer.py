"""A tokenizer with an added token, or with fewer tokens, and what changes in a text. Pure data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bpe_core import BpeError, Tokenizer
from bpe_core.arrays import Int32s
from bpe_core.bpe.merge_path import with_merge_path
from bpe_core.bpe.shrinking import Shrunk, with_first_merges_only, with_used_tokens
from bpe_core.comparison.changes import ChangedWords, changed_words
from bpe_core.formats import by_merges, to_bytes
from bpe_core.language import joined
from bpe_core.tokenizer.added_token import with_added_token
from bpe_core.tokenizer.tables import DataFrame


@dataclass(frozen=True)
class Change:
    """Change of a tokenizer: a text added as a "token" or by "merges", or only the "first" or "used" merges kept."""

    how: str
    text: str = ""
    flags: tuple[str, ...] = ()
    count: int = 0


@dataclass(frozen=True, eq=False)
class ChangedTokenizer:
    """The tokenizer, the words that it segments differently, and why it cannot be a tokenizer.json ("" if it can).

    kept, lost: old ids, if they are renumbered.
    """

    tokenizer: Tokenizer
    words: ChangedWords
    unwritable: str
    kept: Int32s | None = None
    lost: Int32s | None = None


def apply_change(tokenizer: Tokenizer, change: Change, text: str) -> ChangedTokenizer:
    """Change a tokenizer, and find what changes in a text. Raises BpeError if the change is impossible."""
    before, after, shrunk = _changed(tokenizer, change, text)
    kept, lost = (shrunk.kept, shrunk.lost) if shrunk else (None, None)
    return ChangedTokenizer(after, changed_words(before, after, text, kept=kept), _unwritable(after), kept, lost)


def file_of(make: Callable[[], Tokenizer], change: Change, text: str) -> bytes:
    """The tokenizer.json of a changed tokenizer. Raises BpeError as `apply_change` and `to_bytes` do."""
    return to_bytes(_changed(make(), change, text)[1], format="tokenizers")


def ids_of(make: Callable[[], Tokenizer], change: Change, text: str) -> DataFrame:
    """Table of the old ids with the new ones."""
    shrunk = _changed(make(), change, text)[2]
    assert shrunk is not None
    return shrunk.table()


def _changed(tokenizer: Tokenizer, change: Change, text: str) -> tuple[Tokenizer, Tokenizer, Shrunk | None]:
    """The tokenizer before and after, and the old ids with the new ones if they are renumbered."""
    if change.how == "token":
        return tokenizer, with_added_token(tokenizer, change.text, **dict.fromkeys(change.flags, True)), None
    before = by_merges(tokenizer)
    if change.how == "merges":
        return before, with_merge_path(before, change.text), None
    shrunk = with_first_merges_only(before, change.count) if change.how == "first" else with_used_tokens(before, text)
    return before, shrunk.tokenizer, shrunk


def _unwritable(tokenizer: Tokenizer) -> str:
    try:
        to_bytes(tokenizer, format="tokenizers")
    except BpeError as error:
        return joined(error.problem, error.limit, error.remedy)
    return ""
