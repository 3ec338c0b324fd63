"""House rules of frontend/ that no linter enforces: the bundle, and definitions shared with Python."""

import json
import re
import subprocess
import tomllib
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.extract import extract

from bpe_core.drawing.token_spans import colour_number
from bpe_core.language import LANGUAGES, PSEUDO, SOURCE, add_catalogues
from bpe_core.language.catalogues import CONTEXT, catalogue, without_context
from bpe_core.text.marks import character_name, marked
from scripts.translations import scripts_from
from ui.session.folders import CATALOGUE_FOLDER
from ui.views.bundle import FILES, FOLDER, SCRIPT, SHARED, translations

PROJECT = Path(__file__).parents[1]
SOURCES = PROJECT / "frontend" / "src"
STATIC = PROJECT / "ui" / "static"
PAGE = PROJECT / "bpe_core" / "page"
"""Script and style of a page that plays by itself."""

SCRIPTS = sorted(path for path in SOURCES.rglob("*.ts") if not path.name.endswith(".d.ts"))
IMPORT = re.compile(r'(?:^(?:import|export) (?:[^";]* from )?|\bimport\()"([^"]+\.ts)"', re.MULTILINE)
IMPORT_OF_BUNDLE = re.compile(r'\b(?:import|from)"\./([^"]+\.js)"')
MOST_BYTES = 230_000
"""Limit for the scripts that every page loads. Code for a single page or for a click belongs in a part:
frontend/src/parts/.
"""
FIXTURES = PROJECT / "tests" / "javascript"

# Functions that turn text into markup or code.
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|document\.write"
    r"|\beval\s*\(|new\s+Function\b"
)
SAYS = {"t": None, "term": ((1, "c"), 2), "partsOf": None, "tn": (1, 2)}
MARKS = "\u21b5\u21e5"


def relative(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def test_every_script_is_typescript() -> None:
    assert not list(SOURCES.rglob("*.js"))


@pytest.mark.parametrize("script", SCRIPTS, ids=relative)
def test_every_line_of_a_script_is_type_checked(script: Path) -> None:
    assert not re.search(r"@ts-(ignore|nocheck|expect-error)", script.read_text("utf-8"))


@pytest.mark.parametrize("script", SCRIPTS, ids=relative)
def test_no_script_makes_markup_or_code_of_a_text(script: Path) -> None:
    assert not FORBIDDEN.search(script.read_text("utf-8"))


def test_the_committed_bundle_is_what_the_sources_give(tmp_path: Path) -> None:
    static, page = tmp_path / "static", tmp_path / "page"
    for folder in (static, page):
        folder.mkdir()
    (static / "of_an_earlier_build.js").touch()
    subprocess.run(["node", PROJECT / "frontend" / "build.js", static, page], cwd=PROJECT, check=True)
    for built, committed in ((static, STATIC), (page, PAGE)):
        files = {path.name: path.read_bytes() for path in built.iterdir()}
        scripts = {path.name: path.read_bytes() for path in committed.iterdir() if path.suffix in (".js", ".css")}
        wrong = [name for name in sorted(files | scripts) if files.get(name) != scripts.get(name)]
        assert not wrong, f"{committed} is not made of frontend/src: npm run build"


def test_a_page_that_plays_by_itself_has_the_themes_of_the_app() -> None:
    style = (SOURCES / "recorded" / "page.css").read_text("utf-8")
    config = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    _, light, dark = style.split("color-scheme:")
    for theme, block in (("light", light), ("dark", dark)):
        found = dict(re.findall(r"--st-([a-z-]+): (#\w+);", block))
        names = {re.sub("[A-Z]", lambda upper: f"-{upper[0].lower()}", name): name for name in config[theme]}
        assert len(found) == 10
        assert found == {name: config[theme][names[name]] for name in found}


def test_what_every_page_loads_is_small_and_asked_for_at_once() -> None:
    loaded = reached_from(STATIC / "bpe-lab.js", IMPORT_OF_BUNDLE)
    assert {f"{FOLDER}/{path.name}" for path in loaded} == {SCRIPT, SHARED}
    assert sum(path.stat().st_size for path in loaded) <= MOST_BYTES


def test_a_part_imports_what_every_page_loads_and_nothing_else() -> None:
    parts = {path.with_suffix(".js").name for path in (SOURCES / "parts").iterdir()}
    assert {path.name for path in STATIC.glob("*.js")} == {"bpe-lab.js", "shared.js"} | parts
    for part in parts:
        assert reached_from(STATIC / part, IMPORT_OF_BUNDLE) == {STATIC / part, STATIC / "shared.js"}


def test_every_script_is_in_the_bundle() -> None:
    entries = (SOURCES / "main.ts", *(SOURCES / "recorded" / f"{name}.ts" for name in ("main", "widget")))
    assert set.union(*map(reached_from, entries)) == set(SCRIPTS)


def test_views_import_what_is_shared_or_their_own_and_never_each_other() -> None:
    wrong = [
        f"{relative(script)} imports {relative(needed)}"
        for script in SCRIPTS
        if script.name != "views.ts" and script.parent != SOURCES / "parts"
        for needed in imported_paths(script)
        if needed.is_relative_to(SOURCES / "views") and needed.parent != script.parent
    ]
    assert not wrong


@pytest.mark.parametrize("folder", [STATIC, PAGE], ids=relative)
def test_the_texts_of_a_bundle_are_those_that_babel_finds(folder: Path) -> None:
    texts = {tuple(words) for words in json.loads((folder / "words.json").read_text("utf-8"))}
    scripts = SCRIPTS if folder == STATIC else scripts_from(SOURCES / "recorded" / "main.ts")
    assert texts == {words for script in scripts for words in words_by_babel(script)}


def test_a_catalogue_has_the_translations_of_all_texts_of_the_bundle() -> None:
    catalogues = {each.removeprefix(f"{FOLDER}/") for each in FILES if each.endswith(".json")}
    assert catalogues == {f"{code}.json" for code in (*LANGUAGES, PSEUDO) if code != SOURCE}
    texts = {text for words in json.loads((STATIC / "words.json").read_text("utf-8")) for text in words}
    assert json.loads(translations(PSEUDO)) == {text: f"\u27e6{without_context(text)}\u27e7" for text in texts}
    add_catalogues(CATALOGUE_FOLDER)
    assert json.loads(translations("ja"))["Next"] == catalogue("ja").gettext("Next")


def test_there_is_one_table_of_marks() -> None:
    written = re.compile(
        "|".join([*MARKS, *(rf"\\u{ord(mark):04x}" for mark in MARKS), r"\bZWSP\b", r"\bNBSP\b"]), re.I
    )
    holders = [
        relative(path)
        for root in ("bpe_core", "frontend", "ui", "pages")
        for path in sorted((PROJECT / root).rglob("*"))
        if path.suffix in (".py", ".ts", ".json", ".css") and path.parent != STATIC and written.search(code_of(path))
    ]
    assert holders == ["bpe_core/text/marks.json"]


def test_an_invisible_character_has_one_name_in_both_languages() -> None:
    names = json.loads((FIXTURES / "character_names.json").read_text("utf-8"))
    assert {char: character_name(char) for char in names} == names
    assert marked(" \t\n\r\x00a\u0301") == "·⇥↵[CR][NUL]a\u0301"


def test_a_token_has_one_colour_in_both_languages() -> None:
    colours = json.loads((FIXTURES / "colours.json").read_text("utf-8"))
    parts = {key: re.split(r"\0(..)", key) for key in colours}
    tokens = {
        key: b"".join(bytes.fromhex(part) if at % 2 else part.encode() for at, part in enumerate(each))
        for key, each in parts.items()
    }
    assert {key: colour_number(token) for key, token in tokens.items()} == colours


def test_the_lock_file_names_no_registry() -> None:
    lock = (PROJECT / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in lock
    assert "registry" not in lock


def words_by_babel(script: Path) -> list[tuple[str, ...]]:
    """The distinct messages that Babel's extractor finds in a script."""
    found = extract("javascript", BytesIO(script.read_bytes()), SAYS, options={"encoding": "utf-8"})
    named = ((f"{context}{CONTEXT}{words}" if context else words) for _, words, _, context in found)
    return list(dict.fromkeys(words if isinstance(words, tuple) else (words,) for words in named))


def imported_paths(script: Path, imports: re.Pattern[str] = IMPORT) -> list[Path]:
    """Scripts that a script imports directly."""
    return [(script.parent / name).resolve() for name in imports.findall(script.read_text("utf-8"))]


def reached_from(script: Path, imports: re.Pattern[str] = IMPORT) -> set[Path]:
    """A script and all that it imports, directly or not."""
    reached, waiting = {script}, [script]
    while waiting:
        new = set(imported_paths(waiting.pop(), imports)) - reached
        reached |= new
        waiting += new
    return reached


def code_of(path: Path) -> str:
    """A file without comments and docstrings, which may show the code they explain."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return re.sub(r'"""(?:.|\n)*?"""|#.*', "", text)
    return text if path.suffix == ".json" else re.sub(r"/\*(?:.|\n)*?\*/|//.*", "", text)
