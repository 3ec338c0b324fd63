"""Facts about every token: lengths, scripts, ranks, duplicates, and the search by bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.bundled.openai import OPENAI
from bpe_core.text.scripts import SCRIPTS, script_codes
from bpe_core.tokenizer.facts import times_used, token_facts
from tests.draws import first


def trained(text: str, **settings: object) -> Tokenizer:
    return train(text, TrainConfig(**settings)).tokenizer()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", first(2, OPENAI))
def test_every_token_of_a_pretrained_vocabulary_is_there_once(name: str) -> None:
    tokenizer = load_pretrained(name)
    facts = token_facts(tokenizer)
    assert len(facts) == len(set(facts.ids.tolist()))
    assert facts.ids[-1] + 1 == tokenizer.vocab_size
    assert (facts.ranks < 0).sum() == 256 + len(tokenizer.special_tokens)


def test_ids_that_a_vocabulary_leaves_out_are_left_out() -> None:
    facts = token_facts(load_pretrained("cl100k_base"))
    assert 100256 not in facts.ids
    assert 100257 in facts.ids


@pytest.mark.parametrize("part", [b"a", b" the", "日".encode(), b"\xe3\x81", b"nothing holds this", b"\x00"])
def test_a_search_finds_what_a_look_into_every_token_finds(part: bytes) -> None:
    tokenizer = load_pretrained("gpt2")
    facts = token_facts(tokenizer)
    expected = [i for i in range(tokenizer.vocab_size) if part in tokenizer.token_bytes(i)]
    assert facts.ids[facts.holding(part)].tolist() == expected


@given(st.text("abcé", min_size=1, max_size=40), st.binary(max_size=4) | st.text("abcé", max_size=3).map(str.encode))
def test_a_search_never_reaches_over_the_edge_of_a_token(text: str, part: bytes) -> None:
    tokenizer = trained(text, split="none", vocab_size=270)
    facts = token_facts(tokenizer)
    expected = [i for i in range(tokenizer.vocab_size) if part in tokenizer.token_bytes(i)]
    assert facts.ids[facts.holding(part)].tolist() == expected


def test_lengths_are_of_the_text_without_the_end_of_word_mark() -> None:
    tokenizer = trained("low low", unit="char", split="words", end_of_word="</w>", vocab_size=10)
    facts = token_facts(tokenizer)
    lengths = {
        tokenizer.token_bytes(i): n for i, n in zip(facts.ids.tolist(), facts.char_lengths.tolist(), strict=True)
    }
    assert lengths == {b"<unk>": 5, b"l": 1, b"o": 1, b"w": 1, b"</w>": 0, b"lo": 2, b"low": 3, b"low</w>": 3}


def test_a_piece_of_a_character_is_called_that_and_holds_no_whole_character() -> None:
    tokenizer = trained("こここ", vocab_size=258)
    facts = token_facts(tokenizer)
    at = facts.ids.tolist().index(256)
    assert tokenizer.token_bytes(256) == b"\xe3\x81"
    assert SCRIPTS[facts.scripts[at]] == "Part of a character"
    assert (facts.byte_lengths[at], facts.char_lengths[at]) == (2, 0)
    assert SCRIPTS[facts.scripts[at + 1]] == "Hiragana"


def test_ranks_are_those_of_the_merges() -> None:
    training = train("low low lower", TrainConfig(vocab_size=260, special_tokens=("<s>",)))
    facts = token_facts(training.tokenizer())
    ranks = dict(zip(facts.ids.tolist(), facts.ranks.tolist(), strict=True))
    assert {merge.token_id: merge.rank for merge in training.merges} == {i: r for i, r in ranks.items() if r >= 0}
    assert ranks[0] == -1


def test_two_ids_with_the_same_bytes_name_each_other() -> None:
    training = train("aaaa", TrainConfig(split="none", vocab_size=259), forced=[(97, 97), (97, 256), (256, 97)])
    facts = token_facts(training.tokenizer())
    assert facts.duplicates[257:].tolist() == [258, 257]
    assert (facts.duplicates[:257] == -1).all()


def test_a_special_token_is_no_twin_of_the_text_it_is_written_as() -> None:
    facts = token_facts(
        train("<s> <s> <s>", TrainConfig(split="words", special_tokens=("<s>",), vocab_size=259)).tokenizer()
    )
    assert (facts.duplicates == -1).all()
    assert SCRIPTS[facts.scripts[0]] == "Special token"


@pytest.mark.parametrize(
    ("text", "script"),
    [
        (" the", "Latin"),
        ("日本", "Han"),
        ("ひら", "Hiragana"),
        ("カー", "Katakana"),
        ("한국", "Hangul"),
        ("привет", "Cyrillic"),
        ("مرحبا", "Arabic"),
        ("नमस्ते", "Devanagari"),
        ("λόγος", "Greek"),
        ("食べ", "Mixed"),
        ("don't", "Latin"),
        ("x2", "Latin"),
        ("e\u0301", "Latin"),
        ("2024", "Digits"),
        ("3.14", "Digits"),
        (" {", "Punctuation"),
        ("、", "Punctuation"),
        ("\u3000\n\t", "White space"),
        ("👩‍🚀", "Emoji"),
        ("🇯🇵", "Emoji"),
        ("❤️", "Emoji"),
        ("#", "Punctuation"),
        ("©", "Punctuation"),
        ("\0", "Other"),
        ("", "Other"),
    ],
)
def test_scripts(text: str, script: str) -> None:
    assert SCRIPTS[script_codes([text])[0]] == script


@given(st.lists(st.text(max_size=6), max_size=8))
def test_many_texts_get_the_scripts_they_get_one_by_one(texts: list[str]) -> None:
    texts = [text.encode("utf-8", "ignore").decode() for text in texts]
    codes = script_codes(texts)
    assert codes.dtype == np.uint8
    assert codes.tolist() == [int(script_codes([text])[0]) for text in texts]


@given(st.text("abこ ", max_size=60))
def test_a_token_is_used_as_often_as_it_stands_in_the_encoded_training_text(text: str) -> None:
    training = train(text, TrainConfig(vocab_size=264))
    facts = token_facts(training.tokenizer())
    expected = np.bincount(training.tokenizer().encode(text).ids, minlength=training.vocab_size)
    assert times_used(facts, training.at(len(training.merges))).tolist() == expected.tolist()
    assert times_used(facts, training.tokenizer().encode(text)).tolist() == expected.tolist()
