"""Lines of merges.txt, against the tokenizers library: which are merges and which are comments."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers.models import BPE

from bpe_core import FormatError, load
from bpe_core.formats import from_files
from bpe_core.formats.gpt2_files import content_of
from bpe_core.text.byte_characters import CHARACTERS
from tests.draws import Outcomes, examples

MADE = ["lo", "low", "#v", "#version", "#versions", "x#version", "#versiona"]
VOCAB = {token: i for i, token in enumerate([*CHARACTERS, *MADE])}
LINES = [
    "#version: 0.2",
    "#version 1",
    "#version",
    "#versions l o",
    "#version a",
    "l o",
    "lo w",
    "x #version",
    "# v",
    " #version: 0.2",
    "l o ",
    "#Version: 0.2",
    "",
    "l",
]


def files(lines: list[str], end: str = "\n") -> dict[str, bytes]:
    return {"vocab.json": json.dumps(VOCAB).encode(), "merges.txt": "".join(line + end for line in lines).encode()}


def theirs(content: dict[str, bytes]) -> list[tuple[str, str]] | None:
    """The merges as read by the library; None if it rejects the file."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in content]
        for path in paths:
            path.write_bytes(content[path.name])
        try:
            vocab, merges = BPE.read_file(*map(str, paths))
            BPE(vocab, merges)
        except Exception:  # the library's own error
            return None
        return merges


def ours(content: dict[str, bytes]) -> list[tuple[str, str]] | None:
    try:
        return [tuple(merge.split(" ")) for merge in content_of(content)["model"]["merges"]]
    except FormatError:
        return None


@pytest.mark.parametrize("header", ["#version: 0.2", "#version 1", "#version", "#version=0.2 of it"])
def test_a_header_is_skipped_wherever_it_stands(header: str, tmp_path: Path) -> None:
    for lines in ([header, "l o", "lo w"], ["l o", header, "lo w"], ["l o", "lo w", header, header]):
        assert ours(files(lines)) == theirs(files(lines)) == [("l", "o"), ("lo", "w")]
        for name, data in files(lines).items():
            (tmp_path / name).write_bytes(data)
        assert load(tmp_path).tokenize("low") == ["low"]


def test_two_files_of_any_names_are_a_pair_by_their_header() -> None:
    given_files = files(["#version 1", "l o"])
    named = {"mine.json": given_files["vocab.json"], "mine.txt": given_files["merges.txt"]}
    assert from_files(named).tokenize("lo") == ["lo"]


def test_a_first_line_that_only_holds_the_word_is_a_merge() -> None:
    assert ours(files(["x #version"])) == theirs(files(["x #version"])) == [("x", "#version")]


@pytest.mark.floor(refused=60, accepted=60)
@given(st.lists(st.sampled_from(LINES[:9]) | st.sampled_from(LINES), max_size=6), st.sampled_from(["\n", "\r\n"]))
@settings(max_examples=examples(300))
def test_lines_are_merges_where_they_are_for_the_library(outcomes: Outcomes, lines: list[str], end: str) -> None:
    content = files(lines, end)
    expected = theirs(content)
    outcomes.count(expected is not None)
    assert ours(content) == expected
