"""The fewest tokens of a vocabulary that spell a word, compared with those that the tokenizer's own rule gives.

Whatever the rule of the vocabulary (merges by rank, longest match, best score), this is the shortest path through all
of its tokens that fit into the word; ties go to the path whose first token is longest, then its second, and so on.
Text that no token spells is avoided where a path around it exists.

Source: Schmidt and others, "Tokenization Is More Than Compression" (2024), whose PathPiece also trains a vocabulary for
this rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.bpe.model import BpeModel
from bpe_core.language import message
from bpe_core.sentencepiece.model import SentencePieceModel
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.model import Model, WordTokens
from bpe_core.tokenizer.text_encoder import encode_plainly
from bpe_core.tokenizer.tokenizer import Special, Tokenizer
from bpe_core.unigram.model import UnigramModel
from bpe_core.wordpiece.model import WordPieceModel

_UNKNOWN = 1_000_000
"""Cost of an unknown character in tokens: more than any word has."""

FittingEdge = tuple[int, int, int]
"""End of a token that begins at a place, its cost (1, or more for unknown text), and its id, or -1."""


class ShorterWord(NamedTuple):
    """Word that has fewer tokens on the shortest path: its text, how often it occurs, and both segmentations.

    `start`: byte offset of its first occurrence in the normalized text.

    >>> from bpe_core import load_pretrained
    >>> word = compare_fewest(load_pretrained("gpt2"), "Der Kuchen, ein Kuchen").words[0]
    >>> word.text, word.times, len(word.by_rule), len(word.fewest), word.saved
    (' Kuchen', 2, 3, 2, 2)
    """

    text: str
    times: int
    start: int
    by_rule: tuple[int, ...]
    fewest: tuple[int, ...]

    @property
    def saved(self) -> int:
        """Number of tokens saved, over all occurrences."""
        return self.times * (len(self.by_rule) - len(self.fewest))


class FewestTokens(NamedTuple):
    """A text by the tokenizer's own rule and by the fewest tokens, and the words that differ, the largest saving first.

    >>> from bpe_core import load_pretrained
    >>> found = compare_fewest(load_pretrained("gpt2"), "ein Kuchen")
    >>> len(found.by_rule), len(found.fewest), len(found.words)
    (5, 4, 1)
    """

    by_rule: Encoding
    fewest: Encoding
    words: tuple[ShorterWord, ...]


def encode_fewest(tokenizer: Tokenizer, text: str, *, special: Special = "text") -> Encoding:
    """Encode `text` with the fewest tokens for each word of the split. Raises as `Tokenizer.encode` does.

    A word that the tokenizer's rule makes unknown is spelled if tokens can. Each distinct word is segmented once.

    >>> from bpe_core import load_pretrained
    >>> encode_fewest(load_pretrained("gpt2"), " Kuchen").tokens
    [' Ku', 'chen']
    """
    model = checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer")).model
    known: dict[str, WordTokens] = {}

    def encode_word(word: str) -> WordTokens:
        if word not in known:
            known[word] = fewest_tokens(model, word)
        return known[word]

    segments, surrogates = tokenizer._segments(text, special)
    return tokenizer._laid_out(encode_plainly(segments, tokenizer.split, model, encode_word), surrogates)


def compare_fewest(tokenizer: Tokenizer, text: str, *, special: Special = "text") -> FewestTokens:
    """Encode a text by the tokenizer's own rule and with the fewest tokens. Raises as `Tokenizer.encode` does.

    >>> from bpe_core import load_pretrained
    >>> [word.text for word in compare_fewest(load_pretrained("gpt2"), "ein guter Kuchen").words]
    [' Kuchen']
    """
    fewest = encode_fewest(tokenizer, text, special=special)
    plain = tokenizer.encode(text, special=special)
    starts, ends = plain.word_starts, plain.word_ends
    edges = [np.searchsorted(each.starts, starts) for each in (plain, fewest)]
    stops = [np.searchsorted(each.starts, ends) for each in (plain, fewest)]
    shorter = np.flatnonzero(stops[1] - edges[1] < stops[0] - edges[0])
    found: dict[tuple[bytes, tuple[int, ...], tuple[int, ...]], ShorterWord] = {}
    for at in shorter.tolist():
        first, last = int(starts[at]), int(ends[at])
        mine, other = (
            tuple(each.ids[edges[side][at] : stops[side][at]].tolist()) for side, each in enumerate((plain, fewest))
        )
        data = plain.utf8[first:last]
        word = ShorterWord(data.decode("utf-8", "replace"), 0, first, mine, other)
        word = found.get((data, mine, other), word)
        found[data, mine, other] = word._replace(times=word.times + 1)
    ranked = sorted(found.values(), key=lambda word: (-word.saved, word.start))
    return FewestTokens(plain, fewest, tuple(ranked))


def fewest_tokens(model: Model, word: str) -> WordTokens:
    """Tokens of one word of the split. Raises CorpusError as `Model.encode_word` does.

    >>> from bpe_core import load_pretrained
    >>> fewest_tokens(load_pretrained("gpt2").model, " Kuchen").lengths
    [3, 4]
    """
    if not word:
        return model.encode_word(word)
    if isinstance(model, BpeModel):
        return _of_symbols(model, word)
    if isinstance(model, WordPieceModel):
        return _of_wordpieces(model, word)
    if isinstance(model, UnigramModel):
        path = shortest_path(*_over_edges(model.scored_edges(seen := model.seen(word)), len(seen)))
        return model.tokens_on(word, [edge[:2] for edge in path]) if path else model.encode_word(word)
    if isinstance(model, SentencePieceModel) and model.rule != "whole words":
        written = model.marked(word)
        path = shortest_path(*_over_edges(model.lattice.edges(written), len(written)))
        return model.tokens_on(word, [edge[:2] for edge in path]) if path else model.encode_word(word)
    return model.encode_word(word)


def shortest_path(size: int, edges_from: Callable[[int], Sequence[FittingEdge]]) -> list[tuple[int, int, int]]:
    """Path of the lowest cost from 0 to `size` as (start, end, id); of equal ones, that with the longest first token.

    Costs are summed from the end, so that the longest token among the best can be taken from the start. Empty if no
    path leads through.

    >>> fitting = {0: [(1, 1, 7), (2, 1, 8)], 1: [(3, 1, 9)], 2: [(3, 1, 7)]}
    >>> shortest_path(3, lambda start: fitting[start])
    [(0, 2, 8), (2, 3, 7)]
    """
    costs: list[int | None] = [None] * size + [0]
    chosen: list[tuple[int, int]] = [(-1, -1)] * size
    for start in reversed(range(size)):
        best: tuple[int, int, int] | None = None  # cost, −end, id
        for end, cost, token_id in edges_from(start):
            rest = costs[end]
            if rest is not None and (best is None or (cost + rest, -end) < best[:2]):
                best = cost + rest, -end, token_id
        if best is not None:
            costs[start], chosen[start] = best[0], (-best[1], best[2])
    path: list[tuple[int, int, int]] = []
    start = 0
    while start < size and costs[0] is not None:
        end, token_id = chosen[start]
        path.append((start, end, token_id))
        start = end
    return path


def _over_edges(
    edges: Iterable[tuple[int, int, float, bool]], size: int
) -> tuple[int, Callable[[int], Sequence[FittingEdge]]]:
    """Arguments of `shortest_path` for the edges of a lattice."""
    fitting: list[list[FittingEdge]] = [[] for _ in range(size)]
    for start, end, _score, known in edges:
        fitting[start].append((end, 1 if known else _UNKNOWN, -1))
    return size, fitting.__getitem__


def _of_symbols(model: BpeModel, word: str) -> WordTokens:
    """Any token whose bytes begin and end where base symbols of the word do, or a base symbol itself.

    A token with an end-of-word mark has to end the word, and one without it may not cover the symbol with the mark.
    """
    data, mark = word.encode("utf-8", "surrogateescape"), model.base.mark
    whole = model.merges.whole(data)
    if whole is not None:
        return WordTokens([whole], [len(data)])
    symbols, edges = model.symbols_of(word)
    size = len(symbols)
    text = (data + mark.encode()).decode("latin-1")
    inner = {edge: at for at, edge in reversed([*enumerate(edges)])}
    if mark:
        inner = {edge: at for edge, at in inner.items() if at < size}
    unknown = model.unknown_id

    def edges_from(start: int) -> list[FittingEdge]:
        own = symbols[start]
        found = [(start + 1, _UNKNOWN if own == unknown else 1, own)]
        if edges[start] == edges[-1] and not (mark and start == size - 1):
            return found
        for end, token_id in model.trie.matches(text, edges[start]):
            stop = size if mark and end == len(text) and model.ends_word(token_id) else inner.get(end)
            if stop is not None and stop > start and (not mark or stop == size or not model.ends_word(token_id)):
                found.append((stop, 1, token_id))
        return found

    path = shortest_path(size, edges_from)
    found = WordTokens([token_id for *_, token_id in path], [edges[end] - edges[start] for start, end, _id in path])
    if model.base.byte_ids is None and unknown is None:  # the rule may merge across an omitted character
        return min(found, model.encode_word(word), key=lambda tokens: len(tokens.ids))
    return found


def _of_wordpieces(model: WordPieceModel, word: str) -> WordTokens:
    checks.given_text(word, limit=message("Only str is encoded."))
    path = shortest_path(len(word), lambda start: [(end, 1, token_id) for end, token_id in model.fitting(word, start)])
    if not path or (model.longest_word and len(word) > model.longest_word):
        return model.encode_word(word)
    return WordTokens(
        [token_id for *_, token_id in path],
        [len(word[start:end].encode("utf-8", "surrogateescape")) for start, end, _id in path],
    )
