"""Encoding an edited text from that of the previous one equals encoding it whole, for tokenizers of any stages."""

import base64
import io
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import (
    CorpusError,
    Encoding,
    FormatError,
    Tokenizer,
    load_pretrained,
    train_unigram,
)
from bpe_core.sentencepiece.model import sentencepiece_tokenizer
from bpe_core.text.normalization import unmoved
from bpe_core.tokenizer.changed_text import encode_changed
from bpe_core.tokenizer.tokenizer import Special
from tests.core.any_stages import any_stages
from tests.core.charsmaps import charsmap
from tests.core.json_files import FLAGS, Json, json_tokenizer
from tests.draws import Outcomes, examples, examples_each

WORDS = (
    "a b",
    "low er",
    " low",
    "er a",
    "be low\n",
    "\nab e",
    "b\nl",
    "A b",
    "日 本",
    "猫。\n吾",
    "9 l",
    "x1 2",
    "Low ΑΣ",
)
HOSTILE = (
    *("\u0301", "e\u0301", "\u200d", "👩\u200d👩", "ᄒ", "ᆞ", "ᆫ", "ẞ", "İ", "Σ", "\r\n", "\r", "\n", " ", "  ", " \t "),
    *(
        "<s>",
        "<s",
        ">",
        "<m>",
        "\u200b",
        "\x00",
        "\ufeff",
        "▁",
        "ﬁ",
        "\u3099",
        "か",
        "\u0600",
        "#",
        "'s",
        ".",
        "ab",
        "x",
    ),
)
TEXTS = st.lists(st.sampled_from(WORDS * 3 + HOSTILE), max_size=24).map("".join)
TYPED = st.lists(st.sampled_from(WORDS + HOSTILE), max_size=3).map("".join)


def expect_the_same(found: Encoding, whole: Encoding) -> None:
    assert found == whole
    assert [each.dtype for each in (found.ids, *found.places.arrays())] == [
        each.dtype for each in (whole.ids, *whole.places.arrays())
    ]
    assert not any(each.flags.writeable for each in (found.ids, *found.places.arrays()))
    one, other = (
        unmoved(len(each.text)) if each.normalized.spans is None else each.normalized.spans for each in (found, whole)
    )
    assert one.tolist() == other.tolist()
    assert found.normalized.original_bytes.tolist() == whole.normalized.original_bytes.tolist()
    assert found.utf8 == whole.utf8
    assert found.character_starts.tolist() == whole.character_starts.tolist()
    assert list(found) == list(whole)


def outcome(make: Callable[[], Encoding | None]) -> Encoding | str | None:
    """The result, or the message of the error."""
    try:
        return make()
    except CorpusError as error:
        return str(error)


def check_edit(tokenizer: Tokenizer, text: str, edited: str, special: Special) -> Encoding | None:
    """Compare encoding an edited text from the previous encoding with encoding it whole; return the former, if any."""
    known = outcome(lambda: tokenizer.encode(text, special=special))
    whole = outcome(lambda: tokenizer.encode(edited, special=special))
    if not isinstance(known, Encoding):
        return None
    if len(edited) % 2:  # as after drawing the text
        assert known.character_starts.size
    found = outcome(lambda: encode_changed(tokenizer, edited, known, special=special))
    if not isinstance(whole, Encoding):
        assert found in (None, whole)
        return None
    if found is None:
        return None
    assert isinstance(found, Encoding)
    expect_the_same(found, whole)
    return found


def edits(text: str, at: float, cut: int, typed: str) -> str:
    place = round(at * len(text))
    return text[:place] + typed + text[place + cut :]


EDITS = (TEXTS, st.sampled_from([0, 0.1, 0.3, 0.5, 0.6, 0.9, 1]), st.integers(0, 3), TYPED)


@pytest.mark.floor(refused=300, accepted=900)
@settings(max_examples=examples(3_000))
@given(
    any_stages,
    st.sampled_from(["text", "text", "parse", "raise"]),
    *EDITS,
)
def test_the_tokens_of_an_edited_text_under_files_of_any_stages_are_those_of_encoding_it_whole(
    outcomes: Outcomes, parts: Json, special: Special, text: str, at: float, cut: int, typed: str
) -> None:
    try:
        tokenizer = json_tokenizer(**parts)
    except FormatError:
        outcomes.refused += 1
        return
    outcomes.count(check_edit(tokenizer, text, edits(text, at, cut, typed), special))


LETTERS = {letter: at for at, letter in enumerate([*"abcdelorwxz é", "[UNK]"])}
BY_SPACE = {"type": "WhitespaceSplit"}
PLAIN: dict[str, Any] = {"type": "BPE", "unk_token": "[UNK]", "vocab": LETTERS, "merges": []}
REMOVED = base64.b64encode(charsmap({"x": ""})).decode()
ACROSS: dict[str, dict[str, Any]] = {
    "an added token": {"added_tokens": [{"id": 0, "content": "b low er", **FLAGS}], "pre_tokenizer": BY_SPACE},
    "a normalized added token": {
        "added_tokens": [{"id": 0, "content": "B low er", **FLAGS, "normalized": True}],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": BY_SPACE,
    },
    "a replaced text": {
        "normalizer": {"type": "Replace", "pattern": {"String": "b low er"}, "content": "é"},
        "pre_tokenizer": BY_SPACE,
    },
    "a replaced pattern": {
        "normalizer": {"type": "Replace", "pattern": {"Regex": "b low er"}, "content": "é"},
        "pre_tokenizer": BY_SPACE,
    },
    "a word of a pattern": {
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": "b low er|\\S+"},
            "behavior": "Isolated",
            "invert": False,
        }
    },
    "a word of fixed length": {"pre_tokenizer": {"type": "FixedLength", "length": 9}},
    "a word as long as one may be": {
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "",
            "max_input_chars_per_word": 27,
            "vocab": LETTERS,
        }
    },
}


@pytest.mark.parametrize("name", ACROSS)
def test_what_goes_across_several_words_is_found_although_only_the_last_of_them_changes(name: str) -> None:
    tokenizer = json_tokenizer(**{"model": PLAIN} | ACROSS[name])
    text = "a b c d e b low e a b c d e"
    for typed in ("r", "q", ""):
        check_edit(tokenizer, text, text.replace("low e", f"low e{typed}"), "text")


def test_removed_characters_at_the_beginning_that_move_all_others_are_no_help() -> None:
    tokenizer = json_tokenizer(
        model=PLAIN,
        normalizer={"type": "Precompiled", "precompiled_charsmap": REMOVED},
        pre_tokenizer=BY_SPACE,
    )
    text = "a " * 100 + "a"
    edited = text[:100] + "b " + text[100:]
    assert check_edit(tokenizer, text, edited, "text") is not None
    assert check_edit(tokenizer, "xx" + text, "xx" + edited, "text") is None
    assert check_edit(tokenizer, text, "xx" + text, "text") is None


CORPUS = "low lower lowest newest widest 日本 abe\nhug pug hugs low er. 9 12 " * 4


OPTIONS: dict[str, dict[str, Any]] = {
    "bpe": {"model_type": "bpe"},
    "symbols": {"model_type": "bpe", "user_defined_symbols": ["r a", "<m>", "low"]},
    "as written": {
        "model_type": "bpe",
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "byte_fallback": True,
        "vocab_size": 320,
        "hard_vocab_limit": False,
    },
    "across spaces": {"model_type": "bpe", "split_by_whitespace": False},
    "marks behind": {"model_type": "bpe", "treat_whitespace_as_suffix": True},
    "unigram": {"model_type": "unigram"},
    "char": {"model_type": "char", "vocab_size": 30},
    "word": {"model_type": "word", "vocab_size": 14},
}


def trained_model(**options: Any) -> bytes:
    model = io.BytesIO()
    lines = iter(CORPUS.splitlines())
    settings = {"vocab_size": 60, "hard_vocab_limit": False} | options
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=lines, model_writer=model, minloglevel=2, **settings)
    return model.getvalue()


@cache
def tokenizer_of(name: str) -> Tokenizer:
    kind, _, option = name.partition(", ")
    if kind == "sentencepiece":
        return sentencepiece_tokenizer(trained_model(**OPTIONS[option]))
    if kind == "unigram":
        return train_unigram(CORPUS, 60).tokenizer()
    loaded = load_pretrained(kind)
    return loaded.with_stages(normalization="NFKC", lowercase=True, strip_accents=True) if option else loaded


REAL = (
    *("t5-small", "bert-base-uncased", "bert-base-cased", "gpt2", "gpt2, normalized", "o200k_base, normalized"),
    *("unigram", *(f"sentencepiece, {option}" for option in OPTIONS)),
)


@pytest.mark.parametrize("name", REAL)
@settings(max_examples=examples_each(400))
@given(st.sampled_from(["text", "parse", "raise"]), *EDITS)
def test_the_tokens_of_an_edited_text_are_those_of_encoding_it_whole(
    name: str, special: Special, text: str, at: float, cut: int, typed: str
) -> None:
    check_edit(tokenizer_of(name), text, edits(text, at, cut, typed), special)


def test_a_symbol_of_several_characters_has_the_same_origin_in_a_text_that_normalization_changes_elsewhere() -> None:
    tokenizer = tokenizer_of("sentencepiece, symbols")
    for text, edited in (("a b low", "a b low"), ("a b low er", "a  b low er"), ("a  b low er", "a b low er")):
        assert check_edit(tokenizer, text, edited, "text") is not None
