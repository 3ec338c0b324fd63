"""The models of tokenizer.json: read as by the tokenizers library, written back, and rejected if damaged."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_core import BpeError, FormatError, UnigramModel, train_unigram
from bpe_core.formats import from_bytes, to_bytes
from bpe_core.formats.models_json import (
    checked_unigram,
    checked_wordlevel,
    checked_wordpiece,
    model_kind,
    write_unigram,
    write_wordlevel,
    write_wordpiece,
)
from tests.core.json_files import json_file, peer_of_file

Json = dict[str, Any]

WORDPIECE: Json = {
    "type": "WordPiece",
    "unk_token": "<?>",
    "continuing_subword_prefix": "+",
    "max_input_chars_per_word": 12,
    "vocab": {"<?>": 3, "low": 0, "+er": 7, "+e": 8},
}
WORDLEVEL: Json = {"type": "WordLevel", "vocab": {"<?>": 3, "low": 0, "lower": 7}, "unk_token": "<?>"}
UNIGRAM: Json = {
    "type": "Unigram",
    "unk_id": 1,
    "vocab": [["lo", -1.5], ["<unk>", 0.0], ["w", -2], ["lo", -2.25], ["<0x65>", 0.0]],
    "byte_fallback": True,
}

texts = st.text("lower é<?>", max_size=20)


def library(model: Json) -> LibraryTokenizer:
    return peer_of_file(json_file(model=model))


@pytest.mark.parametrize(
    ("model", "read", "write"),
    [
        (WORDPIECE, checked_wordpiece, write_wordpiece),
        (WORDLEVEL, checked_wordlevel, write_wordlevel),
        (UNIGRAM, checked_unigram, write_unigram),
    ],
    ids=("WordPiece", "WordLevel", "Unigram"),
)
@given(text=texts)
def test_a_model_is_the_librarys_and_is_written_as_it_was(
    model: Json, read: Callable[[Json], Callable[[], Any]], write: Callable[[Any], Json], text: str
) -> None:
    known = read(model)()
    assert list(known.encode_word(text).ids) == (library(model).encode(text).ids if text else [])
    assert write(known) == model
    assert library(write(known)).to_str() == library(model).to_str()


@given(st.lists(st.floats(-30, 0), min_size=1, max_size=8))
def test_scores_are_read_to_the_last_bit_and_written_so_that_they_are_read_again(scores: list[float]) -> None:
    model = checked_unigram({"vocab": [[f"a{at}", score] for at, score in enumerate(scores)]})()
    again = write_unigram(model)
    assert checked_unigram(again)().vocabulary == model.vocabulary


def test_old_files_are_known_by_their_keys() -> None:
    for model in (WORDPIECE, WORDLEVEL, UNIGRAM):
        assert model_kind({key: value for key, value in model.items() if key != "type"}) == model["type"]
    assert model_kind({"vocab": {}, "merges": []}) == "BPE"


def test_a_model_without_unknown_token_names_the_word_and_the_token() -> None:
    model = checked_wordlevel({"unk_token": "<none>", "vocab": {"low": 0}})()
    assert model.unknown_id is None
    with pytest.raises(BpeError, match=r"'high' cannot be encoded.*'<none>'.*Add it"):
        model.encode_word("high")


def test_a_unigram_that_was_trained_here_is_not_one_of_a_file() -> None:
    with pytest.raises(FormatError, match="puts ▁ in front of words"):
        write_unigram(UnigramModel({"a": 1.0}))


WRONG: list[object] = [None, 1, -1, 1.5, True, "x", [], ["a"], {}, {"a": -1}, {"a": True}, {"a": 2_000_000}, "\ud800"]


@pytest.mark.parametrize("value", [*WRONG, {"a": 1, "b": 1}, {"\ud800": 0}, {"a": None}])
@pytest.mark.parametrize("key", ["vocab", "unk_token", "continuing_subword_prefix", "max_input_chars_per_word"])
@pytest.mark.parametrize(("model", "read"), [(WORDPIECE, checked_wordpiece), (WORDLEVEL, checked_wordlevel)])
def test_damaged_vocabularies_are_refused_and_never_worse(
    model: Json, read: Callable[[Json], Callable[[], Any]], key: str, value: object
) -> None:
    damaged = {**model, key: value}
    try:
        known = read(damaged)()
    except FormatError:
        return
    with pytest.raises(BpeError) if known.unknown_id is None else pytest.MonkeyPatch.context():
        known.encode_word("unknown word")


@pytest.mark.parametrize("key", ["vocab", "unk_token", "continuing_subword_prefix"])
def test_a_model_that_lacks_a_key_is_refused(key: str) -> None:
    with pytest.raises(FormatError, match=f"lacks '{key}'"):
        checked_wordpiece({other: value for other, value in WORDPIECE.items() if other != key})


def test_a_limit_of_no_characters_is_refused() -> None:
    with pytest.raises(FormatError, match="every word would be unknown"):
        checked_wordpiece({**WORDPIECE, "max_input_chars_per_word": 0})


@pytest.mark.parametrize(
    "change",
    [
        *({"vocab": value} for value in (None, {}, [["a"]], [["a", 1.0, 2]], [[1, 1.0]], [["a", "b"]], [["a", True]])),
        *({"vocab": value} for value in ([["a", float("inf")]], [["a", 10**15]], [["\ud800", 1.0]], ["a"], [])),
        *({"unk_id": value} for value in (5, -1, True, 1.0, "1", [])),
        *({"byte_fallback": value} for value in (None, 1, "true")),
    ],
)
def test_a_damaged_unigram_is_refused(change: Json) -> None:
    with pytest.raises(FormatError):
        checked_unigram({**UNIGRAM, **change})()


def test_a_score_that_is_true_is_refused_as_in_the_library_also_in_a_file_of_our_own() -> None:
    file = json.loads(to_bytes(train_unigram("low lower lowest", 12).tokenizer(), format="tokenizers"))
    file["model"]["vocab"][-1][1] = True
    with pytest.raises(FormatError, match=r"True\]\. It is a piece and its score, a finite number"):
        from_bytes(json.dumps(file).encode())
    with pytest.raises(Exception, match="boolean `true`"):
        peer_of_file(file)


def test_a_token_that_is_too_long_is_named() -> None:
    file = json.loads(LibraryTokenizer(models.BPE(vocab={"a": 0, "b": 1}, merges=[])).to_str())
    file["model"]["vocab"]["b" * 1_000_001] = 2
    with pytest.raises(FormatError, match=r"model\.vocab\[.*bbb.*\] gives a token of 1,000,001 bytes\."):
        from_bytes(json.dumps(file).encode())
