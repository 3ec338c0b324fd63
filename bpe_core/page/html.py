"""The HTML of a page that plays by itself: the script and style of the views, and a recording, in one file.

page.js and page.css are built from frontend/src/recorded, which names the parts of a recording.
"""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from bpe_core import checks
from bpe_core.errors import FormatError, quoted, reason_of
from bpe_core.language import LANGUAGES, _, current_language, message, using_language
from bpe_core.language.catalogues import CONTEXT, translations
from bpe_core.page.packing import compressed, packed

_FOLDER = Path(__file__).parent
_SCRIPT, _STYLE = _FOLDER / "page.js", _FOLDER / "page.css"
_WORDS = _FOLDER / "words.json"
"""Messages of the script, each with its plural if there is one; written by scripts/translations.py."""

_LOADER = """
const packed = Uint8Array.from(atob(document.querySelector("#script").textContent), (char) => char.charCodeAt(0));
const text = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const script = document.createElement("script");
script.type = "module";
script.textContent = await new Response(text).text();
document.body.append(script);
"""
"""Loader of the page's script, which takes a third of the space when compressed. The content policy has both hashes."""

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
<script type="text/plain" id="script">{script}</script>
<script type="module">{loader}</script>
</body>
</html>
"""


class Page(NamedTuple):
    """A page in one language. `title`, `facts`: plain text; `recording`: see recording.ts, with frames as bytes.

    >>> Page("Low", "2 merges", {"kind": "encoding"}).title
    'Low'
    """

    title: str
    facts: str
    recording: Mapping[str, Any]


def page_html(make: Callable[[], Page], languages: Sequence[str] = ()) -> str:
    """HTML of the page that `make` returns, in each language. It opens in the first; none: the current language alone.

    The page's own content policy allows its script and its style, by their hashes, and nothing else.

    >>> page = page_html(lambda: Page("a < b", "", {"steps": []}), ["en", "ja"])
    >>> "<title>a &lt; b</title>" in page, "default-src 'none'" in page
    (True, True)
    """
    script, style = _SCRIPT.read_text("utf-8").strip(), _STYLE.read_text("utf-8").strip()
    scripts = f"'{_hash(_LOADER)}' '{_hash(script)}'"
    policy = f"default-src 'none'; script-src {scripts}; style-src '{_hash(style)}'; base-uri 'none'"
    codes = list(languages) or [current_language()]
    recordings = [_recording(make, code, codes) for code in codes]
    shown = recordings[0]
    with using_language(codes[0]):
        unplayed = _("This page plays in a browser of 2023 or later with JavaScript.")
    return _PAGE.format(
        language=html.escape(codes[0]),
        policy=policy,
        title=html.escape(shown["title"]),
        style=style,
        facts=html.escape(shown["about"]),
        unplayed=html.escape(unplayed),
        foot=html.escape(shown["foot"]),
        recording=packed(recordings),
        script=compressed(script),
        loader=_LOADER,
    )


def _recording(make: Callable[[], Page], language: str, languages: Sequence[str]) -> dict[str, Any]:
    """The recording in a language, with the words of the page."""
    texts = [] if languages == ["en"] else json.loads(_WORDS.read_text("utf-8"))
    words = translations(texts, language)
    with using_language(language):
        page = make()
        foot = _("Made with BPE Lab. This file needs no network.")
    return {
        "languages": {code: LANGUAGES[code].name if code in LANGUAGES else code for code in languages},
        "language": language,
        "words": {each: words.get(each, each.rpartition(CONTEXT)[2]) for text in texts for each in text}
        if len(languages) > 1
        else words,
        "title": page.title,
        "about": page.facts,
        "foot": foot,
        **page.recording,
    }


def write_page(path: str | Path, make: Callable[[str], Page], *, title: str, language: str | Sequence[str]) -> None:
    """Write the page that `make` returns for a title, in one language or several.

    Raises ConfigError for another language, CorpusError for a title that is not a str, and FormatError for a path that
    cannot be written.

    >>> write_page("/dev/null", lambda title: Page(title, "", {}), title="Low", language="ja")
    """
    target = checks.file_path(path, use="written")
    codes = languages_of(language)
    named = checks.given_text(title, "title")
    page = page_html(partial(make, named), codes)
    try:
        Path(target).write_text(page, "utf-8")
    except (OSError, ValueError) as error:
        raise FormatError(
            message("{path} cannot be written: {reason}.", path=quoted(str(path)), reason=reason_of(error)),
            limit=message("A page is one file in a folder that exists."),
            remedy=message("Choose another name or folder."),
        ) from error


def languages_of(language: object) -> list[str]:
    """Codes of one language or several, each once. Raises ConfigError for another language, and for none.

    >>> languages_of(["ja", "en", "ja"]), languages_of("zh")
    (['ja', 'en'], ['zh'])
    """
    several = isinstance(language, list | tuple) and language
    return list(dict.fromkeys(checks.choice(each, "language", LANGUAGES) for each in (several or [language])))


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
