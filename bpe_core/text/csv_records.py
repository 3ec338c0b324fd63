"""Records of a CSV file, read line by line; after a broken record, reading resumes after its first line."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator

from bpe_core.errors import CorpusError
from bpe_core.language import message

MOST_CHARACTERS = 64_000_000
"""Limit on the characters of a record, and on the bytes of a line."""
MOST_LINES = 1_000_000
"""Limit on the lines of a record: those after an unclosed quotation mark are kept, to be read again."""

_MOST_READ_AGAIN = 4 * MOST_CHARACTERS
"""Limit on the characters read again after unclosed quotation marks, some seconds' work; then the file is refused."""
_PER_LINE = 20
"""Overhead of reading a line, as a number of characters that take as long."""

_SEPARATORS = ",;\t"


def separator_of(header: str) -> str:
    """Separator of a CSV file by its first line: a comma, semicolon or tab, whichever is most frequent.

    >>> separator_of("id;text"), separator_of("text")
    (';', ',')
    """
    return max(_SEPARATORS, key=header.count)


def read_records(lines: Iterator[str | None], separator: str) -> Iterator[tuple[int, list[str] | str]]:
    """Each record with the number of its first line, from 1: its fields, or the reason why it is broken.

    `lines`: with their line ends; None for one that is too long. Raises CorpusError if most of the file would be read
    again and again, because its quotation marks do not match.

    >>> text = 'id,text\\n1,"low"er\\n2,"low\\nlower"\\n3,"never closed\\n4,new\\n'
    >>> for line, fields in read_records(iter(text.splitlines(keepends=True)), ","):
    ...     print(line, fields)
    1 ['id', 'text']
    2 its quotation marks do not match
    3 ['2', 'low\\nlower']
    5 its quotation marks do not match
    6 ['4', 'new']
    """
    csv.field_size_limit(max(csv.field_size_limit(), MOST_CHARACTERS))
    given = _Lines(lines)
    while True:
        reader = csv.reader(given, delimiter=separator, strict=True)
        try:
            for fields in reader:
                if fields:
                    yield given.first, fields
                given.begin()
            return
        except csv.Error:
            number, reason = given.first, given.problem or message("its quotation marks do not match")
            given.give_back()
            yield number, reason


class _Lines:
    """Lines for csv.reader; all lines of a broken record but its first are pushed back."""

    def __init__(self, lines: Iterator[str | None]) -> None:
        self.first = 1
        self.problem = ""
        self._lines = lines
        self._back: deque[str] = deque()
        self._taken: list[str] = []
        self._size = self._again = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._back.popleft() if self._back else next(self._lines)
        self._taken.append(line or "")
        self._size += len(line or "")
        if line is None or self._size > MOST_CHARACTERS:
            self.problem = message("it has more than {most:,} characters", most=MOST_CHARACTERS)
            raise csv.Error
        if len(self._taken) > MOST_LINES:
            self.problem = message("it has more than {most:,} lines", most=MOST_LINES)
            raise csv.Error
        return line

    def begin(self) -> None:
        """Begin the next record."""
        self.first += len(self._taken)
        self._taken, self._size, self.problem = [], 0, ""

    def give_back(self) -> None:
        """Begin again at the second line of the broken record. Raises CorpusError if that happens too often."""
        later = self._taken[1:]
        self._again += sum(map(len, later)) + _PER_LINE * len(later)
        if self._again > _MOST_READ_AGAIN:
            raise CorpusError(
                message("The quotation marks of the CSV file do not match from line {line:,} on.", line=self.first),
                limit=message("A cell that begins with one ends with one; within it they are doubled."),
                remedy=message("Repair that line, or save the table as Parquet."),
            )
        self._back.extendleft(reversed(later))
        self._taken = self._taken[:1]
        self.begin()
