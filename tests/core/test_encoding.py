"""Encoding: the spans tile the text, the arrays agree with each other, and decoding returns the text."""

from unittest.mock import patch

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Encoding, Token, TokenIdError, Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.bundled.openai import OPENAI
from bpe_core.text.splits import PATTERNS
from tests.core import oracle
from tests.core.test_training import READY

LOSSLESS = ["none", "gpt2", "cl100k", "o200k"]

hostile = st.text(st.characters(codec=None), max_size=40)  # any code points, including lone surrogates


def encoded(way: str, tokenizer: Tokenizer, text: str) -> Encoding:
    with patch("bpe_core.kernels.backend.is_ready", return_value=READY[way]):
        return tokenizer.encode(text)


def repaired(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


# -- the ids ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", READY)
@given(oracle.texts, oracle.texts, oracle.configs())
def test_the_ids_are_those_of_the_definition_at_every_step(way: str, corpus: str, text: str, config) -> None:
    training = train(corpus, config)
    expected = oracle.train(corpus, config)
    _, symbols = oracle.base(list(oracle.counted_words(corpus, config)), config)
    words = oracle.words(oracle.normalized(text, config), config)
    for step in {0, len(expected.merges) // 2, len(expected.merges)}:
        ids = [i for word in words for i in oracle.encoded(symbols(word), expected, step)]
        assert encoded(way, training.tokenizer(step), text).ids.tolist() == ids


@pytest.mark.parametrize("way", READY)
@given(st.text("abc", max_size=30), st.text("abcd", max_size=20), st.data())
def test_the_ids_are_those_of_the_definition_with_forced_merges_in_any_order(way, corpus, text, data) -> None:
    forced = []
    for rank in range(data.draw(st.integers(1, 8))):
        ids = st.sampled_from([97, 98, 99, *range(256, 256 + rank)])
        forced.append(data.draw(st.tuples(ids, ids)))
    config = TrainConfig(vocab_size=270, split="none")
    tokenizer = train(corpus, config, forced=forced).tokenizer()
    expected = oracle.encoded(text.encode(), oracle.train(corpus, config, forced), 14)
    assert encoded(way, tokenizer, text).ids.tolist() == expected


# -- round trips --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("split", LOSSLESS)
@given(corpus=oracle.texts, text=hostile)
def test_bytes_bring_any_text_back(split: str, corpus: str, text: str) -> None:
    tokenizer = train(corpus, TrainConfig(split=split, special_tokens=("<s>",))).tokenizer()
    encoding = tokenizer.encode(text)
    assert tokenizer.decode(encoding.ids) == repaired(text)
    assert tokenizer.decode_bytes(encoding.ids) == repaired(text).encode()
    assert encoding.normalized.surrogates == sum("\ud800" <= char <= "\udfff" for char in text)


@pytest.mark.parametrize("split", LOSSLESS)
@given(st.text("abc é한🙂", max_size=30))
def test_characters_bring_a_text_of_known_characters_back(split: str, text: str) -> None:
    tokenizer = train("cab é한🙂 abc", TrainConfig(unit="char", split=split)).tokenizer()
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


@given(oracle.texts, hostile)
def test_byte_fallback_brings_any_text_back(corpus: str, text: str) -> None:
    tokenizer = train(corpus, TrainConfig(unit="char", byte_fallback=True)).tokenizer()
    assert tokenizer.decode(tokenizer.encode(text).ids) == repaired(text)


@given(st.text("abc \n\t\u3000", max_size=30))
def test_the_end_of_word_mark_brings_words_back_one_space_apart(text: str) -> None:
    config = TrainConfig(unit="char", split="words", end_of_word="</w>")
    tokenizer = train("cab abc ab", config).tokenizer()
    assert tokenizer.decode(tokenizer.encode(text).ids) == " ".join(text.split())


def test_an_unknown_character_is_the_unknown_token() -> None:
    tokenizer = train("abab", TrainConfig(unit="char", split="none")).tokenizer()
    encoding = tokenizer.encode("ab時ab")
    assert tokenizer.unknown_id == 0
    assert encoding.ids.tolist() == [3, 0, 3]
    assert encoding.special.tolist() == [False, True, False]
    assert tokenizer.decode(encoding.ids) == "ab<unk>ab"


def test_a_character_is_preferred_to_its_fallback_bytes() -> None:
    tokenizer = train("aé", TrainConfig(unit="char", split="none", byte_fallback=True)).tokenizer(0)
    assert tokenizer.encode("aéb").ids.tolist() == [256, 257, ord("b")]
    assert tokenizer.token_id(b"a") == 256
    assert tokenizer.token_id(b"b") == ord("b")


# -- the spans ----------------------------------------------------------------------------------------------------


def check_spans(encoding: Encoding, text: str) -> None:
    """Assert that the spans tile the text, and that each character range covers the characters its span touches."""
    data = text.encode()
    assert [0, *encoding.ends.tolist()] == [*encoding.starts.tolist(), len(data)]
    char_of_byte = [index for index, char in enumerate(text) for _ in char.encode()]
    for token in encoding:
        assert token.bytes == data[token.start : token.end]
        touched = char_of_byte[token.start : token.end]
        assert (token.char_start, token.char_end) == (touched[0], touched[-1] + 1)


@pytest.mark.parametrize("way", READY)
@pytest.mark.parametrize("split", LOSSLESS)
@given(corpus=oracle.texts, text=hostile)
def test_spans_tile_the_text_for_lossless_splits(way: str, split: str, corpus: str, text: str) -> None:
    check_spans(encoded(way, train(corpus, TrainConfig(split=split)).tokenizer(), text), repaired(text))


@pytest.mark.parametrize("name", OPENAI)
@pytest.mark.parametrize("way", READY)
@given(text=hostile)
def test_spans_of_pretrained_tokenizers_tile_the_text(way: str, name: str, text: str) -> None:
    check_spans(encoded(way, load_pretrained(name), text), repaired(text))


@pytest.mark.parametrize("way", READY)
@given(oracle.texts, st.text("abc é한🙂<時", max_size=30))
def test_spans_of_characters_tile_the_text_unknown_ones_too(way: str, corpus: str, text: str) -> None:
    encoding = encoded(way, train(corpus, TrainConfig(unit="char", end_of_word="</w>")).tokenizer(), text)
    assert [0, *encoding.ends.tolist()] == [*encoding.starts.tolist(), len(text.encode())]
    for token in encoding:
        covered = text.encode()[token.start : token.end].decode()
        assert text[token.char_start : token.char_end] == covered
        if token.special:
            assert len(covered) == 1
        else:
            assert token.bytes.decode().removesuffix("</w>") == covered


def test_a_token_that_holds_a_part_of_a_character_has_the_range_of_the_character() -> None:
    encoding = load_pretrained("gpt2").encode("aこ🙂")
    assert [(token.start, token.end, token.char_start, token.char_end) for token in encoding] == [
        (0, 1, 0, 1),
        (1, 4, 1, 2),
        (4, 6, 2, 3),
        (6, 8, 2, 3),
    ]


def test_an_end_of_word_mark_has_no_length_and_what_it_merged_with_keeps_its_own() -> None:
    config = TrainConfig(unit="char", split="words", end_of_word="</w>")
    tokenizer = train("ab ab", config).tokenizer()
    assert [
        (token.bytes, token.start, token.end, token.char_start, token.char_end, token.word)
        for token in tokenizer.encode("a ab")
    ] == [
        (b"a", 0, 1, 0, 1, 0),
        (b"</w>", 1, 1, 1, 1, 0),
        (b"ab</w>", 2, 4, 2, 4, 1),
    ]


def test_dropped_white_space_is_in_no_span() -> None:
    encoding = train("", TrainConfig(split="words")).tokenizer().encode(" é\n\nb ")
    assert list(zip(encoding.starts.tolist(), encoding.ends.tolist(), strict=True)) == [(1, 2), (2, 3), (5, 6)]
    assert list(zip(encoding.char_starts.tolist(), encoding.char_ends.tolist(), strict=True)) == [
        (1, 2),
        (1, 2),
        (4, 5),
    ]


@pytest.mark.parametrize("split", [*PATTERNS, r"\w"])
@given(text=st.text("ab 1'\n.é한🙂", max_size=40))
def test_word_ids_number_the_words_of_the_split(split: str, text: str) -> None:
    encoding = train(text, TrainConfig(split=split)).tokenizer().encode(text)
    words = [match.group() for match in regex.finditer(PATTERNS.get(split, split), text)]
    found = [b"".join(token.bytes for token in encoding if token.word == number) for number in range(len(words))]
    assert [word.decode() for word in found] == words
    assert encoding.word_ids.tolist() == sorted(encoding.word_ids)
    assert set(encoding.word_ids.tolist()) == set(range(len(words)))


def test_every_unknown_character_is_covered_by_its_own_token_in_long_words_too() -> None:
    text = "aé時😀b" * 20_000
    encoding = train("ab", TrainConfig(unit="char", split="none")).tokenizer().encode(text)
    assert encoding.ids.tolist() == [1, 0, 0, 0, 2] * 20_000
    assert (encoding.ends - encoding.starts).tolist() == [1, 2, 3, 4, 1] * 20_000
    assert encoding.char_starts.tolist() == list(range(len(text)))


# -- one token ----------------------------------------------------------------------------------------------------


def test_a_token_is_had_by_its_index_from_either_end() -> None:
    encoding = load_pretrained("gpt2").encode("Hello こ")
    assert len(encoding) == 3
    assert encoding[0] == Token(0, 15496, b"Hello", 0, 5, 0, 5, 0, False)
    assert encoding[1] == Token(1, 23294, b" \xe3\x81", 5, 8, 5, 7, 1, False)
    assert encoding[-1] == encoding[2]
    assert encoding[-3] == encoding[0]
    assert list(encoding) == [encoding[0], encoding[1], encoding[2]]


@pytest.mark.parametrize("index", [3, -4, 10**6])
def test_an_index_past_either_end_is_an_index_error(index: int) -> None:
    with pytest.raises(IndexError):
        load_pretrained("gpt2").encode("one two three")[index]
    with pytest.raises(IndexError):
        load_pretrained("gpt2").encode("")[index]


def test_the_arrays_are_of_one_length_and_cannot_be_written_to() -> None:
    encoding = load_pretrained("gpt2").encode("Hello world")
    for name in ("ids", "starts", "ends", "char_starts", "char_ends", "word_ids", "special"):
        array = getattr(encoding, name)
        assert len(array) == len(encoding) == 2
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_empty_text_has_no_tokens() -> None:
    for split in [*PATTERNS, r"\d+"]:
        encoding = train("ab", TrainConfig(split=split)).tokenizer().encode("")
        assert len(encoding) == 0
        assert list(encoding) == []
        assert encoding.text == ""


# -- ids to bytes and text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token_id", [-1, 50257, 10**30, True, False, 1.0, np.float64(1), np.bool_(True), "1", b"1", None, (1,)]
)
def test_an_id_that_is_not_there_is_refused_wherever_it_comes_in(token_id: object) -> None:
    gpt2 = load_pretrained("gpt2")
    message = r"is not a token id of gpt2\. Its ids are whole numbers from 0 to 50,256\. Remove it, or decode with"
    for act in (gpt2.token_bytes, gpt2.tree, lambda i: gpt2.decode([i]), lambda i: gpt2.decode_bytes([15496, i])):
        with pytest.raises(TokenIdError, match=message):
            act(token_id)


@pytest.mark.parametrize("token_id", [100256, 100261, 100275, 100277])
def test_an_id_in_a_gap_of_the_vocabulary_is_refused(token_id: int) -> None:
    cl100k = load_pretrained("cl100k_base")
    assert cl100k.token_bytes(100276) == b"<|endofprompt|>"
    with pytest.raises(TokenIdError, match=r"whole numbers from 0 to 100,276, with gaps\."):
        cl100k.decode([token_id])


def test_ids_may_be_a_list_an_array_or_a_generator() -> None:
    gpt2 = load_pretrained("gpt2")
    ids = gpt2.encode("Hello world").ids
    assert ids.dtype == np.int32
    assert gpt2.decode(ids) == gpt2.decode(ids.tolist()) == gpt2.decode(i for i in ids) == "Hello world"


def test_bytes_that_are_no_text_are_replaced_or_raise() -> None:
    gpt2 = load_pretrained("gpt2")
    parts = gpt2.encode("🙂").ids.tolist()
    assert gpt2.decode(parts[:1]) == "\ufffd"
    assert gpt2.decode(parts[:1], errors="ignore") == ""
    assert gpt2.decode_bytes(parts[:1]) == "🙂".encode()[: len(gpt2.token_bytes(parts[0]))]
    with pytest.raises(UnicodeDecodeError):
        gpt2.decode(parts[:1], errors="strict")
    assert gpt2.decode(parts, errors="strict") == "🙂"


def test_no_ids_are_the_empty_text() -> None:
    assert load_pretrained("gpt2").decode([]) == ""
    assert train("ab", TrainConfig(unit="char", end_of_word="</w>")).tokenizer().decode([]) == ""


@pytest.mark.parametrize("name", OPENAI)
@given(data=st.data())
def test_the_bytes_of_a_token_have_its_id(name: str, data: st.DataObject) -> None:
    tokenizer = load_pretrained(name)
    token_id = data.draw(st.integers(0, 100_255 if name != "gpt2" else 50_256))
    assert tokenizer.token_id(tokenizer.token_bytes(token_id)) == token_id
    assert tokenizer.token_id(tokenizer.token_bytes(token_id) + b"\xff\x00\xfe") is None
