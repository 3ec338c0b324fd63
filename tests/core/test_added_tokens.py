"""Added tokens of tokenizer.json with all their flags, in both modes, against the tokenizers library."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_core.formats.added_tokens_json import read_added, write_added
from bpe_core.formats.tokenizers_json import read, write
from tests.core.json_files import added_token, json_file, peer_of_file, unless_it_panics
from tests.draws import examples

Json = dict[str, Any]
ALPHABET = "abABé <>|\t\n#"
TEXTS = st.lists(
    st.sampled_from(
        ["a", "b", "AB", "é", " ", "  ", "\t", "\n", "<s>", "<S>", "<s", ">", "|", "ab", "a b", "<|x|>", "_"]
    ),
    max_size=10,
).map("".join)
NAMES = ["<s>", "<S>", "ab", "a", "  ", "\t", "<|x|>", "<|x|>a", "B", "a b", " <s>", "é"]
NORMALIZERS: list[Json | None] = [
    None,
    {"type": "Lowercase"},
    {"type": "NFD"},
    {"type": "Sequence", "normalizers": []},
    {"type": "Sequence", "normalizers": [
        {"type": "Prepend", "prepend": "_"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "_"},
    ]},
    {"type": "Strip", "strip_left": True, "strip_right": True},
]  # fmt: skip


def file(added: list[Json], normalizer: Json | None = None, pre_tokenizer: Json | None = None) -> Json:
    """A tokenizer.json of characters."""
    chars = [*ALPHABET, "_", "e", "\u0301", "x"]
    vocab = {char: i for i, char in enumerate([*chars, "ab", "?"])}
    model = {"type": "BPE", "vocab": vocab, "merges": [["a", "b"]], "unk_token": "?", "fuse_unk": True}
    stages = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "decoder": {"type": "Fuse"}}
    return json_file(added_tokens=added, **stages, model=model)


@st.composite
def added_tokens(draw: st.DrawFn, *, repeats: bool = False) -> list[Json]:
    """`repeats`: also a token that strips white space and one that is white space, which the library then repeats."""
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=5))
    if not draw(st.booleans()):
        names = [name for name in names if name.strip()]
    strips = repeats or all(name.strip() for name in names)
    vocab = file([])["model"]["vocab"]
    return [
        {
            "id": vocab.get(name, len(vocab) + at),
            "content": name,
            "single_word": draw(st.booleans()),
            "lstrip": strips and draw(st.booleans()),
            "rstrip": strips and draw(st.booleans()),
            "normalized": name.strip() != "" and draw(st.booleans()),
            "special": draw(st.booleans()),
        }
        for at, name in enumerate(names)
    ]


@pytest.mark.floor(accepted=400)
@given(added_tokens(repeats=True), st.sampled_from(NORMALIZERS), TEXTS)
@settings(max_examples=examples(500))
def test_they_are_found_where_the_library_finds_them(outcomes, added, normalizer, text):
    content = file(added, normalizer)
    ours, theirs = read(content), peer_of_file(content)
    if theirs.normalizer is not None:  # of two that normalization makes equal, the library may match either
        found = [theirs.normalizer.normalize_str(token["content"]) for token in added if token["normalized"]]
        assume(len(set(found)) == len(found))
    for mode, as_text in (("text", True), ("parse", False)):
        theirs.encode_special_tokens = as_text
        expected = unless_it_panics(lambda: theirs.encode(text, add_special_tokens=False).ids)
        if expected is None:  # it fails where one ends before white space stripped by another
            continue
        outcomes.accepted += 1
        encoding = ours.encode(text, special=mode)
        assert encoding.ids.tolist() == expected
        assert encoding.normalized.original == text


def test_white_space_that_a_token_takes_and_another_is_occurs_twice_and_comes_from_nothing_then():
    content = file([added_token("<s>", 18, rstrip=True, special=True), added_token("\n", 10, special=True)])
    encoding = read(content).encode("a<s> \n b", special="parse")
    theirs = peer_of_file(content).encode("a<s> \n b", add_special_tokens=False)
    assert encoding.ids.tolist() == theirs.ids
    assert theirs.tokens == ["a", "<s> \n ", "\n", " ", "b"]
    assert encoding.normalized.original == "a<s> \n b"
    assert [encoding.normalized.text[token.char_start : token.char_end] for token in encoding] == theirs.tokens


entries = st.fixed_dictionaries(
    {"id": st.just(5), "content": st.sampled_from(["<S>", "A", " b"])}
    | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), st.booleans())
)


@given(added=st.lists(entries, min_size=2, max_size=5), normalizer=st.sampled_from(NORMALIZERS), text=TEXTS)
def test_names_that_are_listed_again_are_found_and_decoded_as_in_the_library(
    added: list[Json], normalizer: Json | None, text: str
) -> None:
    content = file(added, normalizer)
    ours, theirs = read(content), peer_of_file(content)
    expected = theirs.encode(text, add_special_tokens=False).ids
    for each in (ours, read(json.loads(write(ours)))):
        assert each.encode(text, special="parse").ids.tolist() == expected
        for skips in (False, True):
            assert each.decode(expected, skip_special=skips) == theirs.decode(expected, skip_special_tokens=skips)


@pytest.mark.parametrize(("whole", "ids"), [(False, [0, 0, 1, 17]), (True, [0, 16, 17])])
def test_a_token_that_normalization_makes_empty_divides_the_text_everywhere(whole, ids):
    content = file([added_token(" ", 5, single_word=whole, normalized=True)], NORMALIZERS[-1])
    theirs = peer_of_file(content).encode("aab?", add_special_tokens=False)
    assert read(content).encode("aab?").ids.tolist() == theirs.ids == ids


@given(added_tokens(), TEXTS)
@settings(max_examples=examples(200))
def test_their_offsets_are_those_of_the_library(added, text):
    content = file(added)
    encoding = read(content).encode(text, special="parse")
    found = list(zip(encoding.char_starts.tolist(), encoding.char_ends.tolist(), strict=True))
    assert found == peer_of_file(content).encode(text, add_special_tokens=False).offsets


@given(added_tokens(), st.sampled_from(NORMALIZERS), TEXTS)
@settings(max_examples=examples(100))
def test_they_are_written_back_with_their_flags(added, normalizer, text):
    tokenizer = read(file(added, normalizer))
    again = read(json.loads(write(tokenizer)))
    assert again.special_token_flags == tuple(sorted(tokenizer.special_token_flags, key=lambda token: token.id))
    for mode in ("text", "parse"):
        assert again.encode(text, special=mode).ids.tolist() == tokenizer.encode(text, special=mode).ids.tolist()


def test_an_added_token_that_is_not_special_is_found_in_plain_text_too():
    token = {"id": 99, "content": "<think>", "special": False, "normalized": False}
    tokenizer = read(file([token | {"single_word": False, "lstrip": False, "rstrip": False}]))
    ids = tokenizer.encode("a<think>b").ids.tolist()
    assert len(ids) == 3
    assert tokenizer.token(ids[1]) == "<think>"
    assert "<think>" not in tokenizer.special_tokens
    assert tokenizer.decode(ids, skip_special=True) == "a<think>b"


def test_ids_are_numbered_as_the_library_numbers_them():
    listed = [(20, "<x>"), (5, "<y>"), (9, ""), (1, "b")]
    content = file([])
    content["model"] |= {"vocab": {"a": 0, "b": 1, "c": 7}, "merges": [], "unk_token": None}
    content["added_tokens"] = [added_token(name, i, special=True) for i, name in listed]
    text = "<x><y>ab"
    assert read(content).encode(text, special="parse").ids.tolist() == [3, 4, 0, 1]
    assert peer_of_file(content).encode(text).ids == [3, 4, 0, 1]


def test_the_model_says_the_id_of_a_token_that_is_added_with_another_one():
    content = file([added_token("a", 5, special=True)])
    assert read(content).special_tokens == {"a": 0}
    ids = read(content).encode("ab", special="parse").ids.tolist()
    assert ids == peer_of_file(content).encode("ab").ids == [0, 1]


def test_tokens_that_are_added_to_doubled_pieces_are_numbered_after_all_of_them():
    content = file([])
    vocab = [["<unk>", 0.0], ["a", -1.0], ["a", -2.0]]
    content["model"] = {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False}
    content["added_tokens"] = [added_token("b", 3)]
    assert read(content).encode("ab").ids.tolist() == peer_of_file(content).encode("ab").ids == [2, 3]


def test_tokens_beside_a_vocabulary_with_gaps_are_numbered_as_in_the_library():
    content = file([added_token(name, at) for at, name in enumerate(["<s>", "x", "<t>", "<u>"])])
    content["model"]["vocab"] |= {"<s>": 40}
    library = peer_of_file(content)
    assert {token.text: token.id for token in read(content).special_token_flags} == {
        name: library.token_to_id(name) for name in ("<s>", "x", "<t>", "<u>")
    }


def test_flags_are_listed_by_id():
    entries = [added_token("<b>", 2), added_token("<a>", 1)]
    tokens = read_added(entries, {"<a>": 1, "<b>": 2}, 3)
    assert [each["content"] for each in write_added(tokens)] == ["<a>", "<b>"]
