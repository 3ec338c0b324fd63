"""Sentences with embedded objects, such as tokens: text and objects in turn, in the order of each language.

In a template, `**strong**` marks bold text; values are never parsed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
        made = cls(_merged(_parts(template, plural, values, "en")))
        made.template, made.plural, made.values = template, plural, values
        return made

    def in_language(self, language: str) -> tuple[Any, ...]:
        """The translated parts.

        >>> sentence("{a} and {b}", a=b"x", b=b"y").in_language("en-XA")
        ('⟦', b'x', ' and ', b'y', '⟧')
        """
        return tuple(self) if language == "en" else tuple(_merged(_parts(*self._made_of(), language)))

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


def _parts(template: str, plural: str | None, values: Mapping[str, Any], language: str) -> Iterator[Any]:
    shown = template_in(template, plural, values, language) if language != "en" else _english(template, plural, values)
    for part in _parsed(shown):
        if not isinstance(part, _Field):
            yield part
            continue
        value = values[part.name]
        if isinstance(value, Sentence):
            yield from value.in_language(language)
        elif isinstance(value, str | int | float):
            translated = in_language(value, language) if isinstance(value, str) else value
            text = _FORMATTER.format_field(_FORMATTER.convert_field(translated, part.conversion), part.form)
            yield Strong(text) if part.strong else text
        else:
            yield value


def _english(template: str, plural: str | None, values: Mapping[str, Any]) -> str:
    return template if plural is None or values["count"] == 1 else plural


def _merged(parts: Iterator[Any]) -> Iterator[Any]:
    """Merge adjacent texts, bold ones separately, and drop empty ones."""
    text: str | Strong = ""
    for part in parts:
        if not isinstance(part, str):
            if text:
                yield text
            text = ""
            yield part
        elif part and text and isinstance(part, Strong) != isinstance(text, Strong):
            yield text
            text = part
        elif part:
            text = type(part)(text + part) if isinstance(part, Strong) else str(text) + str(part)
    if text:
        yield text
