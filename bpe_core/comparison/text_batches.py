"""Batches of the rows of a file, or of given texts, without the rows that are broken or have no text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from os import PathLike
from sys import maxsize
from typing import Any, NamedTuple, TypeAlias

from bpe_core import checks
from bpe_core.errors import CorpusError, quoted
from bpe_core.language import message
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.table_files import SkippedRow, TableFile, TextRow, open_table

Texts: TypeAlias = "Iterable[str | None] | PathLike[str] | TableFile"
"""Texts, None for a missing one; the path of a file of them; or such a file, already open."""

MOST_SKIPPED = 100
"""Maximum number of skipped rows whose reason is kept."""

_SIZE = 1 << 21
"""Characters per batch."""
_MOST = 1 << 14
"""Rows per batch."""


def opened(texts: object) -> AbstractContextManager[object]:
    """The texts, opened if they are the path of a file, which the context closes.

    >>> with opened(["low"]) as texts:
    ...     texts
    ['low']
    """
    return open_table(texts) if isinstance(texts, PathLike) else nullcontext(texts)


class TextBatch(NamedTuple):
    """Rows: their numbers, and for each column its texts, whose lone surrogates are replaced.

    >>> TextBatch([1, 2], [["low", "lower"]]).columns[0][1]
    'lower'
    """

    rows: list[int]
    columns: list[list[str]]


class TextBatches:
    """Iterator over batches of rows in which no text is missing.

    missing   number of rows with a missing text, left out so far
    skipped   number of broken rows; `problems`: the first of them
    is_whole  False once rows beyond the limits were ignored
    done, total  bytes of the file, or number of texts; the total of an iterator is not known, and equals `done`

    >>> batches = TextBatches(["low", None, "lower"])
    >>> list(batches.reported(None)), batches.missing, batches.total
    ([TextBatch(rows=[0, 2], columns=[['low', 'lower']])], 1, 3)
    """

    def __init__(
        self,
        source: object,
        columns: Sequence[str] | str | None = None,
        most: int | None = None,
        most_characters: int | None = None,
    ) -> None:
        """`columns`: several names, one, or None for "text" or the only one; keys for an iterable of mappings.

        most, most_characters: limits on the rows, and on the characters of their texts; all rows from the first that
        exceeds one are ignored.
        """
        self.is_whole = True
        self.missing = self.skipped = self.done = 0
        self.problems: list[SkippedRow] = []
        self._file = source if isinstance(source, TableFile) else None
        self._known = len(source) if isinstance(source, Sequence) else None
        several = None if isinstance(columns, str | None) else list(columns)
        if self._file is None:
            if isinstance(columns, str):
                raise checks.wrong(columns, "column", message("Only a file has columns."), message("Leave it out."))
            self._rows = _rows_of(source, several)
        else:
            several = several or [self._file.column(columns if isinstance(columns, str) else None)]
            self._rows = self._file.rows(several)
        self._columns = len(several or [""])
        self._most = maxsize if most is None else checks.whole_number(most, "most")
        self._left = maxsize if most_characters is None else checks.whole_number(most_characters, "most_characters")

    @property
    def total(self) -> int:
        """Final value of `done`."""
        return self._file.size if self._file is not None else self._known or self.done

    def reported(self, on_progress: Callable[[int, int], object] | None) -> Iterator[TextBatch]:
        """The batches; after the work on each, `on_progress(done, total)` is called."""
        for batch in self:
            yield batch
            if on_progress is not None:
                on_progress(self.done, self.total)

    def __iter__(self) -> Iterator[TextBatch]:
        numbers: list[int] = []
        columns: list[list[str]] = [[] for _ in range(self._columns)]
        size = 0
        for count, row in enumerate(self._rows):
            if count == self._most:
                self.is_whole = False
                break
            self.done = self.done + 1 if self._file is None else self._file.position
            if isinstance(row, SkippedRow):
                self.skipped += 1
                if len(self.problems) < MOST_SKIPPED:
                    self.problems.append(row)
                continue
            number, texts = row
            found = [text for text in texts if text is not None]
            if len(found) < len(columns):
                self.missing += 1
                continue
            characters = sum(map(len, found))
            if characters > self._left:
                self.is_whole = False
                break
            self._left -= characters
            size += characters
            numbers.append(number)
            for column, text in zip(columns, found, strict=True):
                column.append(replace_surrogates(text)[0])
            if size > _SIZE or len(numbers) >= _MOST:
                yield TextBatch(numbers, columns)
                numbers, columns, size = [], [[] for _ in range(self._columns)], 0
        if numbers:
            yield TextBatch(numbers, columns)
        self.done = self.total


def _rows_of(texts: object, columns: list[str] | None) -> Iterator[TextRow]:
    """Rows of an iterable of texts, or of mappings with a text for each of these columns."""
    if not checks.is_iterable(texts) or isinstance(texts, str | bytes | bytearray):
        raise _not_texts(texts, columns)
    for number, given in enumerate(texts):
        if columns is None:
            row: tuple[Any, ...] = (given,)
        elif isinstance(given, Mapping):
            row = tuple(map(given.get, columns))
        else:
            raise _not_texts(given, columns)
        found = tuple(None if _is_missing(text) else text for text in row)
        wrong = [text for text in found if not isinstance(text, str | None)]
        if wrong:
            raise _not_texts(wrong[0], columns)
        yield number, found


def _is_missing(text: object) -> bool:
    """Whether a cell is empty: pandas has NaN there."""
    return text is None or (isinstance(text, float) and text != text)


def _not_texts(value: object, columns: list[str] | None) -> CorpusError:
    return CorpusError(
        message("The texts hold {value} of type {type}.", value=quoted(value), type=type(value).__name__),
        limit=message("They are an iterable of str, a path (os.PathLike), or an open table.")
        if columns is None
        else message("They are an iterable of mappings from columns to str, a path (os.PathLike), or an open table."),
        remedy=message("Convert the others to str, or leave them out with None."),
    )
