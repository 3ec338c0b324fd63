"""Lattices of texts over SentencePiece's pieces, with the costs of its library."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from bpe_core.unigram.lattice import UNKNOWN_PENALTY
from bpe_core.unigram.model import UnigramModel

_OWN_PER_CHARACTER = 0.1


class TextLattice:
    """Lattices of texts with ▁ for every space. Immutable.

    As in the library, the score of an own (user-defined) piece is 0.1 for each character but the first, and that of an
    unknown character 10 below the lowest score of a piece.

    Source: `Model::PopulateNodes` of https://github.com/google/sentencepiece (src/unigram_model.cc).

    scores    log probability of every piece that can match text
    own       the user-defined ones of these
    ids       id of each piece
    byte_ids  ids of the bytes 0 to 255 if the model falls back to them, else empty

    >>> lattice = TextLattice({"▁": -1.0, "h": -2.0, "▁h": -2.5}, [], {"▁": 1, "h": 2, "▁h": 3}, [], 0)
    >>> lattice.model.best("▁h").pieces, lattice.tokens_on("▁hxy", [(0, 2), (2, 3), (3, 4)])
    (('▁h',), ([3, 0], [4, 2]))
    >>> lattice.symbols("▁h"), lattice.scores["h"], lattice.own
    (['▁', 'h'], -2.0, frozenset())
    >>> list(lattice.edges("hx"))
    [(0, 1, -2.0, True), (1, 2, -12.5, False)]
    """

    def __init__(
        self,
        scores: Mapping[str, float],
        own: Collection[str],
        ids: Mapping[str, int],
        byte_ids: Sequence[int],
        unknown_id: int,
    ) -> None:
        self.scores = scores
        self.own = frozenset(own)
        self.model = UnigramModel({piece: -score for piece, score in scores.items()})
        lowest = min((score for piece, score in scores.items() if piece not in own), default=0.0)
        known = (_OWN_PER_CHARACTER * (len(piece) - 1) if piece in own else score for piece, score in scores.items())
        self._scores = [*known, lowest - UNKNOWN_PENALTY]
        self._ids = ids
        self._byte_ids = byte_ids
        self._unknown_id = unknown_id

    def edges(self, written: str) -> Iterator[tuple[int, int, float, bool]]:
        """(start, end, log probability, whether it is a piece) of every edge, ordered by start and then end."""
        return ((start, end, self._scores[at], at >= 0) for start, end, at in self.model.edges(written))

    def symbols(self, written: str) -> list[str]:
        """Characters of a text, with each own piece as one symbol, the longest first."""
        return re.findall(self._symbol, written)

    @cached_property
    def _symbol(self) -> re.Pattern[str]:
        own = map(re.escape, sorted(self.own, key=len, reverse=True))
        return re.compile("|".join((*own, ".")), re.DOTALL)

    def tokens_on(self, written: str, path: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
        """Ids of the pieces on a path, (start, end) of each, and the bytes of `written` that each covers.

        Adjacent unknown characters are one <unk>, or their bytes if the model falls back to them.
        """
        ids: list[int] = []
        sizes: list[int] = []
        for start, end in path:
            data = written[start:end].encode()
            known = self._ids.get(written[start:end])
            if known is None and self._byte_ids:
                ids += (self._byte_ids[byte] for byte in data)
                sizes += [1] * len(data)
            elif known is None and ids and ids[-1] == self._unknown_id:
                sizes[-1] += len(data)
            else:
                ids.append(self._unknown_id if known is None else known)
                sizes.append(len(data))
        return ids, sizes
