"""Lattice of a word: its pieces and the paths through them, as parallel lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bpe_core import LatticeEdge
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import Body, encode_body, frame
from ui.views.component import View

_LATTICE_VIEW = View("lattice")


@dataclass(frozen=True)
class Lattice:
    """Pieces that fit into a word of `length` characters, each in a lane: 0 for single characters."""

    length: int
    edges: tuple[LatticeEdge, ...]
    chips: tuple[Chip, ...]

    @classmethod
    def of(cls, edges: Sequence[LatticeEdge], length: int, chip: Callable[[str], Chip]) -> Lattice:
        """Build the lattice of a word.

        >>> from bpe_core import UnigramModel
        >>> edges = UnigramModel({"a": 2.0, "aa": 3.0}).lattice("aaa")
        >>> lattice = Lattice.of(edges, 3, lambda piece: Chip(0, ((piece, False),)))
        >>> lattice.lanes, lattice.totals
        ((0, 1, 0, 2, 0), (0.0, 2.0, 3.0, 5.0))
        """
        return cls(length, tuple(edges), tuple(chip(edge.piece) for edge in edges))

    @cached_property
    def lanes(self) -> tuple[int, ...]:
        """Lane of each edge: the lowest that no overlapping edge occupies, short edges first."""
        lanes = [0] * len(self.edges)
        taken: list[list[tuple[int, int]]] = []
        for at in sorted(range(len(self.edges)), key=lambda i: (self._length(i), self.edges[i].start)):
            start, end = self.edges[at].start, self.edges[at].end
            if end - start == 1:
                continue
            free = (n for n, lane in enumerate(taken) if all(end <= a or b <= start for a, b in lane))
            lane = next(free, len(taken))
            if lane == len(taken):
                taken.append([])
            taken[lane].append((start, end))
            lanes[at] = lane + 1
        return tuple(lanes)

    @cached_property
    def totals(self) -> tuple[float | None, ...]:
        """Best score up to each node; None if no path reaches it."""
        best: list[float | None] = [0.0] + [None] * self.length
        for edge in self.edges:
            if edge.best:
                best[edge.end] = edge.total
        return tuple(best)

    @cached_property
    def body(self) -> Body:
        """Payload for the browser, with its content hash."""
        return encode_body(
            {
                "length": self.length,
                "edges": [
                    [e.start, e.end, e.score, e.total, int(e.best), int(e.chosen), int(e.unknown)] for e in self.edges
                ],
                "chips": [chip.wire() for chip in self.chips],
                "lanes": self.lanes,
                "totals": self.totals,
            }
        )

    def _length(self, at: int) -> int:
        return self.edges[at].end - self.edges[at].start


def lattice_view(lattice: Lattice, *, key: str, label: str) -> None:
    """Draw a lattice; large ones scroll."""
    _LATTICE_VIEW(key=key, data=lattice_frame(lattice, label=label))


def lattice_frame(lattice: Lattice, *, label: str) -> bytes:
    """Frame of a lattice."""
    return frame({"label": label}, lattice.body)
