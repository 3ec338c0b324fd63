"""House rules of the scripts in ui/, which no linter keeps: how they are joined, and what is one for both languages."""

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.extract import extract

from bpe_core.drawing.themes import colour_numbers
from bpe_core.language import PSEUDO
from bpe_core.text.marks import character_name, marked
from ui.components.scripts import (
    declared_names,
    imported_paths,
    joined_script,
    markup_in,
    said_in_markup,
    said_in_script,
)
from ui.components.tokens import neighbour_colours, palette_index

PROJECT = Path(__file__).parents[1]
COMPONENTS = PROJECT / "ui" / "components"
SCRIPTS = sorted((PROJECT / "ui").rglob("*.js"))
FOLDERS = sorted(folder for folder in COMPONENTS.iterdir() if (folder / "__init__.py").exists())
SHARED = COMPONENTS / "tokens"
VIEWS = [folder for folder in FOLDERS if folder != SHARED]
FIXTURES = PROJECT / "tests" / "javascript"

# What makes text into markup or into code.
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|document\.write"
    r"|\beval\s*\(|new\s+Function\b"
)
SAYS = {"t": None, "partsOf": None, "tn": (1, 2)}
CATALOGUE = re.compile(r"^const CATALOGUE = (.*);$", re.MULTILINE)
MARKS = "\u21b5\u21e5"


def relative(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@pytest.mark.parametrize("script", SCRIPTS, ids=relative)
def test_every_script_is_type_checked(script: Path) -> None:
    assert script.read_text("utf-8").startswith("// @ts-check\n")
    assert not re.search(r"@ts-(ignore|nocheck|expect-error)", script.read_text("utf-8"))


@pytest.mark.parametrize("script", SCRIPTS, ids=relative)
def test_no_script_makes_markup_or_code_of_a_text(script: Path) -> None:
    assert not FORBIDDEN.search(script.read_text("utf-8"))


@pytest.mark.parametrize("folder", VIEWS, ids=relative)
def test_a_component_is_a_folder_with_its_python_and_its_script(folder: Path) -> None:
    assert (folder / "component.py").exists()
    assert (folder / f"{folder.name}.js").exists()
    assert {style.stem for style in folder.glob("*.css")} <= {folder.name}


@pytest.mark.parametrize("folder", VIEWS, ids=relative)
def test_a_joined_script_is_one_module_that_imports_nothing(folder: Path) -> None:
    script = joined_script(folder / f"{folder.name}.js")
    names = declared_names(script)
    assert not re.search(r"^\s*import\b", script, re.MULTILINE)
    exported = re.findall(r"^export .*", script, re.MULTILINE)
    assert exported == ["export default (component) => callAt(calledScript, component);"]
    assert len(names) == len(set(names))
    assert not re.search(r"^(const|let|var) [{\[]", script, re.MULTILINE), "its names would not be seen"


def test_every_script_reaches_the_page() -> None:
    first = [folder / f"{folder.name}.js" for folder in VIEWS] + [COMPONENTS / "boot.js"]
    assert set().union(*map(reached_from, first)) == set(SCRIPTS)


def test_views_import_what_is_shared_or_their_own_and_never_each_other() -> None:
    wrong = [
        f"{relative(script)} imports {relative(needed)}"
        for script in SCRIPTS
        for needed in imported_paths(script)
        if needed.suffix == ".js" and needed.parent not in (COMPONENTS, SHARED, script.parent)
    ]
    assert not wrong


def test_imports_come_before_what_needs_them_each_once(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text('{"sign": "\u2028"}', "utf-8")
    (tmp_path / "low.js").write_text(
        'import TABLE from "./table.json" with { type: "json" };\n\nexport const LOW = TABLE;\n', "utf-8"
    )
    (tmp_path / "middle.js").write_text('import { LOW } from "./low.js";\nexport function middle() {}\n', "utf-8")
    top = tmp_path / "top.js"
    top.write_text(
        'import {\n  LOW,\n} from "./low.js";\nimport { middle } from "./middle.js";\nexport default function () {}\n',
        "utf-8",
    )
    script = joined_script(top)
    assert declared_names(script)[:4] == ["TABLE", "LOW", "middle", "calledScript"]
    assert '{"sign": "\\u2028"}' in script
    assert "import" not in script


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("import * as low from './low.js';\n", "import"),
        ('import { a as b } from "./low.js";\n', "a as b"),
        ('import { a } from "https://example.org/a.js";\n', "example"),
        ('export { a } from "./low.js";\n', "export"),
        ("const LOW = 2;\n", "LOW twice"),
        ('import { x } from "./top.js";\n', "imports itself"),
    ],
)
def test_what_cannot_be_joined_is_refused(source: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "low.js").write_text("export const LOW = 1;\n", "utf-8")
    top = tmp_path / "top.js"
    top.write_text(f'import {{ LOW }} from "./low.js";\n{source}export default function () {{}}\n', "utf-8")
    with pytest.raises(ValueError, match=problem):
        joined_script(top)


@pytest.mark.parametrize("script", SCRIPTS, ids=relative)
def test_the_words_of_a_script_are_those_that_babel_finds(script: Path) -> None:
    assert said_in_script(script.read_text("utf-8")) == words_by_babel(script)


def test_an_example_in_a_comment_is_no_word() -> None:
    source = '// t("one")\n/**\n * @returns {string} t("two")\n */\nconst three = t("three"); // t("three")\n'
    assert said_in_script(source) == [("three",)]


@pytest.mark.parametrize("folder", VIEWS, ids=relative)
def test_a_script_in_a_language_holds_the_translations_of_its_own_words(folder: Path) -> None:
    script = folder / f"{folder.name}.js"
    own = {text for path in reached_from(script) for words in words_by_babel(path) for text in words}
    joined = joined_script(script, PSEUDO)
    catalogues = CATALOGUE.findall(joined)
    assert len(catalogues) == (1 if own else 0)
    for catalogue in catalogues:
        assert catalogue.isascii(), "a line separator would end the line"
        assert json.loads(catalogue) == {text: f"\u27e6{text}\u27e7" for text in own}
    assert CATALOGUE.sub("const CATALOGUE = {};", joined) == joined_script(script), "the rest is the same"


def test_a_word_of_markup_is_escaped_in_every_language() -> None:
    assert said_in_markup('<b title="[[One]]">[[Two]]</b>') == ["One", "Two"]
    assert markup_in("<b title=\"[[A 'b' < c]]\"></b>", "en") == '<b title="A &#x27;b&#x27; &lt; c"></b>'
    assert markup_in("<b>[[One]]</b>", PSEUDO) == "<b>\u27e6One\u27e7</b>"


@pytest.mark.parametrize("markup", sorted(COMPONENTS.rglob("*.html")), ids=relative)
def test_all_words_of_markup_are_in_brackets(markup: Path) -> None:
    text = re.sub(r"\[\[[^\[\]]+\]\]", "", markup.read_text("utf-8"))
    assert not re.search(r'(?:title|aria-label|placeholder|alt)="[^"]', text)
    assert not re.sub(r"<[^>]*>", "", text).strip()


def test_there_is_one_table_of_marks() -> None:
    written = re.compile(
        "|".join([*MARKS, *(rf"\\u{ord(mark):04x}" for mark in MARKS), r"\bZWSP\b", r"\bNBSP\b"]), re.I
    )
    holders = [
        relative(path)
        for root in ("bpe_core", "ui", "pages")
        for path in sorted((PROJECT / root).rglob("*"))
        if path.suffix in (".py", ".js", ".json", ".css") and written.search(code_of(path))
    ]
    assert holders == ["bpe_core/text/marks.json"]


def test_an_invisible_character_has_one_name_in_both_languages() -> None:
    names = json.loads((FIXTURES / "character_names.json").read_text("utf-8"))
    assert {char: character_name(char) for char in names} == names
    assert marked(" \t\n\r\x00a\u0301") == "·⇥↵[CR][NUL]a\u0301"


def test_an_id_has_one_colour_in_both_languages() -> None:
    colours = json.loads((FIXTURES / "colours.json").read_text("utf-8"))
    assert {token_id: palette_index(int(token_id)) for token_id in colours} == colours


def test_neighbours_have_one_colour_in_both_languages() -> None:
    rows = json.loads((FIXTURES / "neighbour_colours.json").read_text("utf-8"))
    assert [neighbour_colours(row["ids"], row["bare"]) for row in rows] == [row["colours"] for row in rows]
    assert [colour_numbers(row["ids"], row["bare"]) for row in rows] == [row["colours"] for row in rows]


def test_the_lock_file_names_no_registry() -> None:
    lock = (PROJECT / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in lock
    assert "registry" not in lock


def words_by_babel(script: Path) -> list[tuple[str, ...]]:
    """What Babel's extractor finds in a script, each once."""
    found = extract("javascript", BytesIO(script.read_bytes()), SAYS, options={"encoding": "utf-8"})
    return list(dict.fromkeys(words if isinstance(words, tuple) else (words,) for _, words, _, _ in found))


def reached_from(script: Path) -> set[Path]:
    """A script and all that it imports, directly or not."""
    reached, waiting = {script}, [script]
    while waiting:
        new = {path for path in imported_paths(waiting.pop()) if path.suffix == ".js"} - reached
        reached |= new
        waiting += new
    return reached


def code_of(path: Path) -> str:
    """A file without its comments and docstrings, which may show what they explain."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return re.sub(r'"""(?:.|\n)*?"""|#.*', "", text)
    return text if path.suffix == ".json" else re.sub(r"/\*(?:.|\n)*?\*/|//.*", "", text)
