"""Tokens as ranges of one text, for vocabularies whose tokens have too many bytes to copy each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int64s
from bpe_core.errors import BpeError, CorpusError
from bpe_core.language import message

MOST_TOKEN_BYTES = 16_000_000
"""Bytes of all tokens together up to which they are stored, listed and written one by one."""


class TokenRanges(Sequence[bytes | None]):
    """Bytes of every id, sliced from a text on access.

    Without a split a token may grow by one symbol with each merge, so that the bytes of all tokens are quadratic in the
    number of merges. But a merged token occurs in the training text: as a range it takes sixteen bytes.

    text     symbols of all words, concatenated, as UTF-8
    starts   int64: offset of each token in `text`; -1 for a token in `kept`
    lengths  int64: the bytes of each token
    kept     tokens that are not ranges of `text`: base symbols, and forced merges that occur nowhere
    unused   ids whose token is None: those of special tokens

    >>> tokens = TokenRanges(b"low lower", [-1, 0, 4], [1, 3, 5], {0: b"l"})
    >>> list(tokens), tokens[-1], tokens.total_bytes, tokens.find(b"low"), tokens.find(b"wo")
    ([b'l', b'low', b'lower'], b'lower', 9, 1, None)
    >>> list(tokens.first(2, unused=[0]))
    [None, b'low']
    """

    def __init__(
        self,
        text: bytes,
        starts: Sequence[int] | Int64s,
        lengths: Sequence[int] | Int64s,
        kept: Mapping[int, bytes],
        unused: Collection[int] = (),
    ) -> None:
        self.text = text
        self.starts = np.asarray(starts, np.int64)
        self.lengths = np.asarray(lengths, np.int64)
        self.kept = kept
        self.unused = frozenset(unused)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> bytes | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes | None]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes | None] | None:
        """Token of an id, or list of those of a slice; None for an unused id."""
        if isinstance(index, slice):
            return [self[at] for at in range(len(self))[index]]
        at = range(len(self))[index]
        if at in self.unused:
            return None
        start = int(self.starts[at])
        return self.kept[at] if start < 0 else self.text[start : start + int(self.lengths[at])]

    @property
    def total_bytes(self) -> int:
        """Bytes of all tokens together.

        >>> TokenRanges(b"low", [0, 0], [2, 3], {}).total_bytes
        5
        """
        return int(self.lengths.sum())

    def first(self, count: int, *, unused: Collection[int]) -> TokenRanges:
        """First `count` tokens, over the same text; those of the ids `unused` are None.

        >>> list(TokenRanges(b"low", [0, 0], [2, 3], {}).first(1, unused=()))
        [b'lo']
        """
        kept = {token_id: token for token_id, token in self.kept.items() if token_id < count}
        return TokenRanges(self.text, self.starts[:count], self.lengths[:count], kept, unused)

    def find(self, token: bytes) -> int | None:
        """Lowest id with these bytes, or None.

        >>> TokenRanges(b"low", [0, 0], [2, 3], {}).find(b"low")
        1
        """
        same_length = np.flatnonzero(self.lengths == len(token)).tolist()
        return next((token_id for token_id in same_length if self[token_id] == token), None)


def first_tokens(tokens: Sequence[bytes | None], count: int, *, unused: Collection[int]) -> Sequence[bytes | None]:
    """First `count` tokens; those of the ids `unused` are None.

    >>> first_tokens([b"a", b"b", b"ab"], 2, unused=[0])
    [None, b'b']
    """
    if isinstance(tokens, TokenRanges):
        return tokens.first(count, unused=unused)
    return [None if token_id in unused else token for token_id, token in enumerate(tokens[:count])]


def used_ids(tokens: Sequence[bytes | None]) -> list[int]:
    """Ids that have a token, ascending.

    >>> used_ids([b"a", None, b"b"]), used_ids(TokenRanges(b"low", [0, 0], [2, 3], {}, [0]))
    ([0, 2], [1])
    """
    if isinstance(tokens, TokenRanges):
        return [token_id for token_id in range(len(tokens)) if token_id not in tokens.unused]
    return [token_id for token_id, token in enumerate(tokens) if token is not None]


def token_lengths(tokens: Sequence[bytes | None]) -> npt.NDArray[np.int32]:
    """int32: number of bytes of each token, 0 for None.

    >>> token_lengths([b"a", None]).tolist(), token_lengths(TokenRanges(b"low", [0, 0], [2, 3], {}, [0])).tolist()
    ([1, 0], [0, 3])
    """
    if not isinstance(tokens, TokenRanges):
        return np.fromiter((len(token or b"") for token in tokens), np.int32, len(tokens))
    lengths = tokens.lengths.astype(np.int32)
    lengths[list(tokens.unused)] = 0
    return lengths


def tokens_holding(tokens: Sequence[bytes | None], part: bytes) -> npt.NDArray[np.bool_]:
    """Mask of the tokens that contain this substring.

    >>> tokens_holding([b"low", None], b"ow").tolist()
    [True, False]
    >>> tokens_holding(TokenRanges(b"low", [0, 0, -1], [2, 3, 1], {2: b"w"}), b"w").tolist()
    [False, True, True]
    """
    if not isinstance(tokens, TokenRanges):
        return np.array([token is not None and part in token for token in tokens], np.bool_)
    data = np.frombuffer(tokens.text, np.uint8)
    found = ranges_holding(data, tokens.starts, tokens.starts + tokens.lengths, part) & (tokens.starts >= 0)
    found[[token_id for token_id, token in tokens.kept.items() if part in token]] = True
    found[list(tokens.unused)] = False
    return found


def ranges_holding(data: npt.NDArray[np.uint8], starts: Int64s, ends: Int64s, part: bytes) -> npt.NDArray[np.bool_]:
    """Mask of the ranges of `data` that contain this substring; all if it is empty.

    >>> ranges_holding(np.frombuffer(b"low", np.uint8), np.array([0, 1]), np.array([2, 3]), b"ow").tolist()
    [False, True]
    """
    if not part:
        return np.ones(len(starts), np.bool_)
    # Filter the places of the first byte, byte by byte; far faster than a search in each token.
    last = len(data) - len(part)
    places = np.flatnonzero(data[: last + 1] == part[0]) if last >= 0 else np.zeros(0, np.int64)
    for at, byte in enumerate(part[1:], 1):
        places = places[data[places + at] == byte]
    following = np.searchsorted(places, starts)  # index of the first place in or after each range
    return np.append(places, len(data))[following] + len(part) <= ends


def check_listed(tokens: Iterable[bytes | None], *, error: type[BpeError] = CorpusError) -> None:
    """Raise `error` if the tokens have too many bytes to list them one by one, in a table or a file.

    >>> check_listed([b"low"])
    >>> check_listed(TokenRanges(b"low", [0], [20_000_000], {}))
    Traceback (most recent call last):
        ...
    bpe_core.errors.CorpusError: The tokens have 20,000,000 bytes together. Up to 16,000,000 are listed one by one. ...
    """
    if isinstance(tokens, TokenRanges):
        raise error(
            message("The tokens have {total_bytes:,} bytes together.", total_bytes=tokens.total_bytes),
            limit=message("Up to {most:,} are listed one by one.", most=MOST_TOKEN_BYTES),
            remedy=message(
                "Train with a split, on a shorter text, or to fewer ids; or save the training, which has no "
                "limit for tokens."
            ),
        )
