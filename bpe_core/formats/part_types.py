"""Types of the parts of a tokenizer.json: named, or recognised by their other keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from bpe_core.errors import FormatError
from bpe_core.formats.reading import Json, an_object


def typed(
    place: str,
    value: object,
    known: Collection[str],
    keys: Mapping[str, Collection[str]],
    read: Callable[[str, Json], object],
) -> tuple[str, Json]:
    """Type of a part of a file, and the part. As in the tokenizers library, one without a known type has the first of
    those in `keys` that can be read from its other keys; "" if it has the keys of none.

    >>> typed("normalizer", {"prepend": "a"}, ["NFC"], {"Prepend": ["prepend"]}, lambda kind, part: 0)[0]
    'Prepend'
    """
    given = an_object(place, value)
    kind = given.get("type")
    if isinstance(kind, str) and kind in known:
        return kind, given
    possible = [name for name, needed in keys.items() if given.keys() >= {*needed}]
    for name in possible:
        try:
            read(name, given)
        except FormatError:
            continue
        return name, given
    return next(iter(possible), ""), given
