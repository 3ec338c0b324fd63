"""A tokenizer with a token more, or with fewer, and what changes in a text. Pure data."""

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
    """What is done to a tokenizer: a text added as "token" or by "merges", or kept the "first" merges or the "used"."""

    how: str
    text: str = ""
    flags: tuple[str, ...] = ()
    count: int = 0


@dataclass(frozen=True, eq=False)
class ChangedTokenizer:
    """The tokenizer, the words that are cut otherwise, and why it cannot be a tokenizer.json ("" if it can).

    kept, lost: old ids, if they are numbered anew.
    """

    tokenizer: Tokenizer
    words: ChangedWords
    unwritable: str
    kept: Int32s | None = None
    lost: Int32s | None = None


def apply_change(tokenizer: Tokenizer, change: Change, text: str) -> ChangedTokenizer:
    """Change a tokenizer, and find what changes in a text. Raises BpeError if the change is impossible."""
    tokenizer = tokenizer if change.how == "token" else by_merges(tokenizer)
    made = _made(tokenizer, change, text)
    kept = made.kept if isinstance(made, Shrunk) else None
    after = made.tokenizer if isinstance(made, Shrunk) else made
    words = changed_words(tokenizer, after, text, kept=kept)
    return ChangedTokenizer(after, words, _unwritable(after), kept, made.lost if isinstance(made, Shrunk) else None)


def file_of(make: Callable[[], Tokenizer], change: Change, text: str) -> bytes:
    """The tokenizer.json of a changed tokenizer. Raises BpeError as `apply_change` and `to_bytes` do."""
    made = _made(make(), change, text)
    return to_bytes(made.tokenizer if isinstance(made, Shrunk) else made, format="tokenizers")


def ids_of(make: Callable[[], Tokenizer], change: Change, text: str) -> DataFrame:
    """Table of the old ids with the new ones."""
    made = _made(make(), change, text)
    assert isinstance(made, Shrunk)
    return made.table()


def _made(tokenizer: Tokenizer, change: Change, text: str) -> Tokenizer | Shrunk:
    if change.how == "token":
        return with_added_token(tokenizer, change.text, **dict.fromkeys(change.flags, True))
    tokenizer = by_merges(tokenizer)
    if change.how == "merges":
        return with_merge_path(tokenizer, change.text)
    return (
        with_first_merges_only(tokenizer, change.count) if change.how == "first" else with_used_tokens(tokenizer, text)
    )


def _unwritable(tokenizer: Tokenizer) -> str:
    try:
        to_bytes(tokenizer, format="tokenizers")
    except BpeError as error:
        return joined(error.problem, error.limit, error.remedy)
    return ""
