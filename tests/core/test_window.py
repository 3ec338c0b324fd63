"""The window of a training's text: the replayed words at their positions equal the text encoded at that step."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import ConfigError, CorpusError, TrainConfig, Training, train
from bpe_core.bpe import text_symbols
from bpe_core.bpe.word_places import TextWindow
from bpe_core.kernels import backend
from bpe_core.text import counting
from bpe_core.text.splits import PATTERNS

SPLITS = (*PATTERNS, r"\w+|\s+", r"[a-z]+(?=b)|\S", r"(?r)ab|.", r"\d{2}")
TEXTS = st.text(
    st.one_of(st.sampled_from("aabbc 'st\n\t1é"), st.sampled_from("é\u0301こ🙂Ⅻﬁ\ud800\r<>")), min_size=0, max_size=40
)
SETTINGS = st.fixed_dictionaries(
    {
        "split": st.sampled_from(SPLITS),
        "normalization": st.sampled_from(("none", "NFC", "NFD", "NFKC", "NFKD")),
        "lowercase": st.booleans(),
        "strip_accents": st.booleans(),
        "tie_break": st.sampled_from(("first-seen", "lowest-ids", "first-counted")),
        "special_tokens": st.sampled_from(((), ("<s>",), ("<unk>", "a"))),
    }
)
UNITS = st.sampled_from(
    (
        {"vocab_size": 290},
        {"vocab_size": 290, "base_order": "gpt2"},
        {"unit": "char", "vocab_size": 60},
        {"unit": "char", "vocab_size": 60, "end_of_word": "</w>"},
        {"unit": "char", "vocab_size": 330, "byte_fallback": True},
        {"unit": "char", "vocab_size": 330, "byte_fallback": True, "end_of_word": "_"},
    )
)
COLUMNS = ("ids", "starts", "ends", "char_starts", "char_ends", "word_ids")


@pytest.fixture(params=["reference", "engine"], autouse=True)
def trained_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training function: the plain reference or the compiled engine; parts are found in chunks of three symbols."""
    backend.warm_up()
    monkeypatch.setattr(text_symbols, "_CHUNK", 3)
    if request.param == "reference":
        monkeypatch.setattr(backend, "_ready", False)


def columns(of: Any) -> list[list[int]]:
    return [getattr(of, name).tolist() for name in COLUMNS]


def some_fork(training: Training, step: int) -> Training:
    """The first of the candidates that the rule does not take."""
    for candidate in training.at(step).candidates(50):
        if not candidate.chosen:
            return training.fork(step, (candidate.left, candidate.right))
    return training


@example("aaab aaab", {"split": "gpt2"}, {"vocab_size": 258}, 1, False)
@given(TEXTS, SETTINGS, UNITS, st.integers(0, 40), st.booleans())
def test_the_window_of_a_whole_text_is_the_text_encoded(
    text: str, settings: dict[str, Any], unit: dict[str, Any], step: int, forked: bool
) -> None:
    training = train(text, TrainConfig(**settings, **unit))
    step = min(step, len(training.merges))
    if forked and step < len(training.merges):
        training = some_fork(training, step)
        step = min(step + 2, len(training.merges))
    encoding = training.tokenizer(step).encode(training.text)
    window = training.window(step)
    assert window.text == training.text == encoding.text
    assert columns(window) == columns(encoding)
    assert window.character_starts.tolist() == encoding.character_starts.tolist()
    assert not encoding.special.any()


@example("aaab aaab", {"split": "none"}, {"vocab_size": 258}, 1, 2, 5)
@given(TEXTS, SETTINGS, UNITS, st.integers(0, 40), st.integers(0, 45), st.integers(0, 45))
def test_a_part_is_the_whole_tokens_of_the_text_that_lie_in_it(
    text: str, settings: dict[str, Any], unit: dict[str, Any], step: int, start: int, size: int
) -> None:
    training = train(text, TrainConfig(**settings, **unit))
    step = min(step, len(training.merges))
    whole = training.tokenizer(step).encode(training.text)
    window = training.window(step, start, size)
    bytes_before = len(training.text[: window.start].encode())
    assert training.text[window.start :].startswith(window.text)
    assert window.start + len(window.text) <= max(min(start, len(training.text)) + size, 0)
    assert not window.start or window.start >= min(start, len(training.text))
    found = first_token(whole, window, bytes_before)
    taken = slice(found, found + len(window.ids))
    assert window.ids.tolist() == whole.ids[taken].tolist()
    for name, offset in (("starts", bytes_before), ("ends", bytes_before), ("char_starts", window.start)):
        assert (getattr(window, name) + offset).tolist() == getattr(whole, name)[taken].tolist()
    assert np.diff(window.word_ids).tolist() == np.diff(whole.word_ids[taken]).tolist()
    low, high = (len(training.text[:at].encode()) for at in (start, start + size))
    edges = set(training.window(step).character_starts.tolist())
    inside = [
        at
        for at, (a, b) in enumerate(zip(whole.starts.tolist(), whole.ends.tolist(), strict=True))
        if a >= low and b <= high and (b > low or not start)
    ]
    opening = [at for at in inside if int(whole.starts[at]) in edges]
    closing = [at for at in inside if int(whole.ends[at]) in edges and opening and at >= opening[0]]
    assert len(window.ids) == (closing[-1] - opening[0] + 1 if closing else 0)


def first_token(whole: Any, window: TextWindow, bytes_before: int) -> int:
    """The index in the whole text of the window's first token."""
    if not len(window.ids):
        return 0
    at = int(window.starts[0]) + bytes_before
    return int(np.flatnonzero((whole.starts == at) & (whole.ends == window.ends[0] + bytes_before))[0])


@pytest.mark.parametrize("split", ["gpt2", "cl100k", "o200k", "words", "none", r"\p{L}+|\s+(?=\d)|[^\p{L}]"])
def test_a_long_text_keeps_its_words_across_any_part(split: str) -> None:
    text = "It's 12345 times: 低いランタン  glows\n\n  and   glows, Größe 🙂.\r\n" * 400
    training = train(text, TrainConfig(split=split, vocab_size=400))
    step = len(training.merges)
    whole = training.tokenizer(step).encode(text)
    window = training.window(step, size=5_000)
    count = len(window.ids)
    assert count > 500 or split == "none"
    for name in COLUMNS:
        assert np.array_equal(getattr(window, name), getattr(whole, name)[:count])


def test_of_several_texts_the_first_one_is_shown() -> None:
    training = train(iter(["low lower", "lowest low newest"]), TrainConfig(vocab_size=260))
    assert training.text == "low lower"
    assert training.window(3).ids.tolist() == training.tokenizer(3).encode("low lower").ids.tolist()
    last = len(training.merges)
    assert training.text in "low lower"
    assert {training.first_place(step) for step in range(last + 1)} == {None, 0, 3}


@given(TEXTS, SETTINGS, UNITS)
def test_a_merge_is_first_where_its_token_first_occurs(
    text: str, settings: dict[str, Any], unit: dict[str, Any]
) -> None:
    training = train(text, TrainConfig(**settings, **unit))
    assert training.first_place(0) is None
    for step in range(1, min(len(training.merges), 12) + 1):
        encoding = training.tokenizer(step).encode(training.text)
        first = np.flatnonzero(encoding.ids == training.merges[step - 1].token_id)[0]
        word = encoding.word_ids == encoding.word_ids[first]
        assert training.first_place(step) == encoding.char_starts[word][0]


def test_a_training_of_nothing_has_an_empty_window() -> None:
    for training in (train(""), train([])):
        window = training.window(0)
        assert (window.text, window.ids.tolist(), window.character_starts.tolist()) == ("", [], [0])


def test_of_a_text_too_long_to_be_kept_there_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_KEPT", 10)
    assert train("ten chars.").window(0).text == "ten chars."
    training = train("eleven char")
    assert training.text == ""
    with pytest.raises(CorpusError, match="not kept"):
        training.window(0)
    with pytest.raises(CorpusError, match="not kept"):
        training.first_place(len(training.merges))


def test_a_step_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError):
        train("low low").window(10)
    assert train("low low").window(0, start=3, size=0).text == ""
    assert train("low low").window(0, start=-5, size=-3).text == ""
