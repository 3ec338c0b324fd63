"""Truncated files and flipped bits give either a tokenizer or a FormatError."""

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from bpe_core import BpeError, FormatError, TrainConfig, train, train_unigram, train_wordpiece
from bpe_core.formats import from_files, to_files
from tests.core.format_samples import damaged, sentencepiece
from tests.draws import Outcomes

TEXT = "low lower lowest newer wider, the theme there " * 3
PROBE = "low <s> LOWER the ｐ\x00é\n日本 x" + "".join(map(chr, range(1, 300)))

SMALL = {
    "tokenizer.json of bytes": (
        "tokenizers",
        lambda: train(TEXT, TrainConfig(vocab_size=290, lowercase=True)).tokenizer(),
    ),
    "tokenizer.json of characters": (
        "tokenizers",
        lambda: train(TEXT, TrainConfig(vocab_size=60, unit="char", split="words", end_of_word="</w>")).tokenizer(),
    ),
    "tokenizer.json of WordPiece": ("tokenizers", lambda: train_wordpiece(TEXT, 60).tokenizer()),
    "tokenizer.json of Unigram": ("tokenizers", lambda: train_unigram(TEXT, 40).tokenizer()),
    "tiktoken": ("tiktoken", lambda: train(TEXT, TrainConfig(vocab_size=290)).tokenizer()),
    "vocab.json and merges.txt": ("gpt2", lambda: train(TEXT, TrainConfig(vocab_size=290)).tokenizer()),
    "vocab.txt": ("wordpiece", lambda: train_wordpiece(TEXT, 60).tokenizer()),
    "bpe-lab": ("bpe-lab", lambda: train(TEXT, TrainConfig(vocab_size=290)).tokenizer()),
    "bpe-lab of characters": (
        "bpe-lab",
        lambda: train(TEXT, TrainConfig(vocab_size=90, unit="char", end_of_word="</w>")).tokenizer(),
    ),
    "bpe-lab of Unigram": ("bpe-lab", lambda: train_unigram(TEXT, 40).tokenizer()),
    "sentencepiece": ("sentencepiece", sentencepiece),
    "sentencepiece with bytes": ("sentencepiece", lambda: sentencepiece(byte_fallback=True)),
}


_ROUNDS = 9
"""Maximum number of draws until some damage is accepted: in a small JSON file, most is refused."""


@pytest.mark.parametrize("name", SMALL)
def test_a_damaged_file_is_a_tokenizer_or_a_format_error(name: str, rng: Random) -> None:
    format, make = SMALL[name]
    files = to_files(make(), format=format)
    outcomes = Outcomes()
    for _ in range(_ROUNDS):
        open_damaged(files, rng, outcomes)
        if outcomes.accepted:
            break
    assert outcomes.refused > 20
    assert outcomes.accepted > 0


def open_damaged(files: dict[str, bytes], rng: Random, outcomes: Outcomes) -> None:
    """Open each of the files damaged, and use it if it is still a tokenizer."""
    for file, data in files.items():
        for bad in damaged(data, rng):
            try:
                tokenizer = from_files({**files, file: bad})
            except FormatError as error:
                outcomes.refused += bool(error.limit and error.remedy)
                continue
            outcomes.accepted += 1
            try:
                tokenizer.decode(tokenizer.encode(PROBE, special="parse").ids)
            except BpeError:  # for example a split that takes too long
                continue


def test_the_front_of_a_model_is_where_damage_does_most() -> None:
    model = to_files(sentencepiece(), format="sentencepiece")["tokenizer.model"]
    outcomes = Outcomes()
    for at in [*range(0, 400, 3), *range(len(model) - 300, len(model))]:
        bad = bytearray(model)
        bad[at] ^= 1 << at % 8
        with outcomes.of(FormatError):
            tokenizer = from_files({"a.model": bytes(bad)})
            tokenizer.decode(tokenizer.encode(PROBE).ids)
    assert outcomes.refused > 150
    assert outcomes.accepted > 150


def test_a_model_whose_table_of_characters_is_damaged_never_reaches_the_library() -> None:
    model = to_files(sentencepiece(), format="sentencepiece")["tokenizer.model"]
    # The table comes last: a double array that the library follows unchecked, then texts that it assumes to be UTF-8.
    for at in range(len(model) - 200, len(model)):
        bad = bytearray(model)
        bad[at] ^= 0x80
        with pytest.raises(FormatError, match="table of characters"):
            from_files({"a.model": bytes(bad)})
    head = model.rindex(b"nmt_nfkc") + len(b"nmt_nfkc") + 4  # key and length of the table
    bad = bytearray(model)
    bad[head + 4 + 3] ^= 0x40  # the root's offset
    with pytest.raises(FormatError, match="leads outside of itself"):
        from_files({"a.model": bytes(bad)})


ADDED = {"single_word": False, "lstrip": True, "rstrip": False, "normalized": True, "special": False}
STAGES = {
    "version": "1.0",
    "truncation": {"direction": "Right", "max_length": 9, "strategy": "LongestFirst", "stride": 0},
    "padding": {
        "strategy": {"Fixed": 9},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "<s>",
    },
    "added_tokens": [{"id": 0, "content": "<s>"} | ADDED, {"id": 9, "content": "<t>"} | ADDED],
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "Prepend", "prepend": "_"},
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
            {"type": "Strip", "strip_left": True, "strip_right": False},
            {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True},
        ],
    },
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Split", "pattern": {"String": "-"}, "behavior": "MergedWithNext", "invert": False},
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True},
            {"type": "Digits", "individual_digits": True},
            {"type": "Punctuation", "behavior": "Contiguous"},
        ],
    },
    "post_processor": {"type": "RobertaProcessing", "sep": ["<s>", 0], "cls": ["<s>", 0], "trim_offsets": True},
    "decoder": {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    },
}
MODELS = {
    "BPE": {
        "type": "BPE",
        "dropout": 0.1,
        "unk_token": "?",
        "continuing_subword_prefix": "##",
        "end_of_word_suffix": "</w>",
        "fuse_unk": True,
        "byte_fallback": True,
        "ignore_merges": True,
        "vocab": {"<s>": 0, "l": 1, "##o": 2, "lo": 3, "?": 4, "<0x0A>": 5},
        "merges": [["l", "##o"]],
    },
    "WordPiece": {
        "type": "WordPiece",
        "unk_token": "?",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"<s>": 0, "l": 1, "##o": 2, "?": 3},
    },
    "WordLevel": {"type": "WordLevel", "vocab": {"<s>": 0, "low": 1, "?": 2}, "unk_token": "?"},
    "Unigram": {
        "type": "Unigram",
        "unk_id": 1,
        "byte_fallback": True,
        "vocab": [["<s>", 0.0], ["?", -1.5], ["▁l", -2.5], ["<0x0A>", -9.0]],
    },
}
JUNK = (
    None,
    True,
    0,
    -1,
    10**12,
    1.5,
    "",
    "a",
    "\ud800",
    "(",
    [],
    {},
    [[]],
    {"type": "X"},
    {"type": "Sequence"},
    [1, 2],
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every path in nested lists and objects."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


@pytest.mark.parametrize("kind", MODELS)
def test_any_value_of_a_tokenizer_json_may_be_wrong(kind: str, rng: Random) -> None:
    whole = STAGES | {"model": MODELS[kind]}
    outcomes = Outcomes()
    for *path, last in places(whole):
        for junk in (*rng.sample(JUNK, 6), ...):
            bad = copy.deepcopy(whole)
            part: Any = bad
            for key in path:
                part = part[key]
            if junk is ...:
                del part[last]
            else:
                part[last] = junk
            with outcomes.of(FormatError):
                tokenizer = from_files({"tokenizer.json": json.dumps(bad).encode()})
                with suppress(BpeError):
                    tokenizer.decode(tokenizer.encode(PROBE, special="parse").ids)
    assert outcomes.refused > 500
    assert outcomes.accepted > 50
