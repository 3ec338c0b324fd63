"""Lazily computed values of an encoding do not depend on access order, and cached words change no id."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import ConfigError, CorpusError, Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.kernels import backend
from bpe_core.text.normalization import Normalized
from bpe_core.tokenizer import remembered_words, text_encoder, texts_encoder
from bpe_core.tokenizer.known_words import KnownWords
from bpe_core.tokenizer.remembered_words import RememberedWords
from bpe_core.tokenizer.special_tokens import SpecialToken
from bpe_core.tokenizer.text_encoder import encode_text
from bpe_core.tokenizer.token_places import Later
from bpe_core.tokenizer.tokenizer import Special
from tests.core.test_text_encoder import TOKENIZERS, texts
from tests.draws import examples_each

NAMES = ("starts", "ends", "char_starts", "char_ends", "word_ids", "word_starts", "word_ends", "special")
LONG = "low lower lowest, 低い灯り été 12345\n" * 40


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=texts)
def test_remembered_words_give_the_ids_that_are_encoded_anew(name: str, text: str) -> None:
    tokenizer = TOKENIZERS[name]
    fresh = Tokenizer(
        name,
        model=tokenizer.model,
        normalizer=tokenizer.normalizer,
        split=tokenizer.split,
        special_tokens=tokenizer.special_token_flags,
        decoder=tokenizer.decoder,
    )
    with patch.object(text_encoder, "_SHORT", 0):
        expected = fresh.encode(text)
    for _ in range(2):
        found = fresh.encode(text)
        assert found.ids.tolist() == expected.ids.tolist()
    for each in NAMES:
        assert getattr(found, each).tolist() == getattr(expected, each).tolist()


@pytest.mark.parametrize("ready", [False, True])
def test_words_are_forgotten_before_they_take_more_than_the_bound(ready: bool, monkeypatch) -> None:
    backend.warm_up()
    monkeypatch.setattr(backend, "is_ready", lambda: ready)
    monkeypatch.setattr(remembered_words, "MOST_BYTES", 5_000)
    model = load_pretrained("gpt2").model
    words = RememberedWords(model)
    for start in range(0, 2_000, 10):
        asked = [f" word{number}" for number in range(start, start + 10)]
        assert words.ids_of(asked) == [token_id for word in asked for token_id in model.encode_word(word).ids]
        assert words._bytes <= 5_000
        assert len(words._known) < 40
    words.ids_of(["a" * 5_000])
    assert max(map(len, words._known)) < 100


def test_a_copy_of_a_tokenizer_takes_no_words_of_texts_along() -> None:
    tokenizer = Tokenizer("mine", model=load_pretrained("gpt2").model, split=load_pretrained("gpt2").split)
    tokenizer.encode("a secretword here")
    assert tokenizer._remembered._known
    assert b"secretword" not in pickle.dumps(tokenizer)
    assert not copy.deepcopy(tokenizer)._remembered._known
    assert tokenizer.with_stages(split="words").encode("a secretword").ids.tolist() == [
        *tokenizer.encode("a").ids.tolist(),
        *tokenizer.encode("secretword").ids.tolist(),
    ]


@pytest.mark.parametrize("text", [LONG[:30], LONG])
def test_copies_and_pickles_hold_the_same_read_only_arrays(text: str) -> None:
    encoding = TOKENIZERS["bytes"].encode(text)
    for copied in (pickle.loads(pickle.dumps(encoding)), copy.deepcopy(encoding), copy.copy(encoding)):
        for name in ("ids", *NAMES):
            array = getattr(copied, name)
            assert array.tolist() == getattr(encoding, name).tolist()
            assert not array.flags.writeable


def test_many_threads_that_ask_at_once_get_one_and_the_same_array() -> None:
    encoding = load_pretrained("cl100k_base").encode(LONG)
    together = Barrier(8)

    def ask(name: str) -> list[np.ndarray]:
        together.wait()
        return [getattr(encoding, name), encoding.starts]

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(ask, NAMES))
    assert len({id(starts) for _, starts in found}) == 1
    for name, (array, _) in zip(NAMES, found, strict=True):
        assert array is getattr(encoding, name)


def test_what_was_needed_to_compute_later_is_let_go() -> None:
    places = load_pretrained("gpt2").encode(LONG).complete().places
    assert [each._make for each in places] == [None] * 3


@pytest.mark.parametrize("text", [LONG, LONG.encode("ascii", "ignore").decode()], ids=["mixed", "ASCII"])
@pytest.mark.parametrize(("name", "kinds"), [("ends", 1), ("word_ids", 1), ("char_ends", 2)])
def test_only_the_kind_of_places_that_is_asked_for_is_computed(text: str, name: str, kinds: int) -> None:
    backend.warm_up()
    encoding = load_pretrained("gpt2").encode(text)
    getattr(encoding, name)
    computed = [each for each in encoding.places if each._value is not None]
    assert len(computed) == (kinds if text.isascii() else 1)


def test_a_value_that_could_not_be_computed_is_computed_again() -> None:
    answers = iter([MemoryError(), (1, 2)])

    def make() -> tuple[int, int]:
        answer = next(answers)
        if isinstance(answer, MemoryError):
            raise answer
        return answer

    later = Later(make)
    with pytest.raises(MemoryError):
        later.get()
    assert later.get() == (1, 2)


@given(st.lists(st.sampled_from(["low", " ", "<s>", "é低", "12345", "\n"]), max_size=12))
def test_special_tokens_are_among_the_ids_where_their_places_say(parts: list[str]) -> None:
    tokenizer = TOKENIZERS["a chain"]
    segments = [(Normalized.of(part), 301 if part == "<s>" else None) for part in parts]
    segments = [*segments, (Normalized.of(""), None)]
    with patch.object(backend, "is_ready", lambda: True):
        fast = encode_text(segments, tokenizer.split, KnownWords(tokenizer.model))
    with patch.object(backend, "is_ready", lambda: False):
        plain = encode_text(segments, tokenizer.split, KnownWords(tokenizer.model))
    assert fast.ids.tolist() == plain.ids.tolist()
    assert [array.tolist() for array in fast.places.arrays()] == [array.tolist() for array in plain.places.arrays()]


SPECIAL = load_pretrained("gpt2").with_special_tokens({"<s>": 60_000})
BATCHED = {
    **TOKENIZERS,
    "gpt2": SPECIAL,
    "always found": SPECIAL.with_special_tokens([SpecialToken("low", 60_001, special=False)]),
    "cl100k": load_pretrained("cl100k_base"),
    "o200k": load_pretrained("o200k_base"),
    "gaps": train("low lower é低", TrainConfig(split="words", vocab_size=260)).tokenizer(),
}
PARTS = [
    "low",
    " lower",
    "",
    "\n",
    "\r\n ",
    "é",
    "e\u0301",
    "低い",
    "\ud83d",
    "\udc4d",
    "👩‍👩‍👧",
    "<s>",
    "123456",
    "'s",
    "\x00",
    "ǅ",
]
hostile = st.lists(st.sampled_from(PARTS) | st.text(max_size=4), max_size=8).map("".join)


@pytest.mark.parametrize("name", BATCHED)
@given(several=st.lists(hostile, max_size=10), special=st.sampled_from(["text", "parse"]), order=st.randoms())
@settings(max_examples=examples_each(60))
def test_texts_of_a_batch_are_encoded_as_each_alone(
    name: str, several: list[str], special: Special, order: Random
) -> None:
    tokenizer = BATCHED[name]
    backend.warm_up()
    with patch.object(texts_encoder, "_FEW", 0):
        made = tokenizer.encode_batch(iter(several), special=special)
    assert len(made) == len(several)
    each = list(zip(made, several, strict=True))
    order.shuffle(each)
    for found, text in each:
        expected = tokenizer.encode(text, special=special)
        for array in ("ids", *NAMES):
            own, alone = getattr(found, array), getattr(expected, array)
            assert own.tolist() == alone.tolist()
            assert own.dtype == alone.dtype
            assert not own.flags.writeable
        assert found.normalized.surrogates == expected.normalized.surrogates
        assert found == expected
        assert list(found) == list(expected)


def test_a_batch_raises_as_each_text_does() -> None:
    many = ["low"] * 20
    with pytest.raises(CorpusError, match="The text is 5 of type int"):
        SPECIAL.encode_batch([*many, 5])  # type: ignore[list-item]
    with pytest.raises(CorpusError, match="holds the special token"):
        SPECIAL.encode_batch([*many, "a<s>"], special="raise")
    assert len(SPECIAL.encode_batch(many, special="raise")) == 20
    with pytest.raises(ConfigError, match="special is 'all'"):
        SPECIAL.encode_batch([], special="all")  # type: ignore[arg-type]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_an_encoding_of_a_batch_is_copied_whole(copied) -> None:
    found = SPECIAL.encode_batch(["low", LONG, ""] * 10)[1]
    again = copied(found)
    assert again == found == SPECIAL.encode(LONG)
    assert not again.ids.flags.writeable
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        again.nothing  # noqa: B018


def test_the_places_of_a_batch_are_the_same_for_all_threads() -> None:
    found = SPECIAL.encode_batch([LONG, "low", "lower"] * 10)
    start = Barrier(8)

    def ask(_: int) -> list[int]:
        start.wait()
        return [id(each.starts) for each in found]

    with ThreadPoolExecutor(8) as threads:
        assert len({tuple(each) for each in threads.map(ask, range(8))}) == 1
