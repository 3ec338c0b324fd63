"""PickyBPE in its plainest form, for readers and as the baseline of tests: nothing here is optimized.

Source: Chizhov, Arnett, Korotkova and Yamshchikov, "BPE Gets Picky: Efficient Vocabulary Refinement During Tokenizer
Training" (2024, arXiv 2409.04599).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from bpe_core.bpe.reference import Pair, Word, choose, count_pairs, merge
from bpe_core.picky.events import PickyEvent, PickyMerge, Removal


def learn(
    words: Sequence[Word],
    counts: Sequence[int],
    *,
    first_id: int,
    most: int,
    threshold: float,
    into: str = "parts",
    tie_break: str = "first-seen",
    min_count: int = 1,
    counted: dict[Pair, None] | None = None,
) -> Iterator[PickyEvent]:
    """Merge the most frequent pair and remove what it has used up, until the vocabulary has `most` tokens more than the
    base.

    Ids below `first_id` are base symbols, which are never removed. A token is what it spells: two pairs that spell the
    same make one token, and a removed token that is made again has its old id. After each merge, both of its tokens are
    judged by their intersection over self: the share of their occurrences, as counted before the merge, that the merge
    has replaced. From `threshold` on, a token is removed, and its remaining occurrences are split: into the tokens that
    it was made of ("parts"), or into base symbols ("base"). For "first-counted", `counted` is filled with every pair in
    that order.

    >>> for event in learn([[0, 1, 2]], [5], first_id=3, most=1, threshold=0.9):
    ...     print(event)
    PickyMerge(left=0, right=1, token_id=3, count=5, replaced=5, left_count=5, right_count=5, is_new=True)
    """
    current = [list(word) for word in words]
    counted = {} if counted is None else counted
    spelled: dict[int, tuple[int, ...]] = {}  # base symbols of each token that was ever made
    parts: dict[int, Pair] = {}  # the pair that made it first
    there: set[int] = set()  # tokens in the vocabulary, without the base symbols
    while len(there) < most:
        pairs = count_pairs(current, counts)
        if tie_break == "first-counted":
            counted.update(dict.fromkeys(pairs))
            pairs = {pair: pairs[pair] for pair in counted if pair in pairs}
        if not pairs:
            return
        pair = choose(pairs, tie_break)
        if pairs[pair] < min_count:
            return
        before = {token: how_often(token, current, counts) for token in pair}
        symbols = tuple(symbol for token in pair for symbol in spelled.get(token, (token,)))
        made = next((each for each in spelled if spelled[each] == symbols), first_id + len(spelled))
        spelled[made] = symbols
        parts.setdefault(made, pair)
        after = [merge(word, pair, made) for word in current]
        replaced = sum(n * (len(old) - len(new)) for old, new, n in zip(current, after, counts, strict=True))
        yield PickyMerge(*pair, made, pairs[pair], replaced, before[pair[0]], before[pair[1]], made not in there)
        current = after
        there.add(made)
        for token in dict.fromkeys(pair):  # once if both are the same
            if token in parts and replaced / before[token] >= threshold:
                there.discard(token)
                pieces = spelled[token] if into == "base" else taken_apart(token, parts, there)
                remaining = how_often(token, current, counts)
                yield Removal(token, pieces, made, replaced, before[token], remaining)
                current = [split(word, token, pieces) for word in current]
    if tie_break == "first-counted":
        counted.update(dict.fromkeys(count_pairs(current, counts)))


def how_often(token: int, words: Sequence[Word], counts: Sequence[int]) -> int:
    """Occurrences of a token in all words.

    >>> how_often(1, [[1, 2, 1], [1]], [10, 5])
    25
    """
    return sum(word.count(token) * count for word, count in zip(words, counts, strict=True))


def taken_apart(token: int, parts: Mapping[int, Pair], there: Container[int]) -> tuple[int, ...]:
    """The pair that made a token first; of its tokens, those no longer in the vocabulary are taken apart themselves.

    >>> taken_apart(5, {3: (0, 1), 4: (3, 2), 5: (4, 0)}, {4}), taken_apart(5, {3: (0, 1), 4: (3, 2), 5: (4, 0)}, {3})
    ((4, 0), (3, 2, 0))
    """
    pieces: list[int] = []
    pending = list(reversed(parts[token]))
    while pending:  # no recursion: a chain of merges may be as long as the vocabulary
        piece = pending.pop()
        if piece in there or piece not in parts:
            pieces.append(piece)
        else:
            pending += reversed(parts[piece])
    return tuple(pieces)


def split(word: Word, token: int, pieces: Iterable[int]) -> list[int]:
    """Replace a token by its pieces, everywhere in a word.

    >>> split([3, 2, 3], 3, (0, 1))
    [0, 1, 2, 0, 1]
    """
    return [piece for each in word for piece in (pieces if each == token else (each,))]


def encode(word: Word, events: Iterable[PickyEvent]) -> list[int]:
    """Apply all events in order to a word of base symbols.

    >>> events = list(learn([[0, 1, 2], [0, 1, 3]], [5, 1], first_id=4, most=2, threshold=0.8))
    >>> encode([0, 1, 2], events), encode([0, 1, 3], events)
    ([5], [4, 3])
    """
    current = list(word)
    for event in events:
        if isinstance(event, PickyMerge):
            current = merge(current, (event.left, event.right), event.token_id)
        else:
            current = split(current, event.token_id, event.pieces)
    return current
