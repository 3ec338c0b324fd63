"""Tokens of a vocabulary: special tokens, base symbols, and the tokens that merges make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Bytes, Int32s, Int64s
from bpe_core.bpe.config import UNKNOWN, TrainConfig
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.text.byte_characters import BYTE_ORDER
from bpe_core.text.utf8 import character_starts
from bpe_core.tokenizer.token_ranges import MOST_TOKEN_BYTES

_BLOCK = 1 << 16
"""Characters whose symbols are looked up at once."""


class Symbols(NamedTuple):
    """Base symbols of many words; those of word w are ids[offsets[w] : offsets[w + 1]].

    ids      int32
    offsets  int64[words + 1]
    widths   int32: number of bytes of its word that each symbol covers

    >>> base_vocabulary(TrainConfig(unit="char"), ["é"]).flat("é".encode(), np.array([0, 2])).widths.tolist()
    [2]
    """

    ids: Int32s
    offsets: Int64s
    widths: Int32s


class TrainingBase(Protocol):
    """Symbols that a training begins with: bytes or characters (BaseVocabulary), or tokens (growth.GrownVocabulary).

    >>> base: TrainingBase = base_vocabulary(TrainConfig(), [])
    >>> len(base), base.mark_id
    (256, None)
    """

    def __len__(self) -> int:
        """Number of ids."""

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """Bytes of every id, from 0."""

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """Ids of the special tokens, by their text."""

    @property
    def mark_id(self) -> int | None:
        """Id of the end-of-word mark; None without one."""

    @property
    def without_bytes(self) -> frozenset[int]:
        """Ids that no merge joins."""

    def flat(self, words: bytes, offsets: Int64s) -> Symbols:
        """Symbols of many words, and the number of bytes that each covers."""


@dataclass(frozen=True)
class BaseVocabulary:
    """Ids of special tokens and base symbols, and the conversion of words to symbols.

    tokens          bytes of every id, from 0
    special_tokens  ids of the special tokens, by their text
    byte_ids        id of each byte value; None if bytes are not symbols
    char_ids        id of each character; empty for byte vocabularies
    unknown_id      id of <unk>; None if every character can be spelled
    mark, mark_id   end-of-word mark and its id; "" and None without one

    >>> from bpe_core import TrainConfig
    >>> base = base_vocabulary(TrainConfig(unit="char", end_of_word="</w>"), ["ab"])
    >>> base.tokens, base.unknown_id, base.mark_id
    ((b'<unk>', b'a', b'b', b'</w>'), 0, 3)
    """

    tokens: tuple[bytes, ...]
    special_tokens: Mapping[str, int]
    byte_ids: tuple[int, ...] | None
    char_ids: Mapping[str, int] = field(default_factory=dict)
    unknown_id: int | None = None
    mark: str = ""
    mark_id: int | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def names(self) -> Mapping[int, str]:
        """Always empty: a training's tokens are spelled by their bytes.

        >>> base_vocabulary(TrainConfig(), []).names
        {}
        """
        return {}

    @property
    def without_bytes(self) -> frozenset[int]:
        """Ids that no merge joins: those of the special tokens.

        >>> base_vocabulary(TrainConfig(special_tokens=("<s>",)), []).without_bytes
        frozenset({0})
        """
        return frozenset(self.special_tokens.values())

    @property
    def symbol_ids(self) -> frozenset[int]:
        """Ids of all symbols.

        >>> sorted(base_vocabulary(TrainConfig(unit="char", end_of_word="</w>"), ["ab"]).symbol_ids)
        [0, 1, 2, 3]
        """
        others = (each for each in (self.unknown_id, self.mark_id) if each is not None)
        return frozenset((*(self.byte_ids or ()), *self.char_ids.values(), *others))

    def symbols(self, word: str) -> list[int]:
        """The base symbols of a word: bytes, or characters and the end-of-word mark.

        >>> base_vocabulary(TrainConfig(), []).symbols("é")
        [195, 169]
        >>> base_vocabulary(TrainConfig(unit="char", end_of_word="</w>"), ["ab"]).symbols("bax")
        [2, 1, 0, 3]
        """
        if not self.char_ids and self.byte_ids is not None and self.mark_id is None:
            return [self.byte_ids[byte] for byte in word.encode("utf-8", "surrogateescape")]
        symbols = [symbol for char in word for symbol in self._char_symbols(char)]
        return symbols if self.mark_id is None else [*symbols, self.mark_id]

    def flat(self, words: bytes, offsets: Int64s) -> Symbols:
        """Base symbols of many words at once: word w is the UTF-8 words[offsets[w]:offsets[w + 1]].

        >>> base = base_vocabulary(TrainConfig(unit="char", end_of_word="</w>"), ["ab"])
        >>> ids, edges, widths = base.flat(b"baxa", np.array([0, 3, 4]))
        >>> ids.tolist(), edges.tolist(), widths.tolist()
        ([2, 1, 0, 3, 1, 3], [0, 4, 6], [1, 1, 1, 0, 1, 0])
        """
        if self.char_ids or self.byte_ids is None:
            ids, edges, widths = self._flat_chars(words, offsets)
        else:
            ids, edges = self._ids_of_bytes(np.frombuffer(words, np.uint8)), offsets
            widths = np.ones(len(ids), np.int32)
        if self.mark_id is not None:
            ids = np.insert(ids, edges[1:], self.mark_id)
            widths = np.insert(widths, edges[1:], 0)
            edges = edges + np.arange(len(edges))
        return Symbols(ids, edges, widths)

    def _ids_of_bytes(self, data: Bytes) -> Int32s:
        ids = np.array(self.byte_ids, np.int32)
        if (np.diff(ids) == 1).all():  # in the order of their values, the default
            found: Int32s = data.astype(np.int32) + ids[0]
        else:
            found = ids[data]
        return found

    def _flat_chars(self, words: bytes, offsets: Int64s) -> Symbols:
        text = words.decode()
        points = np.frombuffer(text.encode("utf-32-le"), "<u4")
        chars, numbers = self._chars
        ids, known = np.empty(len(points), np.int32), np.empty(len(points), np.bool_)
        for begin in range(0, len(points), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            at = np.minimum(np.searchsorted(chars, points[block]), len(chars) - 1)
            ids[block], known[block] = numbers[at], chars[at] == points[block]
        starts = character_starts(words)
        edges, widths = np.searchsorted(starts, offsets), np.diff(starts)
        if not known.all():
            if self.byte_ids is not None:
                sizes = np.where(known, 1, widths)  # symbols of each character
                is_byte = np.repeat(~known, sizes)
                ids = np.repeat(ids, sizes)
                ids[is_byte] = np.array(self.byte_ids, np.int32)[
                    np.frombuffer(words, np.uint8)[np.repeat(~known, widths)]
                ]
                widths = np.where(is_byte, np.int32(1), np.repeat(widths, sizes))
                edges = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))[edges]
            elif self.unknown_id is not None:
                ids = np.where(known, ids, np.int32(self.unknown_id))
        return Symbols(ids, edges, widths)

    @cached_property
    def _chars(self) -> tuple[npt.NDArray[np.uint32], Int32s]:
        """The characters, ascending, and their ids."""
        order = sorted(self.char_ids.items())
        chars = np.array([ord(char) for char, _ in order] or [0x110000], np.uint32)
        return chars, np.array([number for _, number in order] or [-1], np.int32)

    def _char_symbols(self, char: str) -> Iterable[int]:
        known = self.char_ids.get(char)
        if known is not None:
            return (known,)
        if self.byte_ids is not None:
            return (self.byte_ids[byte] for byte in char.encode())
        return () if self.unknown_id is None else (self.unknown_id,)


def base_vocabulary(config: TrainConfig, words: Iterable[str]) -> BaseVocabulary:
    """Base vocabulary of a training: all 256 bytes, or the characters of `words` in code-point order.

    Character vocabularies get `<unk>` after the special tokens (unless it is one of them), or all 256 bytes with byte
    fallback, and the end-of-word mark after the characters. Raises ConfigError if the result exceeds vocab_size.

    >>> base = base_vocabulary(TrainConfig(unit="char", special_tokens=("<s>",)), ["hug"])
    >>> base.tokens
    (b'<s>', b'<unk>', b'g', b'h', b'u')
    """
    special = list(config.special_tokens)
    if config.unit == "byte":
        return _numbered(special, _byte_order(config), [], "", None)
    unknown = None if config.byte_fallback else UNKNOWN
    if unknown is not None and unknown not in special:
        special.append(unknown)
    chars = sorted(set().union(*words))
    order = _byte_order(config) if config.byte_fallback else ()
    base = _numbered(special, order, chars, config.end_of_word, unknown)
    if len(base.tokens) > config.vocab_size:
        raise ConfigError(
            message(
                "vocab_size is {vocab_size:,}, and this text alone needs {needed:,} ids: {characters:,} "
                "different characters and {others:,} other base symbols.",
                vocab_size=config.vocab_size,
                needed=len(base.tokens),
                characters=len(chars),
                others=len(base.tokens) - len(chars),
            ),
            limit=message("The least for this text is {least:,}.", least=len(base.tokens)),
            remedy=message("Ask for at least {least:,}, or train on bytes.", least=len(base.tokens)),
            least=len(base.tokens),
        )
    return base


def sizes_of(base: TrainingBase) -> Int64s:
    """int64: bytes of text that each symbol covers; 0 for an end-of-word mark.

    >>> sizes_of(base_vocabulary(TrainConfig(unit="char", end_of_word="</w>"), ["aé"])).tolist()
    [5, 1, 2, 0]
    """
    return np.array([len(token) * (at != base.mark_id) for at, token in enumerate(base.tokens)], np.int64)


def all_tokens(
    base: TrainingBase, merges: Iterable[tuple[int, int]], most: int = MOST_TOKEN_BYTES
) -> list[bytes] | None:
    """Bytes of every id: first the base, then the concatenated parts of each merge.

    Returns None if these take more than `most` bytes together; use `ranges_of_tokens` then.

    >>> base = base_vocabulary(TrainConfig(), [])
    >>> all_tokens(base, [(104, 117), (256, 103)])[256:]
    [b'hu', b'hug']
    >>> all_tokens(base, [(104, 117), (256, 103)], most=260)
    """
    tokens = list(base.tokens)
    total = sum(map(len, tokens))
    for left, right in merges:
        token = tokens[left] + tokens[right]
        total += len(token)
        if total > most:
            return None
        tokens.append(token)
    return tokens


def _byte_order(config: TrainConfig) -> Iterable[int]:
    return BYTE_ORDER if config.base_order == "gpt2" else range(256)


def _numbered(
    special: list[str], byte_order: Iterable[int], chars: list[str], mark: str, unknown: str | None
) -> BaseVocabulary:
    """Assign ids in order: special tokens, bytes, characters, the end-of-word mark."""
    byte_values = list(byte_order)
    tokens = [token.encode() for token in special]
    first_byte = len(tokens)
    tokens += [bytes([value]) for value in byte_values]
    first_char = len(tokens)
    tokens += [char.encode() for char in chars]
    mark_id = len(tokens) if mark else None
    tokens += [mark.encode()] if mark else []
    by_value = {value: first_byte + index for index, value in enumerate(byte_values)}
    return BaseVocabulary(
        tokens=tuple(tokens),
        special_tokens={token: index for index, token in enumerate(special)},
        byte_ids=tuple(by_value[value] for value in range(256)) if by_value else None,
        char_ids={char: first_char + index for index, char in enumerate(chars)},
        unknown_id=special.index(unknown) if unknown is not None else None,
        mark=mark,
        mark_id=mark_id,
    )
