"""Joins a component's script with the scripts that it imports: a component of Streamlit takes one text.

The scripts are ES modules, so that Node can run and TypeScript can check them as they are. In the page there is one
module per component: the imported ones first, each once, without its `import` and `export`. Two forms are understood,
each at the start of a line, and nothing else of a module's grammar is used:

    import { a, b } from "../tokens/spans.js";
    import TABLE from "../../../some/table.json" with { type: "json" };
"""

from __future__ import annotations

import json
import re
from pathlib import Path

_IMPORT = re.compile(
    r"^import (?:\{\s*\w+(?:\s*,\s*\w+)*\s*,?\s*\}|(?P<table>\w+))"
    r" from \"(?P<path>\.{1,2}/[\w./-]+)\"(?: with \{ type: \"json\" \})?;\n",
    re.MULTILINE,
)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const|let) )", re.MULTILINE)
_MODULE_WORD = re.compile(r"^\s*(?:import\b(?!\()|export (?!default function \())", re.MULTILINE)
_DECLARED = re.compile(r"^(?:export (?:default )?)?(?:async function|function|class|const|let|var) (\w+)", re.MULTILINE)


def joined_script(path: Path) -> str:
    """The script at `path` after every script that it imports, as one module without imports.

    ValueError where it holds an import that is not understood, or where two of the scripts declare one name.
    """
    parts: dict[Path, str] = {}
    _collect(path.resolve(), parts, ())
    script = "\n".join(parts.values())
    names = declared_names(script)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{path.name} and its imports declare {', '.join(twice)} twice: rename one of them")
    return script


def declared_names(script: str) -> list[str]:
    """What a script declares at its top level, in order.

    >>> declared_names("const a = 1;\\nexport function b() {\\n  const c = 2;\\n}\\nclass D {}\\n")
    ['a', 'b', 'D']
    """
    return _DECLARED.findall(script)


def imported_paths(path: Path) -> list[Path]:
    """The files that a script imports itself."""
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
    """A JSON file as an expression; in ASCII, so that no character of it can end a line of the script."""
    return json.dumps(json.loads(path.read_text("utf-8")))
