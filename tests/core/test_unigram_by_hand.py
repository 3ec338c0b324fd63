"""Unigram by hand: shares, segmentations and losses of given pieces, as in the course."""

from itertools import pairwise, product
from math import inf, isclose, log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ConfigError, UnigramModel
from bpe_core.unigram.by_hand import UnigramByHand, read_counts, substring_counts

WORDS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
COURSE = UnigramByHand(substring_counts(WORDS), WORDS)

LETTERS = st.text("abc", min_size=1, max_size=6)
COUNTS = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(1, 50), min_size=1, max_size=12)
CORPUS = st.dictionaries(LETTERS, st.integers(1, 20), max_size=5)


def every_way(word: str, pieces: dict[str, int]) -> list[tuple[str, ...]]:
    """Every segmentation of a word into pieces, by trying each set of boundaries between its characters."""
    found = []
    for cuts in product((False, True), repeat=len(word) - 1):
        edges = [0, *(at for at, cut in enumerate(cuts, 1) if cut), len(word)]
        parts = tuple(word[a:b] for a, b in pairwise(edges))
        if all(part in pieces for part in parts):
            found.append(parts)
    return found


def test_the_parts_of_the_words_are_counted_as_in_the_course() -> None:
    assert COURSE.counts == {
        **{"h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16, "un": 16, "b": 4, "bu": 4},
        **{"s": 5, "hug": 15, "gs": 5, "ugs": 5},
    }
    assert COURSE.total == 210


def test_the_course_s_probabilities_and_losses_are_reached() -> None:
    best = {each.word: round(COURSE.probability(each.best), 6) for each in COURSE.word_losses if each.best}
    assert best == {"hug": 0.071429, "pug": 0.00771, "pun": 0.006168, "bun": 0.001451, "hugs": 0.001701}
    assert ("hug", "s") in [each.pieces for each in COURSE.segmentations("hugs")[:3]]
    assert {each.pieces: round(COURSE.probability(each), 6) for each in COURSE.segmentations("pug")} == {
        ("p", "ug"): 0.00771,
        ("pu", "g"): 0.00771,
        ("p", "u", "g"): 0.001322,
    }
    assert round(COURSE.loss, 1) == 169.8
    assert round(COURSE.increase("hug"), 1) == 23.5
    assert COURSE.increase("pu") == 0.0


def test_without_a_piece_the_words_are_cut_otherwise() -> None:
    after = {each.word: each.best.pieces for each in COURSE.without("hug") if each.best}
    assert after["hug"] in (("hu", "g"), ("h", "ug"))
    assert after["hugs"] in (("hu", "gs"), ("h", "ugs"))
    assert after["pun"] == next(each.best.pieces for each in COURSE.word_losses if each.word == "pun" and each.best)


def test_a_word_that_no_pieces_make_has_an_infinite_loss() -> None:
    by_hand = UnigramByHand({"a": 2, "b": 1}, {"ab": 3, "ax": 1})
    assert by_hand.loss == inf
    assert by_hand.segmentations("ax") == []
    assert by_hand.count("ax") == 0
    assert UnigramByHand({"a": 2}, {"a": 1}).increase("a") == inf


@given(COUNTS, LETTERS)
def test_all_segmentations_are_listed_the_most_probable_first(counts: dict[str, int], word: str) -> None:
    by_hand = UnigramByHand(counts, {word: 1})
    found = by_hand.segmentations(word)
    ways = every_way(word, counts)
    assert sorted(each.pieces for each in found) == sorted(ways)
    assert by_hand.count(word) == len(ways)
    total = sum(counts.values())
    for each in found:
        assert isclose(by_hand.probability(each), prod(counts[piece] / total for piece in each.pieces))
        assert isclose(each.score, -sum(log(counts[piece] / total) for piece in each.pieces), abs_tol=1e-9)
    assert [each.score for each in found] == sorted(each.score for each in found)


@given(COUNTS, CORPUS)
def test_losses_are_those_of_the_model_and_grow_as_it_says(counts: dict[str, int], corpus: dict[str, int]) -> None:
    counts = {"a": 1, "b": 1, "c": 1} | counts
    by_hand = UnigramByHand(counts, corpus)
    model = UnigramModel.of_counts(counts)
    numbers = {piece: number for number, piece in enumerate(counts)}
    costs = {word: model.word_costs(word) for word in corpus}
    assert isclose(by_hand.loss, sum(corpus[word] * cost for word, (cost, _) in costs.items()), abs_tol=1e-9)
    for piece in counts:
        if len(piece) > 1:
            grown = sum(
                corpus[word] * (others.get(numbers[piece], cost) - cost) for word, (cost, others) in costs.items()
            )
            assert isclose(by_hand.increase(piece), grown, abs_tol=1e-6)


@given(st.dictionaries(st.text("xyz", min_size=1, max_size=5), st.integers(1, 9), max_size=4))
def test_parts_are_counted_at_every_place(words: dict[str, int]) -> None:
    found = substring_counts(words)
    for part, count in found.items():
        assert any(part in word and part != word for word in words)
        places = (word[at:].startswith(part) * times for word, times in words.items() for at in range(len(word)))
        assert count == sum(places)


def test_typed_counts_are_read_line_by_line() -> None:
    assert read_counts(" hug 10\n\npug\t5\u3000\n駅 3") == {"hug": 10, "pug": 5, "駅": 3}
    assert read_counts("") == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("hug", "Line 1 is 'hug'."),
        ("hug 5\nhug 6", "Line 2 repeats 'hug'."),
        ("hug ten", "Line 1 is 'hug ten'."),
        ("hug -1", "Line 1 is 'hug -1'."),
        ("hug 1.5", "Line 1 is 'hug 1.5'."),
        ("hug ²", "Line 1 is 'hug ²'."),
        ("hug 0", "The count of 'hug' is 0"),
        ("a b 3", "Line 1 is 'a b 3'."),
        ("hug " + "9" * 5_000, "Line 1 is "),
        ("hug 1000000001", "The count of 'hug' is 1,000,000,001."),
        ("x" * 41 + " 3", "The piece "),
        ("\n".join(f"p{n} 1" for n in range(501)), "There are 501 pieces."),
    ],
)
def test_what_cannot_be_read_is_told_with_its_limit_and_remedy(text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_counts(text)
    assert caught.value.problem.startswith(problem), caught.value.problem
    assert caught.value.limit
    assert caught.value.remedy


def test_wrong_arguments_are_refused() -> None:
    calls = [
        lambda: UnigramByHand({}, {}),
        lambda: UnigramByHand({"a": 0}, {}),
        lambda: UnigramByHand({"": 1}, {}),
        lambda: UnigramByHand({"a": 1}, {"b" * 41: 1}),
        lambda: UnigramByHand({"a": 1}, {"\ud800": 1}),
        lambda: UnigramByHand([("a", 1)], {}),  # type: ignore[arg-type]
        lambda: COURSE.increase("nothing"),
        lambda: COURSE.without("nothing"),
        lambda: COURSE.segmentations(""),
        lambda: COURSE.segmentations("hug", 0),
        lambda: COURSE.segmentations("hug", 10_000),
        lambda: substring_counts({"abcdefghijklmnopqrstuvwxyz0123456789ABCD": 1}),
    ]
    for call in calls:
        with pytest.raises(ConfigError):
            call()
