"""The documentation is true: examples run and print what they show, commands parse, paths exist, links resolve."""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.tables import SPEED, write_table
from bpe_core.cli.arguments import parser
from tests.test_house import CORE_ROOMS, UI_ROOMS

PROJECT = Path(__file__).parents[2]
README = PROJECT / "README.md"
CONTRIBUTING = PROJECT / "CONTRIBUTING.md"
GUIDES = (README, *sorted((PROJECT / "docs").glob("*.md")))
NAMING_PATHS = (*GUIDES, CONTRIBUTING, PROJECT / "GLOSSARY.md")
ALL = (*NAMING_PATHS, PROJECT / "CHANGELOG.md")
MOST_OF_README = 6_500

FOLDERS = {path.name for path in PROJECT.iterdir() if path.is_dir()} - {"node_modules"}
GENERAL = {
    "tokenizer.json",
    "tekken.json",
    "vocab.json",
    "encoder.json",
    "merges.txt",
    "vocab.txt",
    "tokenizer_config.json",
} | {
    "cache.py",
    "component.py",
    "model.py",
    "deploy/nginx/certificates/",
}
"""Names of files wherever they are, and a folder that a deployment creates."""


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def prose(path: Path) -> str:
    return re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def paths(text: str) -> list[str]:
    """Words of code that begin with a folder of the project or look like a file at its root.

    In blocks, where file names are mostly examples, at the root only requirements.
    """
    inline = {word for code in re.findall(r"`([^`\n]+)`", text) for word in code.split()}
    at_root = {word for word in inline if re.fullmatch(r"[A-Z]+\.md|[\w-]+\.(py|toml|json|txt|lock)", word)}
    words = inline | {
        word for code in re.findall(r"^```.*?^```", text, re.DOTALL | re.MULTILINE) for word in code.split()
    }
    locks = {word for word in words if re.fullmatch(r"requirements[\w-]*\.(txt|lock)", word)}
    folders = {word for word in words if re.fullmatch(r"[\w.-]+/[\w./-]*", word) and word.split("/")[0] in FOLDERS}
    return sorted(at_root | locks | folders)


def links(text: str) -> list[str]:
    """The targets of links and pictures, those of other sites left out."""
    return [each for each in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in each]


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def shown_output(code: str) -> list[str]:
    """The output that an example shows: a comment at the end of a `print`, or the comment lines below one."""
    shown, printing = [], False
    for line in code.splitlines():
        if printing and line.startswith("# "):
            shown.append(line.removeprefix("# "))
            continue
        printing = line.lstrip().startswith("print(")
        if printing and "  # " in line:
            shown.append(line.partition("  # ")[2])
    return shown


EXAMPLES = [
    pytest.param(code, id=f"{name_of(path)}-{at}") for path in GUIDES for at, code in enumerate(blocks(path, "python"))
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_prints_what_it_shows(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = shown_output(code)
    assert shown
    exec(compile(code, "example", "exec"), {})
    assert capsys.readouterr().out.splitlines() == shown


def test_the_readme_and_the_guides_have_examples() -> None:
    assert {param.id.rpartition("-")[0] for param in EXAMPLES} >= {
        "README.md",
        "docs/formats.md",
        "docs/python.md",
        "docs/scale.md",
    }


@pytest.mark.parametrize("path", ALL, ids=name_of)
def test_every_command_is_understood(path: Path) -> None:
    text = path.read_text("utf-8")
    for module in re.findall(r"python -m ([\w.]+\w)", text):
        assert find_spec(module), module
    for line in (line for block in blocks(path, "(?:bash)?") for line in block.splitlines()):
        for command in line.split("|"):
            words = shlex.split(command)
            if words[:3] == ["python", "-m", "bpe_core"]:
                assert callable(parser("bpe_core").parse_args(words[3:]).run)


def test_the_guides_show_every_command() -> None:
    shown = "".join(path.read_text("utf-8") for path in GUIDES)
    commands = ("train", "encode", "decode", "compare", "export", "draw", "count", "merge-counts")
    assert not [each for each in commands if f"python -m bpe_core {each} " not in shown]


@pytest.mark.parametrize("path", NAMING_PATHS, ids=name_of)
def test_every_path_that_is_named_exists(path: Path) -> None:
    named = [each for each in paths(path.read_text("utf-8")) if each not in GENERAL]
    assert not [each for each in named if not (PROJECT / each).exists()]


def test_every_extra_that_is_named_exists() -> None:
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = {extra for path in ALL for extra in re.findall(r"'\.\[(\w+)\]'", path.read_text("utf-8"))}
    assert named
    assert not named - set(extras)


@pytest.mark.parametrize("path", ALL, ids=name_of)
def test_every_link_resolves(path: Path) -> None:
    for link in links(prose(path)):
        target, _, anchor = link.partition("#")
        linked = (path.parent / target).resolve() if target else path
        assert linked.exists(), link
        assert not anchor or anchor in anchors(linked), link


def test_the_readme_links_every_guide() -> None:
    linked = {(PROJECT / link.partition("#")[0]).resolve() for link in links(README.read_text("utf-8"))}
    assert not {*GUIDES[1:], CONTRIBUTING, *PROJECT.glob("docs/*.ipynb")} - linked


def test_every_picture_is_linked() -> None:
    linked = {(path.parent / link).resolve() for path in GUIDES for link in links(prose(path))}
    assert not set(PROJECT.glob("docs/*.png")) - linked


def test_the_readme_is_short() -> None:
    assert README.stat().st_size <= MOST_OF_README


@pytest.mark.parametrize("command", ["benchmarks", "benchmarks.browser", "benchmarks.class_load"])
def test_the_page_of_speed_has_a_place_for_each_table(command: str, tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    page.write_bytes(SPEED.read_bytes())
    write_table(f"python -m {command}", "the table", page)
    assert "\nthe table\n<!-- end -->" in page.read_text("utf-8")


def drawn_rooms(heading: str) -> list[str]:
    """The names in the first column of the table below a heading of CONTRIBUTING."""
    section = CONTRIBUTING.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    return [room for row in rows for room in re.findall(r"`(\w+)`", row)]


def test_contributing_lists_the_rooms_of_the_core_in_the_order_of_their_imports() -> None:
    assert drawn_rooms("Rooms of the core") == list(CORE_ROOMS)


def test_contributing_lists_the_rooms_of_the_app() -> None:
    assert sorted(drawn_rooms("Rooms of the app")) == sorted(UI_ROOMS)
