"""Chains of pre-tokenizers: their words and offsets equal those of the tokenizers library."""

from __future__ import annotations

from typing import Any

import pytest
import regex
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import models, normalizers, pre_tokenizers

from bpe_core import ConfigError, CorpusError, FormatError, load_pretrained
from bpe_core.formats import from_bytes
from bpe_core.formats.pretokenizers_json import read_pre_tokenizer, write_pre_tokenizer
from bpe_core.huggingface.oniguruma import to_oniguruma
from bpe_core.huggingface.oniguruma_names import PROPERTIES
from bpe_core.huggingface.oniguruma_reading import translated
from bpe_core.huggingface.pretokenizers import ByteLevel, Digits, FixedLength, Metaspace, PatternSplit, WhitespaceSplit
from bpe_core.huggingface.split_chain import SplitChain
from bpe_core.text import pattern_limits
from bpe_core.text.character_rules import BEHAVIORS
from bpe_core.text.normalization import Normalized
from bpe_core.text.normalizers import Chain, Form
from bpe_core.text.split_tables import as_the_library_sees, stand_ins
from bpe_core.text.splits import Split
from bpe_core.tokenizer.known_words import KnownWords
from bpe_core.tokenizer.text_encoder import encode_text
from tests.core.json_files import NO_MODEL, json_file, peer_of_file
from tests.core.oniguruma_patterns import REGEXES, texts
from tests.draws import Outcomes, examples, swept

Json = dict[str, Any]
Words = list[tuple[str, tuple[int, int]]]

_KEPT = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _KEPT]
BYTES_AS_CHARACTERS = {byte: chr(byte) for byte in _KEPT} | {byte: chr(256 + at) for at, byte in enumerate(_OTHERS)}
behaviors = st.sampled_from(BEHAVIORS)
splitters = st.one_of(
    st.builds(
        lambda pattern, behavior, invert: {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert},
        st.one_of(
            st.builds(lambda text: {"String": text}, st.sampled_from(["", " ", "a", "ab", ".", "▁", "é"])),
            st.builds(lambda pattern: {"Regex": pattern}, st.sampled_from(REGEXES)),
        ),
        behaviors,
        st.booleans(),
    ),
    st.builds(lambda individual: {"type": "Digits", "individual_digits": individual}, st.booleans()),
    st.builds(lambda behavior: {"type": "Punctuation", "behavior": behavior}, behaviors),
    st.builds(lambda char: {"type": "CharDelimiterSplit", "delimiter": char}, st.sampled_from(" a.▁-]^")),
    st.builds(lambda length: {"type": "FixedLength", "length": length}, st.integers(1, 6)),
    st.sampled_from(["BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts"]).map(
        lambda kind: {"type": kind}
    ),
)
metaspaces = st.builds(
    lambda char, prepend, split: {
        "type": "Metaspace",
        "replacement": char,
        "prepend_scheme": prepend,
        "split": split,
    },
    st.sampled_from("▁▁▁_ a"),
    st.sampled_from(["always", "first", "never"]),
    st.booleans(),
)
levels = st.builds(
    lambda add, use: {"type": "ByteLevel", "add_prefix_space": add, "trim_offsets": True, "use_regex": use},
    st.booleans(),
    st.booleans(),
)


@st.composite
def chains(draw: st.DrawFn) -> Json:
    """Up to six steps, any number of which may be ByteLevel."""
    found = draw(st.lists(st.one_of(splitters, splitters, metaspaces), max_size=3))
    if draw(st.booleans()):
        found += [draw(levels), *draw(st.lists(splitters, max_size=2))]
    if draw(st.integers(0, 3)) == 0:
        found.append(draw(st.one_of(levels, metaspaces)))
    return {"type": "Sequence", "pretokenizers": found}


def of_the_library(file: Json) -> Any:
    return peer_of_file(json_file(model=NO_MODEL, pre_tokenizer=file)).pre_tokenizer


def words_of(file: Json, text: str) -> Words:
    """Our words in the library's spelling: bytes as characters where it maps them."""
    mapped, split = read_pre_tokenizer(file, "pre_tokenizer")
    part, edges = split.apply(Normalized.of(text), begins=True)
    data = [part.utf8[start:end] for start, end in edges.tolist()]
    words = ["".join(BYTES_AS_CHARACTERS[byte] for byte in word) if mapped else word.decode() for word in data]
    return list(zip(words, split.spans(text), strict=True))


@given(file=chains(), text=texts)
@example(file={"type": "Sequence", "pretokenizers": []}, text="")
@example(
    file={
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
            {"type": "Split", "pattern": {"String": ""}, "behavior": "Removed", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": False},
        ],
    },
    text="1",
)
def test_a_chain_gives_the_words_of_the_library_with_their_offsets(file: Json, text: str) -> None:
    expected = of_the_library(file).pre_tokenize_str(text) if text else []
    assert words_of(file, text) == expected


@given(file=chains(), text=texts)
def test_the_characters_that_bytes_are_written_as_are_words_of_models_that_know_no_bytes(file: Json, text: str) -> None:
    mapped, split = read_pre_tokenizer(file, "pre_tokenizer", spells=True)
    assert not mapped
    expected = of_the_library(file).pre_tokenize_str(text) if text else []
    assert list(zip(split.words(text), split.spans(text), strict=True)) == expected
    assert read_pre_tokenizer(write_pre_tokenizer(split, mapped), "", spells=True) == (mapped, split)


@given(file=chains())
def test_a_chain_is_written_as_it_was_read(file: Json) -> None:
    mapped, split = read_pre_tokenizer(file, "pre_tokenizer")
    written = write_pre_tokenizer(split, mapped)
    again = read_pre_tokenizer(written, "pre_tokenizer")
    assert again == (mapped, split)
    if isinstance(split, SplitChain):
        found = [] if written is None else written.get("pretokenizers", [written])
        assert found == file["pretokenizers"]
        assert of_the_library(written) is not None or not found


@given(pattern=st.sampled_from(REGEXES), behavior=behaviors, text=texts, invert=st.booleans())
def test_a_pattern_divides_as_the_library_divides(pattern: str, behavior: str, text: str, invert: bool) -> None:
    file = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}
    assert words_of(file, text) == (of_the_library(file).pre_tokenize_str(text) if text else [])


inline = st.sampled_from(["(?i)", "(?m)", "(?x)", "(?-i)", "(?mx)", "(?-m)", "(?x-i)", "(?i-m)", "(?-)"])
pieces_of_patterns = st.recursive(
    st.one_of(
        inline,
        st.sampled_from([*"abs. #\n^$k", "[ab #]", r"\#", r"\n", r"\s", r"\N", "(?#a)", "(?#\\))", "# b\n", "+", " ?"]),
    ),
    lambda part: st.builds(
        lambda opening, parts, sign: opening + sign.join(parts) + ")",
        st.sampled_from(["(?:", "(?i:", "(?m:", "(?x:", "(?x-m:", "(", "(?=", "(?>"]),
        st.lists(part, min_size=1, max_size=3),
        st.sampled_from(["", "|"]),
    ),
    max_leaves=6,
)


@pytest.mark.floor(refused=16, accepted=120)
@given(parts=st.lists(pieces_of_patterns, max_size=6), text=st.text("abBsSkK #\n\r\u212a\u017fß", max_size=9))
@example(parts=["a", "(?i)", "b|", "(?x)", "k #c"], text="aBk K")
@settings(max_examples=examples(300))
def test_flags_and_comments_mean_what_they_mean_in_the_library(outcomes: Outcomes, parts: list[str], text: str) -> None:
    file = {"type": "Split", "pattern": {"Regex": "".join(parts)}, "behavior": "Isolated", "invert": False}
    try:
        library = of_the_library(file)
    except Exception:
        with pytest.raises(FormatError):
            words_of(file, text)
        outcomes.refused += 1
        return
    try:
        words = words_of(file, text)
    except FormatError as error:
        assert "cannot be translated" in str(error)  # noqa: PT017
        return
    outcomes.accepted += 1
    assert words == (library.pre_tokenize_str(text) if text else [])


# -- characters one by one -----------------------------------------------------------------------------------

# Every assigned character, and every hundredth of the unassigned and private-use code points, which are far more.
_OTHER = regex.compile(r"[\p{Cn}\p{Co}]")
_CODES = swept(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
ALL = [char for at, char in enumerate(_CODES) if at % 100 == 0 or not _OTHER.match(char)]
CLASSES = (
    *(rf"\p{{{name}}}" for name in sorted({*PROPERTIES.values()})),
    *(r"\p{Titlecase_Letter}", r"\p{^letter}", r"\P{alpha}", r"\p{white space}"),
    *(r"\w", r"\W", r"\s", r"\S", r"\d", r"\D", r"\h", r"\H", ".", r"\O", r"\N", r"\R"),
    *("[[:alpha:]]", "[[:digit:]]", "[[:space:]]", "[[:alnum:]]", "[[:xdigit:]]", "[[:word:]]", r"[\w]", r"[^\w]"),
    *("(?i:s)", "(?i:[i-l])", r"[^\p{L}\r\n]"),
)


@pytest.mark.parametrize("pattern", CLASSES)
def test_a_class_has_the_characters_that_it_has_in_the_library(pattern: str) -> None:
    text = "".join(ALL)
    library = tokenizers.pre_tokenizers.Split(tokenizers.Regex(f"(?:{pattern})+"), "removed", invert=True)
    parts = [text[at : at + 4000] for at in range(0, len(text), 4000)]
    expected = "".join(word for part in parts for word, _ in library.pre_tokenize_str(part))
    seen = as_the_library_sees(text)
    found = regex.compile(f"(?:{translated(pattern, '')})+").finditer(seen)
    assert "".join(text[match.start() : match.end()] for match in found) == expected


@pytest.mark.parametrize(
    "step",
    [
        {"type": "Digits", "individual_digits": True},
        {"type": "Punctuation", "behavior": "Isolated"},
        {"type": "BertPreTokenizer"},
        {"type": "WhitespaceSplit"},
        {"type": "Whitespace"},
        {"type": "UnicodeScripts"},
    ],
    ids=lambda step: step["type"],
)
@pytest.mark.no_cover  # every character: too slow to trace, and other tests cover the same code
def test_every_character_is_treated_as_in_the_library(step: Json) -> None:
    library = of_the_library(step)
    chain = SplitChain(_steps(step))
    for at in range(0, len(ALL), 4000):
        text = "".join(f"a{char}.漢{char}" for char in ALL[at : at + 4000])
        assert list(zip(chain.words(text), chain.spans(text), strict=True)) == library.pre_tokenize_str(text)


def _steps(step: Json) -> tuple[Any, ...]:
    """One step as a chain, even where a named split differs only in a few characters."""
    split = read_pre_tokenizer({"type": "Sequence", "pretokenizers": [step, {"type": "FixedLength"}]}, "")[1]
    assert isinstance(split, SplitChain)
    return split.steps[:1]


# -- what a chain is -----------------------------------------------------------------------------------------


def test_words_may_begin_and_end_inside_a_character() -> None:
    chain = SplitChain((ByteLevel(add_prefix_space=False), FixedLength(1)))
    part, edges = chain.apply(Normalized.of("é"), begins=True)
    assert (part.text, edges.tolist()) == ("é", [[0, 1], [1, 2]])
    assert list(chain.spans("é")) == [(0, 1), (0, 1)]
    assert chain.words("é") == ["\udcc3", "\udca9"]


def test_what_is_put_in_front_comes_from_the_first_character() -> None:
    part, edges = SplitChain((WhitespaceSplit(), Metaspace())).apply(Normalized.of("a  be"), begins=True)
    assert (part.text, part.original, edges.tolist()) == ("▁a  ▁be", "a  be", [[0, 4], [6, 11]])
    assert part.spans is not None
    assert part.spans.tolist() == [[0, 1], [0, 1], [1, 2], [2, 3], [3, 4], [3, 4], [4, 5]]


def test_changes_of_the_split_follow_those_of_the_normalizer() -> None:
    normalized = Chain((Form("NFKC"),)).normalize("ﬁ ﬁ")
    part, _ = SplitChain((Metaspace(prepend="never"),)).apply(normalized, begins=True)
    assert part.text == "fi▁fi"
    assert part.spans is not None
    assert part.spans.tolist() == [[0, 1], [0, 1], [1, 2], [2, 3], [2, 3]]


def test_only_the_beginning_of_the_original_is_the_first() -> None:
    chain = SplitChain((Metaspace(prepend="first"),))
    assert chain.apply(Normalized.of("a"), begins=True).normalized.text == "▁a"
    assert chain.apply(Normalized.of("a"), begins=False).normalized.text == "a"


@pytest.mark.parametrize("splits_too", [True, False])
@pytest.mark.parametrize("text", [" a b", "\u0301a b", "a b", "ab b", "<s> a", "\ta"])
def test_where_normalization_removes_the_beginning_nothing_is_the_first_as_in_the_library(
    text: str, splits_too: bool
) -> None:
    peer = tokenizers.Tokenizer(models.BPE({char: i for i, char in enumerate("▁ab-")}, []))
    steps = [normalizers.Strip(), normalizers.StripAccents(), normalizers.Replace("ab", "-")]
    peer.normalizer = normalizers.Sequence(steps)
    peer.pre_tokenizer = pre_tokenizers.Metaspace("▁", "first", splits_too)
    peer.add_special_tokens(["<s>"])
    tokenizer = from_bytes(peer.to_str().encode())
    assert tokenizer.encode(text, special="parse").ids.tolist() == peer.encode(text).ids


def test_a_chain_that_changes_nothing_hands_on_the_text_itself() -> None:
    part = Normalized.of("a 1")
    assert SplitChain((Digits(),)).apply(part, begins=True).normalized is part
    assert Split("gpt2").apply(part, begins=True).normalized is part


def test_nothing_maps_or_adds_characters_after_the_bytes_are_mapped() -> None:
    for step in (ByteLevel(), Metaspace()):
        with pytest.raises(ConfigError, match="comes after ByteLevel"):
            SplitChain((ByteLevel(), step))
        assert SplitChain((ByteLevel(), step), spells=True).maps_bytes is False
    assert SplitChain((ByteLevel(), Metaspace("b", "never"))).words("ab") == [" a", "b"]


def test_all_words_together_have_one_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_limits, "SECONDS_PER_TEXT", 0.2)
    step = PatternSplit(r"(x+x+)+y", pattern=r"(?:x+x+)+y")
    with pytest.raises(CorpusError, match="took too long"):
        SplitChain((WhitespaceSplit(), step)).words(f"y {'x' * 5000} {'x' * 5001}")


def test_a_mark_in_front_of_a_character_comes_from_nothing() -> None:
    split = SplitChain((WhitespaceSplit(), Metaspace("▁", "always", split=True)))
    part = split.apply(Normalized.of("a é"), begins=True).normalized
    assert part.text == "▁a ▁é"
    marks = [0, 0, 0, 0]  # the mark, and the start of the a
    assert part.original_bytes.tolist() == [*marks, 1, 2, 2, 2, 2, 3, 4]


EVERY = [chr(code) for code in range(0x33480) if not 0xD800 <= code < 0xE000]
NEW = [char for char in EVERY if as_the_library_sees(char) != char]
OWN = {
    "gpt2": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    **{
        name: {"type": "Split", "pattern": {"Regex": to_oniguruma(name)}, "behavior": "Isolated", "invert": False}
        for name in ("cl100k", "o200k")
    },
    "a pattern": {
        "type": "Split",
        "pattern": {"Regex": r"\p{Lu}?\p{Ll}+|\p{N}|[^\s\p{L}]"},
        "behavior": "Removed",
        "invert": True,
    },
}


@pytest.mark.no_cover  # every character: too slow to trace, and other tests cover the same code
@pytest.mark.parametrize("name", OWN)
def test_a_split_of_this_project_that_was_read_sees_every_character_as_the_library_does(name: str) -> None:
    split = read_pre_tokenizer(OWN[name], "pre_tokenizer")[1]
    assert isinstance(split, Split)
    library = of_the_library(OWN[name])
    model = load_pretrained("gpt2").model
    for chars in (NEW, EVERY[::17]):
        text = "".join(f"a{char}b {char}1{char}!{char} " for char in chars)
        spans = [span for _, span in library.pre_tokenize_str(text)]
        assert list(split.spans(text)) == spans
        compiled = encode_text([(Normalized.of(text), None)], split, KnownWords(model)).places.words.get()
        starts = [*Normalized.of(text).character_starts.tolist(), len(text.encode())]
        assert compiled.word_starts.tolist() == [starts[start] for start, _ in spans]
        assert compiled.word_ends.tolist() == [starts[end] for _, end in spans]


def test_the_stand_ins_of_ranges_are_those_of_their_characters() -> None:
    others = {code: other for first, last, other in stand_ins() for code in range(first, last + 1)}
    assert {code: chr(other) for code, other in others.items() if code < 0x33480} == {
        ord(char): as_the_library_sees(char) for char in NEW
    }
