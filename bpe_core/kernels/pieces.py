"""Segmentation of words into pieces, compiled: by longest match (WordPiece), or by best total score (Unigram).

Pieces are looked up byte by byte in a tree, so the time grows with the bytes of a word and the length of the pieces
that fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bpe_core.arrays import Bytes, Floats, Int32s, Int64s, ReadOnlyArrays, read_only
from bpe_core.kernels.backend import Number, njit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


class Segmented(NamedTuple):
    """Tokens of words: ids, bytes that each covers, and the number of tokens of each word.

    The size is -1 for a word that no tokens spell if there is no unknown token.

    >>> tree = PieceTree([b"a", b"ab"], [1, 2])
    >>> found = longest_matches(b"abac", [0, 3, 4], tree, tree)
    >>> found.ids.tolist(), found.lengths.tolist(), found.sizes.tolist()
    ([2, 1], [2, 1], [2, -1])
    """

    ids: Int32s
    lengths: Int32s
    sizes: Int64s


class PieceTree(ReadOnlyArrays):
    """Pieces as a tree of their bytes, with an id each. Of duplicate pieces, the last id is used.

    Accepts ids from 0 to 2**31 - 1. Empty pieces are ignored.

    >>> tree = PieceTree([b"a", b"ab", b"a", b""], [1, 2, 3, 4])
    >>> longest_matches(b"aab", [0, 3], tree, tree).ids.tolist()
    [3, 2]
    """

    def __init__(self, pieces: Sequence[bytes], ids: ArrayLike) -> None:
        data = np.frombuffer(b"".join(pieces), np.uint8)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum([len(piece) for piece in pieces], dtype=np.int64)])
        numbers = np.require(ids, np.int32, ["C", "W"])
        room = 1 << max(6, min(data.size, 6 * len(pieces)).bit_length())
        while True:  # at most half full, so that even a failed lookup rarely probes twice
            edges, values = np.zeros(room, np.int64), np.full(room // 2 + 1, -1, np.int32)
            nodes = _fill_tree(edges, values, data.copy(), offsets, numbers)
            if nodes:
                break
            room *= 2
        self.edges = read_only(edges)
        self.values = read_only(values[:nodes].copy())


def longest_matches(
    text: bytes,
    offsets: ArrayLike,
    starts: PieceTree,
    insides: PieceTree,
    *,
    unknown: int = -1,
    most_characters: int = 0,
) -> Segmented:
    """Segment each word by repeated longest match; `insides` match everywhere but at its start.

    Word w is text[offsets[w]:offsets[w + 1]]. A word that gets stuck, or has more than `most_characters` (0: no limit),
    becomes one `unknown` token; -1 if there is none.

    >>> starts, insides = PieceTree([b"hug"], [1]), PieceTree([b"s"], [2])
    >>> longest_matches(b"hugshu", [0, 4, 6], starts, insides, unknown=0).ids.tolist()
    [1, 2, 0]
    """
    return Segmented(
        *_longest_matches(
            np.frombuffer(text, np.uint8).copy(),
            np.require(offsets, np.int64, ["C", "W"]),
            (starts.edges, starts.values),
            (insides.edges, insides.values),
            unknown,
            most_characters,
        )
    )


def best_paths(
    text: bytes,
    offsets: ArrayLike,
    tree: PieceTree,
    scores: ArrayLike,
    *,
    unknown: int = -1,
    unknown_score: float = -np.inf,
    byte_ids: ArrayLike | None = None,
) -> Segmented:
    """Segment each word into the pieces with the largest sum of scores; on a tie, the first found.

    Word w is text[offsets[w]:offsets[w + 1]], in UTF-8. `scores`: by id. A character that is not a piece becomes
    `unknown` (-1 if there is no such token), with the score `unknown_score`. A run of them becomes the piece that it
    spells, else its bytes if `byte_ids` has them (256 ids, -1 where there is none), else one token. If `unknown_score`
    is -inf, a word that no pieces spell becomes one `unknown` token.

    >>> tree = PieceTree([b"h", b"hu", b"g"], [1, 2, 3])
    >>> best_paths(b"hugxx", [0, 5], tree, [0, -1, -1, -1], unknown=0, unknown_score=-11.0).ids.tolist()
    [2, 3, 0]
    """
    return Segmented(
        *_best_paths(
            np.frombuffer(text, np.uint8).copy(),
            np.require(offsets, np.int64, ["C", "W"]),
            (tree.edges, tree.values),
            np.require(scores, np.float64, ["C", "W"]),
            unknown,
            float(unknown_score),
            np.require(np.full(256, -1) if byte_ids is None else byte_ids, np.int32, ["C", "W"]),
        )
    )


def warm_up() -> None:
    """Compile every kernel of this module, or load it from disk.

    >>> warm_up()
    """
    tree = PieceTree([b"a"], [0])
    longest_matches(b"a", [0, 1], tree, tree)
    best_paths(b"a", [0, 1], tree, [0.0])


class _Path(NamedTuple):
    """For every place in a word: the best score up to it, the start of the token that ends there (-1: not reached), and
    its id."""

    totals: Floats
    back: Int32s
    tokens: Int32s


_BYTES = -2

# Layout of an edge: node << 40 | byte << 32 | target node, which is never 0; 0 when empty.


@njit
def _row(key: Number, size: Number) -> Number:
    mixed = key * np.int64(-7046029254386353131)  # 2**64 / golden ratio, odd (Knuth's multiplicative hashing)
    return (mixed >> np.int64(32)) & (size - np.int64(1))


@njit
def _fill_tree(edges: Int64s, values: Int32s, data: Bytes, offsets: Int64s, ids: Int32s) -> Number:
    """Fill the empty tree. Returns the number of nodes, 0 if they do not fit."""
    size = np.int64(edges.size)
    nodes: Number = np.int64(1)
    for piece in range(ids.size):
        if offsets[piece] == offsets[piece + 1]:
            continue
        node: Number = np.int64(0)
        for at in range(offsets[piece], offsets[piece + 1]):
            key = node << np.int64(8) | np.int64(data[at])
            row = _row(key, size)
            while edges[row] != 0 and edges[row] >> np.int64(32) != key:
                row = (row + 1) & (size - np.int64(1))
            if edges[row] == 0:
                if nodes == values.size:
                    return np.int64(0)
                edges[row] = key << np.int64(32) | nodes
                nodes += 1
            node = edges[row] & np.int64(0xFFFFFFFF)
        values[node] = ids[piece]
    return nodes


@njit
def _following(edges: Int64s, node: Number, byte: Number) -> Any:
    """Child node for a byte; 0 if no piece continues with it."""
    size = np.int64(edges.size)
    key = np.int64(node) << np.int64(8) | np.int64(byte)
    row = _row(key, size)
    while edges[row] != 0:
        if edges[row] >> np.int64(32) == key:
            return edges[row] & np.int64(0xFFFFFFFF)
        row = (row + 1) & (size - np.int64(1))
    return np.int64(0)


@njit
def _longest_matches(
    text: Bytes,
    offsets: Int64s,
    starts: tuple[Int64s, Int32s],
    insides: tuple[Int64s, Int32s],
    unknown: Number,
    most_characters: Number,
) -> tuple[Int32s, Int32s, Int64s]:
    ids, lengths = np.empty(text.size, np.int32), np.empty(text.size, np.int32)
    sizes = np.zeros(offsets.size - 1, np.int64)
    found = np.int64(0)
    for word in range(sizes.size):
        begin, end = offsets[word], offsets[word + 1]
        characters = np.int64(0)
        if most_characters > 0:
            for at in range(begin, end):
                characters += (text[at] & 0xC0) != 0x80
        place, first = begin, found
        stuck = characters > most_characters
        while place < end and not stuck:
            edges, values = starts if place == begin else insides
            node, stop, token = np.int64(0), place, np.int64(-1)
            for at in range(place, end):
                node = _following(edges, node, text[at])
                if node == 0:
                    break
                if values[node] >= 0:
                    token, stop = np.int64(values[node]), at + 1
            stuck = token < 0
            if not stuck:
                ids[found], lengths[found] = token, stop - place
                found += 1
                place = stop
        if stuck:
            found = first
            if unknown < 0:
                sizes[word] = -1
                continue
            ids[found], lengths[found] = unknown, end - begin
            found += 1
        sizes[word] = found - first
    return ids[:found].copy(), lengths[:found].copy(), sizes


@njit
def _best_paths(
    text: Bytes,
    offsets: Int64s,
    tree: tuple[Int64s, Int32s],
    scores: Floats,
    unknown: Number,
    unknown_score: Number,
    byte_ids: Int32s,
) -> tuple[Int32s, Int32s, Int64s]:
    longest: Number = np.int64(0)
    for word in range(offsets.size - 1):
        longest = max(longest, offsets[word + 1] - offsets[word])
    path = _Path(np.empty(longest + 1, np.float64), np.empty(longest + 1, np.int32), np.empty(longest + 1, np.int32))
    back, tokens = path.back, path.tokens
    stops = np.empty(longest + 1, np.int32)
    ids, lengths = np.empty(text.size, np.int32), np.empty(text.size, np.int32)
    sizes = np.zeros(offsets.size - 1, np.int64)
    found: Number = np.int64(0)
    for word in range(sizes.size):
        begin, first = offsets[word], found
        size = offsets[word + 1] - begin
        if not _fill_path(text[begin : begin + size], tree, scores, unknown, unknown_score, path):
            sizes[word] = -1
            continue
        left: Number = np.int64(0)  # the path backwards; later forwards, with runs of unknown characters joined
        stop: Number = size
        while stop > 0:
            stops[left] = stop
            left += 1
            stop = np.int64(back[stop])
        place: Number = begin
        while left > 0:
            left -= 1
            stop = np.int64(stops[left])
            token: Number = np.int64(tokens[stop])
            if token == unknown and unknown_score > -np.inf:
                while left > 0 and tokens[stops[left - 1]] == unknown:
                    left -= 1
                stop = np.int64(stops[left])
                token = _token_of_run(text[place : begin + stop], tree, unknown, byte_ids)
            if token == _BYTES:
                for at in range(place, begin + stop):
                    ids[found], lengths[found] = byte_ids[text[at]], 1
                    found += 1
            else:
                ids[found], lengths[found] = token, begin + stop - place
                found += 1
            place = begin + stop
        sizes[word] = found - first
    return ids[:found].copy(), lengths[:found].copy(), sizes


@njit
def _fill_path(
    word: Bytes, tree: tuple[Int64s, Int32s], scores: Floats, unknown: Number, unknown_score: Number, path: _Path
) -> bool:
    """Find the best path to every place in a word. Returns whether all tokens that it needs exist."""
    edges, values = tree
    totals, back, tokens = path
    back[: word.size + 1] = -1
    totals[0], back[0] = 0.0, 0
    for place in range(word.size):
        lead = word[place]
        if back[place] < 0 or (lead & 0xC0) == 0x80:
            continue
        width: Number = np.int64(1) if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        width = min(width, word.size - place)
        node, single = np.int64(0), False
        for at in range(place, word.size):
            node = _following(edges, node, word[at])
            if node == 0:
                break
            token = values[node]
            if token >= 0:
                total = scores[token] + totals[place]
                if back[at + 1] < 0 or total > totals[at + 1]:
                    totals[at + 1], back[at + 1], tokens[at + 1] = total, place, token
                single |= at + 1 - place == width
        if not single and unknown_score > -np.inf:
            total, stop = unknown_score + totals[place], place + width
            if back[stop] < 0 or total > totals[stop]:
                totals[stop], back[stop], tokens[stop] = total, place, unknown
                if unknown < 0:
                    return False
    if back[word.size] < 0:
        back[word.size], tokens[word.size] = 0, unknown
        return unknown >= 0  # type: ignore[no-any-return]
    return True


@njit
def _token_of_run(run: Bytes, tree: tuple[Int64s, Int32s], unknown: Number, byte_ids: Int32s) -> Number:
    """Token of a run of unknown characters: the piece that it spells; _BYTES if all bytes have ids; or unknown."""
    node = np.int64(0)
    for byte in run:
        node = _following(tree[0], node, byte)
        if node == 0:
            break
    if node > 0 and tree[1][node] >= 0:
        return np.int64(tree[1][node])
    for byte in run:
        if byte_ids[byte] < 0:
            return np.int64(unknown)
    return np.int64(_BYTES)
