"""Messages: English text that keeps its template and values, so that it can be translated later.

The core never translates. It returns and raises messages; the app and the command line translate them. A message is an
English str, so it is joined, logged and compared like one. Its template is the key in the catalogues, and its values
are named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpe_core.language.catalogues import CONTEXT, catalogue, without_context

VERBATIM = "{text}"
"""Template of text that is not translated."""


class TranslatableMessage(str):
    """English text with its template, its plural template if any, and its values.

    >>> made = message("{name} has {count:,} ids.", name="gpt2", count=50_257)
    >>> made, made.template, made.values["count"]
    ('gpt2 has 50,257 ids.', '{name} has {count:,} ids.', 50257)
    """

    template: str
    plural: str | None
    values: Mapping[str, Any]

    @classmethod
    def of(cls, template: str, plural: str | None, values: Mapping[str, Any]) -> TranslatableMessage:
        """Build a message. `values["count"]` chooses between template and plural.

        >>> TranslatableMessage.of("{count} step", "{count} steps", {"count": 3})
        '3 steps'
        """
        chosen = template if plural is None or values["count"] == 1 else plural
        made = cls(without_context(chosen).format_map(values))
        made.template, made.plural, made.values = template, plural, values
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return TranslatableMessage.of, (self.template, self.plural, dict(self.values))


def message(template: str, /, **values: Any) -> TranslatableMessage:
    """A message with named values in braces, as in str.format; literal braces are doubled. gettext needs a string
    literal.

    >>> message("The limit is {limit:,}.", limit=4000)
    'The limit is 4,000.'
    """
    return TranslatableMessage.of(template, None, values)


def term(context: str, text: str, /) -> TranslatableMessage:
    """A word that has several meanings, each with an entry of its own: `context` says which. gettext needs string
    literals.

    >>> made = term("button", "Count")
    >>> made, translated(made.template, None, {}, "en-XA")
    ('Count', '⟦Count⟧')
    """
    return TranslatableMessage.of(f"{context}{CONTEXT}{text}", None, {})


def counted(one: str, many: str, count: int, /, **values: Any) -> TranslatableMessage:
    """A message with singular and plural forms, which may contain `{count}`.

    >>> counted("{count:,} word", "{count:,} words", 1), counted("{count:,} word", "{count:,} words", 2000)
    ('1 word', '2,000 words')
    """
    return TranslatableMessage.of(one, many, {**values, "count": count})


def joined(*sentences: str) -> TranslatableMessage:
    """Sentences joined by spaces; empty ones are skipped.

    >>> joined("One.", "", message("{n}.", n=2))
    'One. 2.'
    """
    nonempty = [each for each in sentences if each]
    if not nonempty:
        return TranslatableMessage.of("", None, {})
    whole = _verbatim(nonempty[0])
    for after in nonempty[1:]:
        whole = message("{sentence} {next_sentence}", sentence=whole, next_sentence=after)
    return whole


def listed(items: Sequence[str], *, last: str = "and") -> TranslatableMessage:
    """Items as a list in prose. `last`: the word before the last item, "and" or "or", or "" for a comma.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], last="or"), listed(["a", "b"], last="")
    ('a, b and c', 'a or b', 'a, b')
    """
    if not items:
        return TranslatableMessage.of("", None, {})
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


def _verbatim(text: str) -> TranslatableMessage:
    """The message itself, or a plain text as a message that is not translated."""
    return text if isinstance(text, TranslatableMessage) else TranslatableMessage.of(VERBATIM, None, {"text": text})


def in_language(text: str, language: str) -> str:
    """Translate a message; a plain str is returned unchanged.

    >>> in_language(message("{n} of {m}", n=1, m=2), "en"), in_language("as it is", "ja")
    ('1 of 2', 'as it is')
    """
    if not isinstance(text, TranslatableMessage):
        return text
    if language == "en":
        return str(text)
    return translated(text.template, text.plural, text.values, language)


def translated(template: str, plural: str | None, values: Mapping[str, Any], language: str) -> str:
    """Translate a template and fill in its values.

    >>> translated("{a}!", None, {"a": message("low")}, "en-XA")
    '⟦⟦low⟧!⟧'
    """
    translated_values = {
        name: in_language(value, language) if isinstance(value, TranslatableMessage) else value
        for name, value in values.items()
    }
    return template_in(template, plural, values, language).format_map(translated_values)


def template_in(template: str, plural: str | None, values: Mapping[str, Any], language: str) -> str:
    """Translate a template, in the plural form for `values["count"]`; "{text}" is unchanged.

    >>> template_in("{count} step", "{count} steps", {"count": 2}, "en")
    '{count} steps'
    """
    if not template or template == VERBATIM:
        return template
    words = catalogue(language)
    return (
        without_context(words.gettext(template))
        if plural is None
        else words.ngettext(template, plural, values["count"])
    )
