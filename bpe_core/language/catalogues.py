"""Translation catalogues: gettext's .po files, loaded lazily by Babel.

Each catalogue folder has one subfolder per language, named by its code, with any number of .po files. Missing entries
fall back to English, the language of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple


class Language(NamedTuple):
    """A language of the messages.

    name: what it calls itself. draft: its word for a first draft, whose catalogues may have gaps; "" if they are
    complete.

    >>> LANGUAGES["ja"].title, LANGUAGES["ko"].title
    ('日本語', '한국어 (초안)')
    """

    name: str
    draft: str = ""

    @property
    def title(self) -> str:
        """Its name in the menu, followed by the word for a draft, if it is one."""
        return f"{self.name} ({self.draft})" if self.draft else self.name


LANGUAGES: Final = {
    "en": Language("English"),
    "ja": Language("日本語"),
    "zh": Language("中文"),
    "ko": Language("한국어", draft="초안"),
}
"""Languages by their codes: the only list of them. The source is in the first one."""

COMPLETE: Final = tuple(code for code, each in LANGUAGES.items() if not each.draft)
"""Codes of the languages that are not drafts."""

SOURCE: Final = next(iter(LANGUAGES))
"""Code of the language of the source."""

PSEUDO: Final = "en-XA"
"""Pseudo-locale: English in double brackets. Text without brackets comes from no catalogue."""

CONTEXT: Final = "\x04"
"""Separator that gettext writes between the context of a message and the message."""

_FOLDERS = [Path(__file__).parents[1] / "translations"]


def add_catalogues(folder: Path) -> None:
    """Register a catalogue folder. Call it once, before the first translation.

    >>> add_catalogues(Path("no such folder"))
    """
    if folder not in _FOLDERS:
        _FOLDERS.append(folder)
        catalogue.cache_clear()


def language_of(tag: str) -> str:
    """The supported language for a requested language tag: a code of `LANGUAGES`, English for all others. Drafts are
    never matched; they must be chosen by hand.

    >>> [language_of(tag) for tag in ("ja-JP", "zh_CN.UTF-8", "ko-KR", "pt-BR", "", "C")]
    ['ja', 'zh', 'en', 'en', 'en', 'en']
    """
    if tag == PSEUDO:
        return tag
    code = tag.replace("_", "-").split("-")[0].split(".")[0].lower()
    return code if code in LANGUAGES and not LANGUAGES[code].draft else SOURCE


def without_context(message: str) -> str:
    """A message without the context that precedes it in catalogues.

    >>> without_context("head" + CONTEXT + "Tokens"), without_context("Tokens")
    ('Tokens', 'Tokens')
    """
    return message.rpartition(CONTEXT)[2]


class Pseudo(NullTranslations):
    """Catalogue of the pseudo-locale.

    >>> Pseudo().gettext("step"), Pseudo().ngettext("step", "steps", 2), Pseudo().pgettext("language", "Greek")
    ('⟦step⟧', '⟦steps⟧', '⟦Greek⟧')
    """

    def gettext(self, message: str) -> str:
        """The message in brackets."""
        return f"⟦{without_context(message)}⟧"

    def pgettext(self, context: str, message: str) -> str:
        """The message in brackets, whatever its context."""
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The singular for one, the plural for all other numbers, in brackets."""
        return self.gettext(msgid1 if n == 1 else msgid2)


@cache
def catalogue(language: str) -> NullTranslations:
    """Catalogue of a language; empty for English.

    >>> catalogue("en").gettext("step")
    'step'
    """
    if language == PSEUDO:
        return Pseudo()
    files = [file for folder in _FOLDERS for file in sorted((folder / language).glob("*.po"))]
    if not files:
        return NullTranslations()
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    together = Catalog(locale=language)
    for file in files:
        with file.open("rb") as opened:
            for entry in read_po(opened, locale=language):
                if entry.id and any(entry.string or ()):
                    together.add(entry.id, entry.string, context=entry.context)
    compiled = BytesIO()
    write_mo(compiled, together)
    compiled.seek(0)
    return GNUTranslations(compiled)


def translations(texts: Iterable[Sequence[str]], language: str) -> dict[str, str]:
    """Translations of texts by their English; untranslated ones are omitted. Each text may be followed by its plural.

    >>> translations([["next"], ["step", "steps"]], "en-XA")
    {'next': '⟦next⟧', 'step': '⟦step⟧', 'steps': '⟦steps⟧'}
    """
    words = catalogue(language)
    found: dict[str, str] = {}
    for one, *plural in texts:
        if plural:
            found |= {one: words.ngettext(one, plural[0], 1), plural[0]: words.ngettext(one, plural[0], 2)}
        else:
            found[one] = without_context(words.gettext(one))
    return {text: translation for text, translation in found.items() if without_context(text) != translation}
