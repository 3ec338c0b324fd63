"""JSON objects, one per line, with numbers of any size; or the reason why a line has none."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from bpe_core.errors import quoted
from bpe_core.language import message
from bpe_core.text.csv_records import MOST_CHARACTERS
from bpe_core.text.json_sizes import sizes_of
from bpe_core.text.parquet_texts import NOT_UTF8

MOST_NESTED = 500_000
"""Maximum number of lists and objects in a line of JSON."""
TOO_LONG = message("it has more than {most:,} characters", most=MOST_CHARACTERS)


def json_record(line: bytes) -> Any:
    """The value of a line. If a number exceeds Python's limit of 4,300 digits for int, integers become Decimal.

    Raises ValueError or RecursionError for a line that is not JSON.

    >>> json_record(b'{"text": "low"}')
    {'text': 'low'}
    """
    try:
        return json.loads(line)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:
        return json.loads(line, parse_int=Decimal)


def json_object(line: bytes | None) -> dict[str, Any] | str:
    """The object in a line, or the reason why there is none; None is a line that is too long.

    >>> json_object(b'{"text": "low"}'), json_object(b"[1]")
    ({'text': 'low'}, "it is not a JSON object: '[1]'")
    """
    if line is None:
        return TOO_LONG
    if line.count(b"[") + line.count(b"{") > MOST_NESTED:
        sizes = sizes_of(line, len(line))
        if sizes.lists + sizes.objects > MOST_NESTED:
            return message("it has more than {most:,} lists and objects", most=MOST_NESTED)
    try:
        found = json_record(line.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError:
        return NOT_UTF8
    except (ValueError, RecursionError):
        return message("it is not JSON: {line}", line=_begun(line))
    return found if isinstance(found, dict) else message("it is not a JSON object: {line}", line=_begun(line))


def _begun(line: bytes) -> str:
    """The first characters of a line, for an error."""
    return quoted(line[:60].decode("utf-8", "ignore").strip())
