"""A text that knows which token each part of it came from, through every change that a decoder makes to it."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias


class Edit(NamedTuple):
    """Characters `start` to `end` of a text that are replaced by `new`.

    >>> changed("▁low", [Edit(0, 1, " ")])
    ' low'
    """

    start: int
    end: int
    new: str


class Atom(NamedTuple):
    """A part of a text that is not divided further: its characters, and the bytes that each token gave for them.

    A character has several owners where each of them is a part of its UTF-8.

    >>> Atom("é", ((0, b"\\xc3"), (1, b"\\xa9"))).first
    0
    """

    text: str
    owned: tuple[tuple[int, bytes], ...]

    @property
    def first(self) -> int:
        """The first of the tokens that it came from."""
        return self.owned[0][0]


Group: TypeAlias = list[Atom]
"""What is one token to the next step of a decoder: at first the atom of one token, later perhaps those of several."""


def atom(owner: int, text: str) -> Atom:
    """An atom of one token.

    >>> atom(3, "é")
    Atom(text='é', owned=((3, b'\\xc3\\xa9'),))
    """
    return Atom(text, ((owner, text.encode()),))


def joined(group: Group) -> str:
    """The text of a group.

    >>> joined([atom(0, "lo"), atom(1, "w")])
    'low'
    """
    return group[0].text if len(group) == 1 else "".join([each.text for each in group])


def atoms(parts: Iterable[tuple[int, bytes]]) -> Group:
    """The atoms of bytes that are UTF-8 when joined, given with their owners; U+FFFD is the text of all other bytes.

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
    """A text after edits, which are in order and do not overlap.

    >>> changed("abc", [Edit(0, 1, "x"), Edit(2, 3, "")])
    'xb'
    """
    found, at = [], 0
    for start, end, new in edits:
        found += [text[at:start], new]
        at = end
    return "".join([*found, text[at:]])


def edited(group: Group, edits: Sequence[Edit]) -> Group:
    """A group after edits of its text, which are in order and do not overlap.

    What is new belongs to the token whose characters it replaces, or to the one that it is put before. Of an atom of
    several tokens that is changed in part, the rest belongs to the first of them.

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
    """The next `size` characters, taken from the end of `rest`, where the first atom is the last."""
    found: Group = []
    while size > 0:
        part = rest.pop()
        if len(part.text) > size:
            rest.append(atom(part.first, part.text[size:]))
            part = atom(part.first, part.text[:size])
        found.append(part)
        size -= len(part.text)
    return found
