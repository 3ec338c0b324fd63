"""Saying things to the one who asks: in the language of a visitor, or of the terminal.

Whoever shows words imports `_` and says what is a literal at once; what is a message already is `said`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bpe_core.language.catalogues import catalogue
from bpe_core.language.messages import Message, in_language, translated
from bpe_core.language.sentences import Sentence


class _Ear:
    """Who is asked for the language."""

    ask: Callable[[], str] = staticmethod(lambda: "en")


def speak(asked: Callable[[], str] | str) -> None:
    """From now on in this process say everything in a language, or in the one that a function gives at the time.

    >>> speak("en")
    """
    _Ear.ask = staticmethod(asked) if callable(asked) else staticmethod(lambda: asked)


@contextmanager
def spoken_in(language: str) -> Iterator[None]:
    """Say everything in a language until the `with` ends.

    >>> with spoken_in("en-XA"):
    ...     print(_("next"))
    ⟦next⟧
    """
    before = _Ear.ask
    speak(language)
    try:
        yield
    finally:
        speak(before)


def spoken() -> str:
    """The code of the language of the one who asks.

    >>> spoken()
    'en'
    """
    return _Ear.ask()


def _(template: str, /, **values: Any) -> str:
    """A literal in the language of the one who asks, with named values in braces."""
    language = spoken()
    if language == "en" and not values:
        return template.format()
    return translated(template, None, values, language)


def n_(one: str, many: str, count: int, /, **values: Any) -> str:
    """Words whose form depends on a number, in the language of the one who asks; they may name it as `{count}`.

    >>> n_("{count:,} line", "{count:,} lines", 1200)
    '1,200 lines'
    """
    return translated(one, many, {**values, "count": count}, spoken())


def said(text: str) -> str:
    """A message in the language of the one who asks; a str that is none as it is.

    >>> from bpe_core.language import message
    >>> said(message("Step {n}", n=3))
    'Step 3'
    """
    return in_language(text, spoken()) if isinstance(text, Message) else text


def gettext(text: str) -> str:
    """A text of a data file, such as a lesson's, in the language of the one who asks; braces are as they are.

    >>> gettext("A set is {a, b}.")
    'A set is {a, b}.'
    """
    return catalogue(spoken()).gettext(text) if text else text


def parts(template: str, /, **values: Any) -> tuple[Any, ...]:
    """The parts of a sentence in the language of the one who asks; see `sentence`.

    >>> parts("{left} joins {right}.", left=b"l", right=b"o")
    (b'l', ' joins ', b'o', '.')
    """
    return Sentence.of(template, None, values).in_language(spoken())
