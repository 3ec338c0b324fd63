"""Normalization: the text passed to the split, and the original characters of each of its characters."""

import dataclasses
import unicodedata
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import TrainConfig, train
from bpe_core.text import unicode_forms
from bpe_core.text.counting import count_texts
from bpe_core.text.normalization import Normalized, join, replace_surrogates
from bpe_core.text.normalizer_settings import normalize, normalizer_of
from tests.core import oracle
from tests.draws import swept

FORMS = ["none", "NFC", "NFD", "NFKC", "NFKD"]

texts = st.text(
    st.sampled_from(
        "aAeİıßſΣσς."
        "\u0301\u0323\u030a\u0345\u0f73ạéÉÅ\u212bﬁﬃ①½ﷺｶﾞか\u3099\u1112\u1161\u11ab한\u1e9b\u0c47\u0c56😀\ud800\n "
    )
    | st.characters(codec=None),
    max_size=12,
)
settings_of_text = st.builds(
    TrainConfig, normalization=st.sampled_from(FORMS), lowercase=st.booleans(), strip_accents=st.booleans()
)


def aligned(text: str, **settings) -> list[tuple[str, str]]:
    """Each normalized character with its original ones."""
    result = normalize(text, TrainConfig(**settings))
    spans = result.spans if result.spans is not None else [(i, i + 1) for i in range(len(text))]
    return [(char, result.original[start:end]) for char, (start, end) in zip(result.text, spans, strict=True)]


@given(texts, settings_of_text)
def test_the_text_is_that_of_python_unicode_form_then_lower_case_then_accents(text: str, config: TrainConfig) -> None:
    result = normalize(text, config)
    assert result.text == oracle.normalized(text, config)
    assert result.original == oracle.normalized(text, TrainConfig())
    assert result.surrogates == sum("\ud800" <= char <= "\udfff" for char in text)


@given(texts, settings_of_text)
def test_the_text_alone_is_that_of_the_aligned_text(text: str, config: TrainConfig) -> None:
    result = normalize(text, config)
    assert normalizer_of(config).text(text) == result.text
    counts, first_text = count_texts([text, "b"], config)
    assert (first_text, counts.surrogates) == (result.text, result.surrogates)


@pytest.mark.parametrize("config", [TrainConfig(normalization=form, strip_accents=True) for form in FORMS])
def test_the_text_alone_is_right_for_all_of_unicode_with_marks_and_surrogates(config: TrainConfig) -> None:
    text = "".join(swept(map(chr, reversed(range(0x110000))))) + "e" + "\u0323\u0301\u0334" * 500 + "\udc00x" * 3
    assert normalizer_of(config).text(text) == oracle.normalized(text, config)
    lower = dataclasses.replace(config, lowercase=True, strip_accents=False)
    assert normalizer_of(lower).text(text) == oracle.normalized(text, lower)


@given(texts, settings_of_text)
def test_long_and_short_texts_are_aligned_alike(text: str, config: TrainConfig) -> None:
    short = normalize(text, config)
    with mock.patch.object(unicode_forms, "_FEW", 0):
        long = normalize(text, config)
    assert long.text == short.text
    assert (long.spans is None) == (short.spans is None)
    assert np.array_equal(long.original_bytes, short.original_bytes)
    assert short.spans is None or np.array_equal(long.spans, short.spans)


@example("0\u0e33", TrainConfig(normalization="NFKC", strip_accents=True))
@given(texts, settings_of_text)
def test_the_alignment_never_runs_backwards_and_each_region_normalizes_by_itself(
    text: str, config: TrainConfig
) -> None:
    result = normalize(text, config)
    if result.spans is None:
        assert result.text == result.original
        return
    assert result.spans.shape == (len(result.text), 2)
    assert (np.diff(result.spans, axis=0) >= 0).all()
    if "Σ" in unicodedata.normalize("NFKD", text):  # the lower case of a capital sigma depends on the letters around it
        return
    for start, end in np.unique(result.spans, axis=0).tolist():
        of_region = [
            char for char, span in zip(result.text, result.spans.tolist(), strict=True) if span == [start, end]
        ]
        assert oracle.normalized(result.original[start:end], config) == "".join(of_region)


@given(texts, settings_of_text)
def test_byte_offsets_of_the_original_ascend_from_the_first_to_its_end(text: str, config: TrainConfig) -> None:
    result = normalize(text, config)
    offsets = result.original_bytes
    assert len(offsets) == len(result.text.encode()) + 1
    assert offsets[-1] == len(result.original.encode())
    assert (np.diff(offsets) >= 0).all()
    if result.spans is None:
        assert offsets.tolist() == list(range(len(offsets)))


def test_composed_and_decomposed_characters_stand_for_each_other() -> None:
    assert aligned("xe\u0301y", normalization="NFC") == [("x", "x"), ("é", "e\u0301"), ("y", "y")]
    assert aligned("xéy", normalization="NFD") == [("x", "x"), ("e", "é"), ("\u0301", "é"), ("y", "y")]


def test_each_character_of_a_ligature_comes_from_the_ligature() -> None:
    assert aligned("oﬃce", normalization="NFKC") == [
        ("o", "o"),
        ("f", "ﬃ"),
        ("f", "ﬃ"),
        ("i", "ﬃ"),
        ("c", "c"),
        ("e", "e"),
    ]
    assert aligned("ﬁ", normalization="NFC") == [("ﬁ", "ﬁ")]


def test_hangul_syllables_and_their_parts_stand_for_each_other() -> None:
    assert aligned("\u1112\u1161\u11ab글", normalization="NFC") == [("한", "\u1112\u1161\u11ab"), ("글", "글")]
    assert aligned("한a", normalization="NFD") == [("\u1112", "한"), ("\u1161", "한"), ("\u11ab", "한"), ("a", "a")]


def test_a_capital_sigma_at_the_end_of_a_word_becomes_a_final_one() -> None:
    assert aligned("ΣΑΣ Σ", lowercase=True) == [("σ", "Σ"), ("α", "Α"), ("ς", "Σ"), (" ", " "), ("σ", "Σ")]


def test_a_character_may_become_two_in_lower_case() -> None:
    assert aligned("aİb", lowercase=True) == [("a", "a"), ("i", "İ"), ("\u0307", "İ"), ("b", "b")]
    assert aligned("aİb", lowercase=True, strip_accents=True) == [("a", "a"), ("i", "İ"), ("b", "b")]


def test_a_stripped_accent_belongs_to_the_character_before() -> None:
    assert aligned("e\u0301x", strip_accents=True) == [("e", "e\u0301"), ("x", "x")]
    assert aligned("éx", normalization="NFD", strip_accents=True) == [("e", "é"), ("x", "x")]


def test_a_region_that_changes_after_its_characters_have_changed_comes_from_all_of_them() -> None:
    assert aligned("Xe\u0301Y", lowercase=True, strip_accents=True) == [("x", "X"), ("e", "e\u0301"), ("y", "Y")]
    assert aligned("X한", normalization="NFD", lowercase=True, strip_accents=True)[1:] == [
        ("\u1112", "한"),
        ("\u1161", "한"),
        ("\u11ab", "한"),
    ]


def test_an_accent_alone_is_stripped_to_nothing() -> None:
    result = normalize("\u0301", TrainConfig(strip_accents=True))
    assert result.text == ""
    assert result.original_bytes.tolist() == [2]
    assert len(train("a", TrainConfig(strip_accents=True)).tokenizer().encode("\u0301")) == 0


@given(
    st.lists(
        st.sampled_from("\u0301\u0327\u0323\u0334\u0344\u0345\u0f73\u0fb5\u034f\u20dd\u0300"), min_size=50, max_size=120
    ),
    st.sampled_from(FORMS[1:]),
)
def test_a_long_run_of_unordered_accents_has_the_form_of_unicode(marks: list[str], form: str) -> None:
    text = "e" + "".join(marks) + "x\u0301"
    assert normalize(text, TrainConfig(normalization=form)).text == unicodedata.normalize(form, text)


def test_byte_offsets_inside_what_changed_map_to_its_end() -> None:
    # é (2 bytes) becomes e + accent (1 + 2): only the outer edges are edges of the original
    assert normalize("aéb", TrainConfig(normalization="NFD")).original_bytes.tolist() == [0, 1, 3, 3, 3, 4]
    assert normalize("aﬁb", TrainConfig(normalization="NFKC")).original_bytes.tolist() == [0, 1, 4, 4, 5]
    assert normalize("aİ한", TrainConfig(lowercase=True)).original_bytes.tolist() == [0, 1, 3, 3, 3, 4, 5, 6]


def test_an_offset_inside_a_composed_character_is_none_between_the_characters_it_was_made_of() -> None:
    # a and the dot below are 1 + 2 bytes, ạ is 3: the same length by coincidence
    normalized = normalize("a\u0323b", TrainConfig(normalization="NFC"))
    assert normalized.text == "ạb"
    assert normalized.original_bytes.tolist() == [0, 3, 3, 3, 4]


def test_lone_surrogates_become_replacement_characters_and_are_counted() -> None:
    assert replace_surrogates("a\ud800b\udfff") == ("a\ufffdb\ufffd", 2)
    assert replace_surrogates("🙂") == ("🙂", 0)
    result = normalize("\ud83d", TrainConfig(normalization="NFKC"))
    assert (result.text, result.original, result.surrogates) == ("\ufffd", "\ufffd", 1)


def test_joined_texts_keep_their_alignment() -> None:
    parts = [
        normalize("é", TrainConfig(normalization="NFD")),
        Normalized("<s>", "<s>"),
        normalize("É", TrainConfig(lowercase=True)),
    ]
    joined = join(parts)
    assert joined.text == "e\u0301<s>é"
    assert joined.original == "é<s>É"
    assert joined.spans is not None
    assert joined.spans.tolist() == [[0, 1], [0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]


@pytest.mark.parametrize("special", ["text", "parse"])
def test_an_encoding_is_that_of_the_normalized_text_and_leads_back_to_the_original(special: str) -> None:
    config = TrainConfig(vocab_size=300, normalization="NFKC", lowercase=True, special_tokens=("<s>",))
    encoding = train("fi", config).tokenizer().encode("ﬁ<s>FI", special=special)
    assert encoding.text == "fi<s>fi"
    assert encoding.normalized.original == "ﬁ<s>FI"
    assert encoding.ends[-1] == 7
    assert encoding.normalized.original_bytes[[0, 2, 5, 7]].tolist() == [0, 3, 6, 8]
