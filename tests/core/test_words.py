"""Texts and files give the same distinct words, with the regex library and with the compiled scan."""

import os
import sysconfig
from collections import Counter
from itertools import pairwise
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import CorpusError, TrainConfig, WordCounts, count_words, train
from bpe_core.kernels import backend, scan
from bpe_core.text import batches, files, splits
from bpe_core.text.counting import count_plainly, count_texts
from bpe_core.text.normalization import replace_surrogates
from bpe_core.text.splits import PATTERNS, compile_split, words
from tests.core import oracle

SOURCE = Path(sysconfig.get_paths()["stdlib"], "argparse.py").read_text(encoding="utf-8")
SETTINGS = [TrainConfig(split=name) for name in PATTERNS] + [
    TrainConfig(split="gpt2", normalization="NFKD", lowercase=True, strip_accents=True)
]


def as_rows(flat: WordCounts) -> list[tuple[bytes, int]]:
    edges = flat.offsets.tolist()
    found = [flat.text[start:end] for start, end in pairwise(edges)]
    return list(zip(found, flat.counts.tolist(), strict=True))


@pytest.mark.parametrize("config", SETTINGS)
@given(corpus=st.lists(st.text(max_size=60), max_size=4))
def test_the_scan_counts_the_words_that_regex_counts(config: TrainConfig, corpus: list[str]) -> None:
    backend.warm_up()
    assert as_rows(count_words(corpus, config)) == as_rows(count_plainly(corpus, config).counts)


# Special cases of splits and forms at text edges: white space, contractions, digits, marks, final Σ, surrogates.
at_edges = st.lists(
    st.text(st.sampled_from(" \n\r\t'sllDΣσ12/.aAé\u0301\u0323\u1100\u1161\u11a8İﬁ\u3000\ud83d\ude00😀"), max_size=9),
    max_size=9,
)


@pytest.mark.parametrize(
    "config",
    [*SETTINGS, TrainConfig(split=r"(?<=a)\s+$|^.|(\w)+|\W"), TrainConfig(normalization="NFC", lowercase=True)],
)
@given(at_edges, st.integers(1, 12), st.integers(1, 4), st.integers(1, 3))
def test_many_short_texts_are_split_and_normalized_each_as_if_it_were_alone(
    config: TrainConfig, corpus: list[str], longest: int, most: int, cores: int
) -> None:
    backend.warm_up()
    expected: Counter[str] = Counter()
    for text in corpus:
        expected.update(oracle.words(oracle.normalized(replace_surrogates(text)[0], config), config))
    with (
        mock.patch.multiple(batches, LONGEST=longest, _SIZE=3 * longest, _MOST=most),
        mock.patch.object(scan, "_BLOCK", 4),
        mock.patch.object(os, "cpu_count", return_value=cores),
    ):
        counted, flat = count_plainly(corpus, config), count_texts(corpus, config)
    assert as_rows(counted.counts) == [(word.encode(), count) for word, count in expected.items()]
    assert as_rows(flat.counts) == as_rows(counted.counts)
    replaced = sum(replace_surrogates(text)[1] for text in corpus)
    assert counted.counts.surrogates == flat.counts.surrogates == replaced
    first = oracle.normalized(replace_surrogates(corpus[0])[0], config) if corpus else ""
    assert counted.first_text == flat.first_text == first


def test_words_of_a_long_text_are_those_of_a_short_one_for_patterns_with_and_without_groups() -> None:
    for pattern in (r"\w+|", r"(\w)+|", r"(?r)\w+|"):
        text = "low lower " * 5
        found = list(words(compile_split(pattern), text))
        with mock.patch.object(splits, "_MOST_AT_ONCE", 0):
            assert list(words(compile_split(pattern), text)) == found
        assert sorted(found) == sorted(["low", "lower"] * 5)


@pytest.mark.parametrize("split", [*PATTERNS, r"\w+|\W"])
def test_a_file_read_in_blocks_trains_as_its_text_does(
    split: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BLOCK", 1_000)
    path = tmp_path / "corpus.txt"
    path.write_bytes((SOURCE[:20_000] + "。\n日本語\r\n\r\n  end \n").encode())
    config = TrainConfig(split=split, vocab_size=320)
    from_file, from_text = train(path, config), train(path.read_bytes().decode(), config)
    assert from_file.merges == from_text.merges
    assert from_file.token_count(0) == from_text.token_count(0)


def test_a_file_without_a_place_to_divide_it_comes_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 100)
    path = tmp_path / "one line.txt"
    path.write_text("日本" * 500, encoding="utf-8")
    assert list(files.each_text(path, "gpt2")) == ["日本" * 500]


def test_texts_and_files_may_be_mixed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("low", encoding="utf-8")
    assert list(files.each_text(["lower", path])) == ["lower", "low"]


def test_a_str_is_a_text_and_never_a_path(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("low", encoding="utf-8")
    with pytest.warns(UserWarning, match="is the name of a file"):
        assert list(files.each_text(str(path))) == [str(path)]


@pytest.mark.parametrize(
    ("data", "message"), [(None, "cannot be read: No such file"), (b"ok\nbad \xe9 here", "not UTF-8 at byte 7")]
)
def test_a_bad_file_is_named_with_the_reason(tmp_path: Path, data: bytes | None, message: str) -> None:
    path = tmp_path / "corpus.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(CorpusError, match=message):
        train(path)


def test_memory_holds_distinct_words_not_the_corpus() -> None:
    asked_for = []

    def stream() -> object:
        for number in range(2_000):
            asked_for.append(number)
            yield "the same few words again " * 100

    flat = count_words(stream(), TrainConfig())  # type: ignore[arg-type]
    assert len(asked_for) == 2_000
    assert len(flat.text) < 100
