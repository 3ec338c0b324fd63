"""Places of a training's words in its text, to show the text at any step without encoding it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bpe_core.errors import CorpusError
from bpe_core.kernels import backend, scan
from bpe_core.language import message
from bpe_core.text.counting import MOST_KEPT
from bpe_core.text.split_tables import stand_ins
from bpe_core.text.splits import Split
from bpe_core.text.utf8 import character_starts
from bpe_core.work import taking

Int32s = npt.NDArray[np.int32]

_PER_BYTE = 30
"""Memory in bytes of finding the places, per byte of a text of short words."""


@dataclass(frozen=True, eq=False)
class TextWindow:
    """Tokens of a part of a training's text at a step, as parallel arrays with one entry per token.

    text                    the part, to which all offsets refer
    start                   offset of the part in the whole text, in characters
    ids                     int32
    starts, ends            int32: byte range in the UTF-8 of `text`
    char_starts, char_ends  int32: range of characters that the token touches
    word_ids                int32: index of the word of the part that the token belongs to
    character_starts        int32: byte offset of each character of `text`, then the size of `text` in bytes

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
    """First text of a training, and the places of its words, computed on first use.

    >>> text = FirstText("low lower low", Split("words"))
    >>> text.text, text.places.words.tolist()
    ('low lower low', [0, 1, 0])
    """

    def __init__(
        self, text: str | None, split: Split, *, counted: bool = False, places: WordPlaces | None = None
    ) -> None:
        """`text`: normalized, kept without a copy; None if too long to keep. `counted`: the training had WordCounts.

        `places`: those of its words, if already known.
        """
        self.text = text or ""
        self._known = places
        self._is_kept = text is not None
        self._split = split
        self._counted = counted

    @cached_property
    def places(self) -> WordPlaces:
        """Places of the text's words. Raises CorpusError if the text was not kept."""
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
        return self._known or WordPlaces.of(self.text, self._split)


@dataclass(frozen=True, eq=False)
class WordPlaces:
    """Places of the words of one text, in text order: eight bytes per word, four per character.

    text              the normalized text
    character_starts  int32: byte offset of each character in UTF-8, then the size of the text in bytes
    starts            int32: byte offset of each word
    words             int32: index of the distinct word, in first-seen order; for the first text of a training, also its
                      index in the corpus

    >>> WordPlaces.of("low lower low", Split("words")).words.tolist()
    [0, 1, 0]
    """

    text: str
    character_starts: Int32s
    starts: Int32s
    words: Int32s

    @classmethod
    def of(cls, text: str, split: Split) -> WordPlaces:
        """Find the words of a normalized text. Raises CorpusError if a custom pattern takes too long.

        >>> places = WordPlaces.of("low lower low", Split("words"))
        >>> places.starts.tolist(), places.words.tolist()
        ([0, 4, 10], [0, 1, 0])
        """
        data = text.encode()
        with taking(_PER_BYTE * len(data)):
            characters = character_starts(data)
            if split.pattern in scan.SPLITS and backend.use_compiled(len(data), _SMALL):
                found = scan.WordTable().index(data, split.pattern, stand_ins() if split.library else ())
                return cls(text, characters, found.starts.astype(np.int32), found.word_ids)
            known: dict[str, int] = {}
            starts: list[int] = []
            words: list[int] = []
            for first, last in split.spans(text):
                starts.append(first)
                words.append(known.setdefault(text[first:last], len(known)))
            return cls(
                text, characters, characters[starts] if starts else np.empty(0, np.int32), np.array(words, np.int32)
            )


_SMALL = 20_000
"""Bytes that the regex library splits in well under a second."""
