"""The SentencePiece library as two stages of a tokenizer, normalizer and model, with offsets into the text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import methodcaller
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.sentencepiece.decoder import SentencePieceDecoder
from bpe_core.sentencepiece.lattice import TextLattice
from bpe_core.sentencepiece.loading import library_of_normalized
from bpe_core.sentencepiece.merging import PieceMerge, merge_pieces
from bpe_core.sentencepiece.rule import LibraryRule
from bpe_core.text.normalizers import Chain
from bpe_core.text.splits import MARKED_SPLIT, WORD_MARK, Split
from bpe_core.text.utf8 import character_starts
from bpe_core.tokenizer.model import EncodedWords, Kind, Model, Rule, View, WordTokens
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.unigram.lattice import LatticeEdge
from bpe_core.unigram.marking import marks_as_spaces, spaces_as_marks


class SentencePieceModel(Model):
    """The model stage of a SentencePiece model: its pieces, and segmentation by its library. Immutable.

    A run of unknown characters becomes one <unk>, or byte tokens if the model has byte fallback. `data`: the content of
    a .model file. Raises FormatError for invalid bytes.

    >>> from bpe_core import train_sentencepiece
    >>> model = SentencePieceModel(train_sentencepiece("hug hug hugs pug", 16, model_type="bpe").model)
    >>> model.rule, [step.pieces for step in model.explain("pug")][-1]
    ('scored merges', ('▁pug',))
    >>> model.encode_word("a hug"), model.encode_word("hug")
    (WordTokens(ids=[12, 0, 5], lengths=[0, 1, 4]), WordTokens(ids=[5], lengths=[3]))
    >>> [step.at for step in model.merge_steps("▁hug")], model.scores["▁pug"], sorted(model.views)
    ([None, 2, 0, 0], -4.0, ['scores'])
    >>> model.token_id(b"ug"), model.piece(5), model.begin_words(np.array([3, 5])).tolist()
    (3, '▁hug', [False, True])
    >>> model.text_of("▁hug".encode(), ends=False, with_space=True), model.log_probability(["ug", "▁hug"])
    (b' hug', -2.0)
    >>> model.written(b"hug", begins=True, ends=True).decode(), model.encode_emptied(" ")
    ('▁hug', WordTokens(ids=[], lengths=[]))
    >>> list(model.lattice.edges("ug"))[1], model.tokens_on("hug", [(0, 4)])
    ((0, 2, -0.0, True), WordTokens(ids=[5], lengths=[3]))
    """

    kind: ClassVar[Kind] = "sentencepiece"
    is_compiled: ClassVar[bool] = True
    unit: Literal["byte", "char"] = "char"

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.normalization = LibraryRule(data)
        # Texts arrive normalized; the model's own table would normalize them again.
        library = self._library = library_of_normalized(data)
        ids = range(library.GetPieceSize())
        self.pieces: tuple[str, ...] = tuple(library.IdToPiece(i) for i in ids)
        self.unknown_id: int = library.unk_id()
        self.special_tokens = {self.pieces[i]: i for i in ids if library.IsControl(i) or library.IsUnknown(i)}
        self._is_byte = np.array([library.IsByte(i) for i in ids], np.bool_)
        written = [piece.encode() for piece in self.pieces]
        self._lengths = np.fromiter(map(len, written), np.int64, len(written))
        if self.normalization.settings.escapes:
            marks = map(methodcaller("count", WORD_MARK), self.pieces)  # each covers a space
            self._lengths -= (len(WORD_MARK.encode()) - 1) * np.fromiter(marks, np.int64, len(written))
        self._lengths[self._is_byte] = 1
        self.tokens: list[bytes | None] = [*written]
        for i in np.flatnonzero(self._is_byte).tolist():
            self.tokens[i] = bytes([int(self.pieces[i][1:-1], 16)])
        for i in self.special_tokens.values():
            self.tokens[i] = None

    @property
    def rule(self) -> Rule:
        """Segmentation rule: "scored merges" for a BPE model, "whole words" for a word model, else "best score"."""
        rules: dict[str, Rule] = {"bpe": "scored merges", "word": "whole words"}
        return rules.get(self.normalization.settings.model_type, "best score")

    @property
    def views(self) -> frozenset[View]:
        """Scores, and the lattice for a Unigram model."""
        return frozenset(("scores", "lattice")) if self.rule == "best score" else frozenset(("scores",))

    @cached_property
    def scores(self) -> dict[str, float]:
        """Score of every piece: its log probability (Unigram) or minus its rank (BPE)."""
        return {piece: float(self._library.GetScore(i)) for i, piece in enumerate(self.pieces)}

    def token_id(self, token: bytes) -> int | None:
        """Id of a piece by its bytes, or None. An ASCII character's own piece wins over its byte token."""
        return self._ids.get(token)

    def piece(self, token_id: int) -> str:
        """A piece, with ▁ for a space and <0x0A> for a byte."""
        return self.pieces[token_id]

    def encode_word(self, word: str) -> WordTokens:
        """Tokens of a whole normalized text. ▁ covers the space it replaces, or nothing if the library added it."""
        ids, lengths = self._encoded(word)
        return WordTokens(ids.tolist(), lengths.tolist())

    def may_join(self, left: str, right: str) -> bool:
        """Whether a piece contains these characters; always True with scores, whose sums over a long text are rounded.

        >>> from bpe_core import train_sentencepiece
        >>> model = SentencePieceModel(train_sentencepiece("hug hug hugs pug", 16, model_type="bpe").model)
        >>> model.may_join("h", "u"), model.may_join("g", " ")
        (True, False)
        """
        pairs = left + right, (left + right).replace(" ", WORD_MARK)
        return self.rule != "scored merges" or any(pair in self._all_pieces for pair in pairs)

    @cached_property
    def _all_pieces(self) -> str:
        return "\0".join(self.pieces)

    def encode_emptied(self, original: str) -> WordTokens:
        """Tokens of a text that normalization empties; some models still add a ▁."""
        ids: list[int] = self._library.Encode(self.normalization.library.Normalize(original))
        return WordTokens(ids, [0] * len(ids))

    def encode_words(self, words: WordTable) -> EncodedWords:
        """Tokens of whole normalized texts, equal to `encode_word` on each.

        >>> from bpe_core import train_sentencepiece
        >>> model = SentencePieceModel(train_sentencepiece("hug hug hugs pug", 16, model_type="bpe").model)
        >>> model.encode_words(WordTable.of([b"hug", b"a hug"])).lengths.tolist()
        [3, 0, 1, 4]
        """
        found = [self._encoded(word.decode("utf-8", "replace")) for word in words.words()]
        none = np.zeros(0, np.int32)
        offsets = np.cumsum([0, *(len(ids) for ids, _ in found)])
        ids, lengths = (np.concatenate([none, *(each[part] for each in found)]) for part in (0, 1))
        return EncodedWords(Words(ids, offsets), lengths.astype(np.int32))

    def _encoded(self, text: str) -> tuple[Int32s, npt.NDArray[np.int64]]:
        """Ids of a whole normalized text, and the number of its bytes that each covers."""
        written = self.marked(text)
        ids: Int32s = self._library.Encode(written, return_type="numpy")
        lengths = self._known_lengths(ids, text)
        if lengths is not None:
            return ids, lengths
        pieces: list[bytes] = self._library.Encode(written, return_type=bytes)  # for <unk>, the unknown text itself
        covered = np.where(self._is_byte[ids], 1, np.fromiter(map(len, pieces), np.int64, len(pieces)))
        kept = self._kept(text)
        edges = np.append(0, np.cumsum(kept))[np.minimum(np.append(0, np.cumsum(covered)), len(kept))]
        return ids, np.diff(edges)

    def _known_lengths(self, ids: Int32s, text: str) -> npt.NDArray[np.int64] | None:
        """Number of bytes of `text` that each token covers, if the pieces and characters determine it; else None.

        No character in an <unk> is itself a piece, and two <unk> are never adjacent. So if there are as many runs
        of such characters as <unk> tokens, and the token lengths add up to the text's, each run is one <unk>.
        """
        settings, lengths, utf8 = self.normalization.settings, self._lengths[ids], text.encode()
        unknown = ids == self.unknown_id
        with_mark = -1 if settings.mark_at_end else 0
        if len(ids) and settings.adds_mark:
            if unknown[with_mark]:
                return None
            lengths[with_mark] -= 1
        if unknown.any():
            alone = self._pieces_of_one[np.frombuffer(text.encode("utf-32-le"), np.uint32)]
            edges = character_starts(utf8)[np.flatnonzero(np.diff(alone, prepend=True, append=True))]
            if self.rule == "whole words" or len(edges) != 2 * int(unknown.sum()):
                return None
            lengths[unknown] = np.diff(edges)[::2]
        return lengths if int(lengths.sum()) == len(utf8) else None

    @cached_property
    def _pieces_of_one(self) -> npt.NDArray[np.bool_]:
        """For every code point of a normalized text, whether it is a piece that the model uses."""
        found = np.zeros(0x110000, np.bool_)
        special = set(self.special_tokens.values())
        for i, piece in enumerate(self.pieces):
            if len(piece) == 1 and i not in special and not self._library.IsUnused(i):
                found[ord(piece)] = True
        if self.normalization.settings.escapes:
            found[ord(" ")] = found[ord(WORD_MARK)]
        return found

    def _kept(self, text: str) -> npt.NDArray[np.int64]:
        """For each byte of `marked(text)`, how many bytes of `text` end there: 0 inside a ▁ and in an added ▁."""
        settings, data = self.normalization.settings, np.frombuffer(text.encode(), np.uint8)
        mark = len(WORD_MARK.encode()) if settings.escapes else 1
        ends = np.cumsum(np.where(data == ord(" "), mark, 1))
        kept = np.zeros(ends[-1] if len(ends) else 0, np.int64)
        kept[ends - 1] = 1
        if not text or not settings.adds_mark:
            return kept
        added = np.zeros(mark, np.int64)
        return np.concatenate((kept, added) if settings.mark_at_end else (added, kept))

    def marked(self, text: str) -> str:
        """The model's input for a normalized text: ▁ for every space, and one in front (or at the end) if it adds one.

        >>> from bpe_core import train_sentencepiece
        >>> SentencePieceModel(train_sentencepiece("hug hug hugs pug", 16).model).marked("a hug")
        '▁a▁hug'
        """
        settings = self.normalization.settings
        added = " " if text and settings.adds_mark else ""
        written = text + added if settings.mark_at_end else added + text
        return written.replace(" ", WORD_MARK) if settings.escapes else written

    def explain(self, word: str) -> list[PieceMerge] | list[LatticeEdge]:
        """Step-by-step merges of a normalized text; for a Unigram model its lattice, with negated scores.

        Empty for a word model.
        """
        written = self.marked(word)
        if self.rule == "whole words":
            return []
        if self.rule == "scored merges":
            return self.merge_steps(written)
        return self.lattice.model.lattice(written)

    def merge_steps(self, written: str) -> list[PieceMerge]:
        """Step-by-step merges of the model's input, with ▁ for every space."""
        return merge_pieces(written, self.plain_scores)

    @cached_property
    def lattice(self) -> TextLattice:
        """Lattices of texts over its pieces, also those of a BPE model."""
        usable = {piece: score for piece, score in self.plain_scores.items() if piece in self._used}
        own = [piece.decode() for piece in self.normalization.settings.own_symbols]
        byte_ids = [int(i) for i in np.flatnonzero(self._is_byte)]
        return TextLattice(usable, own, {piece: self._used[piece] for piece in usable}, byte_ids, self.unknown_id)

    def tokens_on(self, text: str, path: Sequence[tuple[int, int]]) -> WordTokens:
        """Tokens of a normalized text on a path through the lattice of `marked(text)`: (start, end) of each piece."""
        ids, sizes = self.lattice.tokens_on(self.marked(text), path)
        edges = np.append(0, np.cumsum(self._kept(text)))[np.append(0, np.cumsum(sizes, dtype=np.int64))]
        return WordTokens(ids, np.diff(edges).tolist())

    @cached_property
    def _used(self) -> dict[str, int]:
        """Ids of the pieces that the library uses."""
        return {piece: i for i, piece in reversed([*enumerate(self.pieces)]) if not self._library.IsUnused(i)}

    def text_of(self, token: bytes, *, ends: bool, with_space: bool) -> bytes:
        """Text of a piece, with spaces for ▁."""
        return marks_as_spaces(token, with_space=with_space)

    def written(self, text: bytes, *, begins: bool, ends: bool) -> bytes:
        """A text with ▁ for spaces, and one in front if it begins a word."""
        return spaces_as_marks(text, begins=begins)

    def begin_words(self, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Mask of the tokens that begin with ▁."""
        return self._begins[ids]

    def log_probability(self, pieces: Sequence[str]) -> float | None:
        """Sum of the pieces' scores (not a probability in a BPE model); None if a piece is unknown."""
        return sum(self.scores[piece] for piece in pieces) if all(piece in self.scores for piece in pieces) else None

    @cached_property
    def plain_scores(self) -> dict[str, float]:
        """Scores of the pieces that can match text; a byte piece is only a name, such as <0x0A>.

        >>> from bpe_core import train_sentencepiece
        >>> model = SentencePieceModel(train_sentencepiece("hug hug hugs pug", 16, model_type="bpe").model)
        >>> [*model.plain_scores.items()][:3]
        [('ug', -0.0), ('▁h', -1.0), ('▁hug', -2.0)]
        """
        plain = [piece not in self.special_tokens for piece in self.pieces] & ~self._is_byte
        return {piece: score for (piece, score), is_plain in zip(self.scores.items(), plain, strict=True) if is_plain}

    @cached_property
    def _begins(self) -> npt.NDArray[np.bool_]:
        return np.array([piece.startswith(WORD_MARK) for piece in self.pieces], np.bool_)

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        ids = {token: i for i, token in reversed(list(enumerate(self.tokens))) if token is not None}
        special = set(self.special_tokens.values())
        special |= {i for i in range(len(self.pieces)) if self._library.IsUnused(i)}
        chars = {piece.encode(): i for i, piece in enumerate(self.pieces) if len(piece) == 1 and i not in special}
        return ids | chars if self._is_byte.any() else ids


def sentencepiece_tokenizer(data: bytes, *, name: str = "SentencePiece") -> Tokenizer:
    """Tokenizer of a SentencePiece model. `data`: the content of a .model file.

    The library normalizes by the model's own rule (usually NFKC and single spaces) and segments the whole text. The
    offsets of an encoding refer to the normalized text, with spaces for ▁ and without the added ▁; `normalized` maps
    them to the original. Raises FormatError for invalid bytes.

    >>> from bpe_core import train_sentencepiece
    >>> encoding = sentencepiece_tokenizer(train_sentencepiece("hug hug hugs pug", 16).model).encode("hug  ｐug")
    >>> encoding.text
    'hug pug'
    >>> [(token.bytes.decode(), token.char_start, token.char_end) for token in encoding]
    [('▁hug', 0, 3), ('▁', 3, 4), ('p', 4, 5), ('ug', 5, 7)]
    """
    model = SentencePieceModel(data)
    return Tokenizer(
        name,
        model=model,
        normalizer=Chain((model.normalization,)),
        split=Split(MARKED_SPLIT, by_model=True),
        decoder=SentencePieceDecoder(data),
        special_tokens=model.special_tokens,
    )
