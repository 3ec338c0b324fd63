"""A tokenizer.json rejected by the tokenizers library is rejected here, with the name of the field."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bpe_core import BpeError, FormatError
from bpe_core.formats import from_bytes
from tests.core.json_files import (
    BERT_NORMALIZER,
    FLAGS,
    WORDPIECE,
    added_token,
    json_file,
    peer_of_file,
    unless_it_panics,
)
from tests.draws import Outcomes, examples

Json = dict[str, Any]

BPE: Json = {
    "type": "BPE",
    "dropout": None,
    "unk_token": None,
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": False,
    "byte_fallback": False,
    "ignore_merges": False,
    "vocab": {"[UNK]": 0, "a": 1, "b": 2, "ab": 3},
    "merges": [["a", "b"]],
}
BASE = json_file(added_tokens=[added_token("[UNK]", 0, special=True)], model=BPE)
LEVELS = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
PARTS: dict[str, list[Json]] = {
    "model": [
        {**WORDPIECE, "max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "a": 1}},
        {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1}, "unk_token": "[UNK]"},
        {"type": "Unigram", "unk_id": 0, "vocab": [["[UNK]", 0.0], ["a", -1.0]], "byte_fallback": False},
        {**BPE, "continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1, "ab": 2}, "merges": [["a", "##b"]]},
    ],
    "normalizer": [
        BERT_NORMALIZER,
        {"type": "Strip", "strip_left": True, "strip_right": True},
        {"type": "Replace", "pattern": {"String": "a"}, "content": "b"},
        {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "x"}]},
    ],
    "pre_tokenizer": [
        LEVELS,
        METASPACE,
        {**METASPACE, "add_prefix_space": True},
        {"type": "CharDelimiterSplit", "delimiter": "a"},
        {"type": "Digits", "individual_digits": True},
        {"type": "Split", "pattern": {"String": "a"}, "behavior": "Isolated", "invert": False},
        {"type": "Sequence", "pretokenizers": [{"type": "Punctuation", "behavior": "Isolated"}]},
    ],
    "decoder": [
        LEVELS,
        METASPACE,
        {**METASPACE, "add_prefix_space": False, "prepend_scheme": "never"},
        {"type": "WordPiece", "prefix": "##", "cleanup": True},
        {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True},
        {"type": "Strip", "content": "a", "start": 0, "stop": 0},
        {"type": "Sequence", "decoders": [{"type": "BPEDecoder", "suffix": "</w>"}]},
    ],
    "post_processor": [
        LEVELS,
        {"type": "BertProcessing", "sep": ["</s>", 2], "cls": ["<s>", 1]},
    ],
    "truncation": [{"max_length": 5, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}],
    "padding": [
        {
            "strategy": {"Fixed": 5},
            "direction": "Right",
            "pad_to_multiple_of": 8,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        }
    ],
}
FILES = [BASE, *({**BASE, key: part} for key, parts in PARTS.items() for part in parts)]
DAMAGES = ["leave out", "misspell", None, 0, 1, -1, "x", "", [], {}, True, False, 1.5, "2.0"]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(value[key], (*path, key))


def damaged(file: Json, path: tuple[Any, ...], damage: object) -> Json:
    made = copy.deepcopy(file)
    inside: Any = made
    for key in path[:-1]:
        inside = inside[key]
    if damage == "leave out":
        del inside[path[-1]]
    elif damage == "misspell" and isinstance(inside, dict):
        inside[f"{path[-1]}_"] = inside.pop(path[-1])
    else:
        inside[path[-1]] = damage
    return made


def is_refused_there(file: Json) -> bool:
    try:
        return unless_it_panics(lambda: peer_of_file(file)) is None
    except Exception:
        return True


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_of_a_token_without_a_name_is_checked_too(flag: str) -> None:
    made = {**BASE, "added_tokens": [added_token("", 0, special=True) | {flag: None}]}
    assert is_refused_there(made)
    with pytest.raises(FormatError, match=flag):
        from_bytes(json.dumps(made).encode())


@pytest.mark.floor(refused=2_500, accepted=450)
def test_what_the_library_refuses_is_refused(outcomes: Outcomes, rng: Random) -> None:
    for _ in range(examples(6_000)):
        file = rng.choice(FILES)
        made = damaged(file, rng.choice(list(places(file))), rng.choice(DAMAGES))
        if rng.random() < 0.2:
            made = damaged(made, rng.choice(list(places(made)) or [("version",)]), rng.choice(DAMAGES))
        try:
            from_bytes(json.dumps(made).encode())
        except BpeError:
            outcomes.refused += 1
            continue
        outcomes.accepted += 1
        assert not is_refused_there(made), json.dumps(made)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"version": "2.0"}, "version is '2.0'"),
        ({"version": None}, "version is None"),
        ({"added_tokens": 0}, "added_tokens is 0"),
        ({"added_tokens": None}, "added_tokens is None"),
        ({"added_tokens": [added_token("a", 0, special=True) | {"lstrip": 0}]}, r"added_tokens\[0\].lstrip is 0"),
        ({"added_tokens": [{"id": 0, "content": "a"}]}, r"added_tokens\[0\] lacks 'single_word'"),
        (
            {"pre_tokenizer": {"type": "Split", "pattern": {"String": "a"}, "behavior": "Isolated"}},
            "pre_tokenizer lacks 'invert'",
        ),
        ({"normalizer": {"type": "BertNormalizer"}}, "normalizer lacks 'clean_text'"),
        ({"pre_tokenizer": {**METASPACE, "add_prefix_space": False}}, "pre_tokenizer.add_prefix_space is false"),
        (
            {"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": False}},
            "pre_tokenizer.add_prefix_space is false",
        ),
        ({"decoder": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": False}}, "decoder.prepend_scheme"),
        ({"model": {**BPE, "continuing_subword_prefix": "###"}}, r"model.merges\[0\] is \['a', 'b'\]"),
    ],
)
def test_the_field_at_fault_is_named(changed: Json, problem: str) -> None:
    file = {**BASE, **changed}
    assert is_refused_there(file)
    with pytest.raises(FormatError, match=problem):
        from_bytes(json.dumps(file).encode())
