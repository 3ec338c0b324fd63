"""Sentences with embedded objects, such as tokens: text and objects in turn, in the order of each language.

In a template, `**strong**` marks bold text; values are never parsed for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from string import Formatter
from typing import Any, NamedTuple

from bpe_core.language.messages import in_language, template_in

_FORMATTER = Formatter()


class Strong(str):
    """A bold part of a sentence.

    >>> Strong("Next")
    'Next'
    """

    __slots__ = ()


class Sentence(tuple[Any, ...]):
    """The parts in English: str, Strong, and every value that is not a str, number or sentence.

    >>> tuple(sentence("**{n} tokens**: {token}.", n=2, token=b"lo"))
    ('2 tokens', ': ', b'lo', '.')
    """

    template: str
    plural: str | None
    values: Mapping[str, Any]

    @classmethod
    def of(cls, template: str, plural: str | None, values: Mapping[str, Any]) -> Sentence:
        """Build a sentence. `values["count"]` chooses between template and plural.

        >>> tuple(Sentence.of("{count} byte", "{count} bytes", {"count": 2}))
        ('2 bytes',)
        """
        made = cls(_parts(template, plural, values, "en"))
        made.template, made.plural, made.values = template, plural, values
        return made

    def in_language(self, language: str) -> tuple[Any, ...]:
        """The translated parts.

        >>> sentence("{a} and {b}", a=b"x", b=b"y").in_language("en-XA")
        ('⟦', b'x', ' and ', b'y', '⟧')
        """
        return tuple(self) if language == "en" else tuple(_parts(*self._made_of(), language))

    def _made_of(self) -> tuple[str, str | None, Mapping[str, Any]]:
        return self.template, self.plural, self.values

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence.of, self._made_of()


def sentence(template: str, /, **values: Any) -> Sentence:
    """A sentence with objects as values. gettext needs the template as a string literal.

    A sentence among the values is inlined.

    >>> tuple(sentence("{which} wins", which=sentence("the pair {pair}", pair=b"lo")))
    ('the pair ', b'lo', ' wins')
    """
    return Sentence.of(template, None, values)


class _Field(NamedTuple):
    """A value in a template: its name, its format, and whether it is bold."""

    name: str
    form: str
    conversion: Any
    strong: bool


@lru_cache(maxsize=1_024)
def _parsed(template: str) -> tuple[str | Strong | _Field, ...]:
    """Parse a template. Cached, because tens of thousands of sentences share a few templates."""
    parsed: list[str | Strong | _Field] = []
    strong = False
    for literal, name, form, conversion in _FORMATTER.parse(template):
        for at, text in enumerate(literal.split("**")):
            strong = strong != (at > 0)
            parsed.append(Strong(text) if strong else text)
        if name is not None:
            parsed.append(_Field(name, form or "", conversion, strong))
    return tuple(parsed)


def _parts(template: str, plural: str | None, values: Mapping[str, Any], language: str) -> list[Any]:
    """The parts in a language, adjacent texts merged, bold ones separately, and empty ones dropped."""
    shown = template_in(template, plural, values, language) if language != "en" else _english(template, plural, values)
    merged: list[Any] = []
    for part in _parsed(shown):
        if not isinstance(part, _Field):
            _add(merged, part)
            continue
        value = values[part.name]
        if isinstance(value, Sentence):
            first, *others = value.in_language(language) or ("",)
            _add(merged, first)  # merged already, so only its first part can be merged with what is before it
            merged += others
        elif isinstance(value, str | int | float):
            translated = in_language(value, language) if isinstance(value, str) else value
            if part.conversion is not None:
                translated = _FORMATTER.convert_field(translated, part.conversion)
            text = format(translated, part.form)
            _add(merged, Strong(text) if part.strong else text)
        else:
            merged.append(value)
    return merged


def _add(merged: list[Any], part: Any) -> None:
    """Add a part to merged ones."""
    if not isinstance(part, str):
        merged.append(part)
    elif part and merged and type(merged[-1]) is type(part):
        merged[-1] = type(part)(merged[-1] + part)
    elif part:
        merged.append(part)


def _english(template: str, plural: str | None, values: Mapping[str, Any]) -> str:
    return template if plural is None or values["count"] == 1 else plural
