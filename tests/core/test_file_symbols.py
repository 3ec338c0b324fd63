"""Byte-pair encodings from other programs' files: ids and offsets equal those of the tokenizers library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as Peer
from tokenizers import models, pre_tokenizers

from bpe_core.errors import FormatError
from bpe_core.formats.bpe_json import LEVELS, read_bpe, read_merges, write_bpe
from bpe_core.kernels.scan import WordTable
from bpe_core.tokenizer.tokenizer import Tokenizer
from tests.draws import examples

CHARACTERS = "abé猫😀"
WORDS = st.text(st.sampled_from(CHARACTERS + "xyß"), max_size=12)


@st.composite
def sections(draw, levels: bool = False):
    """A random "model" section, with merges of existing tokens."""
    prefix = draw(st.sampled_from(["", "", "##", "é"]))
    suffix = draw(st.sampled_from(["", "", "</w>", "x"]))
    chars = draw(st.lists(st.sampled_from(LEVELS[90:130] + "aĠé" if levels else CHARACTERS), min_size=1, max_size=6))
    names = [f"{before}{char}{after}" for char in chars for before in ("", prefix) for after in ("", suffix)]
    if draw(st.booleans()):
        names += [f"<0x{value:02X}>" for value in draw(st.sampled_from([range(256), range(0xC3, 0x100)]))]
    names = list(dict.fromkeys([*names, "<unk>"]))
    merges = []
    for _ in range(draw(st.integers(0, 6))):
        left, right = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        rest = right.encode()[len(prefix.encode()) :]
        if len(right.encode()) < len(prefix.encode()) or (rest[:1] and rest[0] & 0xC0 == 0x80):
            continue  # the library fails
        made = left + rest.decode()
        names += [] if made in names else [made]
        merges.append([left, right])
    order = draw(st.permutations(range(len(names)))) if len(names) < 30 else range(len(names))
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": draw(st.sampled_from([None, "<unk>"])),
        "continuing_subword_prefix": prefix or None,
        "end_of_word_suffix": suffix or None,
        "fuse_unk": draw(st.booleans()),
        "byte_fallback": draw(st.booleans()),
        "ignore_merges": draw(st.booleans()),
        "vocab": dict(zip(names, order, strict=True)),
        "merges": merges,
    }


def peer_of(section, levels: bool) -> Peer:
    known = {key: value for key, value in section.items() if key not in ("type", "merges") and value is not None}
    peer = Peer(models.BPE(merges=[tuple(pair) for pair in section["merges"]], **known))
    if levels:
        peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return peer


def ours_of(section, levels: bool) -> Tokenizer:
    return Tokenizer("file", model=read_bpe(section, {}, levels=levels))


@given(sections(), WORDS)
@settings(max_examples=examples(400))
def test_characters_become_the_tokens_of_the_library(section, word):
    theirs = peer_of(section, levels=False).encode(word)
    assert ours_of(section, levels=False).encode(word).ids.tolist() == theirs.ids


@given(sections(levels=True), WORDS)
@settings(max_examples=examples(200))
def test_bytes_become_the_tokens_of_the_library_also_where_the_vocabulary_lacks_some(section, word):
    theirs = peer_of(section, levels=True).encode(word)
    assert ours_of(section, levels=True).encode(word).ids.tolist() == theirs.ids


@given(sections(), st.lists(WORDS, max_size=5, unique=True))
@settings(max_examples=examples(200))
def test_many_words_at_once_are_encoded_as_each_by_itself(section, words):
    model = read_bpe(section, {}, levels=False)
    found = model.encode_words(WordTable.of([word.encode() for word in words]))
    edges = found.words.offsets.tolist()
    for word, start, end in zip(words, edges, edges[1:], strict=False):
        ids, lengths = model.encode_word(word)
        assert found.words.symbols[start:end].tolist() == list(ids)
        assert found.lengths[start:end].tolist() == list(lengths)
        assert not ids or sum(lengths) == len(word.encode())


@given(sections())
@settings(max_examples=examples(60))
def test_a_model_is_written_as_it_was_read(section):
    model = read_bpe(section, {}, levels=False)
    written = write_bpe(model)
    assert read_bpe(written, {}, levels=False).encode_word("abé猫xx") == model.encode_word("abé猫xx")
    assert written["vocab"] == section["vocab"]


def test_of_a_pair_that_is_merged_twice_the_last_rank_counts():
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4}
    merges = [["a", "b"], ["b", "c"], ["a", "b"]]
    assert read_merges(merges, vocab).tolist() == [[1, 2, 4], [0, 1, 3]]
    peer = Peer(models.BPE(vocab=vocab, merges=[tuple(pair) for pair in merges]))
    section = {"vocab": vocab, "merges": merges}
    assert ours_of(section, levels=False).encode("abc").ids.tolist() == peer.encode("abc").ids == [0, 4]


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("dropout", 2, "model.dropout is 2"),
        ("vocab", {"a": 0, "b": True}, "model.vocab['b'] is True"),
        ("vocab", {"a": 0, "b": 1.0}, "model.vocab['b'] is 1.0"),
        ("merges", [["a", "b"]], "model.vocab lacks 'b'"),
        ("merges", [["a"]], "model.merges[0] is"),
        ("unk_token", 5, "model.unk_token is 5"),
        ("fuse_unk", 1, "model.fuse_unk is 1"),
    ],
)
def test_a_damaged_section_is_refused_with_its_place(key, value, problem):
    with pytest.raises(FormatError) as refused:
        read_bpe({"vocab": {"a": 0}, "merges": [], key: value}, {}, levels=False)
    assert problem in str(refused.value)


def test_characters_without_a_token_are_covered_by_their_neighbours():
    section = {"vocab": {"a": 0, "b": 1}, "merges": []}
    encoding = ours_of(section, levels=False).encode("xayyb")
    assert encoding.ids.tolist() == [0, 1]
    assert list(zip(encoding.starts.tolist(), encoding.ends.tolist(), strict=True)) == [(0, 4), (4, 5)]
    assert np.diff(encoding.starts).min() > 0
