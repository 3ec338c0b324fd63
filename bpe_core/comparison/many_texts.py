"""Counts of many texts under several tokenizers: only numbers are kept, so texts of any size fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bpe_core import checks
from bpe_core.arrays import Int32s, Int64s, ReadOnlyArrays
from bpe_core.comparison.metrics import has_word_spaces
from bpe_core.comparison.tables import each_text_table, each_tokenizer_table
from bpe_core.comparison.text_batches import TextBatches, Texts, opened
from bpe_core.display.library import Figure
from bpe_core.display.text_counts_figures import text_counts_figure
from bpe_core.drawing.themes import checked_theme
from bpe_core.language import message
from bpe_core.text.table_files import SkippedRow
from bpe_core.tokenizer.named_tokenizers import checked_tokenizers
from bpe_core.tokenizer.tables import DataFrame
from bpe_core.tokenizer.texts_ids import ids_of_texts
from bpe_core.tokenizer.tokenizer import SPECIAL_MODES, Special, Tokenizer

_Bytes: TypeAlias = bytes  # a field of the class has its name
HIGHEST_LIMIT = (1 << 31) - 1
MOST_LIMITS = 20
"""Maximum number of contexts in a table."""


@dataclass(frozen=True, eq=False)
class TextCounts(ReadOnlyArrays):
    """Counts of many texts, the result of `compare_texts`.

    names              of the tokenizers
    rows               int64: line of the file, or row of Parquet, from 1; of an iterable the index, from 0
    characters, bytes  int32, of each text
    words              int32, separated by white space; 0 for texts most of whose letters are of scripts without spaces
    tokens             int32, by tokenizer
    longest            int32, by tokenizer: id of the text's longest token, -1 without tokens
    longest_texts      bytes of these tokens, by tokenizer and id
    unknown            number of unknown tokens by tokenizer; None if it has no such token
    missing            number of rows without a text, which are left out
    skipped            number of broken rows; `problems`: the first of them, with their reasons
    is_whole           False if rows beyond a limit were ignored

    >>> from bpe_core import load_pretrained
    >>> counts = compare_texts(["low lower", None, "日本語"], {"GPT-2": load_pretrained("gpt2")})
    >>> counts.tokens["GPT-2"].tolist(), counts.rows.tolist(), counts.missing, len(counts)
    ([2, 6], [0, 2], 1, 2)
    >>> counts.tokenizer_table(limits=[4]).loc["GPT-2", ["tokens", "max", "longest_row", "over_4"]].tolist()
    [8.0, 6.0, 2.0, 0.5]
    >>> counts.table()["GPT-2 longest token"].tolist(), counts.figure("GPT-2").data[0].y
    ([' lower', nan], (1, 0, 0, 0, 1))
    """

    names: tuple[str, ...]
    rows: Int64s
    characters: Int32s
    bytes: Int32s
    words: Int32s
    tokens: Mapping[str, Int32s]
    longest: Mapping[str, Int32s]
    longest_texts: Mapping[str, Mapping[int, _Bytes]]
    unknown: Mapping[str, int | None]
    missing: int
    skipped: int
    problems: tuple[SkippedRow, ...]
    is_whole: bool

    def __len__(self) -> int:
        return len(self.rows)

    def table(self) -> DataFrame:
        """One row per text: characters, bytes, words, and for each tokenizer "… tokens", "… tokens per character",
        "… tokens per word" (missing without words) and "… longest token" (missing if it is not whole characters).
        """
        return each_text_table(self)

    def tokenizer_table(self, limits: Iterable[int] = ()) -> DataFrame:
        """One row per tokenizer: texts, tokens, mean, percentiles (interpolated between two texts), max and its row.

        unknown: number of unknown tokens, missing without such a token. over_N: for each of the `limits`, the share of
        the texts with more than N tokens. Raises ConfigError for a limit that is not a whole number of 1 or more.
        """
        return each_tokenizer_table(self, checked_limits(limits))

    def figure(self, name: str, *, limit: int | None = None, theme: str = "light") -> Figure:
        """Number of texts by their tokens under one tokenizer, with percentiles and the context `limit` marked.

        Raises ConfigError for an unknown name or theme, and for a limit below 1.
        """
        checks.choice(name, "name", self.names)
        checked_theme(theme)
        return text_counts_figure(self.tokens[name], None if limit is None else checked_limits([limit])[0], theme)


def checked_limits(limits: object) -> list[int]:
    """Return contexts in tokens. Raises ConfigError for anything but whole numbers of 1 or more, and for too many.

    >>> checked_limits((512, 8192))
    [512, 8192]
    """
    if not checks.is_iterable(limits) or isinstance(limits, str | bytes):
        raise checks.wrong(limits, "limits", message("It takes whole numbers."))
    found = [checks.whole_number(each, message("A limit"), 1, HIGHEST_LIMIT) for each in limits]
    if len(found) > MOST_LIMITS:
        raise checks.wrong(found, "limits", message("It takes at most {most:,} numbers.", most=MOST_LIMITS))
    return list(dict.fromkeys(found))


def compare_texts(
    texts: Texts,
    tokenizers: Mapping[str, Tokenizer],
    *,
    column: str | None = None,
    special: Special = "text",
    most: int | None = None,
    most_characters: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> TextCounts:
    """Count the tokens of each text under every tokenizer, as `encode` gives them.

    `texts`: an iterable, in which None is a missing text; the path of a file of lines, CSV, JSON lines or Parquet (a
    str is never a path); or an open file. `column`: of the file, by default "text" or the only one. Its broken
    rows are skipped and counted. `special`: see Tokenizer.encode. `most`, `most_characters`: limits on the rows, and on
    the characters of their texts; all rows from the first that exceeds one are ignored. `on_progress(done, total)`
    receives bytes of the file, or numbers of texts; an exception raised in it cancels the work.

    A file is read row by row: for each text about 20 bytes are kept, and 8 for each tokenizer.

    Raises CorpusError for a file that cannot be read, and for an iterable of anything but texts; ConfigError for a
    column that the file does not have, and for anything but a mapping of names to tokenizers.

    >>> from bpe_core import load_pretrained
    >>> compare_texts(["low", "lower"], {"GPT-2": load_pretrained("gpt2")}).tokens["GPT-2"].tolist()
    [1, 1]
    """
    counts = {name: _TokenCounts(each, special) for name, each in checked_tokenizers(tokenizers).items()}
    checks.choice(special, "special", SPECIAL_MODES)
    checks.callback(on_progress)
    if column is not None:
        checks.instance(column, "column", str, message("the name of a column"))
    sizes: list[Int64s] = []
    with opened(texts) as given:
        batches = TextBatches(given, column, most, most_characters)
        for batch in batches.reported(on_progress):
            [found] = batch.columns
            sizes.append(np.array([batch.rows, *_sizes(found)], np.int64))
            for each in counts.values():
                each.add(found)
    rows, *columns = np.concatenate([np.zeros((4, 0), np.int64), *sizes], axis=1)
    characters, size, words = (each.astype(np.int32) for each in columns)
    return TextCounts(
        names=tuple(counts),
        rows=rows.copy(),
        characters=characters,
        bytes=size,
        words=words,
        tokens={name: each.column(each.tokens) for name, each in counts.items()},
        longest={name: each.column(each.longest) for name, each in counts.items()},
        longest_texts={name: each.longest_texts() for name, each in counts.items()},
        unknown={name: each.unknown for name, each in counts.items()},
        missing=batches.missing,
        skipped=batches.skipped,
        problems=tuple(batches.problems),
        is_whole=batches.is_whole,
    )


def _sizes(texts: list[str]) -> tuple[list[int], list[int], list[int]]:
    """Characters, bytes and words of each text."""
    words = [len(text.split()) if has_word_spaces(text) else 0 for text in texts]
    return list(map(len, texts)), [len(text.encode()) for text in texts], words


class _TokenCounts:
    """Counts of one tokenizer, batch by batch."""

    def __init__(self, tokenizer: Tokenizer, special: Special) -> None:
        self.tokens: list[Int32s] = []
        self.longest: list[Int32s] = []
        self.unknown = None if tokenizer.unknown_id is None else 0
        self._tokenizer = tokenizer
        self._special = special
        self._lengths = np.zeros(0, np.int64)  # by id: bytes, -1 until known

    def add(self, texts: list[str]) -> None:
        ids, ends = ids_of_texts(self._tokenizer, texts, self._special)
        self.tokens.append(np.diff(ends, prepend=0).astype(np.int32))
        self.longest.append(self._longest(ids, ends))
        if self.unknown is not None:
            self.unknown += int(np.count_nonzero(ids == self._tokenizer.unknown_id))

    def column(self, parts: list[Int32s]) -> Int32s:
        return np.concatenate([np.zeros(0, np.int32), *parts])

    def longest_texts(self) -> dict[int, bytes]:
        found = np.unique(self.column(self.longest)).tolist()
        return {token_id: self._tokenizer.token_bytes(token_id) for token_id in found if token_id >= 0}

    def _longest(self, ids: Int32s, ends: Int64s) -> Int32s:
        """Longest token of each text, on a tie the one with the highest id; -1 without tokens."""
        starts = np.append(0, ends[:-1])
        filled = starts < ends
        longest = np.full(len(ends), -1, np.int32)
        if filled.any():
            keys = (self._lengths_of(ids) << 32) | ids
            longest[filled] = np.maximum.reduceat(keys, starts[filled]) & 0xFFFFFFFF
        return longest

    def _lengths_of(self, ids: Int32s) -> Int64s:
        distinct = np.flatnonzero(np.bincount(ids))
        more = int(distinct[-1]) + 1 - len(self._lengths)
        if more > 0:
            self._lengths = np.append(self._lengths, np.full(more, -1))
        new = distinct[self._lengths[distinct] < 0]
        self._lengths[new] = [len(self._tokenizer.token_bytes(token_id)) for token_id in new.tolist()]
        return self._lengths[ids]
