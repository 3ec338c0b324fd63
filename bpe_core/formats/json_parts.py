"""Shared readers for the sections of tokenizer.json: choices, characters, patterns, types, steps of a Sequence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from bpe_core.errors import FormatError, refuse
from bpe_core.formats.reading import Json, a_list, a_text, an_object, wrong
from bpe_core.huggingface.oniguruma_reading import translated
from bpe_core.language import listed, message

Choice = TypeVar("Choice", bound=str)

MOST_STEPS = 50
"""Maximum number of steps in one Sequence."""

DEEPEST = 20
"""Maximum nesting depth of Sequences."""


def one_of(place: str, value: object, known: Sequence[Choice]) -> Choice:
    """One of the known texts.

    >>> one_of("padding.direction", "Left", ("Left", "Right"))
    'Left'
    """
    found = next((each for each in known if each == value), None)
    if found is None:
        wrong(place, value, message("Known: {known}.", known=listed(known, last="")))
    return found


def a_character(place: str, value: object) -> str:
    """A text of one character.

    >>> a_character("decoder.replacement", "▁")
    '▁'
    """
    text = a_text(place, value)
    if len(text) != 1:
        wrong(place, text, message("It must be one character."))
    return text


class GivenPattern(NamedTuple):
    """The "pattern" of a step: a text to find, or a regular expression, with its form for this project's engine.

    >>> a_pattern("normalizer.pattern", {"String": "a"})
    GivenPattern(place='normalizer.pattern.String', source='a', regex=None)
    """

    place: str
    source: str
    regex: str | None


def a_pattern(place: str, value: object) -> GivenPattern:
    """Read a pattern. Raises FormatError for a regular expression that may have another meaning here.

    >>> a_pattern("normalizer.pattern", {"Regex": "a+"}).regex
    'a+'
    """
    given = an_object(place, value)
    if list(given) not in (["String"], ["Regex"]):
        wrong(place, given, message("It must be a Regex or a String."))
    [(kind, source)] = given.items()
    place = f"{place}.{kind}"
    source = a_text(place, source)
    return GivenPattern(place, source, None if kind == "String" else translated(source, place))


def typed(
    place: str,
    value: object,
    known: Collection[str],
    keys: Mapping[str, Collection[str]],
    read: Callable[[str, Json], object],
) -> tuple[str, Json]:
    """Type of a part of a file, and the part. As in the tokenizers library, a part without a known type gets the first
    type in `keys` that can be read from its other keys; "" if it has the keys of none.

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


def parts_of(sequence: Json, place: str, key: str, depth: int) -> Iterator[tuple[str, object]]:
    """The steps of a Sequence, each with its place. `depth`: number of Sequences around it.

    >>> list(parts_of({"decoders": [None]}, "decoder", "decoders", 0))
    [('decoder.decoders[0]', None)]
    """
    if depth == DEEPEST:
        refuse(
            message("{place} is a Sequence in {most} others.", place=place, most=DEEPEST),
            message("The most allowed is {most}.", most=DEEPEST),
        )
    place = f"{place}.{key}"
    return ((f"{place}[{at}]", part) for at, part in enumerate(a_list(place, sequence.get(key), MOST_STEPS)))
