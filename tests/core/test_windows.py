"""Long texts are normalized part by part: text and alignment equal those of the whole."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import load_pretrained
from bpe_core.huggingface import normalizers as library_normalizers
from bpe_core.huggingface.bert_normalizer import BertNormalizer
from bpe_core.huggingface.normalizers import (
    ByteLevelNormalizer,
    DropMarks,
    LibraryForm,
    Nmt,
    Prepend,
    Replace,
)
from bpe_core.huggingface.normalizers import Strip as StripSpace
from bpe_core.text import normalization, windows
from bpe_core.text.normalization import Normalized
from bpe_core.text.normalizers import Chain, CleanText, Form, Lowercase, Step, StripAccents
from tests.draws import examples

T5 = load_pretrained("t5-small").normalizer.steps[0]
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
STEPS: list[Step] = [
    *(Form(form) for form in FORMS),
    *(LibraryForm(form) for form in FORMS),
    *(BertNormalizer(*flags) for flags in product((False, True), repeat=4)),
    *(StripAccents(compose) for compose in (False, True)),
    *(Lowercase(each) for each in (False, True)),
    *(CleanText(), DropMarks(), Nmt(), ByteLevelNormalizer(), T5),
    *(Prepend("▁"), StripSpace(), Replace("ab", "xyz"), Replace("a", ""), Replace("a*", "-", is_regex=True)),
    *(Replace("  +", " ", is_regex=True), Replace("(?<=a)b|$", "cd", is_regex=True)),
]
HARD = (
    "ab \t\r\né\u0301\u0323\u0334\ufe0f\u200d\u200b\u00adﷺ㎏ﬁが\u3099中豈각\u1161\u11a8ΑΣς'İ😀👩🇩"
    "\u0e31\u09c7\u0981\u09be\u0bc6\u0001\ufffd\u05c8"
)
TEXTS = st.text(st.one_of(st.sampled_from(HARD), st.sampled_from("aΣ \u0301\u3099"), st.characters()), max_size=40)


@example(StripAccents(True), "x\u09c7\u0981\u09be", 2)
@example(T5, "\u0001ab", 1)
@example(T5, "a\u0001\u0001b", 1)
@example(Form("NFD"), "e\u0301é", 1)
@example(BertNormalizer(), "a\u0323\u200d\u0301b", 1)
@example(Lowercase(), "ΑΣ'Α", 2)
@settings(max_examples=examples(1_500))
@given(st.sampled_from(STEPS), TEXTS, st.integers(1, 9))
def test_parts_give_what_the_whole_gives(step: Step, text: str, window: int) -> None:
    text = Normalized.of(text).text
    whole, origins = step.change(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(windows, "WINDOW", window)
        patched.setattr(library_normalizers, "_BLOCK", window)
        changed, aligned = windows.changed(step, text)
    assert changed == whole
    assert aligned.dtype == origins.dtype == np.int64
    assert aligned.tolist() == origins.tolist()


@settings(max_examples=examples(400))
@given(st.lists(st.sampled_from(STEPS), max_size=3), TEXTS, st.integers(1, 9))
def test_so_do_chains_and_the_offsets_in_the_original(steps: list[Step], text: str, window: int) -> None:
    chain = Chain(tuple(steps))
    whole = chain.normalize(text)
    offsets = whole.original_bytes
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(windows, "WINDOW", window)
        patched.setattr(normalization, "_BLOCK", window)
        parts = chain.normalize(text)
        assert parts.original_bytes.tolist() == offsets.tolist()
    assert (parts.text, parts.original) == (whole.text, whole.original)
    assert np.array_equal(
        parts.spans if parts.spans is not None else [], whole.spans if whole.spans is not None else []
    )


@example([T5], ["a", "\u0001b", "\u0001", "c"], 99)
@example([T5], ["\r", "\na", "🇩", "🇩", "e", "\u0301"], 99)
@example([Form("NFC"), Lowercase()], ["e", "\u0301", "", "Σ", "a"], 99)
@example([CleanText(), Prepend("▁")], ["\u0001", "a", " ", "\ud800"], 99)
@settings(max_examples=examples(2_000))
@given(st.lists(st.sampled_from(STEPS), max_size=3), st.lists(TEXTS, max_size=6), st.integers(1, 99))
def test_texts_together_give_what_each_gives_alone(steps: list[Step], texts: list[str], window: int) -> None:
    chain = Chain(tuple(steps))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(windows, "WINDOW", window)
        found = chain.normalize_each(texts)
    for each, alone in zip(found, map(chain.normalize, texts), strict=True):
        assert (each.text, each.original, each.surrogates) == (alone.text, alone.original, alone.surrogates)
        assert (each.spans is None) == (alone.spans is None)
        assert each.spans is None or alone.spans is None or each.spans.tolist() == alone.spans.tolist()


def test_a_step_changes_many_short_texts_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[str] = []
    whole = BertNormalizer.change
    monkeypatch.setattr(BertNormalizer, "change", lambda step, text: changed.append(text) or whole(step, text))
    texts = [f"Text {number}" for number in range(500)]
    assert [each.text for each in Chain((BertNormalizer(),)).normalize_each(texts)] == [text.lower() for text in texts]
    assert changed == ["".join(texts)]


@pytest.mark.parametrize("step", [step for step in STEPS if hasattr(step, "divides")], ids=repr)
def test_ordinary_text_is_divided_everywhere(step: Step) -> None:
    text = "吾輩は猫で The cat sat. Кот " * 8
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(windows, "WINDOW", 10)
        edges = windows.borders(step, text)
    assert max(np.diff(edges)) <= 16


def test_a_text_without_a_place_that_divides_stays_whole() -> None:
    text = "\u0301" * 40
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(windows, "WINDOW", 10)
        assert windows.borders(LibraryForm("NFC"), text) == [0, 40]
        assert windows.borders(Prepend("▁"), text) == [0, 40]
