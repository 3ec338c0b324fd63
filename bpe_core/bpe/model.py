"""BPE model: words become base symbols, then merges are applied by rank until none applies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Literal, Protocol

import numpy as np

from bpe_core.arrays import Int64s, sorted_place
from bpe_core.bpe.vocabulary import Symbols
from bpe_core.bpe.word_encoding import encode_steps, encoded_places
from bpe_core.errors import CorpusError
from bpe_core.kernels import word_encoder
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.kernels.word_encoder import NEVER, joined_at
from bpe_core.text.byte_characters import byte_level
from bpe_core.tokenizer.decoders import Decoder, EndOfWord, JoinBytes
from bpe_core.tokenizer.fallback_bytes import FallbackBytes
from bpe_core.tokenizer.model import EncodedWords, EncodeStep, Kind, Merges, Model, Rule, View, WordTokens, one_by_one
from bpe_core.tokenizer.piece_trie import PieceTrie
from bpe_core.tokenizer.token_ranges import TokenRanges


class Base(Protocol):
    """Conversion of words to base symbols: by a training (BaseVocabulary), or by a file (FileSymbols).

    byte_ids       id of each byte value; None if bytes are not symbols
    char_ids       id of each character; empty for bytes
    names          tokens as a file spells them, by id; empty for a training
    unknown_id     id of the unknown token; None without one
    symbol_ids     ids of all symbols
    mark, mark_id  ending of tokens at the end of a word, and its id if it is a separate symbol; "" and None

    >>> from bpe_core import load_pretrained
    >>> base: Base = load_pretrained("gpt2").model.base
    >>> base.symbols("é"), base.flat("é".encode(), np.array([0, 2])).widths.tolist()
    ([127, 102], [1, 1])
    """

    @property
    def byte_ids(self) -> tuple[int, ...] | None:
        """Id of each byte value; None if bytes are not symbols."""

    @property
    def char_ids(self) -> Mapping[str, int]:
        """Id of each character that is a symbol; empty for bytes."""

    @property
    def names(self) -> Mapping[int, str]:
        """Tokens as a file spells them, by id; empty for a training."""

    @property
    def unknown_id(self) -> int | None:
        """Id of the unknown token; None without one."""

    @property
    def symbol_ids(self) -> frozenset[int]:
        """Ids of all symbols."""

    @property
    def mark(self) -> str:
        """Ending of tokens at the end of a word, or ""."""

    @property
    def mark_id(self) -> int | None:
        """Id of the mark, if it is a separate symbol."""

    def symbols(self, word: str) -> list[int]:
        """Symbols of one word."""

    def flat(self, words: bytes, offsets: Int64s) -> Symbols:
        """Symbols of many words, and the number of bytes that each covers."""


class SymbolModel(Model):
    """Tokens made of base symbols, by merges in any order.

    base       conversion of words to symbols
    unit       whether the symbols are bytes or characters
    aliases    other tokens that share the id of one of these
    word_ends  tokens that end with the end-of-word mark

    >>> from bpe_core import TrainConfig, train
    >>> model = train("ab ab", TrainConfig(unit="char", end_of_word="</w>", vocab_size=6)).tokenizer().model
    >>> model.tokens, sorted(model.word_ends), model.ends_word(4)
    ([None, b' ', b'a', b'b', b'</w>', b'ab'], [4], True)
    >>> model.token_id(b"ab"), model.piece(5), model.decoder
    (5, 'ab', EndOfWord(mark='</w>'))
    >>> model.written(b"ab", begins=True, ends=True), model.text_of(b"ab</w>", ends=True, with_space=False)
    (b'ab</w>', b'ab')
    """

    base: Base
    aliases: dict[bytes, int]

    @cached_property
    def word_ends(self) -> frozenset[int]:
        """Tokens that end with the end-of-word mark."""
        return frozenset()

    @property
    def decoder(self) -> Decoder:
        """Decoder for these tokens."""
        if self.base.mark_id is not None:
            return EndOfWord(self.base.mark, self.word_ends)
        falls_back = self.unit == "char" and self.base.byte_ids is not None
        return FallbackBytes() if falls_back else JoinBytes()

    def token_id(self, token: bytes) -> int | None:
        """Id of a token by its bytes, or None; of duplicates, the lowest id that is not a fallback byte."""
        found = self._ids.get(token)
        return self.tokens.find(token) if found is None and isinstance(self.tokens, TokenRanges) else found

    def piece(self, token_id: int) -> str:
        """A token as text; bytes that are not whole characters become U+FFFD."""
        return (self.tokens[token_id] or b"").decode("utf-8", "replace")

    def spelling(self, token_id: int) -> str:
        """A token as files spell it: bytes mapped to characters, and <0x0A> for a fallback byte.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").model.spelling(1877)
        'Ġlow'
        """
        spelled = self.base.names.get(token_id)
        if spelled is not None:
            return spelled
        if self.unit == "byte":
            return byte_level(self.tokens[token_id] or b"")
        return f"<0x{(self.tokens[token_id] or b'')[0]:02X}>" if token_id in self._byte_ids else self.piece(token_id)

    def text_of(self, token: bytes, *, ends: bool, with_space: bool) -> bytes:
        """Bytes of a token without the end-of-word mark."""
        return token[: len(token) - len(self.base.mark.encode())] if ends else token

    def written(self, text: bytes, *, begins: bool, ends: bool) -> bytes:
        """A text, with the end-of-word mark if it ends a word."""
        return text + self.base.mark.encode() if ends else text

    def ends_word(self, token_id: int) -> bool:
        """Whether a token ends with the end-of-word mark."""
        return token_id in self.word_ends

    @cached_property
    def _byte_ids(self) -> frozenset[int]:
        """Tokens that are fallback bytes."""
        return frozenset(self.base.byte_ids or ())

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        """Ids of all tokens by their bytes, except tokens stored as ranges of a text."""
        known = enumerate(() if isinstance(self.tokens, TokenRanges) else self.tokens)
        ids = {token: i for i, token in reversed(list(known)) if token is not None}
        return ids | self.aliases | {char.encode(): char_id for char, char_id in self.base.char_ids.items()}


class BpeModel(SymbolModel):
    """Base symbols and a merge table.

    base    conversion of words to symbols
    tokens  bytes of every id; None for unused ids and special tokens
    merges  merge table
    unit    whether the symbols are bytes or characters
    aliases other tokens that share the id of one of these

    >>> from bpe_core import TrainConfig, train
    >>> model = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer().model
    >>> model.encode_word("aaab")
    WordTokens(ids=[258], lengths=[4])
    >>> [step.ids for step in model.explain("aab")], model.word_bytes
    ([(97, 97, 98), (256, 98)], (40, 0))
    >>> model.rule, sorted(model.views), model.word_ends, model.decoder, model.may_join("b", "c")
    ('merges', ['merges'], frozenset(), JoinBytes(), False)
    """

    kind: ClassVar[Kind] = "bpe"
    rule: Rule = "merges"
    views: frozenset[View] = frozenset(("merges",))
    is_compiled: ClassVar[bool] = True

    def __init__(
        self,
        base: Base,
        tokens: Sequence[bytes | None],
        merges: Merges,
        *,
        unit: Literal["byte", "char"] = "byte",
        aliases: Mapping[bytes, int] | None = None,
    ) -> None:
        self.base = base
        self.tokens = tokens
        self.merges: Merges = merges
        self.unit = unit
        self.unknown_id = base.unknown_id
        self.aliases = dict(aliases or {})

    def encode_word(self, word: str) -> WordTokens:
        """Tokens of one word, and the bytes that each covers; <unk> covers the character that it replaces."""
        data = word.encode("utf-8", "surrogateescape")
        whole = self.merges.whole(data)
        if whole is not None:
            return WordTokens([whole], [len(data)])
        symbols, edges = self.symbols_of(word)
        ids, places = encoded_places(symbols, self.merges.merge_of)
        return WordTokens(ids, [edges[end] - edges[start] for start, end in pairwise([*places, len(symbols)])])

    def symbols_of(self, word: str) -> tuple[list[int], list[int]]:
        """Base symbols of one word, and the byte offset of each, with the end of the word as the last offset.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").model.symbols_of("hé")
        ([71, 127, 102], [0, 1, 2, 3])
        """
        data = word.encode("utf-8", "surrogateescape")
        symbols = self.base.flat(data, np.array([0, len(data)]))
        return symbols.ids.tolist(), [0, *np.cumsum(symbols.widths).tolist()]

    def may_join(self, left: str, right: str) -> bool:
        """Whether a merge may join these characters: none does if no token contains both."""
        if any(not self._is_spelled(char) for char in (left, right)):
            return True
        pair = left.encode()[-1:] + right.encode()[:1] if self.unit == "byte" else (left + right).encode()
        return pair in self._all_tokens

    def _is_spelled(self, char: str) -> bool:
        """Whether a character has symbols of its own anywhere in a word: it is not omitted, unknown or marked."""
        try:
            ids = self.base.symbols(char)
        except CorpusError:
            return False
        spelled = b"".join(self.tokens[token_id] or b"" for token_id in ids) == char.encode()
        alone = self.unit == "byte" or (len(ids) == 1 and ids[0] not in self._byte_ids)
        return spelled and alone and not getattr(self.base, "prefix", "")

    @cached_property
    def _all_tokens(self) -> bytes:
        return b"\xff\xff".join([*filter(None, self.tokens), *self.aliases])

    @property
    def word_bytes(self) -> tuple[int, int]:
        """Bytes of memory that `encode_words` takes for each byte and each character of the distinct words."""
        one_by_one = self.base.byte_ids is None and self.base.unknown_id is None
        return 40, 70 * one_by_one

    def encode_words(self, words: WordTable) -> EncodedWords:
        """Tokens of many distinct words, encoded by the compiled kernels.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").model.encode_words(WordTable.of([b"low", b" lower"])).words.symbols.tolist()
        [9319, 2793]
        """
        wholes = self.merges.wholes(words)
        try:
            symbols = self.base.flat(words.text.tobytes(), words.offsets)
        except CorpusError:  # a character without a token, which may occur in words that are tokens themselves
            if wholes is None:
                raise
            return one_by_one(self.encode_word, words)
        encoded, places = word_encoder.encode_symbols(
            Words(symbols.ids, symbols.offsets), self.merges.pair_table, wholes=wholes
        )
        edges = np.append(0, np.cumsum(symbols.widths, dtype=np.int64))
        lengths = np.diff(edges[np.append(places, len(symbols.ids))]).astype(np.int32)
        if wholes is not None:  # a whole word's symbols, if any, may not cover it
            is_whole = wholes >= 0
            lengths[encoded.offsets[:-1][is_whole]] = np.diff(words.offsets)[is_whole]
        return EncodedWords(encoded, lengths)

    def tokens_over_merges(self, words: WordTable, counts: Int64s) -> Int64s:
        """int64[merges + 1]: token count of words with these counts, under no merge, under the first, and so on.

        >>> from bpe_core import load_pretrained
        >>> words = WordTable.of([b"low", b" lower"])
        >>> load_pretrained("gpt2").model.tokens_over_merges(words, np.array([2, 1])).tolist()[-1]
        3
        """
        return tokens_over_merges(self.base.flat(words.text.tobytes(), words.offsets), words, counts, self.merges)

    def with_first_merges(self, count: int) -> BpeModel:
        """The model with its first merges only; the tokens of the others keep their ids.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").model.with_first_merges(100).encode_word(" lower").ids
        [300, 322, 263]
        """
        return BpeModel(self.base, self.tokens, self.merges.first(count), unit=self.unit, aliases=self.aliases)

    def explain(self, word: str) -> list[EncodeStep]:
        """The word before any merge and after each; consecutive uses of one merge are one step."""
        whole = self.merges.whole(word.encode("utf-8", "surrogateescape"))
        try:
            symbols = self.base.symbols(word)
        except CorpusError:
            if whole is None:
                raise
            return [EncodeStep((whole,), None, None)]
        steps = [EncodeStep(tuple(symbols), None, None)]
        steps += [
            EncodeStep(tuple(applied.word), applied.pair, applied.rank)
            for applied in encode_steps(symbols, self.merges.merge_of)
        ]
        if whole is not None and steps[-1].ids != (whole,):
            steps.append(EncodeStep((whole,), None, None))
        return steps

    @cached_property
    def word_ends(self) -> frozenset[int]:
        """Tokens that end with the end-of-word mark."""
        if not self.base.mark:
            return frozenset()
        if self.base.mark_id is None:
            mark = self.base.mark.encode()
            return frozenset(i for i, token in enumerate(self.tokens) if token is not None and token.endswith(mark))
        ends = {self.base.mark_id}
        for token_id in range(self.base.mark_id + 1, len(self.tokens)):
            parts = self.merges.parts(token_id)
            if parts is not None and parts.right in ends:
                ends.add(token_id)
        return frozenset(ends)

    @cached_property
    def trie(self) -> PieceTrie:
        """All tokens by their bytes, each as a character of Latin-1; of duplicates, the one that `token_id` gives.

        >>> from bpe_core import load_pretrained
        >>> list(load_pretrained("gpt2").model.trie.matches("low", 0))
        [(1, 75), (2, 5439), (3, 9319)]
        """
        tokens = (token for token in self.tokens if token)
        return PieceTrie((token.decode("latin-1"), self.token_id(token) or 0) for token in tokens)


def tokens_over_merges(symbols: Symbols, words: WordTable, counts: Int64s, merges: Merges) -> Int64s:
    """int64[merges + 1]: token count of words with these counts, under no merge, under the first, and so on.

    `symbols`: base symbols of the words. If the table encodes words whole, a word that is a token counts as one token
    from the merge that makes it.

    >>> from bpe_core import TrainConfig, train
    >>> model = train("low low lower", TrainConfig(vocab_size=258)).tokenizer().model
    >>> words = WordTable.of([b"low", b" lower"])
    >>> symbols = model.base.flat(words.text.tobytes(), words.offsets)
    >>> tokens_over_merges(symbols, words, np.array([2, 1]), model.merges).tolist()
    [12, 9, 6]
    """
    ranks = merges.merge_ranks
    never = len(ranks) + 1
    joined = joined_at(Words(symbols.ids, symbols.offsets), merges.pair_table)
    needed = np.where(joined == NEVER, never, np.searchsorted(ranks, joined) + 1)  # merges until a symbol is joined
    whole = _whole_with(merges, words, ranks, never)
    sizes = np.diff(symbols.offsets)
    merged = needed < np.repeat(whole, sizes)
    before = np.append(0, np.cumsum(merged))
    left = sizes - (before[symbols.offsets[1:]] - before[symbols.offsets[:-1]])
    changes = np.zeros(never + 1, np.int64)
    changes[0] = (counts * sizes).sum()
    np.subtract.at(changes, needed[merged], np.repeat(counts, sizes)[merged])
    np.subtract.at(changes, whole, counts * (left - 1))
    return np.cumsum(changes[:never])


def _whole_with(merges: Merges, words: WordTable, ranks: Int64s, never: int) -> Int64s:
    """Number of merges from which each word is encoded whole: 0 for always, `never` for never."""
    ids = merges.wholes(words)
    if ids is None:
        return np.full(len(words), never, np.int64)
    distinct, places = np.unique(ids, return_inverse=True)
    made = [-1 if token_id < 0 else merges.rank_of(token_id) for token_id in distinct.tolist()]
    numbers = [never if rank == -1 else 0 if rank is None else sorted_place(ranks, rank) + 1 for rank in made]
    return np.array(numbers, np.int64)[places]
