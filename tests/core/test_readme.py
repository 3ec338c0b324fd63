"""The README and CONTRIBUTING say what is true: the examples run, the paths exist, the rooms are in their order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from bpe_core.cli.arguments import parser
from tests.test_house import CORE_ROOMS, UI_ROOMS

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text("utf-8")
CONTRIBUTING = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
FOLDERS = ("bpe_core", "ui", "pages", "tests", "scripts", "benchmarks", "docs", "lessons", "sample_texts")
GENERAL = {"tokenizer.json", "tekken.json", "vocab.json", "encoder.json", "merges.txt", "vocab.txt"} | {
    "cache.py",
    "component.py",
    "model.py",
}
"""File names that are named in general, wherever such a file may be."""


def blocks(text: str, language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found, language
    return found


def paths(text: str) -> list[str]:
    """What is written as code and begins with a folder of the project or is a file at its root."""
    written = re.findall(r"`([\w./<>-]+)`", text) + re.findall(r"\]\(([\w./-]+)\)", text)
    return [
        each
        for each in written
        if "<" not in each
        and (each.split("/")[0] in FOLDERS or re.fullmatch(r"[A-Z]+\.md|\w+\.(py|toml|json|txt)", each))
    ]


@pytest.mark.parametrize("block", blocks(README, "python"))
def test_the_python_of_the_readme_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {})


def test_the_example_of_the_readme_gives_what_it_says() -> None:
    names: dict[str, object] = {}
    exec(compile(blocks(README, "python")[0], "README.md", "exec"), names)
    assert names["snapshot"].candidates(3)[0].chosen  # type: ignore[attr-defined]
    assert names["comparison"].disagreements("mine", "GPT-2")[0].explanation  # type: ignore[attr-defined]


def test_every_command_of_the_readme_is_understood() -> None:
    lines = [line for line in README.splitlines() if "python -m bpe_core " in line and not line.startswith("|")]
    assert lines
    for line in lines:
        for command in line.split("|"):
            words = shlex.split(command)
            if words[:3] == ["python", "-m", "bpe_core"]:
                assert callable(parser("bpe_core").parse_args(words[3:]).run)


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_path_that_is_named_exists(text: str) -> None:
    named = [path for path in paths(text) if path.rstrip("/") not in GENERAL]
    assert len(named) > 15
    assert not [path for path in named if not (PROJECT / path).exists()]


def test_the_tour_names_every_room() -> None:
    tour = README.partition("## A tour of the files")[2]
    rooms = [f"bpe_core/{room}/" for room in CORE_ROOMS if (PROJECT / "bpe_core" / room).is_dir()]
    assert not [room for room in [*rooms, *(f"ui/{room}/" for room in UI_ROOMS)] if f"`{room}`" not in tour]


def test_contributing_draws_the_rooms_in_the_order_of_their_imports() -> None:
    picture = CONTRIBUTING.partition("## The rooms of the core")[2].partition("\n## ")[0]
    drawn = re.findall(r"^\| `(\w+)` \|", picture, re.MULTILINE)
    assert drawn == list(CORE_ROOMS)
