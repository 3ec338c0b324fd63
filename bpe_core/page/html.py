"""The HTML of a page that plays by itself: the script and style of the views, and a recording, in one file.

page.js and page.css are built from frontend/src/recorded, which names the parts of a recording.
"""

from __future__ import annotations

import gzip
import html
import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from bpe_core.errors import FormatError, quoted
from bpe_core.language import _, current_language, message
from bpe_core.language.catalogues import catalogue

_FOLDER = Path(__file__).parent
_SCRIPT, _STYLE = _FOLDER / "page.js", _FOLDER / "page.css"
_WORDS = _FOLDER / "words.json"
"""Messages of the script, each with its plural if there is one; written by scripts/translations.py."""

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1><p>{facts}</p></header>
<main><p class="unplayed">{unplayed}</p></main>
<footer>{foot}</footer>
<script type="text/plain" id="recording">{recording}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def page_html(title: str, facts: str, foot: str, recording: Mapping[str, Any]) -> str:
    """HTML of a page in the current language. `title`, `facts` and `foot`: plain text; `recording`: see recording.ts.

    The page's own content policy allows its script and its style, by their hashes, and nothing else.

    >>> page = page_html("a < b", "", "", {"steps": []})
    >>> "<title>a &lt; b</title>" in page, "default-src 'none'" in page
    (True, True)
    """
    script, style = _SCRIPT.read_text("utf-8").strip(), _STYLE.read_text("utf-8").strip()
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'"
    words = {"language": current_language(), "words": _translations(current_language())}
    packed = gzip.compress(json.dumps({**words, **recording}, separators=(",", ":")).encode(), 9, mtime=0)
    return _PAGE.format(
        language=html.escape(current_language()),
        policy=policy,
        title=html.escape(title),
        style=style,
        facts=html.escape(facts),
        unplayed=html.escape(_("This page plays in a browser of 2023 or later with JavaScript.")),
        foot=html.escape(foot),
        recording=b64encode(packed).decode(),
        script=script,
    )


def write_page(page: str, path: str | Path) -> None:
    """Write a page to a file. Raises FormatError if it cannot be written.

    >>> write_page("", "/dev/null")
    """
    try:
        Path(path).write_text(page, "utf-8")
    except (OSError, ValueError) as error:
        raise FormatError(
            message("{path} cannot be written: {reason}.", path=quoted(str(path)), reason=_reason(error)),
            limit=message("A page is one file in a folder that exists."),
            remedy=message("Choose another name or folder."),
        ) from error


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _translations(language: str) -> dict[str, str]:
    """Translations of the script's texts by their English; untranslated texts are omitted."""
    if language == "en":
        return {}
    words = catalogue(language)
    found: dict[str, str] = {}
    for one, *plural in json.loads(_WORDS.read_text("utf-8")):
        if plural:
            found |= {one: words.ngettext(one, plural[0], 1), plural[0]: words.ngettext(one, plural[0], 2)}
        else:
            found[one] = words.gettext(one)
    return {text: translation for text, translation in found.items() if text != translation}
