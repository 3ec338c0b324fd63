"""TrainConfig: the settings of a BPE training, validated on construction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bpe_core import checks
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message
from bpe_core.text.normalizer_settings import normalizer_of
from bpe_core.text.normalizers import NORMALIZATIONS, Chain, Normalization
from bpe_core.text.split_patterns import WORD_RUNS
from bpe_core.text.splits import compile_split

Unit = Literal["byte", "char"]
TieBreak = Literal["first-seen", "lowest-ids", "first-counted"]
BaseOrder = Literal["byte-value", "gpt2"]
Method = Literal["bpe", "superbpe", "boundlessbpe"]

UNKNOWN = "<unk>"
"""Token for characters outside the vocabulary (character vocabularies without byte fallback)."""

CHOICES: dict[str, tuple[str, ...]] = {
    "unit": ("byte", "char"),
    "normalization": NORMALIZATIONS,
    "tie_break": ("first-seen", "lowest-ids", "first-counted"),
    "base_order": ("byte-value", "gpt2"),
    "method": ("bpe", "superbpe", "boundlessbpe"),
}
"""Allowed values of the settings that are enumerations."""

MOST_IDS = 1_000_000
MOST_SPECIAL_TOKENS = 1_000
LONGEST_MARK = 40
MOST_COUNT = 10**12


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """Settings of a training. Frozen and hashable; raises ConfigError for a value out of range.

    vocab_size      number of ids: special tokens, base symbols and merges together
    unit            kind of base symbol: a UTF-8 "byte" or a "char" (Unicode code point)
    split           "none", "words" (\\S+, white space dropped), "gpt2", "cl100k", "o200k", or a regular expression
    end_of_word     a mark appended to every word, such as "</w>"; only for characters
    normalization   Unicode form, applied before anything else: "none", "NFC", "NFD", "NFKC", "NFKD"
    lowercase, strip_accents   applied after the Unicode form
    tie_break       which pair wins a tie: "first-seen" in the words, "lowest-ids", or "first-counted": the pair that
                    existed first, before any merge or by the earliest one, as in programs that update one Counter
    base_order      order of the 256 byte ids: "byte-value", or "gpt2" (its printable bytes first)
    min_count       pairs that occur fewer times are not merged
    special_tokens  take the first ids, in this order; no merge makes them
    byte_fallback   spell a character outside the vocabulary by its bytes instead of <unk>; only for characters
    method          "bpe": merges stay inside words; "superbpe": they cross words from `transition` ids on;
                    "boundlessbpe": two adjacent words merge when each is a single token
    transition      number of ids at which "superbpe" changes its split; 0 for the other methods

    `train` checks what depends on the corpus, such as a character vocabulary larger than vocab_size.

    >>> TrainConfig(vocab_size=300).split
    'gpt2'
    >>> [step.name for step in TrainConfig(normalization="NFC", lowercase=True).normalizer.steps]
    ['NFC', 'lower case']
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
    method: Method = "bpe"
    transition: int = 0

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            checks.choice(getattr(self, name), name, choices)
        for name in ("lowercase", "strip_accents", "byte_fallback"):
            checks.true_or_false(getattr(self, name), name)
        self._set("vocab_size", checks.whole_number(self.vocab_size, "vocab_size", 1, MOST_IDS))
        self._set("min_count", checks.whole_number(self.min_count, "min_count", 1, MOST_COUNT))
        self._set("split", checks.utf8_text(self.split, "split", wanted=message("a name or a regular expression")))
        compile_split(self.split)
        self._check_marks()
        self._check_special_tokens()
        self._check_size()
        self._check_method()

    @property
    def normalizer(self) -> Chain:
        """Normalizer applied to a text before the split."""
        return normalizer_of(self)

    def _set(self, name: str, value: object) -> None:
        """Store a setting in its checked form: as a Python int, or with surrogate pairs joined."""
        object.__setattr__(self, name, value)

    def _check_marks(self) -> None:
        self._set(
            "end_of_word", checks.utf8_text(self.end_of_word, "end_of_word", wanted=message("text, or empty for none"))
        )
        if self.unit == "byte" and self.end_of_word:
            raise ConfigError(
                message("end_of_word is {end_of_word} with unit 'byte'.", end_of_word=quoted(self.end_of_word)),
                limit=message("An end-of-word mark needs unit 'char'."),
                remedy=message("Choose characters, or leave the mark empty."),
            )
        if len(self.end_of_word) > LONGEST_MARK:
            raise ConfigError(
                message("end_of_word has {number:,} characters.", number=len(self.end_of_word)),
                limit=message("The longest allowed is {longest}.", longest=LONGEST_MARK),
                remedy=message("Use a short mark such as </w>."),
            )
        if self.unit == "byte" and self.byte_fallback:
            raise ConfigError(
                message("byte_fallback is on with unit 'byte'."),
                limit=message("Byte fallback needs unit 'char': a byte vocabulary knows every byte already."),
                remedy=message("Choose characters, or turn byte fallback off."),
            )

    def _check_special_tokens(self) -> None:
        self._set("special_tokens", _texts("special_tokens", self.special_tokens))
        if len(self.special_tokens) > MOST_SPECIAL_TOKENS:
            raise ConfigError(
                message("There are {number:,} special tokens.", number=len(self.special_tokens)),
                limit=message("The most allowed is {most:,}.", most=MOST_SPECIAL_TOKENS),
                remedy=message("Name fewer."),
            )
        wanted, special_token = message("text that is not empty"), message("A special token")
        tokens = (checks.utf8_text(token, special_token, wanted=wanted) for token in self.special_tokens)
        self._set("special_tokens", tuple(tokens))
        for token in self.special_tokens:
            if not token or self.special_tokens.count(token) > 1:
                raise ConfigError(
                    message("special_tokens holds {token} twice.", token=quoted(token))
                    if token
                    else message("special_tokens holds {token} as a token.", token=quoted(token)),
                    limit=message("Special tokens are not empty and all different."),
                    remedy=message("Name it once.") if token else message("Remove it."),
                )

    def _check_size(self) -> None:
        if self.unit == "char" and not self.byte_fallback:
            return  # the characters depend on the corpus, so `train` checks
        least = 256 + len(self.special_tokens)
        if self.vocab_size < least:
            special = len(self.special_tokens)
            raise ConfigError(
                message("vocab_size is {vocab_size:,}.", vocab_size=self.vocab_size),
                limit=message(
                    "A byte vocabulary needs at least {least:,}: 256 bytes and {special:,} special tokens.",
                    least=least,
                    special=special,
                )
                if self.unit == "byte"
                else message(
                    "A byte-fallback vocabulary needs at least {least:,}: 256 bytes and {special:,} special tokens.",
                    least=least,
                    special=special,
                ),
                remedy=message("Ask for at least {least:,}.", least=least),
            )

    def _check_method(self) -> None:
        """Check the settings of methods whose merges cross words."""
        self._set("transition", checks.whole_number(self.transition, "transition", 0, MOST_IDS))
        if self.method == "superbpe":
            self._check_transition()
        elif self.transition:
            raise ConfigError(
                message(
                    "transition is {transition:,} with method {method}.",
                    transition=self.transition,
                    method=quoted(self.method),
                ),
                limit=message("Only 'superbpe' changes its split during the training."),
                remedy=message("Choose the method 'superbpe', or leave the transition at 0."),
            )
        if self.method == "bpe":
            return
        if self.end_of_word:
            raise ConfigError(
                message(
                    "end_of_word is {end_of_word} with method {method}.",
                    end_of_word=quoted(self.end_of_word),
                    method=quoted(self.method),
                ),
                limit=message("Tokens of several words have no single end to mark."),
                remedy=message("Leave the mark empty, or choose the method 'bpe'."),
            )
        if self.split in ("none", "words"):
            raise ConfigError(
                message("split is {split} with method {method}.", split=quoted(self.split), method=quoted(self.method)),
                limit=message("Merging across words needs adjacent words that cover the text."),
                remedy=message("Choose 'gpt2', 'cl100k' or 'o200k', or the method 'bpe'."),
            )
        if self.method == "boundlessbpe" and self.split not in WORD_RUNS:
            raise ConfigError(
                message("split is {split} with method 'boundlessbpe'.", split=quoted(self.split)),
                limit=message(
                    "It joins words that contain letters, and supports only the splits {names}.",
                    names=", ".join(WORD_RUNS),
                ),
                remedy=message("Choose one of them, or the method 'superbpe'."),
            )

    def _check_transition(self) -> None:
        least = 256 + len(self.special_tokens) if self.unit == "byte" or self.byte_fallback else 1
        if not least <= self.transition <= self.vocab_size:
            raise ConfigError(
                message("transition is {transition:,}.", transition=self.transition),
                limit=message(
                    "It is a number of ids from {least:,}, before any merge, to {most:,}, the vocabulary size.",
                    least=least,
                    most=self.vocab_size,
                ),
                remedy=message("Take for example {ids:,}.", ids=max(least, self.vocab_size * 4 // 5)),
            )


def checked_config(config: object) -> TrainConfig:
    """Return the settings of a training, the default ones for None. Raises ConfigError for anything but a TrainConfig.

    >>> checked_config(None).vocab_size
    512
    """
    if config is None:
        return TrainConfig()
    if not isinstance(config, TrainConfig):
        raise ConfigError(
            message("The settings are {value} of type {type}.", value=quoted(config), type=type(config).__name__),
            limit=message("Settings are a TrainConfig."),
            remedy=message("Write for example TrainConfig(vocab_size=300)."),
        )
    return config


def _texts(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str | set | frozenset) or not checks.is_iterable(value):  # a set has no stable order
        raise checks.wrong(
            value,
            name,
            message("It takes a sequence of texts."),
            message("Write ({value},).", value=quoted(value))
            if isinstance(value, str)
            else message("Write them in order, as a tuple."),
        )
    return tuple(value)
