"""Words of long texts are cached, with their tokens, for the next long text."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import load_pretrained
from bpe_core.kernels import backend, scan, threads
from bpe_core.kernels.scan import WordTable
from bpe_core.tokenizer import known_words
from bpe_core.tokenizer.known_words import KnownTable, KnownWords
from bpe_core.tokenizer.remembered_words import RememberedWords
from bpe_core.tokenizer.tokenizer import Tokenizer
from tests.draws import examples

FIRST = "The lowest of all low rivers\n    flows slowly, 1234 é 日本語 <|endoftext|>\n" * 40
SECOND = FIRST[:900] + "other_words of aBetterText\n    antidisestablishmentarianism 日本 <|endoftext|>\n" * 40


@pytest.fixture(autouse=True)
def every_text_is_long(monkeypatch):
    backend.warm_up()
    monkeypatch.setattr(known_words, "LONG", 1)
    monkeypatch.setattr(scan, "_BLOCK", 300)


def fresh(name: str = "gpt2") -> Tokenizer:
    """The tokenizer without the words that other tests have cached."""
    tokenizer = load_pretrained(name)
    return tokenizer._with(_remembered=RememberedWords(tokenizer.model))


def known(tokenizer: Tokenizer) -> WordTable:
    with tokenizer._remembered.long_texts.lent(known_words.LONG) as lent:
        return lent.table


@pytest.mark.parametrize("special", ["text", "parse"])
@pytest.mark.parametrize("cores", [1, 2, 5])
@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "bert-base-uncased", "t5-small"])
def test_a_text_has_the_same_tokens_after_other_texts(monkeypatch, name, cores, special):
    monkeypatch.setattr(threads, "cores", lambda: cores)
    tokenizer = fresh(name)
    before = tokenizer.encode(FIRST, special=special)
    for text in (SECOND, FIRST, SECOND[::-1], SECOND):
        assert tokenizer.encode(text, special=special) == fresh(name).encode(text, special=special)
    assert before.complete() == fresh(name).encode(FIRST, special=special)


@given(st.lists(st.text(st.sampled_from("aZ1 é\n'日\0"), max_size=60), min_size=2, max_size=5))
@settings(max_examples=examples(50))
def test_any_texts_have_the_tokens_of_each_alone(texts):
    tokenizer, texts = fresh(), [text * 20 + "ab" * 200 for text in texts]
    for text in texts:
        assert tokenizer.encode(text).ids.tolist() == fresh().encode(text).ids.tolist()


def test_only_new_words_are_encoded(monkeypatch):
    tokenizer = fresh()
    given, encode_words = [], tokenizer.model.encode_words

    def noted(words):
        given.append(words.words())
        return encode_words(words)

    monkeypatch.setattr(tokenizer.model, "encode_words", noted)
    for text in (FIRST, FIRST, FIRST + " unheard"):
        tokenizer.encode(text)
    words = [each for each in given if each]
    assert words[1:] == [[b" unheard"]]
    assert {*words[0]} == {word.encode() for word in tokenizer.split.words(FIRST)}


def test_a_short_text_neither_takes_nor_leaves_words(monkeypatch):
    monkeypatch.setattr(known_words, "LONG", 10_000)
    tokenizer = fresh()
    tokenizer.encode(FIRST)
    assert len(known(tokenizer)) == 0


@pytest.mark.parametrize("limit", ["_MOST_WORDS", "_MOST_BYTES"])
def test_more_words_than_the_limit_are_forgotten(monkeypatch, limit):
    monkeypatch.setattr(known_words, limit, 20)
    words = KnownWords(load_pretrained("gpt2").model)
    for text, kept in ((b"low", 1), (b" ".join(b"%d" % number for number in range(100)), 0)):
        with words.lent(1) as lent:
            lent.table.add(text, "gpt2")
        with words.lent(1) as lent:
            assert len(lent.table) == kept


def test_words_of_a_text_that_fails_are_forgotten(monkeypatch):
    tokenizer = fresh()
    tokenizer.encode(FIRST)

    def failing(words):
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(tokenizer.model, "encode_words", failing)
        with pytest.raises(MemoryError):
            tokenizer.encode(SECOND)
    assert len(known(tokenizer)) == 0
    assert tokenizer.encode(SECOND).ids.tolist() == fresh().encode(SECOND).ids.tolist()


def test_copies_and_pickles_have_no_words():
    tokenizer = fresh()
    tokenizer.encode(FIRST)
    assert len(known(tokenizer)) > 10
    assert len(known(pickle.loads(pickle.dumps(tokenizer)))) == 0
    assert len(known(deepcopy(tokenizer))) == 0


def test_texts_are_encoded_at_the_same_time():
    tokenizer = fresh()
    texts = [FIRST, SECOND, FIRST[::-1], SECOND[::-1]] * 5
    with ThreadPoolExecutor(4) as at_once:
        found = list(at_once.map(lambda text: tokenizer.encode(text).ids.tolist(), texts))
    assert found == [fresh().encode(text).ids.tolist() for text in texts]


def test_words_without_new_ones_are_not_encoded_again():
    table = KnownTable(load_pretrained("gpt2").model)
    table.table.add(b"low lower", "gpt2")
    assert table.encode() is table.encode()
