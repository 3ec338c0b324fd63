"""Words by a dictionary: their places, their agreement with tokens, and the libraries that find them."""

from __future__ import annotations

import random
import sys
from itertools import pairwise
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ConfigError, compare, load_pretrained
from bpe_core.comparison.word_boundaries import WordAgreement, word_agreement
from bpe_core.text import segmenters as module
from bpe_core.text.segmenters import dictionary_words, has_segmenter, segmenter

RECORDED = {
    "外国人参政権": "外国|人参|政権",
    "すもももももももものうち": "すもも|も|もも|も|もも|の|うち",
    "時計はいつも五分遅れていました。": "時計|は|いつ|も|五|分|遅れ|て|い|まし|た|。",
    "乒乓球拍卖完了": "乒乓球|拍卖|完|了",
    "研究生命起源": "研究|生命|起源",
    "南京市长江大桥": "南京市|长江大桥",
}
"""Answers of MeCab with UniDic (fugashi 1.5.2, unidic-lite 1.0.8) and of jieba 0.42.1."""


def recorded(text: str) -> list[str]:
    return RECORDED[text].split("|")


def by_definition(boundaries: set[int], text: str, words: list[str]) -> WordAgreement:
    """The figures, character by character; boundaries and words in bytes."""
    places, at = [], 0
    for word in words:
        at = text.index(word, at)
        places.append((len(text[:at].encode()), len(text[: at + len(word)].encode())))
        at += len(word)
    inner = [each for each in boundaries if 0 < each < len(text.encode())]
    gaps = [(before[1], after[0]) for before, after in pairwise(places)]
    is_word = [any(char.isalpha() or char.isnumeric() for char in word) for word in words]
    return WordAgreement(
        token_boundaries=len(inner),
        outside=sum(not any(start < each < end for start, end in places) for each in inner),
        word_boundaries=len(gaps),
        met=sum(any(start <= each <= end for each in inner) for start, end in gaps),
        words=sum(is_word),
        cut=sum(
            word and any(start < each < end for each in inner)
            for word, (start, end) in zip(is_word, places, strict=True)
        ),
    )


@given(
    st.lists(st.tuples(st.text("aé時😀。1", min_size=1, max_size=3), st.sampled_from(["", " ", "\n\n"])), max_size=8),
    st.sets(st.integers(0, 80)),
)
def test_agreement_is_that_of_its_definition(parts: list[tuple[str, str]], boundaries: set[int]) -> None:
    text, words = "".join(word + space for word, space in parts), [word for word, _ in parts]
    found = word_agreement(np.array(sorted(boundaries), np.int64), dictionary_words(text, lambda _: words))
    assert found == by_definition(boundaries, text, words)


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(" \n\0\u3000時"), max_size=30))
def test_segments_and_white_space_spell_the_text(text: str) -> None:
    random.seed(len(text))

    def at_random(given: str) -> list[str]:
        cuts = sorted({0, len(given), *(random.randrange(len(given) + 1) for _ in range(4))})
        return [given[a:b] for a, b in pairwise(cuts)]

    found = dictionary_words(text, at_random)
    data, at = text.encode(), 0
    for start, end in zip(found.starts, found.ends, strict=True):
        assert not data[at:start].decode().replace("\0", "").strip()
        assert end > start
        at = end
    assert not data[at:].decode().replace("\0", "").strip()


@pytest.mark.parametrize("words", [["時"], ["時", "刻"], ["時計", "は"], ["計", "時"], []])
def test_words_that_do_not_spell_the_text_are_refused(words: list[str]) -> None:
    with pytest.raises(ConfigError, match="spell the text"):
        dictionary_words("時計", lambda _: words)


def test_only_whole_words_agree_with_whole_words() -> None:
    names = {"o200k": load_pretrained("o200k_base"), "GPT-2": load_pretrained("gpt2")}
    for text in RECORDED:
        comparison, words = compare(text, names), dictionary_words(text, recorded)
        for name in names:
            boundaries = comparison.boundaries(name)
            assert word_agreement(boundaries, words) == by_definition({*boundaries.tolist()}, text, recorded(text))
        itself = word_agreement(words.starts, words)
        assert (itself.precision, itself.recall, itself.f1, itself.cut) == (1.0, 1.0, 1.0, 0)


def test_libraries_are_asked_as_they_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    fugashi, jieba = ModuleType("fugashi"), ModuleType("jieba")

    class Tagger:
        def __call__(self, text: str) -> list[SimpleNamespace]:
            assert "\0" not in text
            return [SimpleNamespace(surface=word) for word in text.split()]

    fugashi.Tagger = Tagger  # type: ignore[attr-defined]
    jieba.Tokenizer = lambda: SimpleNamespace(lcut=recorded)  # type: ignore[attr-defined]
    jieba.setLogLevel = lambda level: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fugashi", fugashi)
    monkeypatch.setitem(sys.modules, "jieba", jieba)
    monkeypatch.setattr(module, "find_spec", lambda name: name in ("fugashi", "unidic_lite", "jieba") or None)
    module._loaded.cache_clear()
    try:
        assert has_segmenter("japanese")
        assert dictionary_words("時計\0は ", segmenter("japanese")).ends.tolist() == [6, 10]
        assert dictionary_words("乒乓球拍卖完了", segmenter("chinese")).ends.tolist() == [9, 15, 18, 21]
    finally:
        module._loaded.cache_clear()


def test_a_missing_library_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"needs fugashi and unidic_lite. .*pip install '\.\[japanese\]'"):
        segmenter("japanese")
