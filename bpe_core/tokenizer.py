"""Tokenizer: text to ids and back, and how each word and each token comes about."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core import compiled, encoder, reference
from bpe_core.config import Normalization, TrainConfig
from bpe_core.encoder import TextTokens
from bpe_core.encoding import Encoding, Offsets, character_ranges
from bpe_core.errors import ConfigError, CorpusError, TokenIdError, VocabularyError, quoted
from bpe_core.merges import Merges
from bpe_core.normalize import Normalized, changes_text, join, normalize, replace_surrogates, utf8_lengths
from bpe_core.split import compile_split, spans
from bpe_core.text_encoder import Segment, TextEncoder
from bpe_core.vocabulary import BaseVocabulary
from bpe_core.word_encoding import encode_word

Special = Literal["text", "parse", "raise"]
SPECIAL_MODES = ("text", "parse", "raise")
HIGHEST_ID = 9_999_999

_SMALL = 20_000
"""Characters that are encoded in well under a second without the compiled kernels."""


class EncodeStep(NamedTuple):
    """A word while it is encoded: its ids, the pair that was merged to get here (None at the start), its rank."""

    ids: tuple[int, ...]
    merged: tuple[int, int] | None
    rank: int | None


class PossibleMerge(NamedTuple):
    """Two neighbours of a word that could be merged: where the left one stands, the rank, the id they become."""

    at: int
    rank: int
    token_id: int


@dataclass(frozen=True)
class TokenNode:
    """A token and the two it was merged from; `left`, `right` and `rank` are None for a base symbol."""

    id: int
    left: TokenNode | None = None
    right: TokenNode | None = None
    rank: int | None = None


class Tokenizer:
    """A vocabulary, its merges, and the normalization and split that stand before them. Never changes.

    Made by `Training.tokenizer()` and `load_pretrained`.

    >>> from bpe_core import TrainConfig, train
    >>> tokenizer = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer()
    >>> tokenizer.encode("aaabdaaabac").ids.tolist()
    [258, 100, 258, 97, 99]
    >>> tokenizer.decode([258, 100])
    'aaabd'
    """

    _compiles = True
    """Whether words are merged, which the compiled kernels do faster."""

    def __init__(
        self,
        name: str,
        *,
        config: TrainConfig,
        base: BaseVocabulary,
        tokens: Sequence[bytes | None],
        merges: Merges,
        special_tokens: Mapping[str, int],
    ) -> None:
        """`tokens`: the bytes of every id that is not special (None where an id is unused or special)."""
        self.name = name
        self.config = config
        self._base = base
        self._tokens = tokens
        self._merges = merges
        self._special = dict(special_tokens)
        self._special_names = {token_id: token for token, token_id in self._special.items()}
        self._pattern = compile_split(config.split)

    def __repr__(self) -> str:
        return f"<Tokenizer {self.name!r}, {self.vocab_size:,} ids>"

    # -- vocabulary ---------------------------------------------------------------------------------------------

    @property
    def vocab_size(self) -> int:
        """One more than the highest id."""
        return max(len(self._tokens), max(self._special_names, default=-1) + 1)

    @property
    def special_tokens(self) -> dict[str, int]:
        """Special tokens and their ids."""
        return dict(self._special)

    @property
    def base(self) -> BaseVocabulary:
        """What words are made of before any merge."""
        return self._base

    @property
    def merges(self) -> Merges:
        """The merge table."""
        return self._merges

    @property
    def ids(self) -> list[int]:
        """Every id that the vocabulary holds, special tokens included, ascending."""
        return sorted({i for i, token in enumerate(self._tokens) if token is not None} | self._special_names.keys())

    def token_bytes(self, token_id: int) -> bytes:
        """The bytes of a token; a special token's own text, an end-of-word mark as it is written.

        Raises TokenIdError for an id that the vocabulary does not hold.
        """
        checked = self._checked_id(token_id)
        special = self._special_names.get(checked)
        token = special.encode() if special is not None else self._tokens[checked]
        assert token is not None  # _checked_id has seen it
        return token

    def token_id(self, token: bytes) -> int | None:
        """The id of a token by its bytes, or None. Of several ids with the same bytes, the lowest that is no
        fallback byte.
        """
        return self._ids.get(bytes(token))

    @property
    def unknown_id(self) -> int | None:
        """The id of <unk>, or None where nothing is unknown."""
        return self._base.unknown_id

    def rank(self, token_id: int) -> int | None:
        """The rank of the merge that makes a token (0 is the first); None for a base symbol and a special token.

        Raises TokenIdError for an id that the vocabulary does not hold.
        """
        checked = self._checked_id(token_id)
        return None if checked in self._special_names else self._merges.rank_of(checked)

    def merge_of(self, left: int, right: int) -> tuple[int, int] | None:
        """What a pair of tokens merges into: (rank, new id), or None. The lower rank goes first."""
        return self._merges.merge_of(left, right)

    def with_special_tokens(self, special_tokens: Mapping[str, int]) -> Tokenizer:
        """The same tokenizer with these special tokens as well.

        Raises VocabularyError for an empty name, for an id that is negative or taken by another token, and for another
        id of a special token that is there already.
        """
        for token, token_id in special_tokens.items():
            self._check_new_special(token, token_id)
        merged = {**self._special, **special_tokens}
        if len(set(merged.values())) < len(merged):
            raise VocabularyError(
                f"Two of the special tokens {quoted(sorted(merged))} have the same id.",
                limit="Every special token has an id of its own.",
                remedy="Give each another id.",
            )
        return self._with_special(merged)

    def with_stages(
        self,
        *,
        normalization: Normalization | None = None,
        lowercase: bool | None = None,
        strip_accents: bool | None = None,
        split: str | None = None,
    ) -> Tokenizer:
        """The same vocabulary behind another normalization or split; None leaves a stage as it is.

        Its merges were learned behind the old ones: the tokens are right, but seldom good.

        Raises ConfigError for what TrainConfig does not take.

        >>> from bpe_core import load_pretrained
        >>> shouting = load_pretrained("gpt2").with_stages(lowercase=True)
        >>> shouting.decode(shouting.encode("HELLO").ids)
        'hello'
        """
        asked = {
            "normalization": normalization,
            "lowercase": lowercase,
            "strip_accents": strip_accents,
            "split": split,
        }
        config = replace(self.config, **{name: value for name, value in asked.items() if value is not None})  # type: ignore[arg-type]
        if config == self.config:
            return self
        changed = copy.copy(self)
        changed.__dict__.pop("_text_encoder", None)
        changed.config = config
        changed._pattern = compile_split(config.split)
        return changed

    # -- text to ids --------------------------------------------------------------------------------------------

    def encode(self, text: str, *, special: Special = "text") -> Encoding:
        """The tokens of `text`.

        `special`: what the names of special tokens in the text are: plain "text", tokens to "parse", or a reason to
        "raise" CorpusError. They are looked for before normalization. Lone surrogates become U+FFFD.
        """
        segments, surrogates = self._prepared(text, special)
        return self._encode_segments(segments, surrogates)

    def encode_parts(self, parts: Iterable[tuple[str, int | None]]) -> Encoding:
        """The tokens of a text that comes in parts: (plain text, None), or (a special token's name, its id).

        Names of special tokens in plain text stay plain. Raises TokenIdError for an id that is no special token's.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").encode_parts([("<|endoftext|>", 50256), ("Hello", None)]).ids.tolist()
        [50256, 15496]
        """
        segments: list[tuple[str, int | None]] = []
        surrogates = 0
        for text, special_id in parts:
            require_text(text)
            if special_id is not None and self._special_names.get(self._checked_id(special_id)) != text:
                raise TokenIdError(
                    f"{quoted(text)} is to be the special token {special_id:,}.",
                    limit=f"That id belongs to {quoted(self.token_bytes(special_id).decode(errors='replace'))}.",
                    remedy="Give the special token its own id.",
                )
            repaired, replaced = replace_surrogates(text)
            surrogates += replaced
            segments.append((repaired, special_id))
        return self._encode_segments([*segments, ("", None)], surrogates)

    def trace(self, word: str) -> list[EncodeStep]:
        """How one word is encoded: its base symbols, then the word after every merge, until none applies.

        The word is normalized but not split. A merge that stands several times in a row of steps is one step. For
        the few tokens of tiktoken's files that no merges lead to, the last step takes the word whole (rank None).
        """
        require_text(word)
        text = normalize(word, self.config).text
        symbols = self._base.symbols(text)
        steps = [EncodeStep(tuple(symbols), None, None)]
        for applied in reference.encode(symbols, self._merges.merge_of):
            step = EncodeStep(tuple(applied.word), applied.pair, applied.rank)
            if steps[-1].merged == step.merged:
                steps[-1] = step
            else:
                steps.append(step)
        whole = self._merges.whole(text.encode())
        if whole is not None and steps[-1].ids != (whole,):
            steps.append(EncodeStep((whole,), None, None))
        return steps

    def possible_merges(self, ids: Sequence[int]) -> list[PossibleMerge]:
        """The merges that the neighbours in a word could take now, from left to right. The lowest rank goes first.

        >>> from bpe_core import TrainConfig, train
        >>> tokenizer = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer()
        >>> tokenizer.possible_merges([256, 97, 98, 256])
        [PossibleMerge(at=0, rank=1, token_id=257)]
        """
        found = [self._merges.merge_of(left, right) for left, right in pairwise(ids)]
        return [PossibleMerge(at, *known) for at, known in enumerate(found) if known is not None]

    def tree(self, token_id: int) -> TokenNode:
        """How a token was built, down to the base symbols. Raises TokenIdError for an unknown id."""
        nodes: dict[int, TokenNode] = {}
        pending = [self._checked_id(token_id)]
        while pending:  # no recursion: a chain of merges may be as long as the vocabulary
            current = pending[-1]
            parts = None if current in self._special_names else self._merges.parts(current)
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

    # -- ids to text --------------------------------------------------------------------------------------------

    def decode(self, ids: Iterable[int], *, skip_special: bool = False, errors: str = "replace") -> str:
        """The text of ids. `errors` is that of bytes.decode: bytes that are no UTF-8 are replaced, or raise.

        An end-of-word mark becomes a space, none at the very end. Raises TokenIdError for an unknown id.
        """
        return self._decode(ids, skip_special).decode("utf-8", errors)

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of ids, joined. Raises TokenIdError for an unknown id."""
        return self._decode(ids, skip_special=False)

    # -- helpers ------------------------------------------------------------------------------------------------

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        ids = {token.encode(): token_id for token, token_id in self._special.items()}
        ids |= {token: i for i, token in reversed(list(enumerate(self._tokens))) if token is not None}
        ids |= {char.encode(): char_id for char, char_id in self._base.char_ids.items()}
        return ids

    @cached_property
    def _special_pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._special, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)))

    @cached_property
    def _text_lengths(self) -> npt.NDArray[np.int32]:
        """Bytes of text that each id stands for: without the end-of-word mark, nothing for <unk> and special tokens."""
        lengths = np.fromiter((len(token or b"") for token in self._tokens), np.int32, len(self._tokens))
        lengths[list(self._word_ends)] -= len(self._base.mark.encode())
        return lengths

    @cached_property
    def _text_encoder(self) -> TextEncoder:
        return TextEncoder(self.config.split, self._base, self._merges, self._text_lengths)

    @cached_property
    def _word_ends(self) -> frozenset[int]:
        """Ids that hold the end-of-word mark."""
        if self._base.mark_id is None:
            return frozenset()
        ends = {self._base.mark_id}
        for token_id in range(self._base.mark_id + 1, len(self._tokens)):
            parts = self._merges.parts(token_id)
            if parts is not None and parts.right in ends:
                ends.add(token_id)
        return frozenset(ends)

    def _ends_word(self, token_id: int) -> bool:
        return token_id in self._word_ends

    def _with_special(self, special_tokens: Mapping[str, int]) -> Tokenizer:
        """The same tokenizer with these special tokens and no others."""
        return Tokenizer(
            self.name,
            config=self.config,
            base=self._base,
            tokens=self._tokens,
            merges=self._merges,
            special_tokens=special_tokens,
        )

    def _prepared(self, text: str, special: Special) -> tuple[list[tuple[str, int | None]], int]:
        """The text without lone surrogates, cut at its special tokens (see _segments), and how many were replaced."""
        require_text(text)
        if special not in SPECIAL_MODES:
            raise ConfigError(
                f"special is {quoted(special)}.",
                limit=f"It takes {', '.join(map(repr, SPECIAL_MODES))}.",
                remedy="Choose one.",
            )
        repaired, surrogates = replace_surrogates(text)
        return self._segments(repaired, special), surrogates

    def _segments(self, text: str, special: Special) -> list[tuple[str, int | None]]:
        """The text cut at its special tokens: (text, None) or (the special token, its id)."""
        if special == "text" or not self._special:
            return [(text, None)]
        if special == "raise":
            found = self._special_pattern.search(text)
            if found:
                raise CorpusError(
                    f"The text holds the special token {quoted(found.group())} at character {found.start():,}.",
                    limit='With special="raise" none is allowed.',
                    remedy='Use special="text" to encode it as plain text, or special="parse" as the token.',
                )
            return [(text, None)]
        segments: list[tuple[str, int | None]] = []
        position = 0
        for found in self._special_pattern.finditer(text):
            segments += [
                (text[position : found.start()], None),
                (found.group(), self._special[found.group()]),
            ]
            position = found.end()
        return [*segments, (text[position:], None)]

    def _encode_segments(self, segments: Sequence[tuple[str, int | None]], surrogates: int) -> Encoding:
        """The tokens of a text that was cut at its special tokens; `surrogates`: how many were replaced in it."""
        normalizes = changes_text(self.config)
        parts = [
            normalize(segment, self.config) if special_id is None and normalizes else Normalized(segment, segment)
            for segment, special_id in segments
        ]
        normalized = replace(join(parts), surrogates=surrogates) if surrogates else join(parts)
        pieces = [(part, special_id) for part, (_, special_id) in zip(parts, segments, strict=True)]
        if self._compiles and (compiled.is_ready() or len(normalized.original) > _SMALL):
            tokens = self._text_encoder.encode(pieces)
            chars: tuple[Offsets, Offsets] = encoder.character_ranges(normalized.utf8, tokens.starts, tokens.ends)
        else:
            tokens = self._encode_plainly(pieces)
            chars = character_ranges(normalized.text, tokens.starts, tokens.ends)
        taken = tokens.word_ids < 0
        return Encoding(
            ids=tokens.ids,
            starts=tokens.starts,
            ends=tokens.ends,
            char_starts=chars[0],
            char_ends=chars[1],
            word_ids=tokens.word_ids,
            special=taken if self.unknown_id is None else taken | (tokens.ids == self.unknown_id),
            normalized=normalized,
            token_bytes=self.token_bytes,
        )

    def _encode_word(self, word: str) -> Sequence[int]:
        whole = self._merges.whole(word.encode())
        if whole is not None:
            return (whole,)
        return encode_word(self._base.symbols(word), self._merges.merge_of)

    def _lengths(self, word: str, ids: Sequence[int]) -> Sequence[int]:
        """Bytes of the word that each of its tokens covers; <unk> covers the character that it stands for."""
        lengths: list[int] = self._text_lengths[list(ids)].tolist()
        unknown = self._base.unknown_id
        if unknown in ids:
            data, position = word.encode(), 0
            for index, token_id in enumerate(ids):
                if token_id == unknown:
                    lengths[index] = len(data[position : position + 4].decode(errors="ignore")[0].encode())
                position += lengths[index]
        return lengths

    def _encode_plainly(self, pieces: Iterable[Segment]) -> TextTokens:
        """What TextEncoder.encode gives, without the compiled kernels: for small texts until those are ready."""
        rows: list[tuple[int, int, int, int]] = []  # id, start, end, word
        known: dict[str, list[tuple[int, int]]] = {}  # id and bytes of text of each token of a word
        position, words = 0, 0
        for piece, special_id in pieces:
            text = piece.text
            if special_id is not None:
                end = position + len(piece.utf8)
                rows.append((special_id, position, end, -1))
                position = end
                continue
            byte_at = [position, *(position + np.cumsum(utf8_lengths(text))).tolist()]
            for first, last in spans(self._pattern, text):
                word = text[first:last]
                if word not in known:
                    ids = self._encode_word(word)
                    known[word] = list(zip(ids, self._lengths(word, ids), strict=True))
                start = byte_at[first]
                for token_id, length in known[word]:
                    rows.append((token_id, start, start + length, words))
                    start += length
                words += 1
            position = byte_at[-1]
        return TextTokens(*np.array(rows, np.int32).reshape(-1, 4).T.copy())

    def _decode(self, ids: Iterable[int], skip_special: bool) -> bytes:
        if not isinstance(ids, Iterable):
            raise TokenIdError(
                f"{quoted(ids)} are no token ids.",
                limit="Ids come as an iterable of whole numbers.",
                remedy=f"Write [{quoted(ids)}] for one.",
            )
        mark = len(self._base.mark.encode())
        parts: list[bytes] = []
        ends_word = False
        for token_id in ids:
            token = self.token_bytes(token_id)
            if skip_special and int(token_id) in self._special_names:
                continue
            ends_word = self._ends_word(int(token_id))
            parts.append(token[: len(token) - mark] + b" " if ends_word else token)
        text = b"".join(parts)
        return text[:-1] if ends_word else text

    def _checked_id(self, token_id: object) -> int:
        if isinstance(token_id, int | np.integer) and not isinstance(token_id, bool):
            number = int(token_id)
            if number in self._special_names or (0 <= number < len(self._tokens) and self._tokens[number] is not None):
                return number
        held = len(self._special) + sum(token is not None for token in self._tokens)
        raise TokenIdError(
            f"{quoted(token_id)} is no token id of {self.name}.",
            limit=f"Its ids are whole numbers from 0 to {self.vocab_size - 1:,}"
            + (", with gaps." if held < self.vocab_size else "."),
            remedy="Remove it, or decode with the tokenizer that made it.",
        )

    def _check_new_special(self, token: object, token_id: object) -> None:
        valid_id = isinstance(token_id, int) and not isinstance(token_id, bool) and 0 <= token_id <= HIGHEST_ID
        valid_name = isinstance(token, str) and bool(token) and not replace_surrogates(token)[1]
        if not valid_name or not valid_id:
            raise VocabularyError(
                f"The special token {quoted(token)} has the id {quoted(token_id)}.",
                limit="A special token is text that is not empty and holds no lone surrogate, its id a whole number "
                f"from 0 to {HIGHEST_ID:,}.",
                remedy="Correct it.",
            )
        number = int(token_id)  # type: ignore[call-overload]
        if self._special.get(str(token), number) != number:
            raise VocabularyError(
                f"The special token {quoted(token)} is to get the id {number:,}.",
                limit=f"It has the id {self._special[str(token)]:,} already, and keeps it.",
                remedy="Leave it out, or give the new one another name.",
            )
        taken = number < len(self._tokens) and self._tokens[number] is not None
        if taken or self._special_names.get(number, token) != token:
            raise VocabularyError(
                f"The id {number:,} for the special token {quoted(token)} belongs to another token.",
                limit=f"Ids from {self.vocab_size:,} on are free.",
                remedy="Choose a free one.",
            )


def require_text(text: object) -> None:
    """CorpusError unless `text` is a str.

    >>> require_text("text")
    """
    if not isinstance(text, str):
        raise CorpusError(
            f"The text is {quoted(text)} of type {type(text).__name__}.",
            limit="Only str is encoded.",
            remedy='Decode bytes first, for example with .decode("utf-8").',
        )
