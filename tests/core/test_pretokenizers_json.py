"""Reading pre-tokenizers of tokenizer.json: as this project's splits where equivalent, and what is rejected."""

from __future__ import annotations

from typing import Any

import pytest

from bpe_core import FormatError
from bpe_core.formats.pretokenizers_json import read_pre_tokenizer, write_pre_tokenizer
from bpe_core.huggingface.split_chain import SplitChain
from bpe_core.text.splits import BERT_SPLIT, PATTERNS, Split

Json = dict[str, Any]
LEVELS: Json = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
META: Json = {"type": "Metaspace", "replacement": "▁"}


def pattern(regex: str, behavior: str = "Removed", *, invert: bool = True) -> Json:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": behavior, "invert": invert}


def sequence(*steps: Json) -> Json:
    return {"type": "Sequence", "pretokenizers": list(steps)}


@pytest.mark.parametrize(
    ("value", "levels", "split"),
    [
        (None, False, "none"),
        (sequence(), False, "none"),
        (LEVELS, True, "none"),
        (LEVELS | {"use_regex": True}, True, "gpt2"),
        (sequence(sequence(LEVELS | {"use_regex": True})), True, "gpt2"),
        ({"type": "WhitespaceSplit"}, False, "words"),
        ({"type": "BertPreTokenizer"}, False, BERT_SPLIT),
        (pattern(PATTERNS["o200k"], "Isolated", invert=False), False, "o200k"),
        (sequence(pattern(PATTERNS["o200k"], "Isolated", invert=False), LEVELS), True, "o200k"),
        (sequence(pattern(r"\d+|\s"), LEVELS), True, r"\d+|\s"),
    ],
)
def test_a_chain_that_is_one_of_this_projects_splits_becomes_it(value: object, levels: bool, split: str) -> None:
    assert read_pre_tokenizer(value, "pre_tokenizer") == (levels, Split(split))
    assert read_pre_tokenizer(write_pre_tokenizer(Split(split), levels), "") == (levels, Split(split))


def test_the_older_spelling_of_metaspace_is_read() -> None:
    def read(**more: object) -> object:
        split = read_pre_tokenizer(META | more, "pre_tokenizer")[1]
        return write_pre_tokenizer(split, levels=False)

    always = META | {"prepend_scheme": "always", "split": True}
    assert read() == read(str_rep="▁", add_prefix_space=True) == always
    assert read(add_prefix_space=False, prepend_scheme="never") == always | {"prepend_scheme": "never"}
    with pytest.raises(FormatError, match="add_prefix_space is false, and prepend_scheme always"):
        read(add_prefix_space=False)  # the library rejects it as well
    assert read(split=False) == always | {"split": False}


def test_a_chain_is_written_only_with_the_model_that_it_is_for() -> None:
    chain = read_pre_tokenizer(sequence({"type": "Digits", "individual_digits": False}, LEVELS), "")[1]
    assert isinstance(chain, SplitChain)
    with pytest.raises(FormatError, match="not over bytes"):
        write_pre_tokenizer(chain, levels=False)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("Digits", "pre_tokenizer is 'Digits'"),
        ({}, "lacks 'type'"),
        ({"type": "Nope"}, "type is 'Nope', which"),
        ({"type": ["Digits"]}, "type is"),
        ({"type": "Sequence"}, "pretokenizers is None"),
        ({"type": "Sequence", "pretokenizers": [None]}, r"pretokenizers\[0\] is None"),
        (sequence(*[{"type": "Whitespace"}] * 51), "51 entries"),
        (sequence(*[sequence(*[{"type": "Whitespace"}] * 26)] * 2), "more than 50 steps"),
        (LEVELS | {"use_regex": None}, "use_regex is None"),
        ({"type": "Metaspace"}, "replacement is None"),
        (META | {"replacement": "ab"}, "replacement is 'ab'"),
        (META | {"prepend_scheme": "last"}, "prepend_scheme is 'last'"),
        (META | {"prepend_scheme": "first", "add_prefix_space": False}, "prepend_scheme first"),
        ({"type": "CharDelimiterSplit", "delimiter": ""}, "delimiter is ''"),
        ({"type": "FixedLength", "length": 0}, "length is 0"),
        ({"type": "FixedLength", "length": 2.5}, "length is 2.5"),
        ({"type": "Punctuation", "behavior": ["Isolated"]}, "behavior is"),
        ({"type": "Split", "pattern": "a", "behavior": "Removed"}, "pattern is 'a'"),
        ({"type": "Split", "pattern": {}, "behavior": "Removed", "invert": False}, "pattern is {}"),
        (
            {"type": "Split", "pattern": {"String": "a" * 2001}, "behavior": "Removed", "invert": False},
            "2,001 characters",
        ),
        ({"type": "Split", "pattern": {"String": "\ud800"}, "behavior": "Removed", "invert": False}, "lone surrogate"),
        ({"type": "Split", "pattern": {"String": "a"}}, "behavior is None"),
    ],
)
def test_what_is_damaged_is_refused_by_name(value: object, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_pre_tokenizer(value, "pre_tokenizer")


def test_sequences_nested_too_deeply_are_refused() -> None:
    value = sequence()
    for _ in range(300):
        value = sequence(value)
    with pytest.raises(FormatError, match="inside of 11 others"):
        read_pre_tokenizer(value, "pre_tokenizer")


@pytest.mark.parametrize(
    ("regex", "what"),
    [
        (r"a\K", r"\\K"),
        (r"\Ga", r"\\G"),
        (r"(a)\1", r"\\1"),
        (r"\p{Emoji}", "Emoji"),
        (r"\pL", "pL"),
        (r"[[:punct:]]", "punct"),
        (r"(?i:ss)", "ss where case"),
        (r"(?i:é)", "'é' where case"),
        (r"(?i:\p{Lu})", r"Lu\} where case"),
        (r"(?i:[\p{Lu}])", r"Lu\} where case"),
        (r"(?W:\w)", r"the group \(\?W:"),
        (r"(?i)s(?#letter)s", "ss where case"),
        (r"(?)a", r"the group \(\?\)"),
        (r"\X", "X"),
        (r"(?~a)", r"the group \(\?~a"),
        (r"(?(1)a|b)", r"the group"),
        (r"(a*)*", "may match nothing"),
        (r"a**", "repeat of a repeat"),
        (r"a{3,2}", "the repeat"),
        (r"((a{200}){200}){200}", "the repeat"),
        (r"(a", r"without its \)"),
        (r"a)", r"without a \("),
        (r"[a", r"without its \]"),
        (r"[]a]", "an empty class"),
        (r"[z-a]", "the range"),
        (r"+a", "of nothing"),
        ("a\\", "cannot be translated"),
        (r"\x{110000}", r"x"),
        (r"(?<=a+)b", "variable length"),
        ("(" * 30 + "a" + ")" * 30, "nested so deeply"),
        ("[" * 30 + "a" + "]" * 30, "nested so deeply"),
        ("a" * 2001, "what follows"),
    ],
)
def test_a_construct_that_cannot_be_translated_is_named(regex: str, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        read_pre_tokenizer(pattern(regex, "Isolated", invert=False), "pre_tokenizer")
