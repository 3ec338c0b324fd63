"""compare: ▁ written for spaces by a file's normalizer or split is only a spelling, never the cause of a difference."""

from pathlib import Path

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models, normalizers, pre_tokenizers

import bpe_core
from bpe_core import Disagreement, Tokenizer, compare, load_pretrained
from bpe_core.comparison.boundaries import SegmentedText
from tests.draws import examples

VOCABULARY = {
    piece: i for i, piece in enumerate(["<unk>", "▁", *"abcdelow", "lo", "low", "▁low", "▁a", "bc", "ow", "ab"])
}
MERGES = [("l", "o"), ("lo", "w"), ("▁", "low"), ("▁", "a"), ("b", "c"), ("o", "w"), ("a", "b")]
GPT2 = load_pretrained("gpt2")

WAYS = {
    "Metaspace always": (None, pre_tokenizers.Metaspace()),
    "Metaspace never": (None, pre_tokenizers.Metaspace(prepend_scheme="never", split=False)),
    "white space dropped, Metaspace": (
        None,
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
    ),
    "Prepend and Replace": (
        normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
        None,
    ),
    "Replace": (normalizers.Replace(" ", "▁"), None),
}


@pytest.fixture(scope="module", params=WAYS)
def marking(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    """A tokenizer with merges whose file writes ▁ for spaces in one of the possible ways."""
    return opened(request.param, tmp_path_factory.mktemp("files") / "tokenizer.json")


def opened(way: str, path: Path) -> Tokenizer:
    """The tokenizer of a file written by the library."""
    normalizer, pre_tokenizer = WAYS[way]
    made = tokenizers.Tokenizer(models.BPE(VOCABULARY, MERGES, unk_token="<unk>"))
    if normalizer is not None:
        made.normalizer = normalizer
    if pre_tokenizer is not None:
        made.pre_tokenizer = pre_tokenizer
    made.save(str(path))
    return bpe_core.load(path)


def disagreements(text: str, left: Tokenizer, right: Tokenizer) -> list[Disagreement]:
    """The disagreements of two tokenizers, named left and right."""
    return compare(text, {"left": left, "right": right}).disagreements("left", "right")


def test_a_space_that_is_spelled_with_a_mark_is_no_normalization(marking: Tokenizer) -> None:
    found = disagreements("low abc  low a low", marking, GPT2)
    assert found
    assert "normalization" not in {each.cause for each in found}


@settings(max_examples=examples(60))
@given(text=st.text(alphabet="abclow \n", max_size=24))
def test_in_texts_without_marks_nothing_is_changed(marking: Tokenizer, text: str) -> None:
    assert "normalization" not in {each.cause for each in disagreements(text, marking, GPT2)}
    segmented = SegmentedText("marking", marking, marking.encode(text))
    assert segmented.region(0, segmented.size).data == text.encode()


@settings(max_examples=examples(60))
@given(text=st.text(alphabet="abclow \n", max_size=24), edges=st.tuples(st.integers(0, 24), st.integers(0, 24)))
def test_the_words_of_a_part_are_those_of_the_whole_text(marking: Tokenizer, text: str, edges: tuple[int, int]) -> None:
    segmented = SegmentedText("marking", marking, marking.encode(text))
    start, end = sorted(min(edge, segmented.size) for edge in edges)
    whole = segmented.is_word_boundary(0, segmented.size).tolist()
    assert segmented.is_word_boundary(start, end).tolist() == whole[start : end + 1]


def test_a_token_with_a_mark_is_known_to_others_by_its_space(tmp_path: Path) -> None:
    bare = opened("Replace", tmp_path / "tokenizer.json")
    assert disagreements("e low", GPT2, bare) == []  # both have “ low”
    [found] = disagreements("a lowed", GPT2, bare)
    assert found.explanation == (
        "Neither split cuts here. left has the token “ed” (276); right's vocabulary of 17 ids lacks it, "
        "so right takes “e” (6) + “d” (5)."
    )


def test_a_missing_token_is_named_in_the_spelling_of_the_vocabulary_that_lacks_it(tmp_path: Path) -> None:
    bare = opened("Replace", tmp_path / "tokenizer.json")
    [found] = disagreements("a be", GPT2, bare)
    assert found.explanation == (
        "Neither split cuts here. left has the token “·be” (307); right's vocabulary of 17 ids lacks “▁be”, "
        "so right takes “▁” (1) + “b” (3) + “e” (6)."
    )


def test_ranks_of_the_same_merge_are_found_in_both_spellings(tmp_path: Path) -> None:
    bare = opened("Replace", tmp_path / "tokenizer.json")
    byte_level = tokenizers.Tokenizer(
        models.BPE({piece: i for i, piece in enumerate([*"Ġabc", "ab", "Ġa"])}, [("a", "b"), ("Ġ", "a")])
    )
    byte_level.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    path = tmp_path / "bytes.json"
    byte_level.save(str(path))
    [found] = disagreements("c ab", bpe_core.load(path), bare)
    assert found.explanation == (
        "Both have all of these tokens; the order of the merges decides. In left, “a” (1) + “b” (2) comes first "
        "(rank 0; “·” + “a”: rank 1). In right, “▁” (1) + “a” (2) comes first (rank 3; “a” + “b”: rank 6)."
    )


@pytest.mark.parametrize("text", ["a▁low", "a▁low a"])
def test_a_mark_in_the_text_itself_stays_one(tmp_path: Path, text: str) -> None:
    bare = opened("Replace", tmp_path / "tokenizer.json")
    found = disagreements(text, bare, GPT2)[0]
    assert found.cause == "split"
    assert "left has the token “▁low” (12) across this boundary" in found.explanation
