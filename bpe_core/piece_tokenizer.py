"""PieceTokenizer: what the tokenizers share that look words up in a vocabulary of pieces instead of merging."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

from bpe_core.config import TrainConfig
from bpe_core.merges import PairMerges
from bpe_core.normalize import normalize
from bpe_core.tokenizer import EncodeStep, Tokenizer, require_text
from bpe_core.vocabulary import BaseVocabulary

WORD_MARK = "▁"
"""Stands for the space in front of a word (Unigram, SentencePiece)."""


class PieceTokenizer(Tokenizer):
    """A tokenizer whose tokens are strings, and whose words are cut by a search over them. Never changes.

    It is a Tokenizer like those that merge: it encodes with offsets into the text, decodes, and can be compared. What
    has to do with merges is empty: no token has a rank or parts, and no pair merges.

    Marks are no text: `##` covers nothing, `▁` covers the space that it stands for (or nothing, where none is). An
    unknown word is one unknown token, which covers the whole word.
    """

    _compiles = False

    _compiles = False

    def __init__(
        self,
        name: str,
        *,
        config: TrainConfig,
        pieces: Sequence[str],
        special_tokens: Mapping[str, int],
        unknown_id: int,
        byte_values: Mapping[int, int] | None = None,
    ) -> None:
        """`pieces`: the token of every id, as a string; `byte_values`: the value of each id that is a single byte."""
        values = byte_values or {}
        special_ids = set(special_tokens.values())
        tokens = tuple(bytes([values[i]]) if i in values else piece.encode() for i, piece in enumerate(pieces))
        # A character is looked up as such, not as the byte that it may be as well.
        chars = {piece: i for i, piece in enumerate(pieces) if values and len(piece) == 1 and i not in special_ids}
        super().__init__(
            name,
            config=config,
            base=BaseVocabulary(tokens, special_tokens, None, chars, unknown_id),
            tokens=[None if i in special_ids else token for i, token in enumerate(tokens)],
            merges=PairMerges([], len(pieces)),
            special_tokens=special_tokens,
        )
        self._pieces = tuple(pieces)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The tokens in id order, as strings, marks included."""
        return self._pieces

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text as strings, marks included. Raises CorpusError for what is no str."""
        return [self.token(token_id) for token_id in self.encode(text).ids.tolist()]

    def token(self, token_id: int) -> str:
        """A token as a string, marks included. Raises TokenIdError for an id that the vocabulary does not hold."""
        data = self.token_bytes(token_id)
        return self._pieces[token_id] if token_id < len(self._pieces) else data.decode()

    def trace(self, word: str) -> list[EncodeStep]:
        """One step, the result: nothing is merged on the way. The word is normalized but not split."""
        require_text(word)
        return [EncodeStep(tuple(self._encode_word(normalize(word, self.config).text)), None, None)]

    def _with_special(self, special_tokens: Mapping[str, int]) -> Tokenizer:
        changed = copy.copy(self)
        for cached in ("_ids", "_special_pattern", "_text_lengths"):
            changed.__dict__.pop(cached, None)
        changed._special = dict(special_tokens)
        changed._special_names = {token_id: token for token, token_id in special_tokens.items()}
        return changed
