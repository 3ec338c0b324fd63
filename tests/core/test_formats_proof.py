"""The proof of an export: the results of the real libraries with the file, and the first difference if any."""

import base64
import sys
from collections.abc import Callable
from functools import cache

import pytest

from bpe_core import ConfigError, FormatError, Tokenizer, TrainConfig, load_pretrained, train
from bpe_core.formats import FORMATS, to_files, writable
from bpe_core.formats.proof import MOST_SHOWN, prove
from tests.core.format_samples import CONFIGS, HARD, TEXTS, trained, unigram, wordpiece
from tests.core.format_samples import sentencepiece as sentencepiece_model

TEXT = "".join(TEXTS[::3]) + "".join(HARD)
READERS = {"gpt2": "tokenizers", "wordpiece": "tokenizers", "bpe-lab": "bpe_core"}
KINDS: dict[str, Callable[[], Tokenizer]] = {
    **{name: lambda name=name: trained(name) for name in CONFIGS},  # type: ignore[misc]
    "WordPiece": wordpiece,
    "Unigram": unigram,
    "SentencePiece": sentencepiece_model,
    "GPT-2": lambda: load_pretrained("gpt2"),
}


@cache
def formats_of(name: str) -> tuple[str, ...]:
    return writable(KINDS[name]())


@pytest.mark.parametrize("name", KINDS)
def test_every_file_that_can_be_written_is_proven_by_the_library_that_reads_it(name: str) -> None:
    tokenizer = KINDS[name]()
    formats = formats_of(name)
    assert len(formats) > 1
    for format in formats:
        proof = prove(tokenizer, TEXT, format=format)
        assert proof.equal, proof.difference
        assert (proof.tokens, proof.characters) == (len(tokenizer.encode(TEXT)), len(TEXT))
        assert proof.library == READERS.get(format, format)
        assert proof.parsed == (format != "sentencepiece" and any(each in TEXT for each in tokenizer.special_tokens))


def test_all_formats_are_among_them() -> None:
    assert {format for name in KINDS for format in formats_of(name)} == set(FORMATS)


def swapped(tokenizer: Tokenizer, one: bytes, other: bytes) -> dict[str, bytes]:
    """A .tiktoken file with the ranks of two tokens swapped."""
    ((name, data),) = to_files(tokenizer, format="tiktoken").items()
    first, second = (b"%s %d\n" % (base64.b64encode(token), tokenizer.token_id(token)) for token in (one, other))
    turned = data.replace(first, first.split()[0] + b" " + second.split()[1] + b"\n")
    return {name: turned.replace(second, second.split()[0] + b" " + first.split()[1] + b"\n")}


def test_a_wrong_file_is_found_out_with_the_first_difference() -> None:
    tokenizer = train("low", TrainConfig(vocab_size=256)).tokenizer()
    proof = prove(tokenizer, "aé xyz", format="tiktoken", files=swapped(tokenizer, b"x", b"y"))
    difference = proof.difference
    assert not proof.equal
    assert difference is not None
    assert (difference.index, difference.character) == (4, 3)
    assert difference.ours == ((120, b"x"), (121, b"y"), (122, b"z"))
    assert difference.theirs == ((121, b"x"), (120, b"y"), (122, b"z"))
    assert (difference.parsed, difference.reason) == (False, "")
    assert prove(tokenizer, "aé z", format="tiktoken", files=swapped(tokenizer, b"x", b"y")).equal


def test_a_difference_is_placed_in_the_text_as_it_was_given() -> None:
    tokenizer = train("low", TrainConfig(vocab_size=256, normalization="NFKC")).tokenizer()
    files = to_files(tokenizer.with_stages(normalization="none"), format="tokenizers")
    difference = prove(tokenizer, "ﬃ ½", format="tokenizers", files=files).difference
    assert difference is not None
    assert (difference.index, difference.character) == (0, 0)
    assert len(difference.ours) == len(difference.theirs) == MOST_SHOWN
    assert b"".join(token.bytes for token in difference.ours) == "ffi 1⁄".encode()[:MOST_SHOWN]
    assert b"".join(token.bytes for token in difference.theirs) == "ﬃ ½".encode()


def test_an_encoding_that_ends_early_differs_where_it_ends() -> None:
    whole = train("low", TrainConfig(vocab_size=256)).tokenizer()
    files = to_files(whole.with_stages(split=r"\p{L}+"), format="tokenizers")
    difference = prove(whole, "low!", format="tokenizers", files=files).difference
    assert difference is not None
    assert (difference.index, difference.character, difference.ours, difference.theirs) == (3, 3, ((33, b"!"),), ())


def test_special_tokens_are_proven_as_tokens_as_well() -> None:
    tokenizer = trained("bytes").with_special_tokens({"<s>": 700})
    without = to_files(trained("bytes"), format="tokenizers")
    difference = prove(tokenizer, "a<s>", format="tokenizers", files=without).difference
    assert difference is not None
    assert (difference.parsed, difference.index) == (True, 1)
    assert difference.ours == ((700, b"<s>"),)
    assert prove(tokenizer, "a s", format="tokenizers", files=without).equal


def test_ranks_that_merge_in_another_order_are_named_as_the_reason() -> None:
    tokenizer = train("abc", TrainConfig(vocab_size=259), forced=[(97, 98), (98, 99), (97, 257)]).tokenizer()
    files = to_files(tokenizer, format="tiktoken", proven_on="ab bc")
    assert prove(tokenizer, "ab bc", format="tiktoken", files=files).equal
    difference = prove(tokenizer, "ab é abc", format="tiktoken", files=files).difference
    assert difference is not None
    assert (difference.index, difference.character) == (5, 5)
    assert "' abc' tiktoken joins any two neighbours" in difference.reason
    with pytest.raises(FormatError, match="token 258"):
        prove(tokenizer, "abc", format="tiktoken")


def test_a_word_that_readers_of_vocab_txt_take_for_unknown_is_named() -> None:
    difference = prove(wordpiece(), "a " + "e" * 101, format="wordpiece").difference
    assert difference is not None
    assert "A word of 101 characters" in difference.reason


def test_lone_surrogates_and_empty_texts_are_proven_too() -> None:
    for format in writable(trained("characters or bytes")):
        assert prove(trained("characters or bytes"), "a\ud800b", format=format).equal
        assert prove(trained("characters or bytes"), "", format=format).tokens == 0


def test_what_cannot_be_proven_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = trained("bytes")
    with pytest.raises(ConfigError, match="format is 'zip'"):
        prove(tokenizer, "a", format="zip")
    with pytest.raises(FormatError, match=r"\.model file"):
        prove(tokenizer, "a", format="sentencepiece")
    with pytest.raises(FormatError, match="tokenizers could not read the file"):
        prove(tokenizer, "a", format="tokenizers", files={"tokenizer.json": b"{"})
    with pytest.raises(FormatError, match="tiktoken could not encode the text"):  # its regular expressions overflow
        prove(trained("bytes in GPT-2's order, cl100k").with_stages(split="o200k"), " " * 10**6, format="tiktoken")
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(FormatError, match="tokenizers is not installed") as caught:
        prove(tokenizer, "a", format="gpt2")
    assert "pip install tokenizers" in caught.value.remedy
