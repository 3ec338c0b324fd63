"""What the pairs of a vocabulary merge into: by pair (trained here) or by the rank of the bytes (OpenAI's files)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from bpe_core import reference
from bpe_core.encoder import PairTable
from bpe_core.scan import WordTable
from bpe_core.word_encoding import encode_word

Int32s = npt.NDArray[np.int32]


class Parts(NamedTuple):
    """The two tokens that a token was merged from, and the rank of that merge (0 is the first)."""

    left: int
    right: int
    rank: int


Row = tuple[int, int, int]
"""The left and the right token of a merge, and the token that they become."""


class Merges(Protocol):
    """A merge table, whichever way it is stored."""

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        """(rank, new id) of a pair, or None."""

    def parts(self, token_id: int) -> Parts | None:
        """How a token is made, or None for a base symbol."""

    def rank_of(self, token_id: int) -> int | None:
        """The rank of the merge that makes a token, or None for a base symbol."""

    def whole(self, word: bytes) -> int | None:
        """The id that the word takes as a whole before any merge is looked at, or None."""

    @property
    def pair_table(self) -> PairTable:
        """The same merges for the compiled encoder."""

    def wholes(self, words: WordTable) -> Int32s | None:
        """`whole` of many words: int32, -1 for none; None where no word is taken as a whole."""

    @property
    def rows(self) -> Sequence[Row]:
        """The merges that can happen, as (left, right, new id), the first to be applied first."""

    @property
    def takes_wholes(self) -> bool:
        """Whether a word that is a token is taken as a whole."""


class PairMerges:
    """Merges by pair, as training makes them: the merge of rank r has the id `first_id` + r."""

    def __init__(self, pairs: Sequence[tuple[int, int]], first_id: int) -> None:
        self.pairs = tuple(pairs)
        self.first_id = first_id

    @cached_property
    def _ranks(self) -> dict[tuple[int, int], int]:
        ranks: dict[tuple[int, int], int] = {}
        for rank, pair in enumerate(self.pairs):
            ranks.setdefault(pair, rank)  # a pair forced twice merges at its first rank
        return ranks

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        rank = self._ranks.get((left, right))
        return None if rank is None else (rank, self.first_id + rank)

    def parts(self, token_id: int) -> Parts | None:
        rank = token_id - self.first_id
        return Parts(*self.pairs[rank], rank) if 0 <= rank < len(self.pairs) else None

    def rank_of(self, token_id: int) -> int | None:
        rank = token_id - self.first_id
        return rank if 0 <= rank < len(self.pairs) else None

    def whole(self, word: bytes) -> int | None:
        return None

    @cached_property
    def pair_table(self) -> PairTable:
        lefts, rights = np.array(self.pairs, np.int32).reshape(-1, 2).T
        return PairTable(lefts, rights, self.first_id + np.arange(len(self.pairs)))

    def wholes(self, words: WordTable) -> Int32s | None:
        return None

    @property
    def rows(self) -> Sequence[Row]:
        return [(left, right, self.first_id + rank) for rank, (left, right) in enumerate(self.pairs)]

    @property
    def takes_wholes(self) -> bool:
        return False


class TableMerges:
    """Merges by pair that make ids in any order, as files of other programs hold them; several may make one id.

    `tokens`: the words that are taken as a whole before any merge is looked at, by their ids; None for no such words.

    >>> TableMerges([(0, 1, 5), (5, 0, 3)]).merge_of(5, 0)
    (1, 3)
    """

    def __init__(self, rows: Sequence[Row], tokens: Sequence[bytes | None] | None = None) -> None:
        self._rows = tuple(rows)
        self._tokens = tokens

    @cached_property
    def _known(self) -> dict[tuple[int, int], tuple[int, int]]:
        known: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, (left, right, token_id) in enumerate(self._rows):
            known.setdefault((left, right), (rank, token_id))
        return known

    @cached_property
    def _parts(self) -> dict[int, Parts]:
        parts: dict[int, Parts] = {}
        for rank, (left, right, token_id) in enumerate(self._rows):
            parts.setdefault(token_id, Parts(left, right, rank))
        return parts

    @cached_property
    def _whole_ids(self) -> dict[bytes, int]:
        return {token: i for i, token in reversed(list(enumerate(self._tokens or ()))) if token is not None}

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        return self._known.get((left, right))

    def parts(self, token_id: int) -> Parts | None:
        return self._parts.get(token_id)

    def rank_of(self, token_id: int) -> int | None:
        parts = self._parts.get(token_id)
        return None if parts is None else parts.rank

    def whole(self, word: bytes) -> int | None:
        return self._whole_ids.get(word)

    @cached_property
    def pair_table(self) -> PairTable:
        lefts, rights, ids = np.array(self._rows, np.int32).reshape(-1, 3).T
        return PairTable(lefts, rights, ids)

    @cached_property
    def _table(self) -> tuple[WordTable, Int32s]:
        """The words that are taken as a whole, and the id of each."""
        return WordTable.of(self._whole_ids), np.fromiter(self._whole_ids.values(), np.int32, len(self._whole_ids))

    def wholes(self, words: WordTable) -> Int32s | None:
        if not self.takes_wholes:
            return None
        tokens, ids = self._table
        found = words.find_in(tokens)
        return np.where(found < 0, np.int32(-1), ids[found])

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    @property
    def takes_wholes(self) -> bool:
        return self._tokens is not None


class ByteRanks:
    """Merges by the rank of the joined bytes, as tiktoken's files hold them: the id of a token is its rank."""

    def __init__(self, ranks: Mapping[bytes, int], tokens: Sequence[bytes | None]) -> None:
        self.ranks = ranks
        self.tokens = tokens

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        first, second = self.tokens[left], self.tokens[right]
        rank = None if first is None or second is None else self.ranks.get(first + second)
        return None if rank is None else (rank, rank)

    def parts(self, token_id: int) -> Parts | None:
        """The last merge that makes the token when only lower ranks may be used.

        None for a single byte, and for the few tokens that no merges lead to (they are only taken whole).
        """
        token = self.tokens[token_id]
        if token is None or len(token) < 2:
            return None

        def lower(left: int, right: int) -> tuple[int, int] | None:
            known = self.merge_of(left, right)
            return known if known is not None and known[0] < token_id else None

        symbols = reference.encoded([self.ranks[bytes([byte])] for byte in token], lower)
        return Parts(symbols[0], symbols[1], token_id) if len(symbols) == 2 else None

    def rank_of(self, token_id: int) -> int | None:
        token = self.tokens[token_id]
        return None if token is None or len(token) < 2 else token_id

    def whole(self, word: bytes) -> int | None:
        return self.ranks.get(word)

    @cached_property
    def _table(self) -> tuple[WordTable, Int32s]:
        """All tokens, and the id of each."""
        return WordTable.of(self.ranks), np.fromiter(self.ranks.values(), np.int32, len(self.ranks))

    @cached_property
    def pair_table(self) -> PairTable:
        tokens, ids = self._table
        lefts, rights, wholes = tokens.concatenations()
        return PairTable(ids[lefts], ids[rights], ids[wholes], ids[wholes])

    def wholes(self, words: WordTable) -> Int32s | None:
        tokens, ids = self._table
        found = words.find_in(tokens)
        return np.where(found < 0, np.int32(-1), ids[found])

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The one pair that can become each token, by rank.

        While the tokens of a pair stand next to each other, no merge has crossed the edges of what they spell: they
        came about as if it stood alone. So only the pair that the token's own bytes end in ever becomes the token.
        """
        rows: list[Row] = []
        for token, rank in sorted(self.ranks.items(), key=itemgetter(1)):
            last = last_pair(token, self.ranks, self.tokens)
            if last is not None:
                rows.append((*last, rank))
        return rows

    @property
    def takes_wholes(self) -> bool:
        return True


def last_pair(token: bytes, ranks: Mapping[bytes, int], tokens: Sequence[bytes | None]) -> tuple[int, int] | None:
    """The last two tokens that the bytes of a token become before they become the token; None where they do not.

    `ranks`: the rank of each token, which is its id; `tokens`: the token of each rank.

    >>> tokens = [b"a", b"b", b"ab", b"aab"]
    >>> ranks = {token: rank for rank, token in enumerate(tokens)}
    >>> last_pair(b"aab", ranks, tokens), last_pair(b"a", ranks, tokens)
    ((0, 2), None)
    """
    whole = ranks[token]

    def merge_of(left: int, right: int) -> tuple[int, int] | None:
        rank = ranks.get(tokens[left] + tokens[right])  # type: ignore[operator]
        return None if rank is None or rank == whole else (rank, rank)

    parts = encode_word([ranks[token[i : i + 1]] for i in range(len(token))], merge_of)
    return (parts[0], parts[1]) if len(parts) == 2 else None
