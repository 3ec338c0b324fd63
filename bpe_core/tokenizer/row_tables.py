"""Row of a batch as a table, one line per id; export as Python, JSON or CSV: exact, and safe to paste."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol, Self

from bpe_core.tokenizer.rows import InputRow
from bpe_core.tokenizer.tokenizer import Tokenizer


class Line(Protocol):
    """Line of a table: a named tuple with a token and other fields.

    >>> isinstance(TokenRow(9319, "low", 0, 0, 0, 3, 0, 1, 0).token, str)
    True
    """

    @property
    def token(self) -> str | bytes:
        """Text of a token, or its bytes."""
        ...

    @property
    def _fields(self) -> tuple[str, ...]: ...

    def _asdict(self) -> dict[str, Any]: ...

    def _replace(self, *, token: str) -> Self: ...

    def __iter__(self) -> Iterator[Any]: ...


class TokenRow(NamedTuple):
    """One id of a row.

    token       text of the token, or its bytes if they are not whole characters
    text        index of its text, 0 or 1; None for special tokens
    word        index of its word in that text, from 0; None for special tokens
    start, end  characters of the original text, as a Python slice; 0 and 0 for special tokens

    >>> TokenRow(9319, "low", 0, 0, 0, 3, 0, 1, 0)._fields[:4]
    ('id', 'token', 'text', 'word')
    """

    id: int
    token: str | bytes
    text: int | None
    word: int | None
    start: int
    end: int
    type_id: int
    attention_mask: int
    special_tokens_mask: int


def token_rows(row: InputRow, tokenizer: Tokenizer, *, most: int | None = None) -> list[TokenRow]:
    r"""Ids of a row with all their fields; `most`: limit on the number of lines.

    Raises TokenIdError for an id that the tokenizer lacks.

    >>> from bpe_core import load_pretrained
    >>> from bpe_core.tokenizer.batches import batch
    >>> made = batch(["low こ"], load_pretrained("gpt2"))
    >>> for each in token_rows(made.rows[0], made.tokenizer):
    ...     print(each.id, each.token, each.word, each.start, each.end)
    9319 low 0 0 3
    23294 b' \xe3\x81' 1 3 5
    241 b'\x93' 1 4 5
    """
    columns = (row.text_of, row.word_ids, row.starts, row.ends, row.type_ids, row.attention_mask)
    ids = row.ids[:most].tolist()
    tokens = {token_id: _text(tokenizer.token_bytes(token_id)) for token_id in set(ids)}
    found = zip(ids, *(column[:most].tolist() for column in (*columns, row.special_tokens_mask)), strict=True)
    return [
        TokenRow(token_id, tokens[token_id], None if text < 0 else text, None if word < 0 else word, *rest)
        for token_id, text, word, *rest in found
    ]


def as_python(rows: Iterable[Line]) -> str:
    r"""List of dicts as a Python literal, in ASCII: `ast.literal_eval` gives the same values.

    >>> print(as_python([TokenRow(5, "é", 0, 0, 0, 1, 0, 1, 0)])[:32])
    [
        {'id': 5, 'token': '\xe9',
    """
    lines = "".join(f"    {row._asdict()!a},\n" for row in rows)
    return f"[\n{lines}]" if lines else "[]"


def as_json(rows: Iterable[Line]) -> str:
    r"""List of objects as JSON, in ASCII; a token of bytes that are not whole characters is a list of numbers.

    >>> as_json([TokenRow(5, b"\x93", 0, 0, 0, 1, 0, 1, 0)])[6:32]
    '{"id": 5, "token": [147], '
    """
    lines = ",\n".join(f"    {json.dumps({**row._asdict(), 'token': _listed(row.token)})}" for row in rows)
    return f"[\n{lines}\n]" if lines else "[]"


def as_csv(rows: Iterable[Line]) -> str:
    r"""Table with a header line, as in RFC 4180; None is empty.

    A token is a Python literal, in ASCII (`ast.literal_eval` reads it), so spaces and bytes are exact, and a
    spreadsheet does not evaluate it as a formula.

    >>> as_csv([TokenRow(5, "=1,2", 0, 0, 0, 4, 0, 1, 0)]).splitlines()[1]
    '5,"\'=1,2\'",0,0,0,4,0,1,0'
    """
    written = io.StringIO(newline="")
    table = csv.writer(written, lineterminator="\r\n")
    lines = list(rows)
    table.writerow(lines[0]._fields if lines else TokenRow._fields)
    table.writerows(row._replace(token=ascii(row.token)) for row in lines)
    return written.getvalue()


def _text(token: bytes) -> str | bytes:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return token


def _listed(token: str | bytes) -> str | list[int]:
    return token if isinstance(token, str) else list(token)
