"""Tokenizers that the Algorithms page trains, by names that say with what: those are chosen on every page.

    wordpiece   unigram:400   sentencepiece:400:model=unigram

The text that they are trained on is the visitor's, as that of the trained one.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from bpe_core.language import Message, listed, message
from ui.session.algorithms import (
    ALGORITHMS_BYTES,
    ALGORITHMS_MERGES_BY,
    ALGORITHMS_MODEL,
    ALGORITHMS_NORMALIZATION,
    ALGORITHMS_SIZE,
    ALGORITHMS_UNKNOWN,
    is_size_or_none,
)
from ui.session.items import Item

_TITLES = {"wordpiece": "WordPiece", "unigram": "Unigram", "sentencepiece": "SentencePiece"}

_WORDS = _TITLES | {
    "byte_fallback": message("byte fallback"),
    "count": message("count"),
    "word": message("word"),
    "char": message("char"),
}
"""What options are called in titles; the others by their own names."""

LEARNED = tuple(_TITLES)
"""The algorithms whose tokenizers are chosen on every page. BPE's is the trained one."""

_OPTIONS: dict[str, dict[str, Item[Any]]] = {
    "wordpiece": {"merges_by": ALGORITHMS_MERGES_BY},
    "unigram": {"unknown": ALGORITHMS_UNKNOWN},
    "sentencepiece": {
        "model": ALGORITHMS_MODEL,
        "byte_fallback": ALGORITHMS_BYTES,
        "normalization": ALGORITHMS_NORMALIZATION,
    },
}
"""What the page chooses for each of them beside the size, by the names that `Recipe` has for it."""


class LearnedTokenizer(NamedTuple):
    """What a tokenizer of the Algorithms page is trained with. size: None for one that fits the text.

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
        """What the session's choices and links call it: what is as usual is left out."""
        options = _OPTIONS[self.algorithm]
        parts = [f"{key}={_written(self.options[key])}" for key, item in options.items() if self._is_chosen(key, item)]
        size = [] if self.size is None and not parts else [str(self.size or "")]
        return ":".join([self.algorithm, *size, *parts])

    @property
    def title(self) -> Message:
        """What the pages call it.

        >>> LearnedTokenizer("sentencepiece", 400, {"model": "unigram"}).title
        'SentencePiece 400, Unigram'
        """
        return listed([f"{_TITLES[self.algorithm]} {self.size or ''}".strip(), *self.chosen], last="")

    @property
    def chosen(self) -> list[str]:
        """What is not as usual, in words."""
        options = _OPTIONS[self.algorithm]
        return [_called(key, self.options[key]) for key, item in options.items() if self._is_chosen(key, item)]

    def title_with(self, text: str, size: int) -> Message:
        """What the pages call it where they have room: with the text that it is trained on.

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
    """What a name says; None for a name of any other tokenizer, or of none.

    >>> learned("unigram:400")
    LearnedTokenizer(algorithm='unigram', size=400, options={})
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
    return found if is_size_or_none(size) and found.name == name else None


def is_learned(name: str) -> bool:
    """Whether this is the name of a tokenizer that the Algorithms page trains."""
    return learned(name) is not None


def learned_now(algorithm: str) -> str:
    """The name of the tokenizer that the Algorithms page shows of this algorithm."""
    options = {key: item.get() for key, item in _OPTIONS[algorithm].items()}
    return LearnedTokenizer(algorithm, ALGORITHMS_SIZE.get(), options).name


def _written(value: object) -> str:
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def _read(text: str, usual: object) -> object:
    return text == "yes" if isinstance(usual, bool) and text in ("yes", "no") else text


def _called(key: str, value: object) -> str:
    """An option in a title: "unigram" as the page writes it, and the name of a switch that is on."""
    words = key if isinstance(value, bool) else str(value)
    return _WORDS.get(words, words.replace("_", " "))
