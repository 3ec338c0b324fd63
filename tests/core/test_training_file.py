"""A training as a file: it opens again unchanged, and an invalid file is rejected with place and reason."""

from __future__ import annotations

import json
import random
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import FormatError, TrainConfig, Training, train
from bpe_core.formats.training_file import MOST_BYTES, open_training, read_training, save_training
from tests.draws import Outcomes

TEXT = "low lower lowest, こんにちは <s> newer\r\n\twider =1+1"
CONFIGS = [
    TrainConfig(vocab_size=280),
    TrainConfig(vocab_size=300, split="none", tie_break="lowest-ids", base_order="gpt2", special_tokens=("<s>", "日")),
    TrainConfig(vocab_size=80, unit="char", split="words", end_of_word="</w>", normalization="NFKC", lowercase=True),
    TrainConfig(vocab_size=400, unit="char", byte_fallback=True, split=r"\w+|\W", min_count=2, strip_accents=True),
]


def saved(**changes: Any) -> bytes:
    """A valid file with some of its keys changed; `...` removes the key."""
    content = {**json.loads(save_training(train(TEXT, CONFIGS[0]), TEXT)), **changes}
    return json.dumps({key: value for key, value in content.items() if value is not ...}).encode()


def state(training: Training) -> tuple[object, ...]:
    tokenizer = training.tokenizer()
    return (
        training.config,
        training.merges,
        training.stop_reason,
        [training.token_count(step) for step in range(len(training.merges) + 1)],
        tokenizer.special_tokens,
        tokenizer.encode(TEXT + " unseen").ids.tolist(),
    )


@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
def test_a_saved_training_opens_with_every_step_and_the_same_ids(config: TrainConfig) -> None:
    training = train(TEXT, config)
    again = open_training(save_training(training, TEXT))
    assert state(again) == state(training)
    for step in range(len(training.merges) + 1):
        assert again.at(step).candidates() == training.at(step).candidates()


@given(st.text(st.characters(), max_size=60))
def test_any_text_comes_back_as_it_was(text: str) -> None:
    training = train(text, TrainConfig(vocab_size=270))
    data = save_training(training, text)
    assert read_training(data).text == text
    assert open_training(data).merges == training.merges


def test_choices_against_the_rule_are_kept() -> None:
    config = TrainConfig(vocab_size=270)
    training = train(TEXT, config)
    forks = [(2, 101, 114), (5, 119, 105)]
    for step, left, right in forks:
        training = training.fork(step, (left, right))
    data = save_training(training, TEXT, forks=forks)
    assert open_training(data).merges == training.merges != train(TEXT, config).merges
    assert read_training(data).forks == tuple(forks)


def test_the_same_training_gives_the_same_file() -> None:
    assert save_training(train(TEXT), TEXT) == save_training(train(TEXT), TEXT)


def test_a_byte_order_mark_is_no_damage() -> None:
    data = save_training(train(TEXT, CONFIGS[0]), TEXT)
    assert open_training(b"\xef\xbb\xbf" + data).merges == train(TEXT, CONFIGS[0]).merges


def test_a_text_full_of_brackets_opens() -> None:
    text = '[{"a": [1, 2]}, "\\"],' * 30_000 + "[" * 3_000_000
    config = TrainConfig(vocab_size=260)
    training = train(text, config)
    assert open_training(save_training(training, text)).merges == training.merges


CONFIG = json.loads(saved())["config"]
MERGES = json.loads(saved())["merges"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON: Expecting value at line 1, column 1"),
        (b"\xff\xfe{}", "byte 0 is 0xFF"),
        (b"PK\x03\x04", "not JSON"),
        (b"\x80\x04\x95pickle", "not UTF-8: byte 0 is 0x80"),
        (b'{\n  "format": "bpe-lab",\n  oops', "line 3, column 3"),
        (b"[]", "The file is []. It must be an object"),
        (b"{}", "its format is None"),
        (b'{"format": "bpe-lab", "format": "x"}', "has the key 'format' twice"),
        (b"[" * 100_000, "too deep"),
        (b'{"format": ' + b"9" * 5_000 + b"}", "a number too long"),
        (b'{"format": NaN}', "NaN"),
        (b"[" + b"[]," * 10_000_000 + b"[]]", "lists and values"),
        (b" " * (MOST_BYTES + 1), "32,000,001 bytes"),
        (saved(format="tiktoken"), "its format is 'tiktoken'"),
        (saved(version=2), "version 2 of the format. This version of BPE Lab reads up to version 1"),
        (saved(version=True), "version True"),
        (saved(version="1"), "version '1'"),
        (saved(text=...), "lacks 'text'"),
        (saved(extra=1), "has 'extra', which is not known"),
        (saved(text=5), "text is 5"),
        (saved(config=[]), "config is []"),
        (saved(config={**CONFIG, "unit": "word"}), "In config: unit is 'word'"),
        (saved(config={**CONFIG, "unit": ["byte"]}), "In config: unit is ['byte']"),
        (saved(config={**CONFIG, "vocab_size": 1e3}), "In config: vocab_size is 1000.0"),
        (saved(config={**CONFIG, "special_tokens": "ab"}), "config.special_tokens is 'ab'"),
        (saved(config={**CONFIG, "special_tokens": [1]}), "In config: A special token is 1"),
        (saved(config={**CONFIG, "split": "(("}), "In config: split"),
        (saved(config={**CONFIG, "split": "(?:(?:x{9999}){9999}){9999}"}), "In config: The counted repeats"),
        (saved(config={**CONFIG, "__class__": "os"}), "has '__class__'"),
        (saved(merges={}), "merges is {}"),
        (saved(merges=[[1, 2]]), "merges[0] is [1, 2]"),
        (saved(merges=[[1, 2, True]]), "merges[0] is [1, 2, True]"),
        (saved(merges=[[1, 2, -1]]), "merges[0] is [1, 2, -1]"),
        (saved(merges=[[1, 2, 3]] * 281), "merges has 281 entries"),
        (saved(forks=[[0, 1, 2]] * 101), "forks has 101 entries"),
    ],
)
def test_what_is_no_training_file_is_refused_with_place_and_reason(data: bytes, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_training(data)
    assert says in str(caught.value)
    assert caught.value.limit
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"merges": [[1, 2, 3], *MERGES[1:]]}, "merges[0] is [1, 2, 3], but this text and these settings give"),
        ({"merges": MERGES[:-1]}, "23 merges, but its text and settings give 24"),
        ({"text": "another text"}, "merges[0] is"),
        ({"characters": "abc"}, "characters in the file are not those"),
        ({"forks": [[10**9, 1, 2]]}, "cannot be run: The step is 1000000000"),
        ({"forks": [[0, 1, 10**9]]}, "cannot be run: The pair (1, 1000000000)"),
        ({"config": {**CONFIG, "unit": "char", "vocab_size": 3}, "merges": []}, "cannot be run: vocab_size is 3"),
    ],
)
def test_a_file_whose_parts_do_not_belong_together_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(FormatError) as caught:
        open_training(saved(**changes))
    assert says in str(caught.value)


def test_hostile_lists_are_refused_before_they_take_memory() -> None:
    data = b"[" + b"[]," * 10_000_000 + b"[]]"
    tracemalloc.start()
    with pytest.raises(FormatError):
        read_training(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * len(data)


def test_cut_and_flipped_files_are_refused_or_mean_the_same_training(rng: random.Random) -> None:
    data = save_training(train(TEXT, CONFIGS[0]), TEXT)
    expected = train(TEXT, CONFIGS[0])
    damaged = [data[: rng.randrange(len(data))] for _ in range(40)]
    for _ in range(200):
        flipped = bytearray(data)
        flipped[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        damaged.append(bytes(flipped))
    outcomes = Outcomes()
    for each in damaged:
        with outcomes.of(FormatError):
            assert open_training(each).merges == expected.merges
    assert outcomes.refused > 200
