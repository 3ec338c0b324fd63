"""Unknown characters in tokenizer.json, in every way that files handle them, against the tokenizers library."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.errors import CorpusError
from bpe_core.formats.tokenizers_json import read, write
from bpe_core.text.byte_characters import CHARACTERS
from bpe_core.tokenizer import text_encoder
from bpe_core.tokenizer.batches import batch
from tests.core.json_files import added_token, json_file, peer_of_file
from tests.draws import Outcomes

BYTES = [f"<0x{value:02X}>" for value in range(256)]
ALPHABET = "abé?"
TEXTS = st.text("abé?xこ😀< ", max_size=12)

Json = dict[str, Any]


def content(tokens: list[str], merges: list[list[str]], added: list[str] | None = None, **model: Any) -> Json:
    """A tokenizer.json of characters that splits at white space."""
    ids = {token: token_id for token_id, token in enumerate(tokens)}
    return json_file(
        added_tokens=[added_token(token, ids[token], special=True) for token in added or []],
        pre_tokenizer={"type": "WhitespaceSplit"},
        model={"type": "BPE", "vocab": ids, "merges": merges, "fuse_unk": False} | model,
    )


AS_IT_IS = {"add_prefix_space": False, "trim_offsets": False, "use_regex": True}


@st.composite
def files(draw: st.DrawFn) -> Json:
    """Characters, an unknown token (possibly added), merges that may include it, whole words and byte fallback."""
    chars = draw(st.lists(st.sampled_from(ALPHABET), min_size=1, unique=True))
    fallback = draw(st.booleans())
    unknown = draw(st.sampled_from(["<unk>", "?", "a"]))
    tokens = [*(BYTES if fallback else []), *dict.fromkeys([*chars, unknown])]
    merges: list[list[str]] = []
    parts = [*dict.fromkeys([*chars, unknown])]
    for _ in range(draw(st.integers(0, 4))):
        pair = [draw(st.sampled_from(parts)), draw(st.sampled_from(parts))]
        if pair not in merges:
            merges.append(pair)
            parts.append("".join(pair))
    tokens = [*dict.fromkeys([*tokens, *parts])]
    if draw(st.booleans()):
        tokens.append("xa")  # a whole word with a character that is no token
    is_part = any(unknown in (*pair, "".join(pair)) for pair in merges)
    added = [unknown] if not is_part and len(unknown) > 1 and draw(st.booleans()) else []
    return content(
        tokens,
        merges,
        added,
        unk_token=None if fallback else unknown,
        byte_fallback=fallback,
        ignore_merges=draw(st.booleans()),
    )


def spans(file: Json, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    encoding = read(file).encode(text)
    return encoding.ids.tolist(), list(zip(encoding.char_starts.tolist(), encoding.char_ends.tolist(), strict=True))


def assert_as_the_library(file: Json, text: str, *, compiled: bool) -> None:
    library = peer_of_file(file)
    library.encode_special_tokens = True
    theirs = library.encode(text, add_special_tokens=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_encoder, "_SMALL", -1 if compiled else len(text) + 1)
        assert spans(file, text) == (theirs.ids, theirs.offsets)


@pytest.mark.parametrize("compiled", [False, True])
@given(files(), TEXTS)
def test_ids_and_offsets_are_those_of_the_library(compiled: bool, file: Json, text: str) -> None:
    assert_as_the_library(file, text, compiled=compiled)


UNKNOWN_IS_LAST = content(["a", "b", "[UNK]"], [], ["[UNK]"], unk_token="[UNK]")
BYTES_AND_CHARACTERS = content([*BYTES, "A", "é"], [], byte_fallback=True, ignore_merges=True)
UNKNOWN_IS_A_WORD = content(["a", "<unk>", "ab"], [], unk_token="<unk>", ignore_merges=True)
UNKNOWN_IS_MERGED = content(
    ["a", "<unk>", "<unk>a", "<unk><unk>"], [["<unk>", "a"], ["<unk>", "<unk>"]], unk_token="<unk>"
)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("file", "text"),
    [
        (UNKNOWN_IS_LAST, "axb xx a"),
        (BYTES_AND_CHARACTERS, "A é B xA"),
        (UNKNOWN_IS_A_WORD, "ab <unk> x x<unk>"),
        (UNKNOWN_IS_MERGED, "xa éa x xx axa xyz"),
    ],
    ids=["the highest id", "a byte that is a character as well", "a word of the text", "a part of a merge"],
)
def test_the_unknown_token_is(compiled: bool, file: Json, text: str) -> None:
    assert_as_the_library(file, text, compiled=compiled)


@pytest.mark.parametrize("unknown", ["[UNK]", ""])
def test_an_unknown_token_that_is_no_token_is_read_where_no_text_needs_it(unknown: str) -> None:
    fallback = content([*BYTES, "a", "b", "ab"], [["a", "b"]], unk_token=unknown, byte_fallback=True)
    levels = content([*CHARACTERS], [], unk_token=unknown) | {"pre_tokenizer": {"type": "ByteLevel", **AS_IT_IS}}
    for file in (fallback, levels):
        assert_as_the_library(file, "ab é😀 x", compiled=False)
        assert_as_the_library(json.loads(write(read(file))), "ab é😀 x", compiled=False)


@pytest.mark.parametrize("suffix", ["", "</w>"])
def test_an_unknown_token_that_is_no_token_fails_where_a_text_needs_it(suffix: str) -> None:
    tokens = [char for char in CHARACTERS if suffix or char != "l"]
    file = content(tokens, [], unk_token="[UNK]", end_of_word_suffix=suffix or None)
    file["pre_tokenizer"] = {"type": "ByteLevel", **AS_IT_IS}
    with pytest.raises(CorpusError, match=r"cannot be encoded.*no token '\[UNK\]'"):
        read(file).encode("low")
    assert json.loads(write(read(file)))["model"]["unk_token"] == "[UNK]"


@pytest.mark.floor(refused=12, accepted=60)
@pytest.mark.parametrize("compiled", [False, True])
@given(files(), st.sampled_from(["[UNK]", "", "<added>"]), TEXTS)
def test_a_missing_unknown_token_fails_where_it_fails_in_the_library(
    outcomes: Outcomes, compiled: bool, file: Json, unknown: str, text: str
) -> None:
    file["model"]["unk_token"] = unknown
    if unknown == "<added>":  # the model never gives an added token
        file["added_tokens"] = [*file["added_tokens"], added_token(unknown, 0)]
    library = peer_of_file(file)
    library.encode_special_tokens = True
    for tokenizer in (read(file), read(json.loads(write(read(file))))):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(text_encoder, "_SMALL", -1 if compiled else len(text) + 1)
            try:
                theirs = library.encode(text, add_special_tokens=False).ids
            except Exception:  # the library has no class for it
                with pytest.raises(CorpusError, match="cannot be encoded"):
                    tokenizer.encode(text)
                outcomes.refused += 1
            else:
                outcomes.accepted += 1
                assert tokenizer.encode(text).ids.tolist() == theirs


def test_a_word_that_is_a_token_is_traced_though_its_characters_are_none() -> None:
    file = content(["a", "xa"], [], unk_token="[UNK]", ignore_merges=True)
    assert [step.ids for step in read(file).trace("xa")] == [(1,)]
    with pytest.raises(CorpusError):
        read(file).trace("x")


DROPPING = content(["a", "b", "ab"], [["a", "b"]])
UNIGRAM_OF_BYTES = content(["a"], []) | {
    "model": {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [["<unk>", 0.0], ["a", -1.0], *([each, -9.0] for each in BYTES)],
        "byte_fallback": True,
    }
}
LEVELS_AND_BYTES = content([each for each in CHARACTERS if each != "æ"] + BYTES, [], byte_fallback=True) | {
    "pre_tokenizer": {"type": "ByteLevel", **AS_IT_IS}
}


@pytest.mark.parametrize(
    ("file", "text", "ours", "theirs"),
    [
        (DROPPING, "xab", [(0, 3)], [(0, 2)]),  # their token begins at the place of x
        (DROPPING, "bxa", [(0, 2), (2, 3)], [(0, 1), (1, 2)]),  # their a is at the place of x
        (UNIGRAM_OF_BYTES, "éß", [(0, 1), (0, 1), (1, 2), (1, 2)], [(0, 2), (0, 2), (0, 2), (0, 2)]),
        (LEVELS_AND_BYTES, "日a", [(0, 1), (1, 1), (0, 1), (0, 1), (1, 2)], [(0, 1), (0, 1), (0, 1), (0, 1), (1, 2)]),
    ],
    ids=["dropped before", "dropped within", "bytes of a run", "two tokens of a byte"],
)
def test_every_byte_of_a_text_is_in_one_token_also_where_the_library_says_otherwise(
    file: Json, text: str, ours: list[tuple[int, int]], theirs: list[tuple[int, int]]
) -> None:
    expected = peer_of_file(file).encode(text)
    tokenizer = read(file)
    [row] = batch([text], tokenizer, template="none").rows
    assert (row.ids.tolist(), expected.offsets) == (expected.ids, theirs)
    assert row.offsets == ours
    encoding = tokenizer.encode(text)
    assert encoding.starts.tolist() == [0, *encoding.ends.tolist()[:-1]]
    assert encoding.ends[-1] == len(text.encode())
