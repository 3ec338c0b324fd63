"""Update the catalogues from the messages in the source: python scripts/translations.py

New messages get an empty entry in every language, removed messages lose theirs, translations stay. A test fails while
an entry is empty, or its placeholders differ from those of the English message.

Messages are extracted by Babel: `_`, `n_`, `message`, `term`, `counted`, `sentence` and `parts` in Python, `t`, `tn`,
`term` and `partsOf` in scripts; and the displayed values in lessons and samples.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from bpe_core.language import LANGUAGES, SOURCE  # noqa: E402 (found through sys.path, set in the line above)
from bpe_core.language.catalogues import CONTEXT  # noqa: E402

PYTHON = {
    "_": None,
    "term": ((1, "c"), 2),
    "message": None,
    "sentence": None,
    "parts": None,
    "n_": (1, 2),
    "counted": (1, 2),
}
SCRIPT = {"t": None, "term": ((1, "c"), 2), "partsOf": None, "tn": (1, 2)}
OPTIONS = {"encoding": "utf-8"}

SCRIPTS = PROJECT / "frontend" / "src"
SCRIPT_TEXTS = PROJECT / "ui" / "static" / "words.json"
"""Messages of the scripts, from which the server builds their catalogues."""

PAGE_SCRIPT, PAGE_TEXTS = SCRIPTS / "recorded" / "main.ts", PROJECT / "bpe_core" / "page" / "words.json"
"""Script of a self-contained page, and the file with the messages of all scripts that it imports."""

_IMPORT = re.compile(r'^import (?!type)(?:[^"]* from )?"([^"]+\.ts)"', re.MULTILINE)

LESSON_WORDS = ("title", "question", "text", "answer", "notes")
SAMPLE_WORDS = ("title", "shows")
LANGUAGE = "language"
"""Context of the names of languages, some of which are also names of scripts."""


class Domain(NamedTuple):
    """One catalogue per language: its folder and name, and the files and folders whose messages it contains."""

    folder: str
    name: str
    sources: tuple[str, ...]


_CORE = ("bundled", "cluster", "formats", "hub", "published")
_ROOMS = ("memory", "serving", "session", "widgets", "work")
_PAGES = ("train", "encode", "compare", "vocabulary", "algorithms", "pipeline", "lessons")
_WITH_PAGE = {"algorithms": ("ui/runs",)}

DOMAINS = (
    Domain("bpe_core/translations", "cli", ("bpe_core/cli",)),
    Domain("bpe_core/translations", "files", tuple(f"bpe_core/{room}" for room in _CORE)),
    Domain("bpe_core/translations", "core", ("bpe_core",)),
    Domain("bpe_core/translations", "scripts", ("frontend/src",)),
    Domain("ui/translations", "views", ("ui/views",)),
    Domain(
        "ui/translations",
        "shared",
        ("app.py", "ui/__main__.py", "ui/cache.py", *(f"ui/{room}" for room in _ROOMS)),
    ),
    *(Domain("ui/translations", page, (f"ui/{page}", *_WITH_PAGE.get(page, ()))) for page in _PAGES),
    Domain("ui/translations", "course", ("lessons",)),
    Domain("ui/translations", "samples", ("sample_texts/index.json",)),
)
"""In order of precedence: a message used in several domains belongs to the first."""


class Said(NamedTuple):
    """A message in English, with its plural and its context, if any."""

    one: str
    plural: str | None = None
    context: str | None = None


class Words(NamedTuple):
    """One entry: the message as in Said, and the file that uses it."""

    one: str
    plural: str | None
    context: str | None
    source: str


def all_words() -> dict[Domain, list[Words]]:
    """The messages of each domain, in the order of its files."""
    known: set[tuple[str, str | None]] = set()
    found: dict[Domain, list[Words]] = {}
    for domain in DOMAINS:
        found[domain] = []
        for path in _files(domain):
            for said in _words_in(path):
                if said.one and (said.one, said.context) not in known:
                    known.add((said.one, said.context))
                    found[domain].append(Words(*said, path.relative_to(PROJECT).as_posix()))
    return found


def catalogue_path(domain: Domain, language: str) -> Path:
    """The file of a domain in a language."""
    return PROJECT / domain.folder / language / f"{domain.name}.po"


def read_catalogue(path: Path) -> Catalog:
    """A catalogue; empty if the file does not exist."""
    if not path.exists():
        return Catalog(locale=path.parent.name)
    with path.open("rb") as opened:
        return read_po(opened, locale=path.parent.name)


def updated(old: Catalog, words: list[Words]) -> bytes:
    """The content of a catalogue file with exactly one entry per message."""
    new = Catalog(locale=old.locale)
    for one, plural, context, source in words:
        id: str | tuple[str, str] = one if plural is None else (one, plural)
        before: Message | None = old.get(one, context)
        string = before.string if before is not None and _fits(before.string, plural) else None
        new.add(id, string, locations=[(source, 0)], context=context)
    written = BytesIO()
    write_po(written, new, omit_header=True, include_lineno=False, width=120)
    return written.getvalue()


def _fits(string: object, plural: str | None) -> bool:
    return bool(string) and isinstance(string, str) == (plural is None)


def _files(domain: Domain) -> Iterator[Path]:
    for source in domain.sources:
        path = PROJECT / source
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (each for each in inside if each.suffix in _READERS and each.is_file())


def _words_in(path: Path) -> Iterator[Said]:
    yield from _READERS[path.suffix](path)


def _extracted(path: Path, language: str, functions: dict[str, Any]) -> Iterator[Said]:
    with path.open("rb") as opened:
        for _line, found, _comments, context in extract(language, opened, functions, options=OPTIONS):
            one, plural = found[:2] if isinstance(found, tuple) else (found, None)
            yield Said(one, plural, context)


def _in_python(path: Path) -> Iterator[Said]:
    yield from _extracted(path, "python", PYTHON)


def _in_script(path: Path) -> Iterator[Said]:
    yield from _extracted(path, "javascript", SCRIPT)


def _in_lesson(path: Path) -> Iterator[Said]:
    content = tomllib.loads(path.read_text("utf-8"))
    for course in content.get("course", ()):
        yield from (Said(course[name]) for name in ("title", "audience"))
    for name in LESSON_WORDS:
        if name in content:
            yield Said(content[name].strip())
    yield from (Said(choice) for choice in content.get("ask", {}).get("choices", ()))
    yield from (Said(step["says"]) for step in content.get("steps", ()))
    yield from _in_printed(content)


def _in_samples(path: Path) -> Iterator[Said]:
    if path.name == "index.json":
        for sample in json.loads(path.read_text("utf-8")):
            yield from (Said(sample[name]) for name in SAMPLE_WORDS if sample.get(name))
            yield Said(sample["language"], context=LANGUAGE)
            yield from _in_printed(sample)


def _in_printed(content: dict[str, Any]) -> Iterator[Said]:
    """Labels of results that textbooks print: everything made of words, but no computed values or tokens."""
    for printed in content.get("printed", ()):
        words = ("by", "what", "because", *(() if "asks" in printed else ("printed", "here")))
        yield from (Said(printed[name]) for name in words if printed.get(name))


_READERS = {".py": _in_python, ".ts": _in_script, ".toml": _in_lesson, ".json": _in_samples}


def scripts_from(script: Path) -> list[Path]:
    """A script and everything it imports, directly or indirectly, sorted by path."""
    reached, waiting = {script}, [script]
    while waiting:
        path = waiting.pop()
        new = {(path.parent / name).resolve() for name in _IMPORT.findall(path.read_text("utf-8"))} - reached
        reached |= new
        waiting += new
    return sorted(reached)


def script_texts(scripts: Iterable[Path]) -> list[tuple[str, ...]]:
    """The distinct messages of scripts, each prefixed by its context and followed by its plural, if any."""
    found = (words for path in scripts for words in _in_script(path))
    called = (Said(f"{context}{CONTEXT}{one}" if context else one, plural) for one, plural, context in found)
    return list(dict.fromkeys((one,) if plural is None else (one, plural) for one, plural, _context in called))


def main() -> None:
    """Update every file, and print how many messages lack a translation."""
    words = all_words()
    for target, scripts in ((SCRIPT_TEXTS, sorted(SCRIPTS.rglob("*.ts"))), (PAGE_TEXTS, scripts_from(PAGE_SCRIPT))):
        target.write_text(json.dumps(script_texts(scripts), ensure_ascii=False, indent=1) + "\n", "utf-8")
    for language in LANGUAGES:
        if language == SOURCE:
            continue
        waiting = 0
        for domain in DOMAINS:
            path = catalogue_path(domain, language)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(updated(read_catalogue(path), words[domain]))
            waiting += sum(not entry.string or not any(entry.string) for entry in read_catalogue(path) if entry.id)
        print(f"{language}: {sum(map(len, words.values()))} entries, {waiting} without a translation")


if __name__ == "__main__":
    main()
