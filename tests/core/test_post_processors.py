"""Post-processors: the ids and type ids of a template read from a file equal those of the tokenizers library."""

import json
from typing import Any

import numpy as np
import pytest
import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import ConfigError, FormatError, pipeline, wordpiece_tokenizer
from bpe_core.formats.post_processors_json import (
    describe_padding,
    describe_truncation,
    read_padding,
    read_post_processor,
    read_truncation,
)
from bpe_core.tokenizer.templates import NO_TEMPLATE, Slot, Template, slots
from tests.core.json_files import json_file, peer_of_file, unless_it_panics
from tests.draws import Outcomes

WORDS = ["[UNK]", "[C]", "[S]", "a", "b", "c"]
OURS = wordpiece_tokenizer(WORDS, special_tokens=["[UNK]", "[C]", "[S]"])
Json = dict[str, Any]

type_ids = st.integers(0, 3)
ids = st.integers(0, 8)
ends = st.sampled_from([["[C]", 1], ["[S]", 2], ["a", 3]])
SPECIAL = {
    "[C]": {"id": "[C]", "ids": [1], "tokens": ["[C]"]},
    "two words": {"id": "two words", "ids": [2, 3], "tokens": ["[S]", "a"]},
    "none": {"id": "none", "ids": [], "tokens": []},
    "new": {"id": "other", "ids": [7, 9], "tokens": ["x", "y z"]},
    "short": {"id": "short", "ids": [4], "tokens": []},
    "0": {"id": "0", "ids": [5], "tokens": ["0"]},
}
texts = st.lists(st.sampled_from("abc"), max_size=3).map(" ".join)


def item(kind: str, name: str, type_id: int) -> Json:
    return {kind: {"id": name, "type_id": type_id}}


def items(texts_there: str) -> st.SearchStrategy[list[Json]]:
    sequences = st.builds(item, st.just("Sequence"), st.sampled_from(texts_there), type_ids)
    return st.lists(
        st.one_of(sequences, st.builds(item, st.just("SpecialToken"), st.sampled_from(sorted(SPECIAL)), type_ids))
    )


def template(single: list[Json], pair: list[Json]) -> Json:
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": SPECIAL}


flags = {"trim_offsets": st.booleans(), "add_prefix_space": st.booleans()}
any_type = st.sampled_from(["BertProcessing", "RobertaProcessing", "TemplateProcessing", "Foo", 1, None])
steps = st.one_of(
    st.builds(template, items("A"), items("AB")),
    st.builds(lambda given, kind: given | {"type": kind}, st.builds(template, items("A"), items("AB")), any_type),
    st.fixed_dictionaries({"sep": ends, "cls": ends}, optional={"type": any_type, **flags}),
    st.fixed_dictionaries({"type": any_type, "sep": ends, "cls": ends, "trim_offsets": st.just(1), **flags}),
    st.fixed_dictionaries({"type": st.just("ByteLevel"), **flags}, optional={"use_regex": st.booleans()}),
)
processors = st.recursive(
    steps,
    lambda each: st.fixed_dictionaries({"type": st.just("Sequence"), "processors": st.lists(each, max_size=3)}),
    max_leaves=4,
)


def peer(**parts: object) -> tokenizers.Tokenizer:
    model = {"type": "WordLevel", "vocab": {word: i for i, word in enumerate(WORDS)}, "unk_token": "[UNK]"}
    return peer_of_file(json_file(model=model, pre_tokenizer={"type": "Whitespace"}, **parts))


def encoded(library: tokenizers.Tokenizer, text: str, pair: str | None) -> tokenizers.Encoding | None:
    """The library's encoding; None if it panics."""
    return unless_it_panics(lambda: library.encode(text, pair, add_special_tokens=True))


BERT = {"type": "BertProcessing", "sep": ["[S]", 2], "cls": ["[C]", 1]}
ROBERTA = {
    "type": "RobertaProcessing",
    "sep": ["[S]", 2],
    "cls": ["[C]", 1],
    "trim_offsets": True,
    "add_prefix_space": False,
}
NAMED = template(
    [item("SpecialToken", "two words", 3), item("Sequence", "A", 2)],
    [item("Sequence", "A", 1), item("SpecialToken", "new", 3), item("Sequence", "B", 5), item("Sequence", "A", 0)],
)


@pytest.mark.floor(accepted=50)
@given(processors, texts, texts)
@example(NAMED, "a b", "b")
@example(template([], []), "a b", "b")
@example(template([item("Sequence", "A", 2**32 - 1)], [item("Sequence", "A", 1)]), "a", "b")
@example({"type": "Sequence", "processors": [BERT, NAMED]}, "a b", "b")
@example({"type": "Sequence", "processors": [NAMED, ROBERTA, BERT]}, "a b", "b")
@example({"type": "RobertaProcessing", "sep": ["[S]", 2], "cls": ["[C]", 1]}, "a", "b")
@example({"type": "Sequence", "processors": [template([item("SpecialToken", "[C]", 0)], []), NAMED]}, "a", "b")
@example(template([item("SpecialToken", "0", 0)], []), "a", "b")
def test_ids_and_type_ids_are_those_of_the_library(outcomes: Outcomes, processor: Json, text: str, pair: str) -> None:
    library = peer(post_processor=processor)
    expected = [encoded(library, text, None), encoded(library, text, pair)]
    outcomes.count(expected != [None, None])
    if expected == [None, None]:
        with pytest.raises(FormatError):
            read_post_processor(processor)
        return
    read, kept = read_post_processor(processor)
    assert kept is not None
    assert json.loads(peer(post_processor=kept).to_str()) == json.loads(library.to_str())
    assert types_of(kept) == types_of(json.loads(library.to_str())["post_processor"])
    for each, second in zip(expected, (None, pair), strict=True):
        if each is None:
            with pytest.raises(ConfigError, match="takes no"):
                pipeline(text, OURS, pair=second, template=read)
            continue
        done = pipeline(text, OURS, pair=second, template=read)
        assert done.ids.tolist() == each.ids
        assert done.type_ids.tolist() == each.type_ids
        assert np.array_equal(done.passage_of < 0, done.token_of < 0)


def types_of(processor: Json) -> list[Any]:
    return [processor["type"], *map(types_of, processor.get("processors", []))]


def test_without_special_tokens_a_template_is_in_the_notation() -> None:
    assert read_post_processor(None) == (NO_TEMPLATE, None)
    value = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "unknown": [1]}
    assert read_post_processor(value) == (NO_TEMPLATE, value)


def test_special_tokens_that_the_vocabulary_lacks_get_the_ids_of_the_file() -> None:
    read, _ = read_post_processor(NAMED)
    assert pipeline("a", OURS, pair="b", template=read).added == {"x": 7, "y z": 9}
    assert pipeline("a", OURS, template=read).added == {}


def test_a_template_of_slots_is_checked() -> None:
    own = Template((Slot("two words", 0, 2), Slot(0, 3)), (Slot(0, 0), Slot(1, 1), Slot(1, 1)))
    assert slots(own, pair=False) == [Slot("two words", 0, 2), Slot(0, 3)]
    assert [slot.holds for slot in slots(own, pair=True)] == [0, 1, 1]
    wrong: list[Any] = [Slot(1, 0), Slot(0, -1), Slot("a", 0, -1), Slot(None, 0), Slot(0, 0.5), "a", ("a", 0, 0)]  # type: ignore[arg-type]
    for slot in wrong:
        with pytest.raises(ConfigError, match="The template holds"):
            slots(Template((slot,), ""), pair=False)


NESTED: Json = BERT
for _ in range(30):
    NESTED = {"type": "Sequence", "processors": [NESTED]}


@pytest.mark.parametrize(
    "value",
    [
        *("", 1, [], {}, {"type": "Foo"}, {"type": []}, {"type": "ByteLevel"}, {"type": "Sequence"}),
        {"type": "BertProcessing", "sep": ["[S]", 2]},
        {"type": "BertProcessing", "sep": ["[S]"], "cls": ["[C]", 1]},
        {"type": "BertProcessing", "sep": ["[S]", -1], "cls": ["[C]", 1]},
        {"type": "BertProcessing", "sep": ["[S]", 2**40], "cls": ["[C]", 1]},
        {"type": "BertProcessing", "sep": [2, "[S]"], "cls": ["[C]", 1]},
        {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": None},
        template([item("SpecialToken", "missing", 0)], []),
        template([item("Sequence", "B", 0)], []) | {"pair": "$A"},
        template([item("Sequence", "C", 0)], []),
        template([item("Sequence", "A", -1)], []),
        template([{"Sequence": {"id": "A"}}], []),
        template([item("Sequence", "A", 0) | item("SpecialToken", "[C]", 0)], []),
        template([{}], []),
        template([], [item("Foo", "A", 0)]),
        template([item("Sequence", "A", 0)] * 1_001, []),
        template("$A", "$B"),  # type: ignore[arg-type]
        template([], []) | {"special_tokens": []},
        template([], []) | {"special_tokens": {"a": {"id": "a", "ids": [1]}}},
        template([], []) | {"special_tokens": {"a": {"id": "a", "ids": [1.5], "tokens": ["a"]}}},
        {"type": "Sequence", "processors": [None]},
        {"type": "Sequence", "processors": [BERT] * 51},
        NESTED,
    ],
)
def test_a_damaged_post_processor_is_refused_with_its_place(value: object) -> None:
    with pytest.raises(FormatError, match="the_place"):
        read_post_processor(value, "the_place")


def test_a_template_of_templates_does_not_grow_without_end() -> None:
    grows = template([item("Sequence", "A", 0)], [item("Sequence", "A", 0), *[item("SpecialToken", "[C]", 0)] * 900])
    roberta = {"type": "Sequence", "processors": [ROBERTA] * 50}
    with pytest.raises(FormatError):
        read_post_processor({"type": "Sequence", "processors": [roberta, grows, roberta, grows]})


# -- truncation and padding ------------------------------------------------------------------------------------------

TRUNCATION = {"direction": "Right", "max_length": 192, "strategy": "LongestFirst", "stride": 0}
PADDING = {
    "strategy": {"Fixed": 192},
    "direction": "Right",
    "pad_to_multiple_of": None,
    "pad_id": 4,
    "pad_type_id": 0,
    "pad_token": "[PAD]",
}


@pytest.mark.parametrize(
    "value",
    [
        TRUNCATION,
        {"max_length": 1, "strategy": "OnlyFirst", "stride": 9},
        TRUNCATION | {"direction": "Left", "strategy": "OnlySecond", "unknown": 1},
    ],
)
def test_a_truncation_that_the_library_takes_is_kept(value: Json) -> None:
    assert peer(truncation=value).truncation is not None
    assert read_truncation(value) == value
    assert "truncated" in describe_truncation(value)


@pytest.mark.parametrize(
    "value",
    [
        PADDING,
        PADDING | {"strategy": "BatchLongest", "pad_to_multiple_of": 8},
        {key: each for key, each in PADDING.items() if key != "pad_to_multiple_of"} | {"direction": "Left"},
    ],
)
def test_a_padding_that_the_library_takes_is_kept(value: Json) -> None:
    assert peer(padding=value).padding is not None
    assert read_padding(value) == value
    assert "padded" in describe_padding(value)


@pytest.mark.parametrize(
    "change",
    [
        {"direction": "right"},
        {"direction": []},
        {"max_length": -1},
        {"max_length": 2**64},
        {"stride": None},
        {"strategy": "Fixed"},
        {"strategy": {"Fixed": -1}},
        {"strategy": {"Fixed": 1, "x": 1}},
        {"pad_id": 2**32},
        {"pad_type_id": True},
        {"pad_token": None},
        {"pad_token": "\ud800"},
        {"pad_to_multiple_of": "8"},
    ],
)
def test_a_damaged_truncation_or_padding_is_refused_with_its_place(change: Json) -> None:
    for whole, read in ((TRUNCATION, read_truncation), (PADDING, read_padding)):
        if {*change} <= {*whole}:
            with pytest.raises(FormatError, match="the_place"):
                read(whole | change, "the_place")


@pytest.mark.parametrize("value", ["", 1, [], {}, True])
def test_what_is_no_truncation_or_padding_is_refused(value: object) -> None:
    for read in (read_truncation, read_padding):
        with pytest.raises(FormatError, match="the_place"):
            read(value, "the_place")
        assert read(None) is None


def test_what_is_kept_is_said_in_a_sentence() -> None:
    assert describe_truncation(TRUNCATION | {"max_length": 1}).startswith("Texts are truncated to 1 token when")
    assert describe_padding(PADDING | {"strategy": "BatchLongest", "pad_to_multiple_of": 8}) == (
        "Texts are padded to the longest text of a batch, and on to a multiple of 8, with '[PAD]' when the file's own "
        "library encodes them; here they are not."
    )
