"""Merge tables by pair (trained here) or by the rank of the joined bytes (OpenAI's files)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s, read_only, sorted_place
from bpe_core.bpe.word_encoding import Merging, encode_word
from bpe_core.kernels.backend import use_compiled
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.kernels.word_encoder import PairTable, encode_symbols
from bpe_core.tokenizer.model import Merges, Parts, Row

_FEW = 2_000
"""Number of tokens whose last pairs plain Python finds in about 10 ms."""

Number = TypeVar("Number", int, npt.NDArray[np.int64])


class PairMerges(Merges):
    """Merges by pair, as made by training: the merge of rank r makes the id `first_id` + r.

    >>> merges = PairMerges([(0, 1), (2, 1)], first_id=2)
    >>> merges.merge_of(2, 1), merges.parts(3), merges.rank_of(3), merges.rows
    ((1, 3), Parts(left=2, right=1, rank=1), 1, [(0, 1, 2), (2, 1, 3)])
    >>> merges.takes_wholes, merges.whole(b"ab"), merges.wholes(WordTable.of([b"ab"])), merges.pair_table.rows.shape
    (False, None, None, (16, 2))
    """

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
        """Return (rank, new id) of a pair, or None."""
        rank = self._ranks.get((left, right))
        return None if rank is None else (rank, self.first_id + rank)

    def parts(self, token_id: int) -> Parts | None:
        """Parts of a token, or None for a base symbol."""
        rank = token_id - self.first_id
        return Parts(*self.pairs[rank], rank) if 0 <= rank < len(self.pairs) else None

    def rank_of(self, token_id: int) -> int | None:
        """Rank of the merge that makes a token, or None for a base symbol."""
        rank = token_id - self.first_id
        return rank if 0 <= rank < len(self.pairs) else None

    @cached_property
    def pair_table(self) -> PairTable:
        """The same merges for the compiled encoder."""
        lefts, rights = np.array(self.pairs, np.int32).reshape(-1, 2).T
        return PairTable(lefts, rights, self.first_id + np.arange(len(self.pairs)))

    @property
    def rows(self) -> Sequence[Row]:
        """The merges as (left, right, new id), by rank."""
        return [(left, right, self.first_id + rank) for rank, (left, right) in enumerate(self.pairs)]

    def first(self, count: int) -> PairMerges:
        """The table of the first merges alone.

        >>> PairMerges([(0, 1), (2, 1)], first_id=2).first(1).pairs
        ((0, 1),)
        """
        return PairMerges(self.pairs[:count], self.first_id)


class TableMerges(Merges):
    """Merges by pair that make ids in any order, as in files of other programs; several may make the same id.

    `rows`: (left, right, new id), by rank. `tokens`: the words encoded without any merge, by id, or the ids by word,
    which may repeat; None for no such words.

    >>> merges = TableMerges([(0, 1, 5), (5, 0, 3)])
    >>> merges.merge_of(5, 0), merges.parts(3), merges.rank_of(3), merges.rows
    ((1, 3), Parts(left=5, right=0, rank=1), 1, ((0, 1, 5), (5, 0, 3)))
    >>> merges.takes_wholes, merges.pair_table.rows.shape, merges.table.tolist()
    (False, (16, 2), [[0, 1, 5], [5, 0, 3]])
    >>> merges = TableMerges([], [b"a", b"ab"])
    >>> merges.whole(b"ab"), merges.wholes(WordTable.of([b"ab", b"b"])).tolist()
    (1, [1, -1])
    """

    def __init__(
        self, rows: Sequence[Row] | Int32s, tokens: Sequence[bytes | None] | Mapping[bytes, int] | None = None
    ) -> None:
        # An array, because half a million merges as tuples in dictionaries would take 200 MB.
        self._rows = read_only(np.array(rows, np.int32).reshape(-1, 3))
        self._tokens = tokens

    @cached_property
    def _known(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The pairs as ascending numbers, and the rank of each; of duplicates, the first."""
        return np.unique(_pair(self._rows[:, 0].astype(np.int64), self._rows[:, 1].astype(np.int64)), return_index=True)

    @cached_property
    def _ranks(self) -> npt.NDArray[np.int64]:
        """Rank of the first merge that makes each id, -1 for none."""
        made = self._rows[:, 2]
        ranks = np.full(int(made.max(initial=-1)) + 1, -1, np.int64)
        ranks[made[::-1]] = np.arange(len(made))[::-1]
        return ranks

    @cached_property
    def _whole_ids(self) -> Mapping[bytes, int]:
        if isinstance(self._tokens, Mapping):
            return self._tokens
        return {token: i for i, token in reversed(list(enumerate(self._tokens or ()))) if token is not None}

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        """Return (rank, new id) of a pair, or None."""
        pairs, ranks = self._known
        wanted = _pair(left, right)
        at = sorted_place(pairs, wanted)
        if at == len(pairs) or pairs[at] != wanted:
            return None
        rank = int(ranks[at])
        return rank, int(self._rows[rank, 2])

    def parts(self, token_id: int) -> Parts | None:
        """Parts of a token, or None for a base symbol."""
        rank = self.rank_of(token_id)
        if rank is None:
            return None
        left, right, _ = self._rows[rank].tolist()
        return Parts(left, right, rank)

    def rank_of(self, token_id: int) -> int | None:
        """Rank of the merge that makes a token, or None for a base symbol."""
        rank = int(self._ranks[token_id]) if 0 <= token_id < len(self._ranks) else -1
        return None if rank < 0 else rank

    def whole(self, word: bytes) -> int | None:
        """Id of a word encoded without any merge, or None."""
        return self._whole_ids.get(word)

    @cached_property
    def pair_table(self) -> PairTable:
        """The same merges for the compiled encoder."""
        lefts, rights, ids = self._rows.T
        return PairTable(lefts, rights, ids)

    @cached_property
    def _table(self) -> tuple[WordTable, Int32s]:
        """The words encoded without any merge, and their ids."""
        return WordTable.of(self._whole_ids), np.fromiter(self._whole_ids.values(), np.int32, len(self._whole_ids))

    def wholes(self, words: WordTable) -> Int32s | None:
        """`whole` of many words: int32, -1 for none; None if the model encodes no word whole."""
        if not self.takes_wholes:
            return None
        tokens, ids = self._table
        found = words.find_in(tokens)
        return np.where(found < 0, np.int32(-1), ids[found])

    @property
    def rows(self) -> Sequence[Row]:
        """The merges as (left, right, new id), by rank."""
        return tuple((left, right, made) for left, right, made in self._rows.tolist())

    @property
    def table(self) -> Int32s:
        """int32[merges, 3]: `rows` as an array."""
        return self._rows

    def first(self, count: int) -> TableMerges:
        """The table of the first merges alone, with the words that are made by these merges or by none.

        >>> TableMerges([(0, 1, 5), (5, 0, 3)], {b"ab": 5, b"aba": 3}).first(1).whole(b"aba")
        """
        if self._tokens is None:
            return TableMerges(self._rows[:count])
        ranks = {word: self.rank_of(token_id) for word, token_id in self._whole_ids.items()}
        wholes = {word: self._whole_ids[word] for word, rank in ranks.items() if rank is None or rank < count}
        return TableMerges(self._rows[:count], wholes)

    @property
    def takes_wholes(self) -> bool:
        """Whether a word that is a token is encoded without any merge."""
        return self._tokens is not None


class ByteRanks(Merges):
    """Merges by the rank of the joined bytes, as in tiktoken's files: the id of a token is its rank.

    `ranks`: rank of each token; `tokens`: token of each rank, None for an unused rank.

    >>> tokens = [b"a", b"b", b"ab", b"aab"]
    >>> merges = ByteRanks({token: rank for rank, token in enumerate(tokens)}, tokens)
    >>> merges.merge_of(0, 2), merges.parts(3), merges.rank_of(3), merges.rows
    ((3, 3), Parts(left=0, right=2, rank=3), 3, [(0, 1, 2), (0, 2, 3)])
    >>> merges.takes_wholes, merges.whole(b"aab"), merges.wholes(WordTable.of([b"ab", b"ba"])).tolist()
    (True, 3, [2, -1])
    >>> merges.pair_table.rows.shape
    (16, 2)
    """

    def __init__(self, ranks: Mapping[bytes, int], tokens: Sequence[bytes | None]) -> None:
        self.ranks = ranks
        self.tokens = tokens

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        """Return (rank, new id) of a pair, or None."""
        first, second = self._token(left), self._token(right)
        rank = self.ranks.get(first + second) if first and second else None  # no merge makes an empty token
        return None if rank is None else (rank, rank)

    def parts(self, token_id: int) -> Parts | None:
        """The last merge that makes the token when only lower ranks precede it.

        None for a single byte, and for the few tokens unreachable by merges (only whole words become these).
        """
        return self._merged(token_id).get(token_id)

    def parts_within(self, token_id: int) -> Mapping[int, Parts]:
        """`parts` of a token and of all tokens within it, from one encoding of its bytes.

        Until a token merges with a neighbour, it forms as if its bytes were alone (see `rows`).

        >>> tokens = [b"a", b"b", b"ab", b"aab"]
        >>> merges = ByteRanks({token: rank for rank, token in enumerate(tokens)}, tokens)
        >>> merges.parts_within(3)
        {2: Parts(left=0, right=1, rank=2), 3: Parts(left=0, right=2, rank=3)}
        """
        found = self._merged(token_id)
        if all(part not in found or part < made for made, parts in found.items() for part in parts[:2]):
            return found
        return super().parts_within(token_id)  # some part has a higher rank than its token, so `parts` differs

    def _merged(self, token_id: int) -> dict[int, Parts]:
        """Parts of a token and of those within it, by lower ranks; empty if merges never reach the token."""
        token = self._token(token_id)
        if token is None or len(token) < 2:
            return {}

        def lower(left: int, right: int) -> tuple[int, int] | None:
            known = self.merge_of(left, right)
            return known if known is not None and known[0] < token_id else None

        merging = Merging([self.ranks[bytes([byte])] for byte in token])
        found = {merge.made: Parts(*merge.pair, merge.rank) for merge in merging.merges(lower)}
        symbols = merging.word()
        return {**found, token_id: Parts(*symbols, token_id)} if len(symbols) == 2 else {}

    def rank_of(self, token_id: int) -> int | None:
        """Rank of the merge that makes a token, or None for a base symbol."""
        token = self._token(token_id)
        return None if token is None or len(token) < 2 else token_id

    def _token(self, token_id: int) -> bytes | None:
        """Bytes of a token; None for the id of a special token, which may lie beyond all ranks."""
        return self.tokens[token_id] if token_id < len(self.tokens) else None

    def whole(self, word: bytes) -> int | None:
        """Id of a word encoded without any merge, or None."""
        return self.ranks.get(word)

    @cached_property
    def _table(self) -> tuple[WordTable, Int32s]:
        """All tokens and their ids."""
        return WordTable.of(self.ranks), np.fromiter(self.ranks.values(), np.int32, len(self.ranks))

    @cached_property
    def pair_table(self) -> PairTable:
        """The same merges for the compiled encoder."""
        tokens, ids = self._table
        lefts, rights, wholes = tokens.concatenations()
        return PairTable(ids[lefts], ids[rights], ids[wholes], ids[wholes])

    def wholes(self, words: WordTable) -> Int32s | None:
        """`whole` of many words: int32, -1 for none; None if the model encodes no word whole."""
        tokens, ids = self._table
        found = words.find_in(tokens)
        return np.where(found < 0, np.int32(-1), ids[found])

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The only pair that can form each token, as (left, right, new id), by rank.

        While the two tokens of a pair are adjacent, no merge has crossed the edges of their bytes: they formed as if
        these bytes were alone. So a token forms only from the pair in the encoding of its own bytes.
        """
        rows = self._reached_rows() if use_compiled(len(self.ranks), _FEW) else []
        reached = {made for _, _, made in rows}
        for token, rank in self.ranks.items():
            if rank not in reached and (last := last_pair(token, self.ranks, self.tokens)) is not None:
                rows.append((*last, rank))
        return sorted(rows, key=itemgetter(2))

    def first(self, count: int) -> ByteRanks:
        """The table of the first merges alone: the single-byte tokens, and the next `count` tokens.

        >>> tokens = [b"a", b"b", b"ab", b"aab"]
        >>> merges = ByteRanks({token: rank for rank, token in enumerate(tokens)}, tokens)
        >>> merges.first(1).whole(b"aab"), merges.first(1).whole(b"ab")
        (None, 2)
        """
        known = self.merge_ranks
        least = known[count] if count < len(known) else len(self.tokens)
        kept = {token: rank for token, rank in self.ranks.items() if len(token) < 2 or rank < least}
        return ByteRanks(kept, self.tokens)

    @property
    def merge_ranks(self) -> npt.NDArray[np.int64]:
        """Rank of every merge, ascending: the ranks of tokens longer than one byte.

        >>> ByteRanks({b"a": 0, b"ab": 3, b"b": 1}, [b"a", b"b", None, b"ab"]).merge_ranks.tolist()
        [3]
        """
        return np.sort(np.array([rank for token, rank in self.ranks.items() if len(token) > 1], np.int64))

    def _reached_rows(self) -> list[Row]:
        """The rows of the tokens reachable by lower ranks: nearly all, encoded at once."""
        words, ids = self._table
        values = np.array([self.ranks.get(bytes([value]), -1) for value in range(256)], np.int32)
        symbols = Words(values[np.frombuffer(words.text, np.uint8)], words.offsets)
        found = encode_symbols(symbols, self.pair_table, limit=ids).words
        pairs = np.flatnonzero(np.diff(found.offsets) == 2)
        first = found.offsets[pairs]
        columns = found.symbols[first], found.symbols[first + 1], ids[pairs]
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @property
    def takes_wholes(self) -> bool:
        """Whether a word that is a token is encoded without any merge."""
        return True


def last_pair(token: bytes, ranks: Mapping[bytes, int], tokens: Sequence[bytes | None]) -> tuple[int, int] | None:
    """Last two tokens before the bytes of a token merge into it; None if they never do.

    `ranks`: rank of each token, which is its id; `tokens`: token of each rank.

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


def _pair(left: Number, right: Number) -> Number:
    """Pack a pair of ids into one number."""
    return left << 32 | right
