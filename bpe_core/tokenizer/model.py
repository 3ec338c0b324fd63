"""Model: the stage of a tokenizer that turns words into tokens, by any algorithm, and that explains its steps.

The implementations are `bpe_core.bpe.model` (merges), `picky.model` (merges and removals), `wordpiece.model` (longest
match), `wordlevel.model` (whole words), `unigram.model` (best path)
and `sentencepiece.model` (that library). A model is independent of normalization, splits and special tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s
from bpe_core.kernels.merge_loop import Words

if TYPE_CHECKING:
    from bpe_core.kernels.scan import WordTable
    from bpe_core.kernels.word_encoder import PairTable


Kind = Literal["bpe", "boundlessbpe", "picky", "wordpiece", "wordlevel", "unigram", "sentencepiece"]

Rule = Literal["merges", "merges and removals", "longest match", "whole words", "best score", "scored merges"]
"""Segmentation rule of a model. "scored merges" is SentencePiece's BPE, which has scores of pieces and no pairs."""

View = Literal["merges", "matches", "lattice", "scores"]
"""View of a model that a page can offer: merges with ranks and trees, longest matches, a lattice, or scores."""


class WordTokens(NamedTuple):
    """Tokens of one word, and the number of its bytes that each covers.

    >>> from bpe_core import load_pretrained
    >>> load_pretrained("gpt2").model.encode_word("lower")
    WordTokens(ids=[21037], lengths=[5])
    """

    ids: Sequence[int]
    lengths: Sequence[int]


class EncodedWords(NamedTuple):
    """Tokens of many words; those of word w are words.symbols[words.offsets[w] : words.offsets[w + 1]].

    `words.symbols` is int32, `words.offsets` int64; `lengths`, int32: the number of bytes of its word that each covers.

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.kernels.scan import WordTable
    >>> found = load_pretrained("gpt2").model.encode_words(WordTable.of([b"low", b"lowest"]))
    >>> found.words.symbols.tolist(), found.words.offsets.tolist(), found.lengths.tolist()
    ([9319, 9319, 395], [0, 1, 3], [3, 3, 3])
    """

    words: Words
    lengths: Int32s


class EncodeStep(NamedTuple):
    """Step of encoding a word: the ids after it, the pair merged (None at the start), and the rank of the merge.

    >>> from bpe_core import load_pretrained
    >>> load_pretrained("gpt2").trace("he")
    [EncodeStep(ids=(71, 68), merged=None, rank=None), EncodeStep(ids=(258,), merged=(71, 68), rank=258)]
    """

    ids: tuple[int, ...]
    merged: tuple[int, int] | None
    rank: int | None


class PossibleMerge(NamedTuple):
    """Two neighbours in a word that could merge: index of the left one, rank of the merge, and new id.

    >>> from bpe_core import load_pretrained
    >>> load_pretrained("gpt2").possible_merges([83, 71, 68])
    [PossibleMerge(at=0, rank=400, token_id=400), PossibleMerge(at=1, rank=258, token_id=258)]
    """

    at: int
    rank: int
    token_id: int


@dataclass(frozen=True)
class TokenNode:
    """Token and the two tokens that it was merged from; `left`, `right` and `rank` are None for a base symbol.

    >>> from bpe_core import load_pretrained
    >>> he = load_pretrained("gpt2").tree(258)
    >>> he.right, list(he.leaves())
    (TokenNode(id=68, left=None, right=None, rank=None), [71, 68])
    """

    id: int
    left: TokenNode | None = None
    right: TokenNode | None = None
    rank: int | None = None

    def leaves(self) -> Iterator[int]:
        """Ids of the base symbols, from left to right."""
        pending = [self]
        while pending:  # no recursion: a chain of merges may be as long as the vocabulary
            node = pending.pop()
            if node.left is None or node.right is None:
                yield node.id
            else:
                pending += [node.right, node.left]


class Parts(NamedTuple):
    """The two tokens that a token was merged from, and the rank of the merge (0 is the first).

    >>> from bpe_core import load_pretrained
    >>> load_pretrained("gpt2").model.merges.parts(258)
    Parts(left=71, right=68, rank=258)
    """

    left: int
    right: int
    rank: int


Row = tuple[int, int, int]
"""Left and right token of a merge, and the resulting token."""


class Merges(Protocol):
    """Merge table, in any representation. Defaults suit one that encodes no word whole.

    >>> from bpe_core import TrainConfig, train
    >>> merges: Merges = train("aaab", TrainConfig(split="none", vocab_size=258)).tokenizer().model.merges
    >>> merges.rows, merges.merge_of(97, 97), merges.parts(256), merges.rank_of(256)
    ([(97, 97, 256), (256, 97, 257)], (0, 256), Parts(left=97, right=97, rank=0), 0)
    >>> merges.table.tolist(), merges.first(1).rows
    ([[97, 97, 256], [256, 97, 257]], [(97, 97, 256)])
    >>> merges.takes_wholes, merges.whole(b"aa")
    (False, None)

    OpenAI's files have ranks of whole tokens, so a word that is a token is encoded whole:

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.kernels.scan import WordTable
    >>> merges = load_pretrained("gpt2").model.merges
    >>> merges.takes_wholes, merges.whole(b"low"), merges.wholes(WordTable.of([b"low", b"lowest"])).tolist()
    (True, 9319, [9319, -1])
    >>> type(merges.pair_table).__name__
    'PairTable'
    """

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        """Return (rank, new id) of a pair, or None."""

    def parts(self, token_id: int) -> Parts | None:
        """Parts of a token, or None for a base symbol."""

    def parts_within(self, token_id: int) -> Mapping[int, Parts]:
        """`parts` of a token and of all tokens within it, by id; empty for a base symbol.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").model.merges.parts_within(1169)[258]
        Parts(left=71, right=68, rank=258)
        """
        found: dict[int, Parts] = {}
        pending = [token_id]
        while pending:  # no recursion: a chain of merges may be as long as the vocabulary
            parts = self.parts(current := pending.pop())
            if parts is not None and current not in found:
                found[current] = parts
                pending += (parts.left, parts.right)
        return found

    def rank_of(self, token_id: int) -> int | None:
        """Rank of the merge that makes a token, or None for a base symbol."""

    def whole(self, word: bytes) -> int | None:
        """Id of a word encoded whole, before any merge, or None."""
        return None

    @property
    def pair_table(self) -> PairTable:
        """The same merges for the compiled encoder."""

    def wholes(self, words: WordTable) -> Int32s | None:
        """`whole` of many words: int32, -1 for none; None if the model encodes no word whole."""
        return None

    @property
    def rows(self) -> Sequence[Row]:
        """Merges that can occur, as (left, right, new id), by rank."""

    @property
    def table(self) -> Int32s:
        """int32[merges, 3]: `rows` as an array."""
        return np.array(self.rows, np.int32).reshape(-1, 3)

    @property
    def takes_wholes(self) -> bool:
        """Whether a word that is a token is encoded whole."""
        return False

    @property
    def merge_ranks(self) -> npt.NDArray[np.int64]:
        """The rank of every merge, ascending.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").model.merges.merge_ranks[[0, -1]].tolist()
        [256, 50255]
        """
        return np.arange(len(self.rows))

    def first(self, count: int) -> Merges:
        """The table of the first merges only; a word is encoded whole if these merges, or no merge at all, make it."""


class Model(Protocol):
    """Vocabulary and segmentation algorithm. Immutable.

    Defaults suit a model without merges, scores and marks; implementations override them.

    kind         type of model; each file format supports some of them
    rule         segmentation rule
    views        views that a page can offer
    unit         unit of its tokens, bytes or characters
    is_compiled  whether `encode_words` runs in compiled kernels, worth waiting for with a long text
    tokens       bytes of every id; None for unused ids and special tokens
    unknown_id   id of unknown text (<unk>, [UNK]); None if no text is unknown
    merges       merge table; None for a model without one

    >>> from bpe_core import load_pretrained, train_unigram
    >>> model: Model = load_pretrained("gpt2").model
    >>> model.kind, model.rule, sorted(model.views), model.unit
    ('bpe', 'merges', ['merges'], 'byte')
    >>> model.token_id(b"low"), model.piece(9319), model.encode_word("low"), len(model.explain("low"))
    (9319, 'low', WordTokens(ids=[9319], lengths=[3]), 3)
    >>> model.ends_word(9319), model.log_probability(["low"]) is None, model.word_bytes
    (False, True, (40, 0))

    Marks belong to a token, not to the text that it covers:

    >>> model = train_unigram("hug hugs", 8).tokenizer().model
    >>> model.written(b"hug", begins=True, ends=True).decode()
    '▁hug'
    >>> model.text_of("▁hug".encode(), ends=False, with_space=True)
    b' hug'
    >>> model.begin_words(np.array([1, 2], np.int32)).tolist()
    [False, False]
    """

    kind: ClassVar[Kind]
    unit: Literal["byte", "char"]
    is_compiled: ClassVar[bool] = False
    tokens: Sequence[bytes | None]
    unknown_id: int | None
    merges: Merges | None = None

    @property
    def rule(self) -> Rule:
        """Segmentation rule."""

    @property
    def word_bytes(self) -> tuple[int, int]:
        """Bytes of memory that `encode_words` takes for each byte and each character of the distinct words."""
        return (14, 20) if self.kind == "unigram" else (40, 0)

    @property
    def views(self) -> frozenset[View]:
        """Views that a page can offer."""
        return frozenset()

    def token_id(self, token: bytes) -> int | None:
        """Id of a token by its bytes, or None; for duplicates, the lowest id that is not a fallback byte."""

    def piece(self, token_id: int) -> str:
        """Token as a string, spelled as in the model's files, marks included."""

    def spelling(self, token_id: int) -> str:
        """Token in the spelling of files, for their decoders: "Ġlow" or "<0x0A>" where `piece` shows the text.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").model.spelling(1877)
        'Ġlow'
        """
        return self.piece(token_id)

    def encode_word(self, word: str) -> WordTokens:
        """Tokens of one word of the split."""

    def may_join(self, left: str, right: str) -> bool:
        """Whether tokens on one side of two adjacent characters of a word may depend on those on the other side.

        >>> from bpe_core import load_pretrained
        >>> gpt2 = load_pretrained("gpt2").model
        >>> gpt2.may_join("a", "t"), gpt2.may_join("a", " "), load_pretrained("t5-small").model.may_join("a", " ")
        (True, False, True)
        """
        return True

    def encode_emptied(self, original: str) -> WordTokens:
        """Tokens of a text that normalization leaves empty: the mark, for a model that adds one even then."""
        return WordTokens([], [])

    def encode_words(self, words: WordTable) -> EncodedWords:
        """Tokens of many distinct words at once, equal to those of `encode_word` for each.

        >>> from bpe_core import train_unigram
        >>> from bpe_core.kernels.scan import WordTable
        >>> model = train_unigram("hug hugs", 8).tokenizer().model
        >>> model.encode_words(WordTable.of([b"hug"])).lengths.tolist()
        [3]
        """
        return one_by_one(self.encode_word, words)

    def tokens_over_merges(self, words: WordTable, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
        """int64[merges + 1]: token counts under no merge, the first, … all; None for a model without merges."""
        return None

    def with_first_merges(self, count: int) -> Model | None:
        """The model with its first merges only; None without merges."""
        return None

    def explain(self, word: str) -> Any:
        """Segmentation of a word, step by step, in the model's own terms."""

    def text_of(self, token: bytes, *, ends: bool, with_space: bool) -> bytes:
        """Text of a token, without marks.

        `ends`: the result of `ends_word`; `with_space`: whether it covers the space that ▁ represents.
        """
        return token

    def written(self, text: bytes, *, begins: bool, ends: bool) -> bytes:
        """Spelling of a text as a token of this vocabulary, with marks if it begins or ends a word."""
        return text

    def begin_words(self, ids: Int32s) -> npt.NDArray[np.bool_]:
        """Mask of the tokens that begin a word, if the model finds the words itself (`Split.by_model`)."""
        return np.zeros(len(ids), np.bool_)

    def ends_word(self, token_id: int) -> bool:
        """Whether a token ends with the end-of-word mark."""
        return False

    def log_probability(self, pieces: Sequence[str]) -> float | None:
        """Sum of the scores of these pieces, a log probability; None if one of them has no score."""
        return None


def one_by_one(encode_word: Callable[[str], WordTokens], words: WordTable) -> EncodedWords:
    """`Model.encode_words` for a model without kernels: one word at a time.

    >>> from bpe_core.kernels.scan import WordTable
    >>> found = one_by_one(lambda word: WordTokens([len(word)], [len(word)]), WordTable.of([b"ab", b"c"]))
    >>> found.words.symbols.tolist(), found.words.offsets.tolist(), found.lengths.tolist()
    ([2, 1], [0, 1, 2], [2, 1])
    """
    ids: list[int] = []
    lengths: list[int] = []
    offsets = [0]
    for word in words.words():
        tokens = encode_word(word.decode("utf-8", "surrogateescape"))
        ids += tokens.ids
        lengths += tokens.lengths
        offsets.append(len(ids))
    return EncodedWords(
        Words(np.array(ids, np.int32), np.array(offsets, np.int64)),
        np.array(lengths, np.int32),
    )


def token_tree(token_id: int, merges: Merges | None) -> TokenNode:
    """Tree of the merges that made a token, down to the base symbols.

    >>> from bpe_core import TrainConfig, train
    >>> merges = train("aaab", TrainConfig(split="none", vocab_size=257)).tokenizer().model.merges
    >>> token_tree(256, merges).left
    TokenNode(id=97, left=None, right=None, rank=None)
    """
    nodes: dict[int, TokenNode] = {}
    known = {} if merges is None else merges.parts_within(token_id)
    pending = [token_id]
    while pending:  # no recursion: a chain of merges may be as long as the vocabulary
        current = pending[-1]
        parts = known.get(current)
        missing = [] if parts is None else [part for part in (parts.left, parts.right) if part not in nodes]
        if missing:
            pending += missing
            continue
        pending.pop()
        nodes[current] = (
            TokenNode(current)
            if parts is None
            else TokenNode(current, nodes[parts.left], nodes[parts.right], parts.rank)
        )
    return nodes[token_id]
