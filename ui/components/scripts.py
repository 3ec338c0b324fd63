"""Join a component's script with its imports: a Streamlit component takes a single script.

The scripts are ES modules, so that Node can run and TypeScript can check them unchanged. On the page there is one
module per component: the imports first, each once, without `import` and `export`. Streamlit calls callAt of calls.js,
which calls the component's function. Two forms of import are supported, each at the start of a line, and no other
module syntax:

    import { a, b } from "../tokens/spans.js";
    import TABLE from "../../../some/table.json" with { type: "json" };
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

from bpe_core.language.catalogues import catalogue

_IMPORT = re.compile(
    r"^import (?:\{\s*\w+(?:\s*,\s*\w+)*\s*,?\s*\}|(?P<table>\w+))"
    r" from \"(?P<path>\.{1,2}/[\w./-]+)\"(?: with \{ type: \"json\" \})?;\n",
    re.MULTILINE,
)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const|let) )", re.MULTILINE)
_DEFAULT = re.compile(r"^export default function \(", re.MULTILINE)
_MODULE_WORD = re.compile(r"^\s*(?:import\b(?!\()|export (?!default function \())", re.MULTILINE)
_DECLARED = re.compile(r"^(?:export (?:default )?)?(?:async function|function|class|const|let|var) (\w+)", re.MULTILINE)

_SAID = re.compile(r'\b(?:t|tn|partsOf)\(\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?')
"""Words of a script: the literals in t("…"), tn("…", "…") and partsOf("…") of words.js."""

_CALLS = Path(__file__).parent / "calls.js"
"""Wrapper between Streamlit and the function of each component."""

_CALLED = "export default (component) => callAt(calledScript, component);\n\nfunction calledScript("

_COMMENT = re.compile(r"^\s*(?://|/?\*).*", re.MULTILINE)
"""A line of a comment; comments may contain examples."""

_IN_MARKUP = re.compile(r"\[\[([^\[\]]+)\]\]")
"""Words in a component's markup: [[like these]]."""


def joined_script(path: Path, language: str = "en") -> str:
    """The script at `path` in a language, joined after all its imports into one module without imports.

    ValueError for an unsupported or circular import, or if two of the scripts declare the same name.
    """
    parts: dict[Path, str] = {}
    _collect(path.resolve(), parts, ())
    if _DEFAULT.search(parts[path.resolve()]):
        _collect(_CALLS, parts, ())
    script = _DEFAULT.sub(_CALLED, "\n".join(parts.values()))
    names = declared_names(script)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{path.name} and its imports declare {', '.join(twice)} twice: rename one of them")
    if language == "en":
        return script
    told = json.dumps(_translations(script, language))
    return script.replace("const CATALOGUE = {};\n", f"const CATALOGUE = {told};\n", 1)


def said_in_script(script: str) -> list[tuple[str, ...]]:
    """Words of a script, each with its plural if it has one.

    >>> said_in_script('t("Next"), tn("{count} line", "{count} lines", 2), t("Next")')
    [('Next',), ('{count} line', '{count} lines')]
    """
    code = _COMMENT.sub("", script)
    found = (tuple(json.loads(text) for text in match.groups() if text) for match in _SAID.finditer(code))
    return list(dict.fromkeys(found))


def said_in_markup(markup: str) -> list[str]:
    """Words in a component's markup.

    >>> said_in_markup('<button title="[[Next]]">[[Go on]]</button>')
    ['Next', 'Go on']
    """
    return _IN_MARKUP.findall(markup)


def markup_in(markup: str, language: str) -> str:
    """A component's markup in a language.

    >>> markup_in('<button title="[[Next]]"></button>', "en")
    '<button title="Next"></button>'
    """
    return _IN_MARKUP.sub(lambda found: escape(catalogue(language).gettext(found[1])), markup)


def _translations(script: str, language: str) -> dict[str, str]:
    """Translations of a script's words; words without a translation are omitted."""
    words = catalogue(language)
    told: dict[str, str] = {}
    for one, *plural in said_in_script(script):
        if plural:
            told |= {one: words.ngettext(one, plural[0], 1), plural[0]: words.ngettext(one, plural[0], 2)}
        else:
            told[one] = words.gettext(one)
    return {text: translated for text, translated in told.items() if text != translated}


def declared_names(script: str) -> list[str]:
    """Top-level declarations of a script, in order.

    >>> declared_names("const a = 1;\\nexport function b() {\\n  const c = 2;\\n}\\nclass D {}\\n")
    ['a', 'b', 'D']
    """
    return _DECLARED.findall(script)


def imported_paths(path: Path) -> list[Path]:
    """Files that a script imports directly."""
    return [(path.parent / found["path"]).resolve() for found in _IMPORT.finditer(path.read_text("utf-8"))]


def _collect(path: Path, parts: dict[Path, str], importing: tuple[Path, ...]) -> None:
    if path in importing:
        raise ValueError(
            f"{path.name} imports itself, by way of {importing[-1].name}: move what both need to a third script"
        )
    source = path.read_text("utf-8")
    for found in _IMPORT.finditer(source):
        needed = (path.parent / found["path"]).resolve()
        if needed in parts:
            continue
        if found["table"]:
            parts[needed] = f"const {found['table']} = {_table(needed)};\n"
        else:
            _collect(needed, parts, (*importing, path))
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    if left := _MODULE_WORD.search(body):
        line = body[left.start() :].strip().splitlines()[0]
        raise ValueError(f"{path.name} has {line!r}: write imports and exports as ui/components/scripts.py says")
    parts[path] = body


def _table(path: Path) -> str:
    """JSON file as an expression; in ASCII, so that none of its characters can end a line of the script."""
    return json.dumps(json.loads(path.read_text("utf-8")))
