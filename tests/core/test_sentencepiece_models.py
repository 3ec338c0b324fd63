"""SentencePiece models of every kind: ids, covered text and decoding equal its library's."""

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import Tokenizer, sentencepiece_tokenizer
from bpe_core.kernels import backend
from bpe_core.kernels.scan import WordTable
from bpe_core.sentencepiece.decoder import SentencePieceDecoder
from bpe_core.sentencepiece.model import SentencePieceModel
from bpe_core.sentencepiece.protobuf import field, fields
from bpe_core.sentencepiece.settings import ModelSettings
from bpe_core.tokenizer.decoders import DecodedToken
from tests.draws import examples_each

SAMPLES = Path(__file__).parents[2] / "sample_texts"
LINES = [
    line
    for name in ("lantern_story.txt", "japanese_station_clock.txt")
    for line in (SAMPLES / name).read_text().split("\n")
]

SETTINGS: dict[str, dict[str, Any]] = {
    "unigram": {},
    "bpe": {"model_type": "bpe", "byte_fallback": True},
    "characters": {"model_type": "char"},
    "words": {"model_type": "word"},
    "no mark": {"add_dummy_prefix": False, "byte_fallback": True},
    "spaces kept": {"remove_extra_whitespaces": False, "model_type": "bpe"},
    "neither": {"add_dummy_prefix": False, "remove_extra_whitespaces": False},
    "mark at the end": {"treat_whitespace_as_suffix": True},
    "mark at the end, spaces kept": {
        "treat_whitespace_as_suffix": True,
        "remove_extra_whitespaces": False,
        "model_type": "bpe",
    },
    "mark at the end, identity": {"treat_whitespace_as_suffix": True, "normalization_rule_name": "identity"},
    "own symbols": {
        "user_defined_symbols": ["<sep>", "ab", "▁▁", "東 京"],
        "control_symbols": ["<ctl>"],
        "remove_extra_whitespaces": False,
    },
    "own symbols, merges": {
        "user_defined_symbols": ["<sep>", "ab", "▁▁"],
        "model_type": "bpe",
        "byte_fallback": True,
        "unk_surface": "<?>",
    },
    "identity": {"normalization_rule_name": "identity", "split_by_whitespace": False},
    "lower case": {"normalization_rule_name": "nmt_nfkc_cf"},
    "spaces as they are": {},
    "spaces as they are, merges": {"model_type": "bpe", "remove_extra_whitespaces": False},
    "denormalized": {"add_dummy_prefix": False},
    "unused characters": {},
    "unused characters, merges": {"model_type": "bpe"},
    "characters inside pieces only": {},
    "characters inside pieces only, spaces as they are": {"remove_extra_whitespaces": False},
}

symbols = st.lists(st.sampled_from(["<sep>", "ab", "▁▁", "東 京", " ", "▁", "\u3000", "x", "ﷺ"]), max_size=6).map(
    "".join
)
letters = st.text("aehlow 駅時計ﬁｶﾞé\u0301Å😀▁\n\t\u3000\u200b<sep>ctlb東京", max_size=30)
texts = letters | symbols | st.text(max_size=12)


@cache
def model(name: str) -> bytes:
    wanted = dict(SETTINGS[name])
    found = BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(LINES),
        model_writer=found,
        **{"vocab_size": 500, "hard_vocab_limit": False, "num_threads": 1, "minloglevel": 2, **wanted},
    )
    data = found.getvalue()
    if "unused" in name or "only" in name:
        data = without_characters(data, unused="unused" in name)
    if "as they are" in name:
        return with_setting(data, b"\x28\x00")  # escape_whitespaces
    if name == "denormalized":
        table = next(
            value
            for number, _, spec, _ in fields(model("lower case"))
            if number == 3
            for inner, _, value, _ in fields(spec)  # type: ignore[arg-type]
            if inner == 2
        )
        return data + field(5, field(2, table) + b"\x18\x00\x20\x00\x28\x00")  # type: ignore[arg-type]
    return data


def with_setting(data: bytes, setting: bytes) -> bytes:
    """The model with one more field in the settings of its normalizer."""
    return b"".join(
        field(number, value + setting if number == 3 else value)  # type: ignore[arg-type, operator]
        for number, _, value, _ in fields(data)
    )


def without_characters(data: bytes, *, unused: bool) -> bytes:
    """The model without the single pieces of some letters that occur in longer ones: marked unused, or prefixed."""
    changes = {
        field(1, char.encode()): b"\x18\x05" if unused else field(1, f"\ue000{char}".encode()) for char in "aeo駅"
    }
    return b"".join(
        field(number, value + changes.get(value[: value[1] + 2], b"") if number == 1 else value)  # type: ignore[arg-type, operator, index]
        for number, _, value, _ in fields(data)
    )


@cache
def tokenizer_of(name: str) -> Tokenizer:
    return sentencepiece_tokenizer(model(name))


@cache
def library(name: str) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=model(name))


@pytest.mark.parametrize("name", SETTINGS)
@settings(max_examples=examples_each(100))
@given(text=texts)
def test_ids_and_decoded_texts_are_those_of_the_library(name: str, text: str) -> None:
    tokenizer = tokenizer_of(name)
    encoding = tokenizer.encode(text)
    ids = encoding.ids.tolist()
    assert ids == library(name).Encode(text)
    assert tokenizer.decode(ids) == library(name).Decode(ids)


@pytest.mark.parametrize("name", SETTINGS)
@settings(max_examples=examples_each(100))
@given(text=texts)
def test_tokens_cover_the_normalized_text_one_after_the_other(name: str, text: str) -> None:
    tokenizer = tokenizer_of(name)
    encoding = tokenizer.encode(text)
    assert encoding.starts.tolist() == [0, *encoding.ends.tolist()][: len(encoding)]
    data = encoding.text.encode()
    assert encoding.ends.tolist()[-1:] == ([len(data)] if len(encoding) else [])
    escapes = ModelSettings.of(model(name)).escapes
    for token in encoding:
        piece = token.bytes.replace("▁".encode(), b" ") if escapes else token.bytes
        covered = data[token.start : token.end]
        added = token.index in (0, len(encoding) - 1) and covered in (piece[1:], piece[:-1])
        inside_a_space = escapes and piece in (b"\xe2", b"\x96", b"\x81") and covered in (b"", b" ")
        assert token.special or covered == piece or added or inside_a_space


emptied = st.text("▁ \u3000\u200b\x01\x0e", max_size=6)


@pytest.mark.parametrize("name", SETTINGS)
@settings(max_examples=examples_each(100))
@given(text=emptied, compiled=st.booleans())
def test_of_a_text_that_normalization_empties_the_added_mark_may_be_left(name: str, text: str, compiled: bool) -> None:
    tokenizer = sentencepiece_tokenizer(model(name))  # a new one, without the cache of the other mode
    with patch.object(backend, "use_compiled", return_value=compiled):
        encoding = tokenizer.encode(text)
        assert encoding.ids.tolist() == library(name).Encode(text)
        assert encoding.starts.tolist() == [0, *encoding.ends.tolist()][: len(encoding)]
        assert [token.word for token in encoding] == encoding.word_ids.tolist()


def test_a_mark_at_the_end_is_the_token_of_a_mark_alone() -> None:
    tokenizer = tokenizer_of("mark at the end, identity")
    assert [tokenizer.tokenize(text) for text in ("▁", "▁▁", " ▁ ", " ", "")] == [["▁"], ["▁"], ["▁"], [], []]


@pytest.mark.parametrize("name", SETTINGS)
@settings(max_examples=examples_each(100))
@given(text=texts | st.text("aexжあ ▁", max_size=12))
def test_tokens_cover_what_the_library_says_that_they_cover(name: str, text: str) -> None:
    made = tokenizer_of(name).model
    assert isinstance(made, SentencePieceModel)
    normalized = made.normalization.change(text)[0]
    found = made.encode_word(normalized)
    with patch.object(made, "_known_lengths", lambda ids, text: None):  # makes it query the library per token
        assert found == made.encode_word(normalized)


@pytest.mark.parametrize("name", SETTINGS)
@settings(max_examples=examples_each(100))
@given(given_texts=st.lists(texts.filter(bool), min_size=1, max_size=4, unique=True))
def test_many_texts_are_encoded_as_each_alone(name: str, given_texts: list[str]) -> None:
    made = tokenizer_of(name).model
    alone = [made.encode_word(text) for text in given_texts]
    found = made.encode_words(WordTable.of([text.encode() for text in given_texts]))
    assert found.words.symbols.tolist() == [token_id for tokens in alone for token_id in tokens.ids]
    assert found.lengths.tolist() == [length for tokens in alone for length in tokens.lengths]


@pytest.mark.parametrize("name", SETTINGS)
@settings(max_examples=examples_each(100))
@given(numbers=st.lists(st.integers(0, 9) | st.integers(0, 600), max_size=12))
def test_any_ids_are_decoded_as_by_the_library(name: str, numbers: list[int]) -> None:
    size = library(name).GetPieceSize()
    ids = [number % size for number in numbers]
    tokenizer = tokenizer_of(name)
    assert tokenizer.decode(ids) == library(name).Decode(ids)
    assert b"".join(tokenizer.decode_parts(ids)).decode() == library(name).Decode(ids)
    tokens = [DecodedToken(token_id, b"") for token_id in ids]
    assert SentencePieceDecoder(model(name)).text(tokens) == library(name).Decode(ids)


def test_a_token_that_is_not_of_the_model_is_decoded_to_its_text() -> None:
    tokenizer = tokenizer_of("bpe").with_special_tokens({"<end>": 1_000})
    ids = tokenizer.encode("low<end> low", special="parse").ids.tolist()
    assert tokenizer.decode(ids) == "low<end> low"


def test_the_rule_is_that_of_the_settings_and_not_guessed_from_scores() -> None:
    rules = {name: tokenizer_of(name).model.rule for name in ("unigram", "bpe", "characters", "words")}
    assert rules == {
        "unigram": "best score",
        "bpe": "scored merges",
        "characters": "best score",
        "words": "whole words",
    }
    assert tokenizer_of("words").model.explain("low") == []
    chosen = [edge.piece for edge in tokenizer_of("characters").model.explain("low") if edge.chosen]
    assert chosen == ["▁", "l", "o", "w"]


def test_settings_are_read_from_the_file() -> None:
    assert ModelSettings.of(model("mark at the end, spaces kept")) == ModelSettings(
        model_type="bpe", mark_at_end=True, removes_spaces=False
    )
    assert ModelSettings.of(model("own symbols, merges")).unknown_text == "<?>"
    assert ModelSettings.of(model("denormalized")).denormalizes
    assert not ModelSettings.of(model("spaces as they are")).escapes
