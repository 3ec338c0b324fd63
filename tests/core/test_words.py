"""Texts and files become the same distinct words, by the regex library and by the compiled scan."""

import sysconfig
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import CorpusError, TrainConfig, WordCounts, count_words, train
from bpe_core.kernels import backend
from bpe_core.text import files
from bpe_core.text.counting import count_plainly
from bpe_core.text.splits import PATTERNS

SOURCE = Path(sysconfig.get_paths()["stdlib"], "argparse.py").read_text(encoding="utf-8")
SETTINGS = [TrainConfig(split=name) for name in PATTERNS] + [
    TrainConfig(split="gpt2", normalization="NFKD", lowercase=True, strip_accents=True)
]


def as_rows(flat: WordCounts) -> list[tuple[bytes, int]]:
    edges = flat.offsets.tolist()
    words = [flat.text[start:end] for start, end in pairwise(edges)]
    return list(zip(words, flat.counts.tolist(), strict=True))


@pytest.mark.parametrize("config", SETTINGS)
@given(corpus=st.lists(st.text(max_size=60), max_size=4))
def test_the_scan_counts_the_words_that_regex_counts(config: TrainConfig, corpus: list[str]) -> None:
    backend.warm_up()
    assert as_rows(count_words(corpus, config)) == as_rows(count_plainly(corpus, config).counts)


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
