"""Words of a text by a dictionary (分かち書き, 分词), from a segmenter: an optional library, or any function.

A segmenter takes a text and returns its words in order; white space may be among them or missing. These are not the
words that a split gives: see `splits.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
import regex

from bpe_core import checks
from bpe_core.arrays import Bools, Int64s
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import listed, message
from bpe_core.text.utf8 import utf8_lengths

Segmenter = Callable[[str], Iterable[str]]
"""Takes a text and returns its words, such as `jieba.cut`."""

LIBRARIES = {"japanese": ("fugashi", "unidic_lite"), "chinese": ("jieba",)}
"""Modules of each extra of the package that has a segmenter."""

_WORD = regex.compile(r"[\p{L}\p{N}]")


class DictionaryWords(NamedTuple):
    """Segments of a text: words, and punctuation between them. White space belongs to none.

    text          the text
    starts, ends  int64: offsets of each segment in bytes of the text's UTF-8, ascending
    is_word       bool: whether the segment has a letter or a digit

    >>> found = dictionary_words("時計は、", lambda text: ["時計", "は", "、"])
    >>> found.starts.tolist(), found.ends.tolist(), found.is_word.tolist(), found.size
    ([0, 6, 9], [6, 9, 12], [True, True, False], 12)
    """

    text: str
    starts: Int64s
    ends: Int64s
    is_word: Bools

    @property
    def size(self) -> int:
        """Bytes of the text in UTF-8.

        >>> dictionary_words("é", str.split).size
        2
        """
        return len(self.text.encode())


def dictionary_words(text: str, segmenter: Segmenter) -> DictionaryWords:
    """Words of a text by a segmenter, with their places.

    White space around a word is removed, and a word of nothing else is skipped. Raises ConfigError for a text with lone
    surrogates, and for words that do not spell the text.

    >>> dictionary_words("すもも も", lambda text: ["すもも", " ", "も"]).starts.tolist()
    [0, 10]
    >>> dictionary_words("時計", lambda text: ["時", "刻"])
    Traceback (most recent call last):
        ...
    bpe_core.errors.ConfigError: The segmenter gives '刻', and the text goes on with '計'. Together its words spell \
the text, white space apart. Use a segmenter that does not change the text.
    """
    text = checks.utf8_text(text, "text")
    spaced = text.replace("\0", " ")  # MeCab's texts end at a zero byte
    if not callable(segmenter) or isinstance(segmenter, type):
        raise checks.wrong(segmenter, "segmenter", message("It is a function that takes a text and returns its words."))
    starts, ends, words = [], [], []
    at = 0
    found = segmenter(spaced)
    if not checks.is_iterable(found):
        raise checks.wrong(found, "the segmenter's result", message("It is the words of the text."))
    for given in found:
        word = checks.utf8_text(given, "a word").strip()
        if not word:
            continue
        at = _behind_space(spaced, at)
        if not spaced.startswith(word, at):
            raise _not_of_text(quoted(word), text[at : at + len(word)])
        starts.append(at)
        at += len(word)
        ends.append(at)
        words.append(_WORD.search(word) is not None)
    if _behind_space(spaced, at) < len(text):
        raise _not_of_text(message("nothing"), text[at : at + 20].strip())
    places = np.concatenate((np.zeros(1, np.int64), np.cumsum(utf8_lengths(text), dtype=np.int64)))
    return DictionaryWords(
        text, places[np.array(starts, np.int64)], places[np.array(ends, np.int64)], np.array(words, np.bool_)
    )


def segmenter(name: str) -> Segmenter:
    """The segmenter of an extra of the package: MeCab with UniDic for "japanese", jieba for "chinese".

    Loading takes up to a second, once. Raises ConfigError for another name, and if its libraries are not installed.

    >>> segmenter("klingon")
    Traceback (most recent call last):
        ...
    bpe_core.errors.ConfigError: The segmenter is 'klingon'. Its name is japanese or chinese. Use one of these.
    """
    if not isinstance(name, str) or name not in LIBRARIES:
        raise ConfigError(
            message("The segmenter is {name}.", name=quoted(name)),
            limit=message("Its name is {names}.", names=listed([*LIBRARIES], last="or")),
            remedy=message("Use one of these."),
        )
    if not has_segmenter(name):
        raise ConfigError(
            message("The segmenter for {name} is not installed.", name=name),
            limit=message("It needs {libraries}.", libraries=listed(LIBRARIES[name])),
            remedy=message("Install the extra: pip install '.[{extra}]' in the project's folder.", extra=name),
        )
    return _loaded(name)


def has_segmenter(name: str) -> bool:
    """Whether the libraries of an extra are installed; they are not imported.

    >>> has_segmenter("klingon")
    False
    """
    return name in LIBRARIES and all(find_spec(module) is not None for module in LIBRARIES[name])


@cache
def _loaded(name: str) -> Segmenter:
    return _mecab() if name == "japanese" else _jieba()


def _mecab() -> Segmenter:
    tagger = import_module("fugashi").Tagger()

    def words(text: str) -> list[str]:
        return [word.surface for word in tagger(text)]

    return words


def _jieba() -> Segmenter:
    library = import_module("jieba")
    library.setLogLevel("WARNING")  # it reports its loading
    cut: Segmenter = library.Tokenizer().lcut
    return cut


def _behind_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _not_of_text(given: str, expected: str) -> ConfigError:
    return ConfigError(
        message("The segmenter gives {word}, and the text goes on with {text}.", word=given, text=quoted(expected)),
        limit=message("Together its words spell the text, white space apart."),
        remedy=message("Use a segmenter that does not change the text."),
    )
