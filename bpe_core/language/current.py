"""Translation into the current language: that of the session or the terminal.

Code that displays text uses `_` for literals and `translate` for messages of the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from bpe_core.language.catalogues import catalogue
from bpe_core.language.messages import TranslatableMessage, in_language, translated
from bpe_core.language.sentences import Sentence


class _Current:
    """Holder of the function that returns the current language."""

    language: Callable[[], str] = staticmethod(lambda: "en")


_of_thread: ContextVar[str | None] = ContextVar("language within using_language", default=None)


def set_language(language: Callable[[], str] | str) -> None:
    """Set the process's current language: a code, or a function that returns one at each translation.

    >>> set_language("en")
    """
    _Current.language = staticmethod(language) if callable(language) else staticmethod(lambda: language)


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Set the current language of this thread within a `with` block.

    >>> with using_language("en-XA"):
    ...     print(_("next"))
    ⟦next⟧
    """
    before = _of_thread.set(language)
    try:
        yield
    finally:
        _of_thread.reset(before)


def current_language() -> str:
    """Code of the current language.

    >>> current_language()
    'en'
    """
    return _of_thread.get() or _Current.language()


def _(template: str, /, **values: Any) -> str:
    """Translate a literal with named values in braces."""
    language = current_language()
    if language == "en" and not values:
        return template.format()
    return translated(template, None, values, language)


def n_(one: str, many: str, count: int, /, **values: Any) -> str:
    """Translate a literal with singular and plural forms, which may contain `{count}`.

    >>> n_("{count:,} line", "{count:,} lines", 1200)
    '1,200 lines'
    """
    return translated(one, many, {**values, "count": count}, current_language())


def translate(text: str) -> str:
    """Translate a message; a plain str is returned unchanged.

    >>> from bpe_core.language import message
    >>> translate(message("Step {n}", n=3))
    'Step 3'
    """
    return in_language(text, current_language()) if isinstance(text, TranslatableMessage) else text


def gettext(text: str) -> str:
    """Translate a text of a data file, such as a lesson; braces are literal.

    >>> gettext("A set is {a, b}.")
    'A set is {a, b}.'
    """
    return catalogue(current_language()).gettext(text) if text else text


def language_name(name: str) -> str:
    """Translate the English name of a language, which may also be that of a script: Greek, Arabic.

    >>> language_name("Greek")
    'Greek'
    """
    return catalogue(current_language()).pgettext("language", name)


def parts(template: str, /, **values: Any) -> tuple[Any, ...]:
    """Translated parts of a sentence; see `sentence`.

    >>> parts("{left} joins {right}.", left=b"l", right=b"o")
    (b'l', ' joins ', b'o', '.')
    """
    return Sentence.of(template, None, values).in_language(current_language())
