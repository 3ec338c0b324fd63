"""Compiled scans of the words of SuperBPE and BoundlessBPE outside of training, against their patterns."""

from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import CorpusError, TrainConfig, train
from bpe_core.bpe.word_places import WordPlaces
from bpe_core.huggingface.pretokenizers import PatternSplit
from bpe_core.huggingface.split_chain import SplitChain
from bpe_core.kernels import backend
from bpe_core.text import splits
from bpe_core.text.alternatives import part_that_matches
from bpe_core.text.normalization import Normalized
from bpe_core.text.split_patterns import ACROSS_WORDS, WORD_RUNS
from bpe_core.text.split_tables import as_the_library_sees
from bpe_core.text.splits import MARKED_SPLIT, Split, compile_split
from bpe_core.text.wide_splits import word_edges
from tests.draws import examples, swept

PATTERNS = pytest.mark.parametrize("pattern", [ACROSS_WORDS, *WORD_RUNS.values()], ids=["across", *WORD_RUNS])
PARTS = ["a", "B", "é", "日", "ǅ", "\u0301", " ", "  ", "\n", "\r\n", "1", "23", "½", "!", "--", "'s", "'LL", "'ſ", "/",
         "\t", "\u3000", "\x00", "\ud800", "\udc00", "😀", "\U0010ffff", "\u088f", "it's"]  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=()), max_size=60) | st.lists(st.sampled_from(PARTS)).map("".join)
ONE_WORD = "a " * 4_000_000
EVERY = swept(map(chr, range(0x110000)))


def scanned(pattern: str, text: str) -> list[str]:
    data = text.encode("utf-8", "surrogatepass")
    return [data[start:end].decode("utf-8", "surrogatepass") for start, end in pairwise(word_edges(pattern, text))]


def marked(text: str) -> list[str]:
    part = Normalized.of(text)
    edges = Split(MARKED_SPLIT).apply(part, begins=True).edges.tolist()
    return [part.utf8[start:end].decode() for start, end in edges]


@PATTERNS
@settings(max_examples=examples(400))
@given(text=TEXTS)
def test_scanned_words_are_those_of_the_pattern(pattern: str, text: str) -> None:
    assert scanned(pattern, text) == [found[0] for found in compile_split(pattern).finditer(text)]


@PATTERNS
def test_scanned_words_are_those_of_the_pattern_around_every_character(pattern: str) -> None:
    text = "".join(f"{c}a{c} {c}{c}1{c} A{c}a'{c}s  {c}'s{c}\n{c}/a {c}" for c in EVERY)
    assert scanned(pattern, text) == compile_split(pattern).findall(text)


@PATTERNS
@pytest.mark.parametrize("library", [False, True])
@settings(max_examples=examples(100))
@given(text=TEXTS)
def test_a_split_finds_the_same_words_in_long_texts_by_every_way(pattern: str, library: bool, text: str) -> None:
    backend.warm_up_later()
    text = text.encode(errors="ignore").decode() * (2_000 // max(1, len(text)))
    split = Split(pattern, library=library)
    spans = list(split.spans(text))
    seen = as_the_library_sees(text) if library else text
    assert spans == [found.span() for found in compile_split(pattern).finditer(seen)]
    assert split.words(text) == [text[start:end] for start, end in spans]
    edges = split.apply(Normalized.of(text), begins=True).edges.tolist()
    sizes = np.cumsum([0, *map(len, map(str.encode, text))])
    assert edges == [[sizes[start], sizes[end]] for start, end in spans]


@PATTERNS
def test_a_word_may_be_as_long_as_the_text(pattern: str) -> None:
    assert [len(word) for word in Split(pattern).words(ONE_WORD)] == [len(ONE_WORD) - 1, 1]
    assert list(Split(pattern).spans(ONE_WORD)) == [(0, len(ONE_WORD) - 1), (len(ONE_WORD) - 1, len(ONE_WORD))]
    assert len(WordPlaces.of(ONE_WORD, Split(pattern)).starts) == 2


@pytest.mark.parametrize("method", ["superbpe", "boundlessbpe"])
def test_a_tokenizer_with_words_across_spaces_encodes_a_text_of_one_word(method: str) -> None:
    transition = {"transition": 259} if method == "superbpe" else {}
    config = TrainConfig(vocab_size=260, method=method, **transition)  # type: ignore[arg-type]
    tokenizer = train("a b a b a b", config).tokenizer()
    first, *same, last = tokenizer.encode(ONE_WORD).ids.tolist()
    assert len(same) == len(ONE_WORD) // 2 - 1
    assert [first, *set(same), last] == tokenizer.encode("a a ").ids.tolist()


@settings(max_examples=examples(200))
@given(TEXTS)
def test_words_with_the_space_before_them_are_scanned_as_their_pattern_finds_them(text: str) -> None:
    backend.warm_up()
    text = (text.encode(errors="ignore").decode() or " ") * 1_000
    with patch.object(splits, "spans", side_effect=AssertionError):
        assert marked(text) == regex.findall(MARKED_SPLIT, text)


def test_every_character_is_white_space_in_the_scan_as_in_the_pattern_of_marked_words() -> None:
    text = "".join(f"{c}a{c} {c}{c} b" for c in EVERY if not "\ud800" <= c < "\ue000")
    assert marked(text) == regex.findall(MARKED_SPLIT, text)


def test_no_part_of_a_pattern_is_named_for_a_word_that_is_too_long_for_it() -> None:
    assert part_that_matches(ACROSS_WORDS, ONE_WORD, 0, len(ONE_WORD) - 1) == ""
    assert part_that_matches(ACROSS_WORDS, ONE_WORD[:1_001], 0, 1_001) == ACROSS_WORDS.split("|", 3)[3]


@pytest.mark.parametrize("chain", [False, True])
def test_a_pattern_that_runs_out_of_memory_is_not_said_to_take_too_long(chain: bool) -> None:
    pattern = r"(?:\S+ ?)+"
    split = SplitChain((PatternSplit(pattern, "Isolated", pattern=pattern),)) if chain else Split(pattern)
    message = (
        r"Splitting a text of 8,000,000 characters by '.*' took too much memory\. The regex library can use up to "
        r"512 MB for the repeats of groups in one match, if that much is free\. Repeat a set such as \[a-z \]\+"
    )
    with pytest.raises(CorpusError, match=message):
        split.words(ONE_WORD)
