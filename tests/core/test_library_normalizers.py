"""Normalizers of the tokenizers library: text and alignment equal the library's, and files are read exactly."""

import json
from functools import cache

import pytest
import regex
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import PreTokenizedString

from bpe_core import ConfigError, CorpusError, FormatError
from bpe_core.formats.normalizers import library_steps, read_normalizer, read_normalizers
from bpe_core.huggingface.bert_normalizer import BertNormalizer
from bpe_core.huggingface.normalizers import (
    ByteLevelNormalizer,
    DropMarks,
    LibraryForm,
    Nmt,
    Prepend,
    Replace,
    Strip,
)
from bpe_core.huggingface.precompiled import Precompiled
from bpe_core.text.normalization import Normalized
from bpe_core.text.normalizer_settings import with_changes
from bpe_core.text.normalizers import Chain, CleanText, Form, Lowercase, Step, StripAccents
from tests.core.charsmaps import charsmap, trained_charsmap
from tests.core.json_files import NO_MODEL, json_file, peer_of_file
from tests.core.oniguruma_patterns import REGEXES
from tests.core.oniguruma_patterns import texts as pattern_texts
from tests.draws import Outcomes, swept

ALL = swept(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
ASSIGNED = [char for char in ALL if char < "\U00033c80" or "\U000e0000" <= char < "\U000e0200"]
"""The planes with characters other than private-use ones."""

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
KEYS = ["a\u0301", "b\u0301\u0302", "c\u0301", "d", "e", "f\u0301\u0302", "\r\n", "中", "ﬁ", "\u0301", "\u0600"]

texts = st.text(
    st.sampled_from(
        "aeqsAEbcdfg  \t\r\n\0\u0001\u00a0\u200b▁\u0301\u0302\u0323\u030a\u0344\u0345\u0f73ạéÉÅ\u212bﬁﬃ①½ﷺｶﾞか\u3099中文"
        "\u1112\u1161\u11ab한가\u11a7\u11a8\u1e9b\u0c47\u0c56İßſΣσς\u0600\u0e33\u200d😀©\ufeff\u1abf\u0898\u32ff"
        "\U00011935\U00011930\U00011938\u1adf"
    )
    | st.characters(exclude_categories=("Cs",)),
    max_size=14,
)


def by_regex(spelling: str, content: str) -> Step:
    """A replacement as written in a file."""
    [step] = read_normalizer({"type": "Replace", "pattern": {"Regex": spelling}, "content": content}, "step").steps
    return step


bert = st.builds(BertNormalizer, st.booleans(), st.booleans(), st.sampled_from([None, False, True]), st.booleans())
plain_steps = st.sampled_from(
    [
        *(LibraryForm(form) for form in FORMS),
        Lowercase(each=True),
        DropMarks(),
        Nmt(),
        ByteLevelNormalizer(),
        Strip(),
        Strip(left=False),
        Strip(right=False),
        Strip(left=False, right=False),
        Prepend("▁"),
        Prepend("éab"),
        Replace(" ", "▁"),
        Replace("a", ""),
        Replace("▁", " é"),
        Replace(".", "-"),
        by_regex(r"\s{2,}|[\n\r\t]", " "),
        by_regex(r"[^\p{L}]+", "<$1>"),
        by_regex(r"\p{Lu}(?=\p{Ll})", ""),
    ]
)
tables = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(["", "x", "yz", "é中", "lmno"]), min_size=1).map(
    charsmap
)
steps = st.one_of(plain_steps, bert, st.builds(Precompiled, tables))


@cache
def library(written: str) -> tokenizers.normalizers.Normalizer:
    """The library's own normalizer, read from a file."""
    return peer_of_file(json_file(model=NO_MODEL, normalizer=json.loads(written))).normalizer


def their(chain: Chain) -> tokenizers.normalizers.Normalizer:
    return library(json.dumps({"type": "Sequence", "normalizers": library_steps(chain)}))


def their_text(step: Step, text: str) -> str:
    return their(Chain((step,))).normalize_str(text)


def their_alignment(chain: Chain, text: str) -> list[tuple[str, tuple[int, int]]]:
    parts = PreTokenizedString(text)
    parts.normalize(their(chain).normalize)
    parts.split(lambda _, part: part.split(tokenizers.Regex(r"(?m:.)"), "isolated"))
    return [(char, span) for char, span, _ in parts.get_splits("original", "char")]


def our_alignment(chain: Chain, text: str) -> list[tuple[str, tuple[int, int]]]:
    normalized = chain.normalize(text)
    spans = [(i, i + 1) for i in range(len(text))] if normalized.spans is None else normalized.spans.tolist()
    return [(char, tuple(span)) for char, span in zip(normalized.text, spans, strict=True)]


@given(steps, texts)
def test_every_step_gives_the_text_and_the_alignment_of_the_library(step: Step, text: str) -> None:
    assert our_alignment(Chain((step,)), text) == their_alignment(Chain((step,)), text)


@given(st.sampled_from(REGEXES), st.sampled_from(["", "-", "éa", "$0"]), st.one_of(pattern_texts, texts))
def test_every_pattern_of_a_replacement_matches_as_in_the_library(spelling: str, content: str, text: str) -> None:
    step = by_regex(spelling, content)
    assert our_alignment(Chain((step,)), text) == their_alignment(Chain((step,)), text)
    assert library_steps(Chain((step,)))[0]["pattern"] == {"Regex": spelling}


@given(st.lists(steps, max_size=5), texts)
def test_steps_one_after_another_give_the_text_and_the_alignment_of_the_library(chain: list[Step], text: str) -> None:
    assert our_alignment(Chain(tuple(chain)), text) == their_alignment(Chain(tuple(chain)), text)


@pytest.mark.parametrize(
    "step",
    [
        CleanText(),
        DropMarks(),
        Nmt(),
        ByteLevelNormalizer(),
        Lowercase(each=True),
        BertNormalizer(True, False, False, False),
        BertNormalizer(False, True, False, False),
        BertNormalizer(False, False, True, False),
        BertNormalizer(False, False, False, True),
        *(LibraryForm(form) for form in FORMS),
    ],
    ids=str,
)
def test_every_character_becomes_what_it_becomes_in_the_library(step: Step) -> None:
    text = "1".join(ALL)
    assert step.change(text)[0] == their_text(step, text)


def test_strip_removes_the_white_space_of_the_library() -> None:
    spaces = [char for char in ALL[:0x3100] if not Strip().change(char)[0]]
    others = [char for char in ALL[:0x3100] if char not in spaces]
    assert their_text(Strip(), "".join(spaces)) == ""
    assert [char for char in others if their_text(Strip(), char) != char] == []


@pytest.mark.no_cover  # every character: too slow to trace, and other tests cover the same code
def test_marks_are_ordered_by_the_classes_of_the_library() -> None:
    marks = [char for char in ASSIGNED if regex.match(r"\p{M}", char)]
    text = "".join(f"1{mark}\u0334\u0323\u0345{mark}\u0301" for mark in marks)
    assert LibraryForm("NFD").change(text)[0] == their_text(LibraryForm("NFD"), text)


@pytest.mark.no_cover  # every character: too slow to trace, and other tests cover the same code
@pytest.mark.parametrize("before", ["a", "\u0600"])
def test_graphemes_are_those_of_the_library(before: str) -> None:
    step = Precompiled(charsmap({before: "!"}))
    text = "\n".join(f"{before}{char}x" for char in ASSIGNED)
    assert step.change(text)[0] == their_text(step, text)


@pytest.mark.no_cover  # every character: too slow to trace, and other tests cover the same code
@pytest.mark.parametrize("rule", ["nmt_nfkc", "nmt_nfkc_cf"])
def test_tables_of_sentencepiece_give_the_text_of_the_library_for_every_character(rule: str) -> None:
    step = Precompiled(trained_charsmap(rule))
    text = "x".join(ASSIGNED)
    assert step.change(text)[0] == their_text(step, text)


@given(texts)
def test_tables_of_sentencepiece_give_the_alignment_of_the_library(text: str) -> None:
    chain = Chain((Precompiled(_trained()), Replace(" ", "▁")))
    assert our_alignment(chain, text) == their_alignment(chain, text)


@cache
def _trained() -> bytes:
    return trained_charsmap("nmt_nfkc")


def test_a_match_of_no_characters_is_replaced_as_in_the_library() -> None:
    for step in (Replace("", "-"), Replace("(?=b)", "-", is_regex=True), Replace("b*", "-", is_regex=True)):
        for text in ("", "bba", "abb", "a"):
            assert our_alignment(Chain((step,)), text) == their_alignment(Chain((step,)), text)


def test_what_is_put_before_a_text_in_place_of_nothing_has_an_empty_origin_in_later_steps_as_well() -> None:
    chain = Chain((Replace("(?=b)", "-", is_regex=True), Prepend("▁"), Lowercase(each=True)))
    normalized = chain.normalize("bB")
    assert our_alignment(chain, "bB") == [("▁", (0, 0)), ("-", (0, 0)), ("b", (0, 1)), ("b", (1, 2))]
    assert normalized.original_bytes.tolist() == [0, 0, 0, 0, 0, 1, 2]


own_steps = st.sampled_from([*map(Form, FORMS), Lowercase(), StripAccents(), StripAccents(compose=False), CleanText()])


@given(st.lists(own_steps | steps, max_size=5), texts | st.text(max_size=8))
def test_the_text_alone_is_that_of_the_aligned_text(chain: list[Step], text: str) -> None:
    normalizer = Chain(tuple(chain))
    assert normalizer.text(text) == normalizer.normalize(text).text


@pytest.mark.parametrize(
    "step", [Prepend("▁"), Replace("a", "b"), Strip(), DropMarks(), Nmt(), ByteLevelNormalizer()], ids=str
)
def test_an_empty_text_stays_empty(step: Step) -> None:
    assert step.change("")[0] == ""
    assert step.change("")[1].shape == (0, 2)
    assert Chain((step,)).normalize("") == Normalized("", "")


# -- files ---------------------------------------------------------------------------------------------------------


@given(st.lists(steps, max_size=5))
def test_what_is_written_is_read_as_the_same_steps_and_is_what_the_library_writes(chain: list[Step]) -> None:
    written = library_steps(Chain(tuple(chain)))
    assert read_normalizer({"type": "Sequence", "normalizers": written}, "normalizer") == Chain(tuple(chain))
    assert json.loads(their(Chain(tuple(chain))).__getstate__())["normalizers"] == written


def test_sequences_in_sequences_are_read_one_after_another() -> None:
    inner = {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Sequence", "normalizers": []}]}
    value = {"type": "Sequence", "normalizers": [{"type": "Nmt"}, inner, {"type": "StripAccents"}]}
    assert read_normalizer(value, "normalizer") == Chain((Nmt(), LibraryForm("NFD"), DropMarks()))
    assert read_normalizer(None, "normalizer") == Chain()


def test_a_regular_expression_is_written_as_it_was_spelled() -> None:
    for spelling in (r"\S+", r"(a)b", "words", r"[\n\r]| {2,}", r"(?i)A|^ab", r"\bw|(?=b)|\h"):
        step = {"type": "Replace", "pattern": {"Regex": spelling}, "content": "x"}
        read = read_normalizer(step, "normalizer")
        assert library_steps(read) == [step]
        assert read.normalize("ab words  \n").text == library(json.dumps(step)).normalize_str("ab words  \n")


def test_what_this_project_writes_is_read_as_its_own_steps_and_the_rest_one_to_one() -> None:
    assert read_normalizers({"type": "NFC"}, "normalizer", "none")[0] == Chain((Form("NFC"),))
    assert read_normalizers({"type": "Nmt"}, "normalizer", "none")[0] == Chain((Nmt(),))
    assert read_normalizer({"type": "NFC"}, "normalizer") == Chain((LibraryForm("NFC"),))


@pytest.mark.parametrize(
    "value",
    [
        5,
        [],
        {"type": 5},
        {"type": []},
        {"type": "Append"},
        {"type": "Sequence"},
        {"type": "Sequence", "normalizers": [None]},
        {"type": "Sequence", "normalizers": [{"type": "NFC"}] * 500},
        {"type": "Prepend"},
        {"type": "Prepend", "prepend": "x" * 2000},
        {"type": "Strip", "strip_left": 1, "strip_right": False},
        {"type": "BertNormalizer", "strip_accents": "no"},
        {"type": "Replace", "pattern": "a", "content": ""},
        {"type": "Replace", "pattern": {"String": 5}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": "(a"}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": "a{9999}{9999}"}, "content": ""},
        {"type": "Precompiled", "precompiled_charsmap": None},
        {"type": "Precompiled", "precompiled_charsmap": ""},
        {"type": "Precompiled", "precompiled_charsmap": "AAA"},
        {"type": "Precompiled", "precompiled_charsmap": "AAAAAA=="},
        {"type": "Precompiled", "precompiled_charsmap": "/////w=="},
        {"type": "Precompiled", "precompiled_charsmap": "BAAAAAAAAAD/"},
    ],
)
def test_a_damaged_normalizer_is_refused(value: object) -> None:
    with pytest.raises(FormatError):
        read_normalizer(value, "normalizer")


def test_deep_sequences_are_refused_or_read_but_never_fail() -> None:
    value: object = {"type": "NFC"}
    for _ in range(5000):
        value = {"type": "Sequence", "normalizers": [value]}
    with pytest.raises(FormatError):
        read_normalizer(value, "normalizer")


@pytest.mark.floor(refused=60, accepted=10)
@given(st.binary(max_size=60), texts)
def test_a_damaged_table_is_refused_or_replaces_something_but_never_fails(
    outcomes: Outcomes, data: bytes, text: str
) -> None:
    for table in (data, len(data).to_bytes(4, "little") + data + bytes(4)):
        try:
            step = Precompiled(table)
        except ConfigError:
            outcomes.refused += 1
            continue
        outcomes.accepted += 1
        changed, spans = step.change(text)
        assert spans.shape == (len(changed), 2)


def test_a_text_that_grows_without_end_is_refused() -> None:
    chain = Chain((Replace("a", "a" * 1000),) * 5)
    with pytest.raises(CorpusError, match="The most allowed"):
        chain.normalize("a" * 60)
    with pytest.raises(CorpusError, match="took too long"):
        Replace("(a+)+b", "", is_regex=True).change("a" * 5000)


# -- changes -------------------------------------------------------------------------------------------------------


def test_changes_keep_the_steps_that_they_do_not_know() -> None:
    llama = (Prepend("▁"), Replace(" ", "▁"))
    assert with_changes(Chain(llama), lowercase=True) == Chain((*llama, Lowercase(each=True)))
    assert with_changes(Chain(llama), normalization="NFC") == Chain((*llama, LibraryForm("NFC")))
    assert with_changes(Chain(llama), strip_accents=True) == Chain((*llama, StripAccents()))
    full = (LibraryForm("NFD"), *llama, Lowercase(each=True), DropMarks())
    assert with_changes(Chain(full), lowercase=False, strip_accents=False, normalization="none") == Chain(llama)
    assert with_changes(Chain(full), normalization="NFKD").steps[0] == LibraryForm("NFKD")
    assert with_changes(Chain(full)) == Chain(full)


def test_changes_of_the_normalizer_of_bert_change_its_own_flags() -> None:
    assert with_changes(Chain((BertNormalizer(),)), lowercase=False).steps == (
        BertNormalizer(strip_accents=True, lowercase=False),
    )
    assert with_changes(Chain((BertNormalizer(),)), strip_accents=False).steps == (BertNormalizer(strip_accents=False),)
    assert with_changes(Chain((BertNormalizer(),)), lowercase=True).steps == (BertNormalizer(),)
