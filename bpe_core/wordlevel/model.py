"""WordLevel model: each word of the split is one token, or the unknown one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from bpe_core import checks
from bpe_core.kernels.merge_loop import Words
from bpe_core.kernels.scan import WordTable
from bpe_core.language import message
from bpe_core.tokenizer.model import EncodedWords, Kind, Model, Rule, WordTokens
from bpe_core.tokenizer.segmented_words import as_bytes, check_pieces, no_unknown

UNKNOWN_WORD = "<unk>"


class WordLevelModel(Model):
    """Vocabulary of whole words. Any other word becomes the unknown token. Immutable.

    pieces   tokens by id, special ones included; None for an unused id
    unknown  token of unknown words; may be missing
    aliases  other words that share the id of one of the pieces

    >>> model = WordLevelModel(["<unk>", "low", None, "lower"])
    >>> model.encode_word("lower"), model.encode_word("lowest")
    (WordTokens(ids=[3], lengths=[5]), WordTokens(ids=[0], lengths=[6]))
    >>> model.encode_words(WordTable.of([b"low", b"lo"])).words.symbols.tolist()
    [1, 0]
    >>> model.token_id(b"low"), model.piece(1), model.rule, sorted(model.views), model.explain("lo")
    (1, 'low', 'whole words', [], None)
    >>> model.text_of(b"low", ends=False, with_space=False), model.written(b"low", begins=True, ends=True)
    (b'low', b'low')
    """

    kind: ClassVar[Kind] = "wordlevel"
    rule: Rule = "whole words"
    is_compiled: ClassVar[bool] = True
    unit: Literal["byte", "char"] = "char"

    def __init__(
        self, pieces: Sequence[str | None], *, unknown: str = UNKNOWN_WORD, aliases: Mapping[str, int] | None = None
    ) -> None:
        check_pieces(pieces)
        self.pieces: tuple[str, ...] = tuple(piece or "" for piece in pieces)
        self.unknown = unknown
        self.aliases = dict(aliases or {})
        self.tokens: list[bytes | None] = [None if piece is None else piece.encode() for piece in pieces]
        self.unknown_id: int | None = self._ids.get(unknown.encode())

    def token_id(self, token: bytes) -> int | None:
        """Id of a token by its bytes, or None."""
        return self._ids.get(token)

    def piece(self, token_id: int) -> str:
        """Token as a string."""
        return self.pieces[token_id]

    def encode_word(self, word: str) -> WordTokens:
        """Token of one word. Raises CorpusError for an unknown word if the vocabulary has no token for it."""
        if not word:
            return WordTokens([], [])
        data = as_bytes(word)
        return WordTokens([self._known(data)], [len(data)])

    def encode_words(self, words: WordTable) -> EncodedWords:
        """Tokens of many distinct words. Raises as `encode_word`."""
        ids = np.array([self._known(word) for word in words.words()], np.int32)
        return EncodedWords(Words(ids, np.arange(len(words) + 1)), np.diff(words.offsets).astype(np.int32))

    def explain(self, word: str) -> int | None:
        """Id of a word, None if it is unknown. Raises CorpusError for anything but a str."""
        return self._ids.get(as_bytes(checks.given_text(word, limit=message("Only str is encoded."))))

    def _known(self, word: bytes) -> int:
        found = self._ids.get(word, self.unknown_id)
        if found is None:
            raise no_unknown(word.decode("utf-8", "replace"), self.unknown)
        return found

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        ids = {token: i for i, token in enumerate(self.tokens) if token is not None}
        return ids | {token.encode(): i for token, i in self.aliases.items()}
