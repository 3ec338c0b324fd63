"""The scripts of all views, as built from frontend/, and the translations of their texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from pathlib import Path

from bpe_core.language import LANGUAGES, PSEUDO, SOURCE, catalogues
from ui.session.folders import CATALOGUE_FOLDER

_STATIC = Path(__file__).parents[1] / "static"
_SCRIPTS = sorted(_STATIC.glob("*.js"))
_WORDS = _STATIC / "words.json"
_NOTES = b"""<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>BPE Lab</title></head><body><script type="module" src="./notes.js"></script></body></html>"""
"""The speaker's window of the stage."""


def _bundled() -> tuple[str, dict[str, Callable[[], bytes]]]:
    """Name of a folder, and a reader for each file in it by path: the scripts, and a catalogue per language.

    The folder's name changes with the content of any file. The catalogues are `ja.json` and so on.
    """
    digest = blake2b(digest_size=8)
    for path in (*_SCRIPTS, _WORDS, *sorted(CATALOGUE_FOLDER.glob("*/*.po"))):
        digest.update(path.read_bytes())
    folder = f"bpe-lab.{digest.hexdigest()}"
    scripts = {f"{folder}/{path.name}": path.read_bytes for path in _SCRIPTS} | {f"{folder}/notes.html": lambda: _NOTES}
    languages = [language for language in (*LANGUAGES, PSEUDO) if language != SOURCE]
    return folder, scripts | {f"{folder}/{language}.json": partial(translations, language) for language in languages}


def translations(language: str) -> bytes:
    """Translations of the scripts' texts by their English, as JSON; untranslated texts are omitted."""
    return json.dumps(catalogues.translations(json.loads(_WORDS.read_text("utf-8")), language)).encode()


FOLDER, FILES = _bundled()
"""Name of the folder of the scripts and their catalogues; readers of these by path."""

SCRIPT = f"{FOLDER}/bpe-lab.js"
SHARED = f"{FOLDER}/shared.js"
"""The page's script, and the one that it imports; it loads the others on demand."""
