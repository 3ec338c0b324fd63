"""Where the words of a training occur in its text, so that the text can be shown at any step without encoding it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bpe_core.errors import CorpusError
from bpe_core.kernels import backend, scan
from bpe_core.language import message
from bpe_core.text.counting import MOST_KEPT
from bpe_core.text.splits import compile_split, spans
from bpe_core.text.utf8 import character_starts

Int32s = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TextWindow:
    """The tokens of a part of a training's text at a step: arrays of equal length, one entry per token, as in Encoding.

    text                    the part, to which all offsets refer
    start                   where the part begins in the whole text, in characters
    ids                     int32
    starts, ends            int32: byte range in the UTF-8 of `text`
    char_starts, char_ends  int32: range of the characters that the token touches
    word_ids                int32: which word of the part the token belongs to
    character_starts        int32: the byte offset of each character of `text`, and last the size of `text` in bytes

    >>> from bpe_core import TrainConfig, train
    >>> window = train("low low", TrainConfig(vocab_size=258)).window(2)
    >>> window.text, window.ids.tolist(), window.starts.tolist()
    ('low low', [257, 32, 257], [0, 3, 4])
    """

    text: str
    start: int
    ids: Int32s
    starts: Int32s
    ends: Int32s
    char_starts: Int32s
    char_ends: Int32s
    word_ids: Int32s
    character_starts: Int32s


class FirstText:
    """The first text of a training, and where its words occur, which is computed on first use.

    >>> text = FirstText("low lower low", "words")
    >>> text.text, text.places.words.tolist()
    ('low lower low', [0, 1, 0])
    """

    def __init__(self, text: str | None, split: str, *, counted: bool = False) -> None:
        """`text` is normalized, and kept without a copy; None if it is too long to be kept, or was `counted` before."""
        self.text = text or ""
        self._is_kept = text is not None
        self._split = split
        self._counted = counted

    @cached_property
    def places(self) -> WordPlaces:
        """Where the words of the text occur. Raises CorpusError if the text was not kept."""
        if self._counted:
            raise CorpusError(
                message("This training had word counts, and no text."),
                limit=message("A training shows the first of the texts that it is given."),
                remedy=message("Encode a text with tokenizer(step).encode, or train on texts."),
            )
        if not self._is_kept:
            raise CorpusError(
                message("The first text of this training was not kept."),
                limit=message("A training keeps a text of up to {most:,} characters.", most=MOST_KEPT),
                remedy=message(
                    "Encode a part of the text with tokenizer(step).encode, or train on the text in several parts."
                ),
            )
        return WordPlaces.of(self.text, self._split)


@dataclass(frozen=True, eq=False)
class WordPlaces:
    """The words of one text, in text order: eight bytes per word, and four per character.

    text              the normalized text
    character_starts  int32: the byte offset of each character in UTF-8, and last the size of the text in bytes
    starts            int32: the byte offset of each word
    words             int32: which distinct word it is, in first-seen order; for the first text of a training, the
                      number of the word in its corpus

    >>> WordPlaces.of("low lower low", "words").words.tolist()
    [0, 1, 0]
    """

    text: str
    character_starts: Int32s
    starts: Int32s
    words: Int32s

    @classmethod
    def of(cls, text: str, split: str) -> WordPlaces:
        """Find the words of a normalized text. Raises CorpusError if a custom pattern takes too long.

        >>> places = WordPlaces.of("low lower low", "words")
        >>> places.starts.tolist(), places.words.tolist()
        ([0, 4, 10], [0, 1, 0])
        """
        data = text.encode()
        characters = character_starts(data)
        if split in scan.SPLITS and backend.use_compiled(len(data), _SMALL):
            found = scan.WordTable().index(data, split)
            return cls(text, characters, found.starts.astype(np.int32), found.word_ids)
        known: dict[str, int] = {}
        starts: list[int] = []
        words: list[int] = []
        for first, last in spans(compile_split(split), text):
            starts.append(first)
            words.append(known.setdefault(text[first:last], len(known)))
        return cls(text, characters, characters[starts] if starts else np.empty(0, np.int32), np.array(words, np.int32))


_SMALL = 20_000
"""Bytes that the regex library splits in well under a second."""
