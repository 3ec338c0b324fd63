"""Translation into the current language: that of the session or the terminal.

Code that displays text uses `_` for literals and `said` for messages of the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bpe_core.language.catalogues import catalogue
from bpe_core.language.messages import TranslatableMessage, in_language, translated
from bpe_core.language.sentences import Sentence


class _Ear:
    """Holder of the function that returns the current language."""

    ask: Callable[[], str] = staticmethod(lambda: "en")


def speak(asked: Callable[[], str] | str) -> None:
    """Set the process's current language: a code, or a function that returns one at each translation.

    >>> speak("en")
    """
    _Ear.ask = staticmethod(asked) if callable(asked) else staticmethod(lambda: asked)


@contextmanager
def spoken_in(language: str) -> Iterator[None]:
    """Set the current language within a `with` block.

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
    """Code of the current language.

    >>> spoken()
    'en'
    """
    return _Ear.ask()


def _(template: str, /, **values: Any) -> str:
    """Translate a literal with named values in braces."""
    language = spoken()
    if language == "en" and not values:
        return template.format()
    return translated(template, None, values, language)


def n_(one: str, many: str, count: int, /, **values: Any) -> str:
    """Translate a literal with singular and plural forms, which may contain `{count}`.

    >>> n_("{count:,} line", "{count:,} lines", 1200)
    '1,200 lines'
    """
    return translated(one, many, {**values, "count": count}, spoken())


def said(text: str) -> str:
    """Translate a message; a plain str is returned unchanged.

    >>> from bpe_core.language import message
    >>> said(message("Step {n}", n=3))
    'Step 3'
    """
    return in_language(text, spoken()) if isinstance(text, TranslatableMessage) else text


def gettext(text: str) -> str:
    """Translate a text of a data file, such as a lesson; braces are literal.

    >>> gettext("A set is {a, b}.")
    'A set is {a, b}.'
    """
    return catalogue(spoken()).gettext(text) if text else text


def parts(template: str, /, **values: Any) -> tuple[Any, ...]:
    """Translated parts of a sentence; see `sentence`.

    >>> parts("{left} joins {right}.", left=b"l", right=b"o")
    (b'l', ' joins ', b'o', '.')
    """
    return Sentence.of(template, None, values).in_language(spoken())
