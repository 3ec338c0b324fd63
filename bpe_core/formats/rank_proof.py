"""Proof that a token's bytes, encoded by ranks, end in its own pair, from the merge trees of the two parts.

Encoded alone, each part follows its own tree. Side by side, both still do, unless an earlier merge joins tokens across
the edge between them. The tokens next to the edge are on the right side of the left tree and on the left side of the
right one, so the number of steps is the number of levels, independent of the token's length.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping


class ShownPairs:
    """Tokens proven to end in one of their pairs when encoded by ranks; add them in rank order.

    pairs   the pairs that make each token
    bytes   the tokens of one byte

    >>> shown = ShownPairs({256: {(97, 98)}, 257: {(98, 99)}, 258: {(97, 257)}, 259: {(256, 99)}}, b"abc")
    >>> shown.add(256), shown.add(257)
    (True, True)
    >>> shown.add(258), shown.add(259)  # of "abc", a and b are merged first
    (False, True)
    """

    def __init__(self, pairs: Mapping[int, Collection[tuple[int, int]]], bytes: Iterable[int]) -> None:
        self._pairs = pairs
        self._made = {pair: token_id for token_id, several in pairs.items() for pair in several}
        self._parts: dict[int, tuple[int, int] | None] = dict.fromkeys(bytes)  # of the proven tokens

    def put(self, token_id: int, parts: tuple[int, int]) -> None:
        """Add a token proven by other means to end in these two parts.

        Its tree gives the merge order only if its parts are merged first: with a part of a higher rank, the token
        counts as unproven.

        >>> shown = ShownPairs({258: {(256, 257)}}, b"abc")
        >>> shown.put(256, (97, 98))
        >>> shown.put(257, (99, 97))
        >>> shown.add(258)
        True
        """
        if parts[0] in self._parts and parts[1] in self._parts:
            self._parts[token_id] = parts

    def add(self, token_id: int) -> bool:
        """Prove and add the next token; False if it does not end in its pair or the trees cannot decide.

        The trees cannot decide for a token with several pairs or with unproven parts.

        >>> ShownPairs({258: {(256, 257)}}, b"abc").add(258)
        False
        """
        several = self._pairs.get(token_id, ())
        if len(several) != 1:
            return False
        [(left, right)] = several
        if left not in self._parts or right not in self._parts or self._is_joined_before(left, right, token_id):
            return False
        self._parts[token_id] = (left, right)
        return True

    def _is_joined_before(self, left: int, right: int, whole: int) -> bool:
        """Whether two tokens merge across the edge before both parts are complete."""
        firsts, seconds = self._side(left, 1), self._side(right, 0)
        first, second = firsts.pop(), seconds.pop()
        while True:
            # Among equal ranks the leftmost pair merges first: the left part's before the one across the edge.
            before, after = firsts[-1] if firsts else whole, seconds[-1] if seconds else whole
            made = self._made.get((first, second), whole)
            if made < before and made <= after:
                return True
            if not firsts and not seconds:
                return False
            if before <= after:
                first = firsts.pop()
            else:
                second = seconds.pop()

    def _side(self, token_id: int, side: int) -> list[int]:
        """A token and the tokens on one side of its tree, down to a byte."""
        found = [token_id]
        while (parts := self._parts[found[-1]]) is not None:
            found.append(parts[side])
        return found
