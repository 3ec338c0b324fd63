"""The script of all views, as built from frontend/, and the translations of its texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from pathlib import Path

from bpe_core.language import LANGUAGES, PSEUDO
from bpe_core.language.catalogues import catalogue
from ui.session.folders import CATALOGUE_FOLDER

_STATIC = Path(__file__).parents[1] / "static"
_SCRIPT = _STATIC / "bpe-lab.js"
_WORDS = _STATIC / "words.json"


def _bundled() -> tuple[str, dict[str, Callable[[], bytes]]]:
    """Name of the script, and a reader for each file by name: the script, and a catalogue per language.

    All names change with the content of any file. For `<name>.js` the catalogues are `<name>.ja.json` and so on.
    """
    digest = blake2b(_SCRIPT.read_bytes() + _WORDS.read_bytes(), digest_size=8)
    for path in sorted(CATALOGUE_FOLDER.glob("*/*.po")):
        digest.update(path.read_bytes())
    name = f"bpe-lab.{digest.hexdigest()}"
    languages = [language for language in (*LANGUAGES, PSEUDO) if language != "en"]
    catalogues = {f"{name}.{language}.json": partial(translations, language) for language in languages}
    return f"{name}.js", {f"{name}.js": _SCRIPT.read_bytes, **catalogues}


def translations(language: str) -> bytes:
    """Translations of the script's texts by their English, as JSON; untranslated texts are omitted."""
    words = catalogue(language)
    found: dict[str, str] = {}
    for one, *plural in json.loads(_WORDS.read_text("utf-8")):
        if plural:
            found |= {one: words.ngettext(one, plural[0], 1), plural[0]: words.ngettext(one, plural[0], 2)}
        else:
            found[one] = words.gettext(one)
    return json.dumps({text: translation for text, translation in found.items() if text != translation}).encode()


SCRIPT, FILES = _bundled()
"""Name of the script; readers of the script and its catalogues by file name."""
