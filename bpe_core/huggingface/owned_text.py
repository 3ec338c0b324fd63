"""Text that tracks the token each part came from, through every change by a decoder."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias


class Edit(NamedTuple):
    """Replacement of the characters `start` to `end` of a text by `new`.

    >>> changed("▁low", [Edit(0, 1, " ")])
    ' low'
    """

    start: int
    end: int
    new: str


class Atom(NamedTuple):
    """Indivisible part of a text: its characters, and the bytes contributed by each token.

    A character has several owners if each contributed a part of its UTF-8.

    >>> Atom("é", ((0, b"\\xc3"), (1, b"\\xa9"))).first
    0
    """

    text: str
    owned: tuple[tuple[int, bytes], ...]

    @property
    def first(self) -> int:
        """First token that contributed to it."""
        return self.owned[0][0]


Group: TypeAlias = list[Atom]
"""One token for the next decoder step: at first the atom of one token, later perhaps those of several."""


def atom(owner: int, text: str) -> Atom:
    """Atom of one token.

    >>> atom(3, "é")
    Atom(text='é', owned=((3, b'\\xc3\\xa9'),))
    """
    return Atom(text, ((owner, text.encode()),))


def joined(group: Group) -> str:
    """Text of a group.

    >>> joined([atom(0, "lo"), atom(1, "w")])
    'low'
    """
    return group[0].text if len(group) == 1 else "".join([each.text for each in group])


def atoms(parts: Iterable[tuple[int, bytes]]) -> Group:
    """Atoms of bytes that join to UTF-8, given with their owners; invalid bytes become U+FFFD.

    >>> [each.text for each in atoms([(0, b"l\\xc3"), (1, b"\\xa9"), (2, b"o"), (3, b"\\xff")])]
    ['lé', 'o', '\ufffd']
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    found: Group = []
    texts: list[str] = []
    owned: list[tuple[int, bytes]] = []
    for owner, data in parts:
        texts.append(decoder.decode(data))
        owned.append((owner, data))
        if not decoder.getstate()[0]:
            found.append(Atom("".join(texts), tuple(owned)))
            texts, owned = [], []
    if owned:
        found.append(Atom("".join(texts) + decoder.decode(b"", final=True), tuple(owned)))
    return found or [atom(0, "")]


def changed(text: str, edits: Sequence[Edit]) -> str:
    """Apply edits to a text; they are in order and do not overlap.

    >>> changed("abc", [Edit(0, 1, "x"), Edit(2, 3, "")])
    'xb'
    """
    found, at = [], 0
    for start, end, new in edits:
        found += [text[at:start], new]
        at = end
    return "".join([*found, text[at:]])


def edited(group: Group, edits: Sequence[Edit]) -> Group:
    """Apply edits to a group's text; they are in order and do not overlap.

    New text belongs to the token whose characters it replaces, or to the one after an insertion. If an atom of several
    tokens is changed in part, the rest belongs to the first of them.

    >>> edited([atom(0, " "), atom(1, " low")], [Edit(0, 1, "")])
    [Atom(text=' low', owned=((1, b' low'),))]
    """
    rest, done, at = group[::-1], [], 0
    for start, end, new in edits:
        done += _taken(rest, start - at)
        gone = _taken(rest, end - start)
        if new:
            owner = gone[0].first if gone else rest[-1].first if rest else done[-1].first
            done.append(atom(owner, new))
        at = end
    return [*done, *reversed(rest)] or [atom(group[0].first, "")]


def _taken(rest: Group, size: int) -> Group:
    """Next `size` characters, popped from the end of `rest`, which is in reverse order."""
    found: Group = []
    while size > 0:
        part = rest.pop()
        if len(part.text) > size:
            rest.append(atom(part.first, part.text[size:]))
            part = atom(part.first, part.text[:size])
        found.append(part)
        size -= len(part.text)
    return found
