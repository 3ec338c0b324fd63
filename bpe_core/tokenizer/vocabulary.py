"""Vocabulary of a tokenizer: ids, tokens and special tokens, for any model."""

from __future__ import annotations

from bpe_core import checks
from bpe_core.errors import TokenIdError
from bpe_core.language import message
from bpe_core.tokenizer.known_ids import KnownIds
from bpe_core.tokenizer.model import Model
from bpe_core.tokenizer.special_tokens import SpecialToken, SpecialTokens
from bpe_core.tokenizer.token_ranges import check_listed

_TOKEN, _BYTES = message("The token"), message("bytes")


class Vocabulary:
    """Lookup of ids and tokens; the base class of Tokenizer.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> len(gpt2), gpt2.vocab_size, gpt2.ids[-1], gpt2.special_tokens, gpt2.unknown_id
    (50257, 50257, 50256, {'<|endoftext|>': 50256}, None)
    >>> gpt2.token(1877), gpt2.token_bytes(1877), gpt2.token_id(b" low"), gpt2.pieces[1877]
    (' low', b' low', 1877, ' low')
    """

    name: str
    model: Model
    _special: SpecialTokens
    _known: KnownIds

    def __setattr__(self, name: str, value: object) -> None:
        """Raise AttributeError for a public name of a complete tokenizer, whose cached results would be wrong."""
        if "_known" in self.__dict__ and not name.startswith("_"):
            raise AttributeError(
                f"A tokenizer does not change: {name} cannot be set. with_stages and with_special_tokens make another."
            )
        super().__setattr__(name, value)

    def __len__(self) -> int:
        return self.vocab_size

    def __bool__(self) -> bool:
        return True

    @property
    def vocab_size(self) -> int:
        """Highest id plus one."""
        return self._known.count

    @property
    def special_tokens(self) -> dict[str, int]:
        """Special tokens and their ids, without added tokens that a file declares ordinary."""
        return {token.text: token.id for token in self._special.tokens if token.special}

    @property
    def special_token_flags(self) -> tuple[SpecialToken, ...]:
        """Special tokens with their flags, and added tokens that are not special.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").special_token_flags[0].strip_left
        False
        """
        return self._special.tokens

    @property
    def vocab(self) -> dict[str, int]:
        """Ids of all tokens, special tokens included, by their spelling in files; for duplicates, the lowest id.

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").vocab["Ġlow"]
        1877
        """
        return {self.spelling(token_id): token_id for token_id in reversed(self.ids)}

    @property
    def ids(self) -> list[int]:
        """Every id of the vocabulary, special tokens included, ascending."""
        return self._known.listed()

    @property
    def unknown_id(self) -> int | None:
        """Id of unknown text (<unk>, [UNK]), or None if no text is unknown."""
        return self.model.unknown_id

    @property
    def pieces(self) -> tuple[str, ...]:
        """Model tokens by id, spelled as in its files, marks included; "" for an unused id.

        Raises CorpusError if they have more than 16,000,000 bytes together.
        """
        check_listed(self.model.tokens)
        return tuple(self.model.piece(i) for i in range(len(self.model.tokens)))

    def token_bytes(self, token_id: int) -> bytes:
        """Bytes of a token, marks included; for a special token those of its text.

        Raises TokenIdError for an id that is not in the vocabulary.
        """
        return self._bytes_of(self._checked_id(token_id))

    def token_id(self, token: bytes) -> int | None:
        """Id of a token by its bytes, or None. For duplicates, the lowest id that is not a fallback byte.

        Raises TokenIdError for anything but bytes.
        """
        data = bytes(checks.instance(token, _TOKEN, bytes | bytearray | memoryview, _BYTES, error=TokenIdError))
        found = self.model.token_id(data)
        return self._special.by_bytes.get(data) if found is None else found

    def token(self, token_id: int) -> str:
        """A token as a string, spelled as in the files of its model, marks included.

        Raises TokenIdError for an id that is not in the vocabulary.
        """
        checked = self._checked_id(token_id)
        special = self._special.names.get(checked)
        return self.model.piece(checked) if special is None else special

    def spelling(self, token_id: int) -> str:
        """Token in the spelling of files, for their decoders and post-processors: "Ġlow" where `token` is " low".

        >>> from bpe_core import load_pretrained
        >>> load_pretrained("gpt2").spelling(1877)
        'Ġlow'
        """
        checked = self._checked_id(token_id)
        spelled = self._special.spelled.get(checked)
        return self.model.spelling(checked) if spelled is None else spelled

    def _bytes_of(self, checked: int) -> bytes:
        special = self._special.names.get(checked)
        token = special.encode() if special is not None else self.model.tokens[checked]
        assert token is not None  # checked by _checked_id
        return token

    def _checked_id(self, token_id: object) -> int:
        return self._known.checked(token_id, self.name)
