"""Named splits and custom regular expressions."""

import time
from itertools import product

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import ConfigError, CorpusError, TrainConfig, train
from bpe_core.huggingface.pretokenizers import PatternSplit
from bpe_core.huggingface.split_chain import SplitChain
from bpe_core.text import pattern_limits
from bpe_core.text.normalization import Normalized
from bpe_core.text.splits import PATTERNS, Split, compile_split, words


def split_of(name: str, text: str) -> list[str]:
    return list(words(compile_split(name), text))


def test_the_gpt2_split_of_the_definitions() -> None:
    text = "Hello've world123 how's are you!!!?"
    expected = ["Hello", "'ve", " world", "123", " how", "'s", " are", " you", "!!!?"]
    assert split_of("gpt2", text) == expected


def test_the_named_splits_differ_where_they_are_known_to() -> None:
    text = "I'M 12345  x\n\nDon't"
    assert split_of("gpt2", text) == ["I", "'", "M", " 12345", " ", " x", "\n", "\n", "Don", "'t"]
    assert split_of("cl100k", text) == ["I", "'M", " ", "123", "45", " ", " x", "\n\n", "Don", "'t"]
    assert split_of("o200k", text) == ["I'M", " ", "123", "45", " ", " x", "\n\n", "Don't"]
    assert split_of("words", text) == ["I'M", "12345", "x", "Don't"]
    assert split_of("none", text) == [text]


@pytest.mark.parametrize("name", ["none", "gpt2", "cl100k", "o200k"])
@given(text=st.text(max_size=60))
def test_lossless_splits_lose_nothing(name: str, text: str) -> None:
    assert "".join(split_of(name, text)) == text


@given(st.text(max_size=60))
def test_words_are_what_is_between_white_space(text: str) -> None:
    # Python's white space, without four control characters that are not white space in Unicode
    for control in "\x1c\x1d\x1e\x1f":
        text = text.replace(control, "x")
    assert split_of("words", text) == text.split()


@pytest.mark.parametrize("name", PATTERNS)
def test_texts_of_ascii_have_the_words_that_the_regex_library_finds(name: str) -> None:
    split, pattern = Split(name), regex.compile(PATTERNS[name])
    # Each character class that the patterns distinguish, and characters that only one library may treat as white space.
    for text in map("".join, product("aBs'9 \t\n\r/!\x1c\x00_", repeat=4)):
        assert split.words(text) == [found[0] for found in pattern.finditer(text)]


@pytest.mark.parametrize("name", PATTERNS)
@given(text=st.text(st.characters(max_codepoint=127), max_size=80))
@example("It's 12345 o'clock\r\n\r\n  at\tHOME's//\n x")
def test_any_text_of_ascii_has_the_words_that_the_regex_library_finds(name: str, text: str) -> None:
    found = [(each.start(), each.end()) for each in regex.finditer(PATTERNS[name], text)]
    assert Split(name).words(text) == [text[start:end] for start, end in found]
    assert Split(name).apply(Normalized.of(text), begins=True).edges.tolist() == [list(each) for each in found]


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize("library", [False, True])
@given(text=st.text(st.sampled_from("aé猫😀 '\n9"), max_size=20))
def test_the_edges_of_words_are_bytes(name: str, library: bool, text: str) -> None:
    split = Split(name, library=library)
    spans = [[len(text[:start].encode()), len(text[:end].encode())] for start, end in split.spans(text)]
    assert split.apply(Normalized.of(text), begins=True).edges.tolist() == spans


def test_a_pattern_of_ones_own_keeps_its_matches_and_drops_the_rest() -> None:
    assert split_of(r"\p{L}+|\d", "ab12 cd") == ["ab", "1", "2", "cd"]
    assert split_of(r"(a)(b)?", "abxa") == ["ab", "a"]
    assert split_of(r"x*", "axxb") == ["xx"]
    assert split_of(r"(?=a)", "aaa") == []


def test_a_pattern_that_searches_from_the_end_gives_its_words_in_the_order_of_the_text() -> None:
    tokenizer = train("", TrainConfig(split=r"(?r)\p{N}{1,3}")).tokenizer()
    encoding = tokenizer.encode("1234567")
    assert encoding.ids.tolist() == list(b"1234567")
    assert encoding.starts.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert encoding.word_ids.tolist() == [0, 1, 1, 1, 2, 2, 2]  # 1 234 567


@pytest.mark.parametrize("name", ["", "GPT2", "gpt-2", "word", "o200k_base", "none_"])
def test_an_unknown_name_is_refused(name: str) -> None:
    message = (
        r"split is '.*', which is not a known split\. Known: none, words, gpt2, cl100k, o200k, or a regular expression"
    )
    with pytest.raises(ConfigError, match=message):
        TrainConfig(split=name)


@pytest.mark.parametrize(
    "pattern",
    ["(", "[", "*", "\\", "a{2,1}", r"\p{Nothing}", r"(?P<n", r"\L<x>", "(?1)", "(?DEFINE)", "(" * 900 + ")" * 900],
)
def test_an_invalid_regular_expression_is_refused(pattern: str) -> None:
    message = (
        r"is not a valid regular expression: .*\. Patterns follow Python's regex library\. Correct it, or choose one"
    )
    with pytest.raises(ConfigError, match=message):
        TrainConfig(split=pattern)


def test_a_pattern_that_is_too_long_is_refused() -> None:
    with pytest.raises(
        ConfigError, match=r"The split pattern has 2,001 characters\. The longest allowed is 2,000\. Shorten"
    ):
        TrainConfig(split="." * 2_001)
    assert TrainConfig(split="." * 2_000)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a{1000}){1000}",
        "((a{99}){99}){99}",
        "(a{,1000}){1000,}",
        "(?x)(a{9 9 9 9}){9 9 9 9}",
        "(?x)(a{9 # nine\n999}) { 9999 }",
    ],
)
def test_counted_repeats_that_would_take_all_memory_are_refused(pattern: str) -> None:
    with pytest.raises(ConfigError, match=r"counted repeats .* multiply to .* The most allowed is 10,000\. Use \+"):
        TrainConfig(split=pattern)


def test_counted_repeats_in_use_are_allowed() -> None:
    assert split_of(r"\d{4}-\d{2}-\d{2}|\w{1,20}", "2024-01-02 word") == ["2024-01-02", "word"]
    assert TrainConfig(split="(a{100}){100}")


def test_a_busy_machine_takes_no_time_from_a_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time limit counts CPU time, not wall time; words found before an interruption are returned only once."""
    monkeypatch.setattr(pattern_limits, "SECONDS_PER_TEXT", 0.001)
    monkeypatch.setattr(time, "thread_time", lambda: 0.0)
    pattern = r"(?:x|xx)+y|z"
    text = "zz" + "x" * 27 + "z"  # takes some tenths of a second
    step = PatternSplit(pattern, "Removed", invert=True, pattern=pattern)
    for split in (Split(pattern), Split(f"(?r){pattern}"), SplitChain((step,))):
        assert split.words(text) == ["z", "z", "z"]
    assert split_of(pattern, text) == split_of(f"({pattern})", text) == ["z", "z", "z"]
    monkeypatch.setattr(time, "thread_time", time.monotonic)
    with pytest.raises(CorpusError, match="took too long"):
        Split(pattern).words(text)


@pytest.mark.parametrize("pattern", [r"(x+x+)+y", r"(x|xx)+y"])
def test_a_catastrophic_pattern_ends_in_an_error_in_bounded_time(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_limits, "SECONDS_PER_TEXT", 0.2)
    config = TrainConfig(split=pattern)
    message = (
        r"Splitting a text of 5,000 characters by '.*' took too long\. The time allowed is about 0 s\. Nested repeats"
    )
    with pytest.raises(CorpusError, match=message):
        train("x" * 5_000, config)
    tokenizer = train("y", config).tokenizer()
    with pytest.raises(CorpusError, match=message):
        tokenizer.encode("x" * 5_000)
