"""A file read in blocks yields the words of its whole text, whatever white space and punctuation it contains."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import TrainConfig, train
from bpe_core.text import files
from bpe_core.text.counting import count_plainly
from bpe_core.text.normalizers import NORMALIZATIONS
from bpe_core.text.splits import PATTERNS
from tests.draws import examples

NAMED = [name for name in PATTERNS if name != "none"]

PARTS = [
    *"aZzsS09ΣσéßİſﬁΩ②⑴½´¨／ªʰかがｶﾞ가각אا中。「、…_!/'-.#",
    *("\n", "\r", "\r\n", "\n\n", " ", "  ", "\t", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0", "\u1680", "\u2003"),
    *("\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\u200d", "\ufeff", "\xad", "\0", "\x7f", "\ufffd"),
    *("\u0301", "\u0308", "\u0345", "\u3099", "\u20dd", "\u0903", "\u1161", "\u11a8", "'s", "'LL", "😀"),
]
"""Text that a split, a Unicode form or lower-casing may depend on across a boundary."""

HOSTILE = st.lists(st.sampled_from(PARTS) | st.characters(codec="utf-8"), max_size=40).map("".join)


def words_of_blocks(text: str, config: TrainConfig, size: int, folder: Path) -> dict[str, int]:
    path = folder / "corpus.txt"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", size)
        counted = count_plainly(path, config).counts
    return dict(zip(counted.words, counted.counts, strict=True))


def assert_same_words(text: str, config: TrainConfig, size: int, folder: Path) -> None:
    whole = count_plainly(text, config).counts
    found = words_of_blocks(text, config, size, folder)
    assert list(found.items()) == list(zip(whole.words, whole.counts, strict=True))


@pytest.mark.parametrize("split", NAMED)
@given(text=HOSTILE, size=st.integers(1, 12))
@example(text="x\n\n\nfoo", size=2)
@example(text="b\r\n" * 20, size=8)
@example(text="a =\n/b c", size=2)
@example(text="a\n/b c", size=2)
@example(text="a \u3000\nb c", size=2)
@settings(max_examples=examples(300))
def test_every_split_gives_the_words_of_the_whole_text(
    split: str, text: str, size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert_same_words(text, TrainConfig(split=split), size, tmp_path_factory.getbasetemp())


@pytest.mark.parametrize(
    ("normalization", "lowercase", "strip_accents"), list(product(NORMALIZATIONS, *[(False, True)] * 2))
)
@given(text=HOSTILE, size=st.integers(1, 12), split=st.sampled_from(NAMED))
@example(text="⑴\n⑴\nb c", size=2, split="cl100k")
@example(text="é\né\nb c", size=2, split="cl100k")
@example(text="x \u0301\n\u0301 b c", size=2, split="gpt2")
@example(text="aΣ b Σ\nΣa b", size=2, split="o200k")
@settings(max_examples=examples(60))
def test_every_normalization_gives_the_words_of_the_whole_text(
    normalization: str,
    lowercase: bool,
    strip_accents: bool,
    text: str,
    size: int,
    split: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    config = TrainConfig(split=split, normalization=normalization, lowercase=lowercase, strip_accents=strip_accents)  # type: ignore[arg-type]
    assert_same_words(text, config, size, tmp_path_factory.getbasetemp())


def test_a_long_file_of_windows_lines_trains_as_its_text_does(tmp_path: Path) -> None:
    text = "b\r\n" * 3_000_000
    path = tmp_path / "windows.txt"
    path.write_bytes(text.encode())
    config = TrainConfig(vocab_size=258)
    assert train(path, config).merges == train(text, config).merges


@pytest.mark.parametrize("line", ["some words here\r\n", "日本語の行です。\n", "x\n\n\n", "été à côté\n", "(a) !\r\n"])
def test_ordinary_lines_come_in_blocks(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 200)
    path = tmp_path / "lines.txt"
    path.write_bytes(line.encode() * 200)
    for split in NAMED:
        blocks = list(files.each_text(path, split))
        assert "".join(blocks) == line * 200
        assert max(len(block.encode()) for block in blocks) < 400


def test_punctuation_alone_has_no_safe_boundary_and_come_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 100)
    path = tmp_path / "signs.txt"
    text = "!\r\n。\r\n/\u3000\n" * 100
    path.write_bytes(text.encode())
    assert list(files.each_text(path, "cl100k")) == [text]
