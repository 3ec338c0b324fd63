"""Labels over tokens: spans as IOB1 and IOB2 tags, and scores per token as spans again."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ConfigError, load_pretrained
from bpe_core.tokenizer.batches import batch
from bpe_core.tokenizer.label_groups import AGGREGATIONS, Entity, aggregate, entities
from bpe_core.tokenizer.labels import IGNORED, Placed, Span, iob1, iob2, label_ids, placed, trimmed

LABELS = ["PER", "LOC", "MISC-X", "B-I"]
TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "MISC"]


@st.composite
def tokens(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Ordered ranges with gaps, empty ranges between them, and characters shared by several tokens."""
    at, found = 0, []
    for size, gap, times, empty in draw(
        st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2), st.integers(1, 3), st.booleans()), max_size=12)
    ):
        at += gap
        found += [(at, at + size)] * times
        found += [(0, 0)] if empty else []
        at += size
    return found


@st.composite
def spans_on_boundaries(draw: st.DrawFn) -> tuple[list[Span], list[tuple[int, int]]]:
    ranges = draw(tokens())
    whole = sorted({each for each in ranges if each[0] < each[1]})
    labels = draw(st.lists(st.sampled_from(["", *LABELS]), min_size=len(whole), max_size=len(whole)))
    begins = draw(st.lists(st.booleans(), min_size=len(whole), max_size=len(whole)))
    spans: list[Span] = []
    before = ""
    for (start, end), label, new in zip(whole, labels, begins, strict=True):
        if label and label == before and not new:
            spans[-1] = spans[-1]._replace(end=end)
        elif label:
            spans.append(Span(start, end, label))
        before = label
    return spans, ranges


def entities_of(tags: list[str | None], ranges: list[tuple[int, int]], score: float = 1.0) -> list[Entity]:
    """The entities of a model that gives each token its tag with this score, and all others 0."""
    names = ["O", *dict.fromkeys(tag for tag in tags if tag not in (None, "O"))]
    scores = [[score if name == tag else 0.0 for name in names] for tag in tags]
    return entities(scores, names, ranges, [None] * len(tags), "simple")


def found(tags: list[str | None], ranges: list[tuple[int, int]]) -> list[Span]:
    return [Span(each.start, each.end, each.label) for each in entities_of(tags, ranges)]


# -- spans to tags -----------------------------------------------------------------------------------------------


@given(spans_on_boundaries())
def test_both_schemes_give_back_the_spans_that_lie_on_token_boundaries(made: Any) -> None:
    spans, ranges = made
    assert found(iob2(spans, ranges), ranges) == spans
    assert found(iob1(spans, ranges), ranges) == spans


@given(spans_on_boundaries())
def test_the_schemes_differ_only_in_b_and_only_where_iob1_needs_none(made: Any) -> None:
    spans, ranges = made
    one, two = iob1(spans, ranges), iob2(spans, ranges)
    assert [tag and tag[2:] for tag in one] == [tag and tag[2:] for tag in two]
    firsts = [each.tokens[0] for each in placed(spans, ranges)]
    assert [at for at, tag in enumerate(two) if tag and tag.startswith("B-")] == firsts
    inside = [at for at, (start, end) in enumerate(ranges) if start < end]
    before = dict(zip(inside[1:], inside, strict=False))
    needed = [at for at in firsts if at in before and two[before[at]] in (f"B-{two[at][2:]}", f"I-{two[at][2:]}")]
    assert [at for at, tag in enumerate(one) if tag and tag.startswith("B-")] == needed
    assert [at for at, tag in enumerate(one) if tag is None] == [at for at in range(len(ranges)) if at not in inside]


@given(tokens(), st.lists(st.tuples(st.integers(0, 6), st.integers(1, 5)), max_size=8))
def test_a_token_belongs_to_the_first_span_that_it_has_a_character_of(
    ranges: list[tuple[int, int]], sizes: list[tuple[int, int]]
) -> None:
    spans, at = [], 0
    for number, (gap, size) in enumerate(sizes):
        spans.append(Span(at + gap, at + gap + size, f"L{number}"))
        at += gap + size
    for (start, end), tag, (number) in zip(ranges, iob2(spans, ranges), range(len(ranges)), strict=True):
        over = [each for each in spans if set(range(start, end)) & set(range(each.start, each.end))]
        assert (tag or "O")[2:] == (over[0].label if over else "")
        owners = [each for each, place in zip(spans, placed(spans, ranges), strict=True) if number in place.tokens]
        assert owners == over[:1]
    for span, place in zip(spans, placed(spans[::-1], ranges)[::-1], strict=True):
        characters = set(range(span.start, span.end))
        first = [ranges[token] for token in place.tokens][:1]
        assert place.before == sum(len(set(range(*each)) & set(range(span.start))) for each in first)
        over = [each for each in ranges if characters & set(range(*each))]
        assert place.shared == any(
            set(range(*each)) & set(range(*other[:2])) for each in over for other in spans if other < span
        )


def test_two_of_a_kind_side_by_side_are_where_the_schemes_differ() -> None:
    text = "told Anna Tom left"
    spans = [Span(5, 9, "PER"), Span(10, 13, "PER")]
    [row] = batch([text], load_pretrained("gpt2"), template="bert").rows
    assert iob1(spans, row.offsets) == [None, "O", "I-PER", "B-PER", "O", None]
    assert iob2(spans, row.offsets) == [None, "O", "B-PER", "B-PER", "O", None]
    ranges = trimmed(row.offsets, text)
    assert found(iob1(spans, ranges), ranges) == found(iob2(spans, ranges), ranges) == spans
    assert label_ids(iob2(spans, ranges), ["O", "B-PER", "I-PER"]) == [IGNORED, 0, 1, 1, 0, IGNORED]


def test_a_span_that_begins_or_ends_inside_a_token_is_told() -> None:
    ranges = [(0, 4), (4, 9), (9, 12)]
    assert placed([Span(2, 7, "PER")], ranges) == [Placed((0, 1), 2, 2, False)]
    spans = [Span(5, 6, "PER"), Span(7, 8, "LOC"), Span(8, 10, "PER")]
    assert placed(spans, ranges) == [Placed((1,), 1, 3, False), Placed((), 0, 0, True), Placed((2,), 0, 2, True)]
    assert iob1(spans, ranges) == ["O", "I-PER", "B-PER"]
    assert placed([Span(20, 21, "PER")], ranges) == [Placed((), 0, 0, False)]


def test_white_space_is_taken_off_a_range_but_not_off_a_token_of_nothing_else() -> None:
    assert trimmed([(0, 3), (3, 5), (5, 5)], " a    ") == [(1, 2), (3, 5), (5, 5)]
    assert trimmed([(0, 3)], "\u3000a\u00a0") == [(1, 2)]


# -- scores to entities ------------------------------------------------------------------------------------------


def published(scores: Any, tags: list[str], ranges: Any, words: Any, strategy: str) -> list[tuple[Any, ...]]:
    """The published rule, one entity at a time: pre-entities, then words, then groups; finally O is ignored."""
    pre = [
        {"scores": scores[at], "start": ranges[at][0], "end": ranges[at][1], "word": words[at]}
        for at in range(len(ranges))
        if ranges[at][0] != ranges[at][1]
    ]
    if strategy in ("none", "simple"):
        rows = [[each] for each in pre]
    else:
        rows = []
        for at, each in enumerate(pre):
            if at and each["word"] is not None and each["word"] == pre[at - 1]["word"]:
                rows[-1].append(each)
            else:
                rows.append([each])
    tagged = []
    for word in rows:
        if strategy == "max":
            deciding = max(word, key=lambda each: max(each["scores"]))["scores"]
        elif strategy == "average":
            deciding = np.nanmean(np.stack([each["scores"] for each in word]), axis=0).tolist()
        else:
            deciding = word[0]["scores"]
        best = max(range(len(tags)), key=lambda at: deciding[at])
        tagged.append((tags[best], deciding[best], word[0]["start"], word[-1]["end"]))
    if strategy == "none":
        return [each for each in tagged if each[0] != "O"]

    def parts(tag: str) -> tuple[str, str]:
        return (tag[0], tag[2:]) if tag[:2] in ("B-", "I-") else ("I", tag)

    joined: list[list[Any]] = []
    for each in tagged:
        prefix, label = parts(each[0])
        if joined and prefix != "B" and parts(joined[-1][-1][0])[1] == label:
            joined[-1].append(each)
        else:
            joined.append([each])
    return [
        (parts(each[0][0])[1], float(np.nanmean([one[1] for one in each])), each[0][2], each[-1][3])
        for each in joined
        if parts(each[0][0])[1] != "O"
    ]


@st.composite
def scored(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    ranges = draw(tokens())
    number = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1))
    scores = [draw(st.lists(number, min_size=len(TAGS), max_size=len(TAGS))) for _ in ranges]
    words = [draw(st.sampled_from([None, 0, 1])) for _ in ranges]
    return scores, ranges, words


@given(scored(), st.sampled_from(AGGREGATIONS))
def test_entities_are_those_of_the_published_rule(made: Any, strategy: Any) -> None:
    scores, ranges, words = made
    ours = entities(scores, TAGS, ranges, words, strategy)
    expected = published(scores, TAGS, ranges, words, strategy)
    assert [(each.label, each.start, each.end) for each in ours] == [(each[0], *each[2:]) for each in expected]
    assert [each.score for each in ours] == pytest.approx([each[1] for each in expected])
    assert all(one.stop <= other.first for one, other in pairwise(ours))


def test_a_word_whose_tokens_disagree_differs_by_strategy() -> None:
    tags = ["O", "B-PER", "I-LOC", "I-ORG"]
    scores = [[0, 0.55, 0.45, 0], [0, 0, 0.2, 0.8], [0, 0.25, 0.75, 0]]
    ranges, words = [(0, 3), (3, 6), (6, 8)], [0, 0, 0]
    expected = {
        "none": [("B-PER", 0.55, 0, 3), ("I-ORG", 0.8, 3, 6), ("I-LOC", 0.75, 6, 8)],
        "simple": [("PER", 0.55, 0, 3), ("ORG", 0.8, 3, 6), ("LOC", 0.75, 6, 8)],
        "first": [("PER", 0.55, 0, 8)],
        "max": [("ORG", 0.8, 0, 8)],
        "average": [("LOC", 1.4 / 3, 0, 8)],
    }
    for strategy in AGGREGATIONS:
        made = entities(scores, tags, ranges, words, strategy)
        assert [(e.label, pytest.approx(e.score), e.start, e.end) for e in made] == expected[strategy]


def test_equal_scores_go_to_the_earlier_token_and_the_earlier_tag() -> None:
    [word] = aggregate([[0.1, 0.7], [0.7, 0.1]], ["A", "B"], [(0, 1), (1, 2)], [4, 4], "max")
    assert word.tag == "B"
    [word] = aggregate([[0.5, 0.5]], ["A", "B"], [(0, 1)], [4], "simple")
    assert word.tag == "A"


def test_a_special_token_neither_separates_nor_is_an_entity() -> None:
    ranges = [(0, 0), (0, 2), (0, 0), (2, 4), (5, 7)]
    assert entities_of([None, "I-PER", None, "PER", "O"], ranges) == [Entity(0, 4, "PER", 1.0, 1, 4)]
    assert entities_of(["B-PER", "O", "B-PER", "O", "O"], ranges) == []


def test_an_o_between_two_of_a_label_separates_them() -> None:
    made = entities_of(["I-PER", "O", "I-PER"], [(0, 1), (1, 2), (2, 3)], 0.5)
    assert made == [Entity(0, 1, "PER", 0.5, 0, 1), Entity(2, 3, "PER", 0.5, 2, 3)]


def test_hyphens_in_labels_stay() -> None:
    ranges = [(0, 1), (1, 2), (2, 3)]
    assert found(["B-MISC-X", "I-MISC-X", "GPE-X"], ranges) == [Span(0, 2, "MISC-X"), Span(2, 3, "GPE-X")]


def test_nothing_gives_nothing() -> None:
    assert iob1([], []) == iob2([], []) == placed([], []) == []
    assert all(entities([], TAGS, [], [], strategy) == [] for strategy in AGGREGATIONS)


# -- invalid input -----------------------------------------------------------------------------------------------

WRONG_SPANS: dict[str, list[Any]] = {
    "The spans 0 to 3 and 2 to 4 overlap": [Span(2, 4, "PER"), Span(0, 3, "PER")],
    "The spans 0 to 3 and 0 to 3 overlap": [Span(0, 3, "PER"), Span(0, 3, "LOC")],
    "The span 3 to 3 is empty": [Span(3, 3, "PER")],
    "The span 4 to 3 is empty": [Span(4, 3, "PER")],
    "start is -1": [Span(-1, 3, "PER")],
    "end is '3'": [Span(0, "3", "PER")],  # type: ignore[arg-type]
    "start is True": [Span(True, 3, "PER")],
    "The label of a span is 'O'": [Span(0, 3, "O")],
    "The label of a span is ''": [Span(0, 3, "")],
    "A label is 7": [Span(0, 3, 7)],  # type: ignore[arg-type]
    "A span is (0, 3)": [(0, 3)],
    "A span is 5": [5],
}


@pytest.mark.parametrize(("problem", "spans"), WRONG_SPANS.items())
def test_spans_that_overlap_or_are_empty_are_refused(problem: str, spans: list[Any]) -> None:
    for function in (iob1, iob2, placed):
        with pytest.raises(ConfigError) as refused:
            function(spans, [(0, 4)])
        assert problem in str(refused.value)


@pytest.mark.parametrize("wrong", [[(0, -1)], [(3, 2)], [(0,)], [None], 5, "ab", [(0, 1.5)], [(True, 1)]])
def test_ranges_that_are_none_are_refused(wrong: Any) -> None:
    for call in (
        lambda: iob1([], wrong),
        lambda: trimmed(wrong, "abc"),
        lambda: entities([[1.0]], ["O"], wrong, [0], "simple"),
    ):
        with pytest.raises(ConfigError):
            call()


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf")])
def test_scores_that_are_not_finite_are_refused(wrong: float) -> None:
    with pytest.raises(ConfigError, match="A score is"):
        entities([[0.5, wrong]], ["O", "PER"], [(0, 1)], [0], "average")


def test_arguments_of_different_sizes_are_refused() -> None:
    right: dict[str, Any] = {"scores": [[0.5]], "tags": ["O"], "ranges": [(0, 1)], "words": [0], "strategy": "max"}
    for wrong in (
        {"scores": []},
        {"scores": [[0.5, 0.5]]},
        {"scores": [["x"]]},
        {"scores": 5},
        {"scores": [[0.5], [0.5, 0.5]]},
        {"tags": []},
        {"tags": [""]},
        {"words": 5},
        {"words": [[]]},
        {"strategy": "last"},
    ):
        with pytest.raises(ConfigError):
            aggregate(**right | wrong)
    with pytest.raises(ConfigError, match="words has 0 entries"):
        aggregate(**right | {"words": []})
    with pytest.raises(ConfigError, match="no id"):
        label_ids(["B-LOC"], ["O", "B-PER"])
