"""A message: words in English that remember what they were made from, so that they can be said in another language.

The core never translates. It returns and raises messages; whoever shows them knows the reader's language. A message is
a str, in English, so it is joined, logged and compared like one; its code is its template, and its values are named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpe_core.language.catalogues import catalogue

VERBATIM = "{text}"
"""The template of what is the same in every language."""


class Message(str):
    """The English words, with their template, the template of the plural where there is one, and the values.

    >>> made = message("{name} has {count:,} ids.", name="gpt2", count=50_257)
    >>> made, made.template, made.values["count"]
    ('gpt2 has 50,257 ids.', '{name} has {count:,} ids.', 50257)
    """

    template: str
    plural: str | None
    values: Mapping[str, Any]

    @classmethod
    def of(cls, template: str, plural: str | None, values: Mapping[str, Any]) -> Message:
        """The message of these parts. `values["count"]` chooses between template and plural.

        >>> Message.of("{count} step", "{count} steps", {"count": 3})
        '3 steps'
        """
        chosen = template if plural is None or values["count"] == 1 else plural
        made = cls(chosen.format_map(values))
        made.template, made.plural, made.values = template, plural, values
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Message.of, (self.template, self.plural, dict(self.values))


def message(template: str, /, **values: Any) -> Message:
    """Words with named values in braces, as of str.format; braces that are meant are doubled. A literal, for gettext.

    >>> message("The limit is {limit:,}.", limit=4000)
    'The limit is 4,000.'
    """
    return Message.of(template, None, values)


def counted(one: str, many: str, count: int, /, **values: Any) -> Message:
    """Words whose form depends on a number, which they may name as `{count}`.

    >>> counted("{count:,} word", "{count:,} words", 1), counted("{count:,} word", "{count:,} words", 2000)
    ('1 word', '2,000 words')
    """
    return Message.of(one, many, {**values, "count": count})


def joined(*sentences: str) -> Message:
    """Sentences after one another, without the empty ones.

    >>> joined("One.", "", message("{n}.", n=2))
    'One. 2.'
    """
    told = [each for each in sentences if each]
    if not told:
        return Message.of("", None, {})
    whole = _verbatim(told[0])
    for after in told[1:]:
        whole = message("{sentence} {next_sentence}", sentence=whole, next_sentence=after)
    return whole


def listed(items: Sequence[str], *, last: str = "and") -> Message:
    """Items as a list in words; `last`: what is before the last one, "and", "or", or "" for a comma as well.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], last="or"), listed(["a", "b"], last="")
    ('a, b and c', 'a or b', 'a, b')
    """
    if not items:
        return Message.of("", None, {})
    *others, final = items
    if not others:
        return _verbatim(final)
    rest = others[0]
    for item in others[1:]:
        rest = message("{items}, {item}", items=rest, item=item)
    if last == "and":
        return message("{items} and {item}", items=rest, item=final)
    if last == "or":
        return message("{items} or {item}", items=rest, item=final)
    return message("{items}, {item}", items=rest, item=final)


def _verbatim(text: str) -> Message:
    """The message itself, or a text that is the same in every language."""
    return text if isinstance(text, Message) else Message.of(VERBATIM, None, {"text": text})


def in_language(text: str, language: str) -> str:
    """A message in a language; a str that is none as it is.

    >>> in_language(message("{n} of {m}", n=1, m=2), "en"), in_language("as it is", "ja")
    ('1 of 2', 'as it is')
    """
    if not isinstance(text, Message):
        return text
    if language == "en":
        return str(text)
    return translated(text.template, text.plural, text.values, language)


def translated(template: str, plural: str | None, values: Mapping[str, Any], language: str) -> str:
    """A template in a language, with its values.

    >>> translated("{a}!", None, {"a": message("low")}, "en-XA")
    '⟦⟦low⟧!⟧'
    """
    told = {
        name: in_language(value, language) if isinstance(value, Message) else value for name, value in values.items()
    }
    return template_in(template, plural, values, language).format_map(told)


def template_in(template: str, plural: str | None, values: Mapping[str, Any], language: str) -> str:
    """The template in a language, in the form that belongs to `values["count"]`; "{text}" stays as it is.

    >>> template_in("{count} step", "{count} steps", {"count": 2}, "en")
    '{count} steps'
    """
    if not template or template == VERBATIM:
        return template
    words = catalogue(language)
    return words.gettext(template) if plural is None else words.ngettext(template, plural, values["count"])
