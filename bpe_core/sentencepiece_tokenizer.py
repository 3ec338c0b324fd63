"""SentencePieceTokenizer: a SentencePiece model at work, run by its own library, with offsets into the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import sentencepiece

from bpe_core.config import Normalization, TrainConfig
from bpe_core.encoding import Encoding, character_ranges
from bpe_core.errors import ConfigError, FormatError
from bpe_core.normalize import Normalized, join
from bpe_core.piece_tokenizer import WORD_MARK, PieceTokenizer
from bpe_core.tokenizer import Tokenizer
from bpe_core.unigram_tokenizer import MARKED_SPLIT

Offsets = npt.NDArray[np.int64]


class SentencePieceTokenizer(PieceTokenizer):
    """A SentencePiece model. Never changes.

    The library normalizes by the model's own rule (NFKC for most, white space to single spaces), splits and cuts, and
    puts one ▁ more in front of the text. The offsets of an encoding refer to the text as the library normalized it,
    with spaces where it writes ▁ and without the one in front; `normalized` leads back to the original. A run of
    unknown characters is one <unk>, or its bytes where the model falls back to bytes.

    `model`: the serialized model, as a .model file holds it. Raises FormatError for bytes that are none.

    >>> from bpe_core import train_sentencepiece
    >>> encoding = train_sentencepiece("hug hug hugs pug", 16).tokenizer().encode("hug  ｐug")
    >>> encoding.text
    'hug pug'
    >>> [(token.bytes.decode(), token.char_start, token.char_end) for token in encoding]
    [('▁hug', 0, 3), ('▁', 3, 4), ('p', 4, 5), ('ug', 5, 7)]
    """

    def __init__(self, model: bytes, *, name: str = "SentencePiece") -> None:
        processor = sentencepiece.SentencePieceProcessor()
        try:
            processor.LoadFromSerializedProto(model)
        except RuntimeError as error:
            raise FormatError(
                f"These {len(model):,} bytes are no SentencePiece model: {error}.",
                limit="A model is what SentencePiece writes as a .model file.",
                remedy="Choose such a file.",
            ) from None
        ids = range(processor.GetPieceSize())
        pieces: list[str] = [processor.IdToPiece(i) for i in ids]
        super().__init__(
            name,
            config=TrainConfig(unit="char", split=MARKED_SPLIT, normalization="NFKC"),
            pieces=pieces,
            special_tokens={pieces[i]: i for i in ids if processor.IsControl(i) or processor.IsUnknown(i)},
            unknown_id=processor.unk_id(),
            byte_values={i: int(pieces[i][1:-1], 16) for i in ids if processor.IsByte(i)},
        )
        self.model = model
        self._processor = processor

    @cached_property
    def scores(self) -> dict[str, float]:
        """The score of every piece: log probabilities (Unigram), or minus the rank (BPE)."""
        return {piece: float(self._processor.GetScore(i)) for i, piece in enumerate(self.pieces)}

    @cached_property
    def merges_pieces(self) -> bool:
        """Whether it is a BPE model: its scores are whole numbers, the ranks."""
        return all(score.is_integer() for score in self.scores.values())

    def with_stages(
        self,
        *,
        normalization: Normalization | None = None,
        lowercase: bool | None = None,
        strip_accents: bool | None = None,
        split: str | None = None,
    ) -> Tokenizer:
        """Itself: the library normalizes and splits in one with the model. Raises ConfigError for any other stage."""
        if any(asked is not None for asked in (normalization, lowercase, strip_accents, split)):
            raise ConfigError(
                f"{self.name} is to stand behind another normalization or split.",
                limit="A SentencePiece model has both in it.",
                remedy="Choose another tokenizer for that.",
            )
        return self

    def _encode_segments(self, segments: Sequence[tuple[str, int | None]], surrogates: int) -> Encoding:
        """The tokens of a text that was cut at its special tokens. ▁ covers the space that it stands for."""
        parts: list[Normalized] = []
        rows: list[tuple[int, int, int, int]] = []  # id, start, end, word
        position = words = 0
        for segment, special_id in segments:
            if special_id is None:
                part, found = self._read(segment)
                rows += [(i, position + start, position + end, words + word) for i, start, end, word in found]
                words += found[-1][3] + 1 if found else 0
            else:
                part = Normalized(segment, segment)
                rows.append((special_id, position, position + len(segment.encode()), -1))
            parts.append(part)
            position += len(part.text.encode())
        whole = join(parts)
        ids, starts, ends, word_ids = np.array(rows, np.int64).reshape(-1, 4).T.copy()
        char_starts, char_ends = character_ranges(whole.text, starts, ends)
        return Encoding(
            ids=ids.astype(np.int32),
            starts=starts,
            ends=ends,
            char_starts=char_starts,
            char_ends=char_ends,
            word_ids=word_ids,
            special=(word_ids < 0) | (ids == self.unknown_id),
            normalized=Normalized(whole.text, whole.original, surrogates, whole.spans),
            token_bytes=self.token_bytes,
        )

    def _encode_word(self, word: str) -> list[int]:
        ids: list[int] = self._processor.Encode(word, return_type=int)
        return ids

    def _read(self, text: str) -> tuple[Normalized, list[tuple[int, int, int, int]]]:
        """A text without special tokens, normalized, and its tokens: (id, first byte, end byte, word)."""
        written, origins = self._processor.Normalize(text, with_offsets=True)
        # Bytes of the normalized text in front of every byte of what the library wrote: ▁ is one space, or nothing.
        is_mark = np.array([char == WORD_MARK for char in written], np.bool_)
        added = bool(written) and bool(is_mark[0]) and origins[0] == origins[1]
        lengths = np.array([len(char.encode()) for char in written], np.int64)
        sizes = np.where(is_mark, 1, lengths)
        sizes[:1] -= added
        kept = np.cumsum(sizes) - sizes
        inside = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        before = np.append(np.repeat(kept, lengths) + np.where(np.repeat(is_mark, lengths), 0, inside), sizes.sum())

        ids: list[int] = self._processor.Encode(text, return_type=int)
        pieces: list[str] = self._processor.Encode(text, return_type=str)  # <unk> as the text that it stands for
        found: list[tuple[int, int, int, int]] = []
        at, word = 0, -1
        for token_id, piece in zip(ids, pieces, strict=True):
            length = 1 if self._processor.IsByte(token_id) else len(piece.encode())
            end = min(at + length, len(before) - 1)
            word = max(word + piece.startswith(WORD_MARK), 0)
            found.append((token_id, int(before[at]), int(before[end]), word))
            at = end
        return _normalized(text, written[added:].replace(WORD_MARK, " "), np.array(origins[added:], np.int64)), found

    def _decode(self, ids: Iterable[int], skip_special: bool) -> bytes:
        """▁ as a space, none in front of the text; bytes as they are."""
        parts: list[bytes] = []
        for token_id in ids:
            token = self.token_bytes(token_id)
            if token_id not in self._special_names:
                parts.append(token.replace(WORD_MARK.encode(), b" "))
            elif not skip_special:
                parts.append(token)
        return b"".join(parts).removeprefix(b" ")


def _normalized(original: str, text: str, origins: Offsets) -> Normalized:
    """`origins`: the character of the original where each character of the normalized text begins, and the end."""
    if text == original:
        return Normalized(text, original)
    # Characters that came from one share its range; it ends where the next one begins.
    ends = origins[np.minimum(np.searchsorted(origins, origins[:-1], side="right"), len(origins) - 1)]
    return Normalized(text, original, 0, np.stack((origins[:-1], ends), axis=1))
