"""TrainConfig: every setting of a BPE training, checked when it is made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bpe_core.errors import ConfigError, quoted
from bpe_core.normalize import NORMALIZATIONS
from bpe_core.split import compile_split

Unit = Literal["byte", "char"]
TieBreak = Literal["first-seen", "lowest-ids"]
BaseOrder = Literal["byte-value", "gpt2"]
Normalization = Literal["none", "NFC", "NFD", "NFKC", "NFKD"]

UNKNOWN = "<unk>"
"""The token of a character that the vocabulary lacks (character vocabularies without byte fallback)."""

CHOICES: dict[str, tuple[str, ...]] = {
    "unit": ("byte", "char"),
    "normalization": NORMALIZATIONS,
    "tie_break": ("first-seen", "lowest-ids"),
    "base_order": ("byte-value", "gpt2"),
}
"""The settings that are chosen from a list, and their lists."""

MOST_IDS = 1_000_000
MOST_SPECIAL_TOKENS = 1_000
LONGEST_MARK = 40


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """The settings of one training. Frozen and hashable; ConfigError on anything out of range.

    vocab_size      all ids: special tokens, base symbols and merges together
    unit            what a symbol is before any merge: a UTF-8 "byte" or a "char" (Unicode code point)
    split           "none", "words" (\\S+, white space dropped), "gpt2", "cl100k", "o200k", or a regular expression
    end_of_word     a mark behind every word, such as "</w>"; only for characters
    normalization   Unicode form before anything else: "none", "NFC", "NFD", "NFKC", "NFKD"
    lowercase, strip_accents   applied after the Unicode form
    tie_break       which of the pairs with the same count wins: "first-seen" in the words, or "lowest-ids"
    base_order      the order of the 256 byte ids: "byte-value", or "gpt2" (its printable bytes first)
    min_count       a pair that stands fewer times is not merged
    special_tokens  get the first ids, in this order; never made by merges
    byte_fallback   a character that the vocabulary lacks becomes its bytes instead of <unk>; only for characters

    What only the corpus can tell (a character vocabulary larger than vocab_size) raises in train.

    >>> TrainConfig(vocab_size=300).split
    'gpt2'
    >>> TrainConfig(vocab_size=100)
    Traceback (most recent call last):
        ...
    bpe_core.errors.ConfigError: vocab_size is 100. A byte vocabulary needs at least 256: 256 bytes and 0 special \
tokens. Ask for at least 256.
    """

    vocab_size: int = 512
    unit: Unit = "byte"
    split: str = "gpt2"
    end_of_word: str = ""
    normalization: Normalization = "none"
    lowercase: bool = False
    strip_accents: bool = False
    tie_break: TieBreak = "first-seen"
    base_order: BaseOrder = "byte-value"
    min_count: int = 1
    special_tokens: tuple[str, ...] = ()
    byte_fallback: bool = False

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            _require_choice(name, getattr(self, name), choices)
        for name in ("lowercase", "strip_accents", "byte_fallback"):
            _require_type(name, getattr(self, name), bool, "True or False")
        _require_count("vocab_size", self.vocab_size, MOST_IDS)
        _require_count("min_count", self.min_count, 10**12)
        _require_type("split", self.split, str, "a name or a regular expression")
        compile_split(self.split)
        self._check_marks()
        self._check_special_tokens()
        self._check_size()

    def _check_marks(self) -> None:
        _require_type("end_of_word", self.end_of_word, str, "text, or empty for none")
        _require_encodable("end_of_word", self.end_of_word)
        if self.unit == "byte" and self.end_of_word:
            raise ConfigError(
                f"end_of_word is {quoted(self.end_of_word)} with unit 'byte'.",
                limit="An end-of-word mark needs unit 'char'.",
                remedy="Choose characters, or leave the mark empty.",
            )
        if len(self.end_of_word) > LONGEST_MARK:
            raise ConfigError(
                f"end_of_word has {len(self.end_of_word):,} characters.",
                limit=f"The longest allowed is {LONGEST_MARK}.",
                remedy="Use a short mark such as </w>.",
            )
        if self.unit == "byte" and self.byte_fallback:
            raise ConfigError(
                "byte_fallback is on with unit 'byte'.",
                limit="Byte fallback needs unit 'char': a byte vocabulary knows every byte already.",
                remedy="Choose characters, or turn byte fallback off.",
            )

    def _check_special_tokens(self) -> None:
        object.__setattr__(self, "special_tokens", _texts("special_tokens", self.special_tokens))
        if len(self.special_tokens) > MOST_SPECIAL_TOKENS:
            raise ConfigError(
                f"There are {len(self.special_tokens):,} special tokens.",
                limit=f"The most allowed is {MOST_SPECIAL_TOKENS:,}.",
                remedy="Name fewer.",
            )
        for token in self.special_tokens:
            _require_type("A special token", token, str, "text that is not empty")
            _require_encodable("A special token", token)
            if not token or self.special_tokens.count(token) > 1:
                raise ConfigError(
                    f"special_tokens holds {quoted(token)} {'twice' if token else 'as a token'}.",
                    limit="Special tokens are not empty and all different.",
                    remedy="Remove it." if not token else "Name it once.",
                )

    def _check_size(self) -> None:
        if self.unit == "char" and not self.byte_fallback:
            return  # the characters are the corpus's: train checks
        least = 256 + len(self.special_tokens)
        if self.vocab_size < least:
            kind = "byte" if self.unit == "byte" else "byte-fallback"
            raise ConfigError(
                f"vocab_size is {self.vocab_size:,}.",
                limit=f"A {kind} vocabulary needs at least {least:,}: 256 bytes and {len(self.special_tokens):,} "
                "special tokens.",
                remedy=f"Ask for at least {least:,}.",
            )


@dataclass(frozen=True, kw_only=True)
class ReadConfig(TrainConfig):
    """The settings of a tokenizer that was read from another program's file, with what only such files ask for.

    clean           control characters are dropped before anything else, as BERT does
    lowercase_each  lower case character by character, which knows no final ς

    >>> ReadConfig(lowercase=True, lowercase_each=True).lowercase_each
    True
    """

    clean: bool = False
    lowercase_each: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("clean", "lowercase_each"):
            _require_type(name, getattr(self, name), bool, "True or False")


def _require_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ConfigError(
            f"{name} is {quoted(value)}.",
            limit=f"It takes {', '.join(map(repr, choices))}.",
            remedy="Choose one.",
        )


def _require_type(name: str, value: object, kind: type, wanted: str) -> None:
    if not isinstance(value, kind):
        raise ConfigError(f"{name} is {quoted(value)}.", limit=f"It takes {wanted}.", remedy="Correct it.")


def _texts(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str | set | frozenset) or not isinstance(value, Iterable):  # sets have no lasting order
        raise ConfigError(
            f"{name} is {quoted(value)}.",
            limit="It takes a sequence of texts.",
            remedy=f"Write ({quoted(value)},)." if isinstance(value, str) else "Write them in order, as a tuple.",
        )
    return tuple(value)


def _require_count(name: str, value: object, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise ConfigError(
            f"{name} is {quoted(value)}.",
            limit=f"It takes a whole number from 1 to {most:,}.",
            remedy="Correct it.",
        )


def _require_encodable(name: str, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ConfigError(
            f"{name} is {quoted(text)}, which holds a lone surrogate.",
            limit="Only text that has a UTF-8 form is allowed.",
            remedy="Remove that character.",
        ) from None
