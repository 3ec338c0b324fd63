"""Tokenizers trained on the Algorithms page, selectable on every page by names that encode their settings.

    wordpiece   unigram:400   sentencepiece:400:model=unigram

Like the BPE tokenizer, they are trained on the visitor's text.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from bpe_core.language import TranslatableMessage, listed, message, term
from ui.session import algorithms
from ui.session.items import Item

_TITLES = {"wordpiece": "WordPiece", "unigram": "Unigram", "sentencepiece": "SentencePiece"}

_WORDS = _TITLES | {
    "byte_fallback": message("byte fallback"),
    "count": message("count"),
    "word": term("model", "word"),
    "char": message("char"),
}
"""Titles of options; the others use their own names."""

LEARNED = tuple(_TITLES)
"""Algorithms whose tokenizers are selectable on every page. BPE's is the trained one."""

_OPTIONS: dict[str, dict[str, Item[Any]]] = {
    "wordpiece": {"merges_by": algorithms.MERGES_BY, "special_tokens": algorithms.SPECIAL},
    "unigram": {
        "unknown": algorithms.UNKNOWN,
        "seed_size": algorithms.SEED,
        "shrink": algorithms.SHRINK,
        "first_tokens": algorithms.FIRST,
    },
    "sentencepiece": {
        "model": algorithms.MODEL,
        "byte_fallback": algorithms.BYTES,
        "normalization": algorithms.NORMALIZATION,
    },
}
"""Session values of each algorithm's options except the size, by their names in `Recipe`."""


class LearnedTokenizer(NamedTuple):
    """Training settings of a tokenizer of the Algorithms page. size: None for one that fits the text.

    >>> LearnedTokenizer("sentencepiece", 400, {"model": "unigram"}).name
    'sentencepiece:400:model=unigram'
    >>> LearnedTokenizer("sentencepiece", None, {"model": "bpe"}).name
    'sentencepiece'
    """

    algorithm: str
    size: int | None
    options: dict[str, Any]

    @property
    def name(self) -> str:
        """Name in session values and links; defaults are omitted."""
        options = _OPTIONS[self.algorithm]
        parts = [f"{key}={_written(self.options[key])}" for key, item in options.items() if self._is_chosen(key, item)]
        size = [] if self.size is None and not parts else [str(self.size or "")]
        return ":".join([self.algorithm, *size, *parts])

    @property
    def title(self) -> TranslatableMessage:
        """Title on pages.

        >>> LearnedTokenizer("sentencepiece", 400, {"model": "unigram"}).title
        'SentencePiece 400, Unigram'
        """
        return listed([f"{_TITLES[self.algorithm]} {self.size or ''}".strip(), *self.chosen], last="")

    @property
    def chosen(self) -> list[str]:
        """Titles of options that differ from the default."""
        options = _OPTIONS[self.algorithm]
        return [_called(key, self.options[key]) for key, item in options.items() if self._is_chosen(key, item)]

    def title_with(self, text: str, size: int) -> TranslatableMessage:
        """Long title on pages, with the training text.

        >>> LearnedTokenizer("wordpiece", None, {}).title_with("The lantern", 400)
        'WordPiece of “The lantern” · 400'
        """
        title = message(
            "{algorithm} of “{text}” · {size:,}", algorithm=_TITLES[self.algorithm], text=text, size=self.size or size
        )
        for option in self.chosen:
            title = message("{title} · {option}", title=title, option=option)
        return title

    def _is_chosen(self, key: str, item: Item[Any]) -> bool:
        return bool(self.options.get(key, item.default) != item.default)


def learned(name: str) -> LearnedTokenizer | None:
    """Parse the name of a learned tokenizer; None for any other name.

    >>> learned("unigram:400:shrink=25").options
    {'unknown': 'characters', 'seed_size': None, 'shrink': 25, 'first_tokens': '<unk>'}
    >>> learned("wordpiece:400:special_tokens=%3Cpad%3E").options["special_tokens"]
    '<pad>'
    >>> learned("unigram:0400"), learned("unigram:model=bpe"), learned("gpt2")
    (None, None, None)
    """
    algorithm, *rest = name.split(":")
    if algorithm not in LEARNED or (rest and not re.fullmatch(r"[0-9]{0,6}", rest[0])):
        return None
    size = int(rest[0]) if rest and rest[0] else None
    options = {key: item.default for key, item in _OPTIONS[algorithm].items()}
    for part in rest[1:]:
        key, _, value = part.partition("=")
        if key not in options:
            return None
        options[key] = _read(value, options[key])
        if not _OPTIONS[algorithm][key].valid(options[key]):
            return None
    found = LearnedTokenizer(algorithm, size, options)
    return found if algorithms.SIZE.valid(size) and found.name == name else None


def is_learned(name: str) -> bool:
    """Whether this names a tokenizer of the Algorithms page."""
    return learned(name) is not None


def learned_now(algorithm: str) -> str:
    """Name of this algorithm's tokenizer with the current settings of the Algorithms page."""
    options = {key: item.get() for key, item in _OPTIONS[algorithm].items()}
    return LearnedTokenizer(algorithm, algorithms.SIZE.get(), options).name


def _written(value: object) -> str:
    return quote(str(value), safe="") if not isinstance(value, bool) else "yes" if value else "no"


def _read(text: str, default: object) -> object:
    """The value of an option. Text in place of a number or a switch is returned as it is: `valid` rejects it."""
    if isinstance(default, bool):
        return text == "yes" if text in ("yes", "no") else text
    if isinstance(default, str):
        return unquote(text)
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else text


def _called(key: str, value: object) -> str:
    """Title of an option: its value, its name if it is a switch, or both if it is a number."""
    if key in ("special_tokens", "first_tokens"):
        return message("own special tokens")
    if key == "seed_size":
        return message("seed {pieces:,}", pieces=value)
    if key == "shrink":
        return message("{percent} % a round", percent=value)
    words = key if isinstance(value, bool) else str(value)
    return _WORDS.get(words, words.replace("_", " "))
