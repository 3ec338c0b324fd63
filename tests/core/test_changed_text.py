"""Encoding an edited text from the encoding of the previous one always gives the tokens of encoding it whole."""

from contextlib import nullcontext
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import (
    Encoding,
    Tokenizer,
    TrainConfig,
    load_pretrained,
    sentencepiece_tokenizer,
    train,
    train_sentencepiece,
)
from bpe_core.tokenizer.changed_text import encode_changed
from bpe_core.work import limit_work
from tests.draws import examples

PIECES = (
    *("a", "B", "1", "é", "e\u0301", "日", "🎉", "low ", "'s", "'ll", "don't", "ſ", "!!", ";/", "/", "-\n/"),
    *("\n", "\n\n", "\r\n", " ", "  ", "\t", "\u3000", "\xa0", "\u2028", "\x85", "\nlow", "\n1", "\n日", "\n\u3000"),
)
"""Text that the splits depend on: beginnings of lines, white space, contractions, and what may join a line break."""

TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
PUBLISHED = ("gpt2", "cl100k_base", "o200k_base")
TRAINED = ("words", "words with marks", "gpt2", "none")


@cache
def tokenizer(name: str) -> Tokenizer:
    if name in PUBLISHED:
        return load_pretrained(name)
    split, _, marks = name.partition(" with ")
    mark = {"end_of_word": "</w>", "unit": "char"} if marks else {}
    return train(
        "low lower\n\nnewest don't 日本語\r\n" * 3, TrainConfig(vocab_size=300, split=split, **mark)
    ).tokenizer()


def expect_the_same(found: Encoding, whole: Encoding) -> None:
    assert found == whole
    assert [each.dtype for each in found.places.arrays()] == [each.dtype for each in whole.places.arrays()]
    assert found.ids.dtype == whole.ids.dtype
    assert not any(each.flags.writeable for each in (found.ids, *found.places.arrays()))


@pytest.mark.parametrize("name", [*PUBLISHED, *TRAINED])
@given(before=TEXTS, after=TEXTS, typed=TEXTS, cut=st.integers(0, 6))
@settings(max_examples=examples(400))
def test_the_tokens_of_an_edited_text_are_those_of_encoding_it_whole(
    name: str, before: str, after: str, typed: str, cut: int
) -> None:
    of = tokenizer(name)
    edited = before + typed + after[cut:]
    found = encode_changed(of, edited, of.encode(before + after))
    if found is not None:
        expect_the_same(found, of.encode(edited))


@pytest.mark.parametrize("name", PUBLISHED)
def test_edits_one_after_another_keep_the_tokens_right(name: str) -> None:
    of = tokenizer(name)
    text = "def low(new):\n    return new + 1  # 日本語\n\n\nclass Lower:\n    pass\n" * 20
    known = of.encode(text)
    for at, cut, typed in (
        (0, 0, "x"),
        (700, 3, ""),
        (701, 0, "\n"),
        (len(text), 0, "y"),
        (40, 900, "日"),
        (9, 0, " \n\n "),
    ):
        text = text[:at] + typed + text[at + cut :]
        changed = encode_changed(of, text, known)
        assert changed is not None
        expect_the_same(changed, of.encode(text))
        known = changed


@pytest.mark.parametrize("name", ["gpt2", "t5-small", "bert-base-uncased"])
def test_only_the_words_around_the_change_are_encoded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = load_pretrained(name)
    lines = [f"line {number} of many\n" for number in range(1_000)]
    known = of.encode("".join(lines))
    lines[500] = "line its of own\n"
    encoded: list[str] = []
    encode = Tokenizer.encode
    monkeypatch.setattr(
        Tokenizer, "encode", lambda self, text, **options: encoded.append(text) or encode(self, text, **options)
    )
    assert encode_changed(of, "".join(lines), known) is not None
    assert len(encoded) == 1
    assert "line its of own" in encoded[0]
    assert encoded[0] in "".join(lines[499:502]), "and two words on either side"


def test_what_may_depend_on_all_of_the_text_is_left_to_encode() -> None:
    gpt2, text = tokenizer("gpt2"), "one two three\nfour five six\n"
    assert encode_changed(gpt2, text + "\ud800", gpt2.encode(text)) is None
    assert encode_changed(gpt2, text, gpt2.encode(text + "\ud800")) is None
    unknown = gpt2.with_stages(split=r"\S+ \S+")
    assert encode_changed(unknown, "new " + text * 9, unknown.encode(text * 9)) is None
    scored = sentencepiece_tokenizer(train_sentencepiece(text * 3, 30).model)
    long = text * 4_000
    assert encode_changed(scored, "new " + long, scored.encode(long)) is None


def test_a_large_change_and_one_far_from_words_of_letters_are_left_to_encode() -> None:
    gpt2 = tokenizer("gpt2")
    assert encode_changed(gpt2, "low\n" * 60_000, gpt2.encode("one two three four")) is None
    indented = "one two three\n" + "  two\n" * 20_000
    assert encode_changed(gpt2, indented + "x", gpt2.encode(indented)) is None


def test_the_tokens_that_are_known_are_counted_as_work() -> None:
    gpt2 = tokenizer("gpt2")
    text = "one two three\n" * 15_000
    known = gpt2.encode(text).complete()
    announced: list[int] = []
    limit_work(lambda size: announced.append(size) or nullcontext())
    try:
        changed = encode_changed(gpt2, "new " + text, known)
    finally:
        limit_work(None)
    assert changed is not None
    assert max(announced, default=0) >= changed.ids.nbytes + sum(each.nbytes for each in changed.places.arrays())
