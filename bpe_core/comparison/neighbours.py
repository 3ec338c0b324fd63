"""Possible neighbours of a token that is part of a character: tokens that do not merge with it.

No merge crosses a final boundary, so two neighbours of a final segmentation are the encoding of their own bytes. All
neighbours are tried: a token that stays unmerged next to none of them occurs in no text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple, TypeGuard

from bpe_core.bpe.file_symbols import FileSymbols
from bpe_core.bpe.model import BpeModel
from bpe_core.comparison.contexts import completions
from bpe_core.kernels.scan import WordTable
from bpe_core.text.partial_character import partial_characters
from bpe_core.text.utf8 import CONTINUATION
from bpe_core.tokenizer.model import Model

_MOST_TRIED = 8
"""Number of neighbours on each side whose texts are tried."""

_MOST_TEXTS = 64
"""Number of texts tried per pair of neighbours."""

_CONTINUATIONS = frozenset(bytes([byte]) for byte in CONTINUATION)


class Neighbours(NamedTuple):
    """Ids that can precede and follow a token; None on a side where its bytes need no neighbour.

    >>> Neighbours(None, ()).impossible, Neighbours((97,), None).impossible
    (True, False)
    """

    before: tuple[int, ...] | None
    after: tuple[int, ...] | None

    @property
    def impossible(self) -> bool:
        """Whether a side that needs a neighbour has none."""
        return () in self


def neighbours_of(model: Model, texts: Mapping[int, bytes], token_id: int) -> Neighbours:
    """Possible neighbours of a token in byte-level BPE. `texts`: bytes of all tokens by id.

    >>> from bpe_core import TrainConfig, train
    >>> model = train("", TrainConfig(vocab_size=256)).tokenizer().model
    >>> found = neighbours_of(model, dict(enumerate(model.tokens)), 0xC3)
    >>> found.before, len(found.after)
    (None, 64)
    """
    data = texts[token_id]
    parts = partial_characters(data)
    before = after = None
    if data[:1] in _CONTINUATIONS:
        others = [each for each, other in texts.items() if _ends_inside(other)]
        kept = _kept(model, texts, [(each, token_id) for each in others])
        before = tuple(left for left, _ in kept)
    if parts and parts[-1].place == "start":
        others = [each for each, other in texts.items() if other[:1] in _CONTINUATIONS]
        kept = _kept(model, texts, [(token_id, each) for each in others])
        after = tuple(right for _, right in kept)
    return Neighbours(before, after)


def merges_bytes(model: Model) -> TypeGuard[BpeModel]:
    """Whether a model merges bytes, spelled the same everywhere in a word, so that the proofs hold.

    >>> from bpe_core import TrainConfig, load_pretrained, train
    >>> marked = train("low low", TrainConfig(unit="char", end_of_word="</w>", vocab_size=9)).tokenizer().model
    >>> merges_bytes(load_pretrained("gpt2").model), merges_bytes(marked)
    (True, False)
    """
    if not isinstance(model, BpeModel) or model.unit != "byte" or model.base.byte_ids is None:
        return False
    base = model.base
    return not base.mark and not (isinstance(base, FileSymbols) and base.prefix)


def texts_beside(texts: Mapping[int, bytes], token_id: int, found: Neighbours) -> Iterator[str]:
    """Texts in which the token could occur between its neighbours.

    >>> next(texts_beside({0: b"\\xc3", 1: b"\\xa9"}, 0, Neighbours(None, (1,))))
    'é'
    """
    sides = [[texts[each] for each in ids[:_MOST_TRIED]] if ids else [b""] for ids in found]
    for before, after in product(*sides):
        yield from islice(completions(before + texts[token_id] + after), _MOST_TEXTS)


def encoded_bytes(model: Model, words: Sequence[bytes]) -> list[tuple[int, ...]]:
    """Ids of words given as bytes, possibly with incomplete characters.

    >>> from bpe_core import load_pretrained
    >>> encoded_bytes(load_pretrained("gpt2").model, [b"low", b"\\xe3\\x81"])
    [(9319,), (2515,)]
    """
    distinct = list(dict.fromkeys(words))
    if not distinct:
        return []
    found = model.encode_words(WordTable.of(distinct)).words
    ids, offsets = found.symbols.tolist(), found.offsets.tolist()
    by_word = {word: tuple(ids[offsets[at] : offsets[at + 1]]) for at, word in enumerate(distinct)}
    return [by_word[word] for word in words]


def _kept(model: Model, texts: Mapping[int, bytes], pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs that stay unmerged; also those where this is uncertain, because their bytes are encoded whole."""
    merges = model.merges
    found = encoded_bytes(model, [texts[left] + texts[right] for left, right in pairs])
    kept = []
    for ids, pair in zip(found, pairs, strict=True):
        whole = len(ids) == 1 and merges is not None and merges.takes_wholes and merges.parts(ids[0]) is None
        if ids == pair or whole:
            kept.append(pair)
    return kept


def _ends_inside(data: bytes) -> bool:
    """Whether bytes end, or could end, within a character."""
    parts = partial_characters(data[-4:])
    return bool(parts) and parts[-1].place in ("start", "inside")
