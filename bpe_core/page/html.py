"""The HTML of a page that plays by itself: the script and style of the views, and a recording, in one file.

page.js and page.css are built from frontend/src/recorded, which names the parts of a recording.
"""

from __future__ import annotations

import gzip
import html
import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from bpe_core import checks
from bpe_core.errors import FormatError, quoted
from bpe_core.language import LANGUAGES, _, current_language, message, using_language
from bpe_core.language.catalogues import translations

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


def page_html(title: str, facts: str, recording: Mapping[str, Any]) -> str:
    """HTML of a page in the current language. `title` and `facts`: plain text; `recording`: see recording.ts.

    The page's own content policy allows its script and its style, by their hashes, and nothing else.

    >>> page = page_html("a < b", "", {"steps": []})
    >>> "<title>a &lt; b</title>" in page, "default-src 'none'" in page
    (True, True)
    """
    script, style = _SCRIPT.read_text("utf-8").strip(), _STYLE.read_text("utf-8").strip()
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'"
    language = current_language()
    texts = [] if language == "en" else json.loads(_WORDS.read_text("utf-8"))
    words = {"language": language, "words": translations(texts, language)}
    packed = gzip.compress(json.dumps({**words, **recording}, separators=(",", ":")).encode(), 9, mtime=0)
    return _PAGE.format(
        language=html.escape(language),
        policy=policy,
        title=html.escape(title),
        style=style,
        facts=html.escape(facts),
        unplayed=html.escape(_("This page plays in a browser of 2023 or later with JavaScript.")),
        foot=html.escape(_("Made with BPE Lab. This file needs no network.")),
        recording=b64encode(packed).decode(),
        script=script,
    )


def write_page(path: str | Path, make: Callable[[str], str], *, title: str, language: str) -> None:
    """Write the page that `make` gives for a title, in a language.

    Raises ConfigError for another language, CorpusError for a title that is no text, and FormatError for a path that
    cannot be written.

    >>> write_page("/dev/null", lambda title: page_html(title, "", {}), title="Low", language="ja")
    """
    target = checks.file_path(path, use="written")
    checks.choice(language, "language", LANGUAGES)
    named = checks.given_text(title, "title")
    with using_language(language):
        page = make(named)
    try:
        Path(target).write_text(page, "utf-8")
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
