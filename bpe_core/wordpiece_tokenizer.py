"""WordPieceTokenizer: words by BERT's rule, each taken apart by the longest match from the left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from bpe_core.config import TrainConfig
from bpe_core.errors import VocabularyError, quoted
from bpe_core.piece_tokenizer import PieceTokenizer
from bpe_core.piece_trie import PieceTrie
from bpe_core.tokenizer import require_text

BERT_SPLIT = r"[!-/:-@\[-`{-~\p{P}]|[^\p{White_Space}!-/:-@\[-`{-~\p{P}]+"
"""BERT's words: white space is dropped, and every sign of ASCII and of Unicode's punctuation stands on its own."""

INSIDE = "##"
"""Stands in front of a piece that does not begin a word. No word holds it: # is a word of its own."""

UNKNOWN_WORD = "[UNK]"


class LongestMatch(NamedTuple):
    """The longest piece that begins at letter `start` of a word, up to letter `end`; no id where none does."""

    start: int
    end: int
    id: int | None


class WordPieceTokenizer(PieceTokenizer):
    """A WordPiece vocabulary at work. A word that gets stuck becomes one [UNK] whole. Never changes.

    Raises VocabularyError for a vocabulary that holds a piece twice, or lacks [UNK] or one of its special tokens.

    >>> tokenizer = WordPieceTokenizer(["[UNK]", "h", "hug", "##s", "##g"], special_tokens=["[UNK]"])
    >>> tokenizer.tokenize("hugs hug mug")
    ['hug', '##s', 'hug', '[UNK]']
    >>> [(token.char_start, token.char_end) for token in tokenizer.encode("hugs hug mug")]
    [(0, 3), (3, 4), (5, 8), (9, 12)]
    """

    def __init__(
        self,
        vocab: Sequence[str],
        *,
        special_tokens: Sequence[str],
        name: str = "WordPiece",
        config: TrainConfig | None = None,
        longest_word: int = 0,
    ) -> None:
        """`vocab`: every token in id order, the special ones among them. For tokenizers of other programs: `config`,
        their normalization and split, and `longest_word`, the characters above which a word is [UNK] (0: no limit).
        """
        ids = {piece: i for i, piece in enumerate(vocab)}
        if len(ids) < len(vocab):
            twice = next(piece for i, piece in enumerate(vocab) if ids[piece] != i)
            raise VocabularyError(
                f"The vocabulary holds {quoted(twice)} twice.", limit="A piece has one id.", remedy="Remove one."
            )
        missing = next((token for token in (UNKNOWN_WORD, *special_tokens) if token not in ids), None)
        if missing is not None:
            raise VocabularyError(
                f"The vocabulary lacks {quoted(missing)}.",
                limit=f"It needs {UNKNOWN_WORD} and every special token.",
                remedy="Add it.",
            )
        super().__init__(
            name,
            config=config or TrainConfig(unit="char", split=BERT_SPLIT, special_tokens=tuple(special_tokens)),
            pieces=vocab,
            special_tokens={token: ids[token] for token in special_tokens},
            unknown_id=ids[UNKNOWN_WORD],
        )
        self.longest_word = longest_word

    @cached_property
    def _starts(self) -> PieceTrie:
        """The pieces that begin a word."""
        return PieceTrie((piece, i) for i, piece in self._plain if not piece.startswith(INSIDE))

    @cached_property
    def _insides(self) -> PieceTrie:
        """The other pieces, without their mark."""
        return PieceTrie((piece[len(INSIDE) :], i) for i, piece in self._plain if piece.startswith(INSIDE))

    @property
    def _plain(self) -> list[tuple[int, str]]:
        """Every token that is not special."""
        special = {*self.special_tokens.values(), self.unknown_id}
        return [(i, piece) for i, piece in enumerate(self.pieces) if i not in special]

    def longest_matches(self, word: str) -> list[LongestMatch]:
        """How a word (one piece of the split) is taken apart: the longest piece that fits, again and again.

        The last one has no id where nothing fits: the word is [UNK] then, whole. Raises CorpusError for what is no str.

        >>> tokenizer = WordPieceTokenizer(["[UNK]", "h", "hug", "##s", "##g"], special_tokens=["[UNK]"])
        >>> tokenizer.longest_matches("hugsy")
        [LongestMatch(start=0, end=3, id=2), LongestMatch(start=3, end=4, id=3), LongestMatch(start=4, end=4, id=None)]
        """
        require_text(word)
        found: list[LongestMatch] = []
        if self.longest_word and len(word) > self.longest_word:
            return [LongestMatch(0, 0, None)]
        start = 0
        while start < len(word):
            fitting = list((self._insides if start else self._starts).matches(word, start))
            if not fitting:
                return [*found, LongestMatch(start, start, None)]
            end, token_id = fitting[-1]
            found.append(LongestMatch(start, end, token_id))
            start = end
        return found

    def _encode_word(self, word: str) -> list[int]:
        assert self.unknown_id is not None
        found = [match.id for match in self.longest_matches(word)]
        return [self.unknown_id] if None in found else [token_id for token_id in found if token_id is not None]

    def _lengths(self, word: str, ids: Sequence[int]) -> list[int]:
        """Bytes of the word that each of its tokens covers."""
        if list(ids) == [self.unknown_id]:
            return [len(word.encode())]
        inside = len(INSIDE)
        return [len(self.pieces[token_id].encode()) - (inside if i else 0) for i, token_id in enumerate(ids)]

    def _decode(self, ids: Iterable[int], skip_special: bool) -> bytes:
        """The words with a space between them: what white space there was, WordPiece does not know."""
        text = b""
        for token_id in ids:
            token = self.token_bytes(token_id)
            if skip_special and token_id in self._special_names:
                continue
            joined = token.startswith(INSIDE.encode()) and token_id not in self._special_names
            text += token[len(INSIDE) :] if joined else b" " + token
        return text.removeprefix(b" ")
