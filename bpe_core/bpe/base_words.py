"""Words of texts in the tokens of the tokenizer that a training continues from."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.arrays import Int32s, Int64s
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.corpus import Corpus, words_and_text
from bpe_core.bpe.growth import GrownVocabulary, counted_by, name_of, takes_library_tables
from bpe_core.bpe.word_places import FirstText, WordPlaces
from bpe_core.errors import ConfigError, CorpusError, quoted
from bpe_core.language import message
from bpe_core.text.counting import MOST_KEPT
from bpe_core.text.files import Text, each_text
from bpe_core.text.splits import Split
from bpe_core.text.utf8 import character_starts
from bpe_core.text.word_counts import WordCounts
from bpe_core.tokenizer.encoding import Encoding

_MARK = "▁".encode()


class BaseWords(NamedTuple):
    """The distinct words in tokens, the first text with their places, and the number of replaced lone surrogates.

    >>> from bpe_core import load_pretrained
    >>> words_of_base(GrownVocabulary(load_pretrained("gpt2")), "low low lowest").corpus.words()
    [[9319], [1877], [9016]]
    """

    corpus: Corpus
    text: FirstText
    surrogates: int


def counted_words(base: GrownVocabulary, texts: Text | Iterable[Text] | WordCounts, config: TrainConfig) -> BaseWords:
    """Count words by the pattern of the settings, or as `words_of_base` finds them. Raises the errors of either.

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.bpe.growth import grown_settings
    >>> gpt2 = load_pretrained("gpt2")
    >>> config = grown_settings(gpt2, TrainConfig(vocab_size=50_300))
    >>> counted_words(GrownVocabulary(gpt2), "low lower", config).corpus.words()
    [[9319], [2793]]
    """
    if counted_by(base.tokenizer) is None:
        return words_of_base(base, texts)
    counts, text = words_and_text(texts, config, library=takes_library_tables(base.tokenizer))
    return BaseWords(Corpus.of_words(base, counts), text, counts.surrogates)


def words_of_base(base: GrownVocabulary, texts: Text | Iterable[Text] | WordCounts) -> BaseWords:
    """Encode texts, and count the sequences of tokens between places that no new merge crosses.

    These are the edges of words, special tokens, fallback bytes and, in models that write a space as ▁ and join
    characters, the edge before ▁. Raises ConfigError for WordCounts, and CorpusError for a text with characters that
    the tokenizer does not know.

    >>> from bpe_core import load_pretrained
    >>> words_of_base(GrownVocabulary(load_pretrained("gpt2")), "low lower").text.places.starts.tolist()
    [0, 3]
    """
    if isinstance(texts, WordCounts):
        raise ConfigError(
            message(
                "The texts were given as word counts, but {name} splits words by its own rules.",
                name=name_of(base.tokenizer),
            ),
            limit=message("Word counts are those of a split by a pattern."),
            remedy=message("Give the texts."),
        )
    known: dict[bytes, int] = {}  # ids of a word as bytes, in first-seen order
    counts = np.zeros(0, np.int64)
    first: FirstText | None = None
    surrogates = 0
    edges = _Edges(base)
    for text in each_text(texts, "none"):
        encoding = base.tokenizer.encode(text)
        starts, ids = edges.of(encoding), encoding.ids.astype(np.int32, copy=False).tobytes()
        ranges = pairwise([*(starts * np.int64(4)).tolist(), len(ids)])
        words = np.array([known.setdefault(ids[start:end], len(known)) for start, end in ranges], np.int32)
        counts = np.append(counts, np.zeros(len(known) - len(counts), np.int64)) + np.bincount(words, None, len(known))
        surrogates += encoding.normalized.surrogates
        first = first or _first_text(encoding, starts, words)
    sizes = np.array([0, *map(len, known)], np.int64) // 4
    corpus = Corpus(np.frombuffer(b"".join(known), np.int32), np.cumsum(sizes), counts)
    return BaseWords(corpus, first or FirstText("", Split("none")), surrogates)


def _first_text(encoding: Encoding, starts: Int64s, words: Int32s) -> FirstText:
    split = Split("none")
    if len(encoding.text) > MOST_KEPT:
        return FirstText(None, split)
    places = WordPlaces(encoding.text, character_starts(encoding.utf8), encoding.starts[starts].astype(np.int32), words)
    return FirstText(encoding.text, split, places=places)


class _Edges:
    """Finder of word starts in an encoding, by properties of each id of the tokenizer."""

    def __init__(self, base: GrownVocabulary) -> None:
        self._base = base
        self._apart = np.zeros(len(base.tokens), np.bool_)
        self._apart[[*base.alone]] = True
        self._begins = np.array([token.startswith(_MARK) for token in base.tokens], np.bool_)
        self._ends = np.array([token.endswith(_MARK) for token in base.tokens], np.bool_)
        crosses = any("▁" in token.decode(errors="replace").lstrip("▁") for token in base.tokens)
        self._at_marks = base.model.unit == "char" and not crosses

    def of(self, encoding: Encoding) -> Int64s:
        """Index of the first token of each word. Raises CorpusError for a token that differs from its text."""
        ids, words = encoding.ids, encoding.word_ids
        self._check(encoding)
        apart = self._apart[ids] | (words < 0)
        edge: npt.NDArray[np.bool_] = np.ones(len(ids), np.bool_)
        edge[1:] = (words[1:] != words[:-1]) | apart[1:] | apart[:-1]
        if self._at_marks:
            edge[1:] |= self._begins[ids[1:]] & ~self._ends[ids[:-1]]
        return np.flatnonzero(edge)

    def _check(self, encoding: Encoding) -> None:
        covers = encoding.ends - encoding.starts == self._base.sizes[encoding.ids]
        wrong = np.flatnonzero(~covers & (encoding.word_ids >= 0))
        if wrong.size:
            start, end = int(encoding.starts[wrong[0]]), int(encoding.ends[wrong[0]])
            raise CorpusError(
                message(
                    "{name} has no token for {text}.",
                    name=name_of(self._base.tokenizer),
                    text=quoted(encoding.utf8[start:end].decode(errors="replace")),
                ),
                limit=message("Merges can only join tokens that the tokenizer has."),
                remedy=message("Remove these characters, or continue from a byte-level tokenizer."),
            )
