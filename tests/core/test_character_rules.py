"""Rules by the class of a character: their words are those of regular expressions, around every code point."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.huggingface.split_behaviors import divided
from bpe_core.text.character_rules import BEHAVIORS, Behavior, CharacterRule, bert_rule, letter_rule, rule_of
from bpe_core.text.library_tables import WHITE_SPACE
from bpe_core.text.normalization import Normalized
from bpe_core.text.split_tables import LETTERS, as_the_library_sees
from bpe_core.text.splits import BERT_SPLIT, Split, compile_split
from bpe_core.text.utf8 import code_points

EVERY = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
_LETTERS = regex.compile(rf"[{LETTERS}]+|[^{LETTERS}\p{{White_Space}}]+")

Spans = list[tuple[int, int]]


def _by_pattern(pattern: regex.Pattern[str]) -> Callable[[str], Spans]:
    return lambda text: [match.span() for match in pattern.finditer(text)]


@pytest.mark.parametrize(
    ("rule", "spans"),
    [
        (bert_rule, _by_pattern(compile_split(BERT_SPLIT))),
        (bert_rule, lambda text: _by_pattern(compile_split(BERT_SPLIT))(as_the_library_sees(text))),
        (letter_rule, lambda text: _by_pattern(_LETTERS)(as_the_library_sees(text))),
        (lambda: rule_of("", "Isolated", WHITE_SPACE), _by_pattern(regex.compile(r"[^\p{White_Space}]+"))),
    ],
    ids=["BERT", "BERT as the library", "letters", "white space"],
)
def test_a_rule_finds_the_words_of_its_pattern_around_every_character(
    rule: Callable[[], CharacterRule], spans: Callable[[str], Spans]
) -> None:
    text = "".join(f"a{char}" for char in EVERY)
    assert np.array_equal(rule().edges(code_points(text)), spans(text))


@given(st.text("a-", max_size=12), st.sampled_from(BEHAVIORS))
def test_a_character_is_treated_as_the_matches_of_a_pattern_are(text: str, behavior: Behavior) -> None:
    matches = [(at, at + 1) for at, char in enumerate(text) if char == "-"]
    together = [(each[0][0], each[-1][1]) for each in _runs(matches)] if behavior == "Contiguous" else matches
    found = rule_of("2D", behavior).edges(code_points(text)).tolist()
    assert found == divided(np.array(together, np.int64).reshape(-1, 2), len(text), behavior).tolist()


def _runs(matches: Spans) -> list[Spans]:
    runs: list[Spans] = []
    for match in matches:
        if runs and runs[-1][-1][1] == match[0]:
            runs[-1].append(match)
        else:
            runs.append([match])
    return runs


@given(st.text("a- ", max_size=12), st.lists(st.integers(0, 12), unique=True).map(sorted), st.sampled_from(BEHAVIORS))
def test_words_of_pieces_are_those_of_each_piece(text: str, cuts: list[int], behavior: Behavior) -> None:
    pieces = [pair for pair in list(pairwise([*cuts, len(text)]))[::2] if pair[0] < pair[1] <= len(text)]
    rule = rule_of("2D", behavior, WHITE_SPACE)
    points = code_points(text)
    expected = [[a + at for at in edge] for a, b in pieces for edge in rule.edges(points[a:b]).tolist()]
    found = rule.edges(points, np.array(pieces, np.int64).reshape(-1, 2))
    assert found.tolist() == expected


@given(st.text(max_size=30))
def test_the_split_of_bert_has_the_words_of_its_pattern(text: str) -> None:
    part = Normalized.of(text)
    edges = Split(BERT_SPLIT, library=True).apply(part, begins=True).edges
    assert [part.utf8[start:end].decode() for start, end in edges.tolist()] == Split(BERT_SPLIT).words(part.text)
