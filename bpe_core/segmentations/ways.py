"""The choices that a model's rule leaves open: merges of a word that may be skipped, or paths through its lattice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from bpe_core import checks
from bpe_core.bpe.dropout import MergeOfSymbols, WordPart
from bpe_core.bpe.model import BpeModel
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.sentencepiece.model import SentencePieceModel
from bpe_core.tokenizer.model import Model, WordTokens
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.model import UnigramModel
from bpe_core.unigram.paths import Edge, Path


class WordMerges(NamedTuple):
    """Base symbols of a word, the lookup of merges, and the tokens of the word from its parts.

    >>> from bpe_core import load_pretrained
    >>> ways = ways_of(load_pretrained("gpt2").model, "he")
    >>> ways.symbols, ways.merge_of(71, 68), ways.tokens([WordPart(258, 0)])
    ([71, 68], (258, 258), WordTokens(ids=[258], lengths=[2]))
    """

    symbols: Sequence[Any]
    merge_of: MergeOfSymbols[Any]
    tokens: Callable[[Sequence[WordPart]], WordTokens]


class WordPaths(NamedTuple):
    """Size and edges of the lattice of a word, and the tokens of the word on a path.

    >>> from bpe_core import UnigramModel
    >>> ways = ways_of(UnigramModel({"▁": 1.0, "h": 2.0}), "h")
    >>> ways.size, ways.edges, ways.tokens([(0, 1), (1, 2)])
    (2, [(0, 1, -1.0), (1, 2, -2.0)], WordTokens(ids=[1, 2], lengths=[0, 1]))
    """

    size: int
    edges: list[Edge]
    tokens: Callable[[Path], WordTokens]


Way = str
"""How a model's segmentations vary: "dropout", "paths", or "" for a rule with one segmentation only."""


def way_of(model: Model) -> Way:
    """How the segmentations of a model vary.

    >>> from bpe_core import load_pretrained
    >>> way_of(load_pretrained("gpt2").model), way_of(load_pretrained("bert-base-uncased").model)
    ('dropout', '')
    """
    if isinstance(model, BpeModel) or (isinstance(model, SentencePieceModel) and model.rule == "scored merges"):
        return "dropout"
    return "paths" if model.rule == "best score" else ""


def has_several(tokenizer: Tokenizer) -> Model:
    """Return the model if its rule has several segmentations of a word. Raises ConfigError for any other.

    >>> from bpe_core import load_pretrained
    >>> has_several(load_pretrained("bert-base-uncased"))
    Traceback (most recent call last):
    bpe_core.errors.ConfigError: bert-base-uncased has one segmentation of each word. BPE and Unigram have several. \
Choose another tokenizer.
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    if not way_of(tokenizer.model):
        raise ConfigError(
            message("{name} has one segmentation of each word.", name=tokenizer.name),
            limit=message("BPE and Unigram have several."),
            remedy=message("Choose another tokenizer."),
        )
    return tokenizer.model


def ways_of(model: Model, word: str) -> WordMerges | WordPaths:
    """Choices that the rule of a BPE or Unigram model leaves open in a word of the split.

    >>> from bpe_core import load_pretrained
    >>> ways_of(load_pretrained("gpt2").model, "low").symbols
    [75, 78, 86]
    """
    if isinstance(model, BpeModel):
        return _byte_merges(model, word)
    if isinstance(model, SentencePieceModel):
        return _piece_merges(model, word) if model.rule == "scored merges" else _piece_paths(model, word)
    assert isinstance(model, UnigramModel)
    seen = model.seen(word) if word else ""
    spells = model.unknown_id is not None  # without <unk>, an unknown character is on no path
    edges = [(start, end, score) for start, end, score, known in model.scored_edges(seen) if known or spells]
    return WordPaths(len(seen), edges, lambda path: model.tokens_on(word, path))


def _byte_merges(model: BpeModel, word: str) -> WordMerges:
    symbols, edges = model.symbols_of(word)

    def tokens(parts: Sequence[WordPart]) -> WordTokens:
        places = [*(part.first for part in parts), len(symbols)]
        return WordTokens(
            [part.token for part in parts],
            [edges[end] - edges[start] for start, end in pairwise(places)],
        )

    known: dict[tuple[int, int], tuple[int, int] | None] = {}

    def merge_of(left: int, right: int) -> tuple[int, int] | None:
        if (left, right) not in known:  # many draws of a word look up the same pairs
            known[left, right] = model.merges.merge_of(left, right)
        return known[left, right]

    return WordMerges(symbols, merge_of, tokens)


def _piece_merges(model: SentencePieceModel, word: str) -> WordMerges:
    """SentencePiece's BPE merges two neighbours if they spell a piece, the highest score first."""
    scores, own = model.lattice.scores, model.lattice.own
    written = model.marked(word)
    symbols = model.lattice.symbols(written)
    places = [0]
    for symbol in symbols:
        places.append(places[-1] + len(symbol))

    def merge_of(left: str, right: str) -> tuple[float, str] | None:
        score = None if left in own or right in own else scores.get(left + right)
        return None if score is None else (-score, left + right)

    def tokens(parts: Sequence[WordPart]) -> WordTokens:
        edges = [places[at] for at in (*(part.first for part in parts), len(symbols))]
        return model.tokens_on(word, list(pairwise(edges)))

    return WordMerges(symbols, merge_of, tokens)


def _piece_paths(model: SentencePieceModel, text: str) -> WordPaths:
    written = model.marked(text)
    edges = [(start, end, score) for start, end, score, _known in model.lattice.edges(written)]
    return WordPaths(len(written), edges, lambda path: model.tokens_on(text, path))
