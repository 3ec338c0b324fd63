"""Files of any kind become parts that are read separately; together they yield each text once, in order."""

import gc
import gzip
import io
import json
import pickle
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe_core import ClusterError, ConfigError, CorpusError, TrainConfig, count_words, load_pretrained
from bpe_core.cluster import count_corpus, libraries, reading, work
from bpe_core.cluster.parts import Part, parts_of
from bpe_core.cluster.reading import texts_of
from bpe_core.cluster.shards import Folder, Ids, encode_part
from bpe_core.cluster.work import count_part
from bpe_core.kernels import scan
from bpe_core.language import PSEUDO, in_language
from bpe_core.text import word_counts
from bpe_core.text.normalizers import NORMALIZATIONS
from bpe_core.text.splits import PATTERNS
from bpe_core.text.word_counts import WordSettings
from bpe_core.text.word_rows import Rows
from tests.core.test_files import HOSTILE
from tests.draws import examples

TEXTS = st.lists(st.text(max_size=30), max_size=12)
SPLITS = [*PATTERNS, r"\w+|\W"]


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def frames(data: bytes) -> bytes:
    """Several concatenated frames, as written by parallel compression."""
    return b"".join(zstd(data[at : at + 10_000]) for at in range(0, len(data), 10_000))


PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".plain": bytes,
    ".gz": gzip.compress,
    ".gzip": lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:]),
    ".zst": zstd,
    ".zstd": frames,
}


def texts_in(address: str | Path, split: str = "gpt2", **given: Any) -> list[str]:
    return [text for part in parts_of(address, split, **given) for text in texts_of(part, split)]


def words_in_parts(path: Path, config: TrainConfig, block: int) -> dict[str, int]:
    counted = [
        count_words(texts_of(part, config.split), config, part=part.number)
        for part in parts_of(path, config.split, block=block)
    ]
    whole = counted[-1].merge(*counted[:-1])
    return dict(zip(whole.words, whole.counts.tolist(), strict=True))


@pytest.mark.parametrize("split", SPLITS)
@given(text=HOSTILE, block=st.integers(2, 24), window=st.integers(1, 9), form=st.sampled_from(NORMALIZATIONS))
@example(text="a b c\n" * 9, block=3, window=2, form="none")
@example(text="x\n\n\nfoo", block=2, window=1, form="none")
@example(text="a\n/b c", block=2, window=1, form="none")
@example(text="é\né\nb c", block=2, window=9, form="NFD")
@settings(max_examples=examples(40))
def test_ranges_of_a_text_have_the_words_of_the_whole_in_their_order(
    split: str, text: str, block: int, window: int, form: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "range.txt"
    path.write_bytes(text.encode())
    config = TrainConfig(split=split, normalization=form)
    whole = count_words(text, config)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_WINDOW", window)
        patch.setattr(reading, "_PIECE", 2 * window)
        found = words_in_parts(path, config, block)
    assert list(found.items()) == list(zip(whole.words, whole.counts.tolist(), strict=True))


def test_ordinary_text_is_divided_into_as_many_ranges_as_there_are_blocks(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("some words here\r\n日本語の行です。\n" * 500, encoding="utf-8")
    parts = parts_of(path, "gpt2", block=1_000)
    texts = ["".join(texts_of(part, "gpt2")) for part in parts]
    assert len(parts) > 10
    assert all(texts)
    assert "".join(texts).encode() == path.read_bytes()
    assert [part.start for part in parts_of(path, "none", block=1_000)] == [0]


@settings(max_examples=examples(60))
@given(texts=TEXTS, block=st.integers(4, 80), lines=st.integers(1, 40), window=st.integers(1, 20))
def test_every_line_of_json_is_read_once_and_in_order(
    texts: list[str], block: int, lines: int, window: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines.jsonl"
    path.write_text("".join(json.dumps({"n": 1, "body": text}) + "\n" for text in texts) + "\n\r\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_WINDOW", window)
        patch.setattr(reading, "_LINES", lines)
        assert texts_in(path, field="body", block=block) == texts


@given(texts=TEXTS, block=st.integers(100, 900), rows=st.integers(1, 5))
@settings(max_examples=examples(15))
def test_every_row_of_a_column_is_read_once_and_in_order(
    texts: list[str], block: int, rows: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.parquet"
    pq.write_table(pa.table({"n": range(len(texts)), "text": pa.array(texts, pa.string())}), path, row_group_size=rows)
    assert texts_in(path, block=block) == texts
    assert texts_in(path, field="text", block=10**9) == texts


TEXT_TYPES = {
    "string": pa.string(),
    "large": pa.large_string(),
    "view": pa.string_view(),
    "category": pa.dictionary(pa.int32(), pa.string()),
    "small category": pa.dictionary(pa.int8(), pa.large_string()),
    "json": pa.json_(pa.string()),
}


@pytest.mark.parametrize("name", TEXT_TYPES)
@given(
    texts=st.lists(st.none() | st.sampled_from(["", "low", "日本\n", "a" * 40]), max_size=12), rows=st.integers(1, 5)
)
@settings(max_examples=examples(15))
def test_a_column_of_any_type_of_text_has_its_texts(
    name: str, texts: list[str | None], rows: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"{name}.parquet"
    pq.write_table(pa.table({"text": pa.array(texts, pa.string()).cast(TEXT_TYPES[name])}), path, row_group_size=rows)
    assert texts_in(path, block=200) == [text for text in texts if text is not None]


def test_a_category_of_pandas_and_a_column_of_nulls_are_read(tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": pd.Categorical(["low", "lower", None, "low"])})
    frame.to_parquet(tmp_path / "a.parquet")
    assert texts_in(tmp_path / "a.parquet") == ["low", "lower", "low"]
    pq.write_table(pa.table({"text": [None, None]}), tmp_path / "b.parquet")
    assert texts_in(tmp_path / "b.parquet") == []


@given(digits=st.integers(1, 9_000), sign=st.sampled_from(["", "-"]), lines=st.sampled_from([1, 20]))
def test_a_number_of_any_length_beside_a_text_is_skipped(
    digits: int, sign: str, lines: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "numbers.jsonl"
    line = f'{{"id": {sign}{"7" * digits}, "text": "low", "n": [{"1" * digits}]}}\n'
    path.write_text(line * lines, encoding="utf-8")
    assert texts_in(path) == ["low"] * lines


@pytest.mark.parametrize("packed", PACKED)
def test_packed_files_are_read_as_they_were(packed: str, tmp_path: Path) -> None:
    pack, text = PACKED[packed], "low lower 日本\n" * 3_000
    Path(tmp_path, f"a.txt{packed}").write_bytes(pack(text.encode()))
    Path(tmp_path, f"a.jsonl{packed}").write_bytes(pack(json.dumps({"text": text}).encode()))
    assert "".join(texts_in(tmp_path / f"a.txt{packed}", block=10_000)) == text
    assert texts_in(tmp_path / f"a.txt{packed}", "none", block=10_000) == [text]
    assert texts_in(tmp_path / f"a.jsonl{packed}", kind="jsonl") == [text]
    parts = parts_of(tmp_path / f"a.txt{packed}", "gpt2", block=10_000)
    assert (len(parts) == 1) == (packed != ".plain")


def test_rows_and_lines_without_a_text_are_no_text(tmp_path: Path) -> None:
    Path(tmp_path, "a.jsonl").write_text('{"text": null}\n\n{"text": ""}\n{"text": "low"}', encoding="utf-8")
    pq.write_table(pa.table({"text": pa.array(["low", None], pa.large_string())}), tmp_path / "b.parquet")
    assert texts_in(tmp_path / "a.jsonl") == ["", "low"]
    assert texts_in(tmp_path / "b.parquet") == ["low"]


def test_the_suffix_says_the_kind_unless_it_is_named(tmp_path: Path) -> None:
    for name in ("a.TXT", "b.json", "c.ndjson.gz", "d.parquet", "e", "f.gz"):
        Path(tmp_path, name).write_bytes(b"")
    kinds = [(part.kind, part.compression) for part in parts_of(f"{tmp_path}/*", "gpt2")]
    named = [part.kind for part in parts_of(f"{tmp_path}/*", "gpt2", field="text")]
    assert kinds == [("text", ""), ("text", ""), ("jsonl", "gzip"), ("parquet", ""), ("text", ""), ("text", "gzip")]
    assert named == ["text", "jsonl", "jsonl", "parquet", "jsonl", "jsonl"]
    assert {part.kind for part in parts_of(f"{tmp_path}/*", "gpt2", kind="jsonl")} == {"jsonl"}


def test_files_are_in_the_order_of_the_addresses_and_of_their_names(tmp_path: Path) -> None:
    for name in ("b1", "b0", "a", "c*[1]"):
        Path(tmp_path, name).write_text(name, encoding="utf-8")
    Path(tmp_path, "b folder").mkdir()
    addresses = [f"{tmp_path}/b*", tmp_path / "a", f"file://{tmp_path}/c*[1]"]
    parts = parts_of(addresses, "gpt2")
    assert [Path(part.address).name for part in parts] == ["b0", "b1", "a", "c*[1]"]
    assert [part.number for part in parts] == [0, 1, 2, 3]
    assert [list(texts_of(part, "gpt2")) for part in parts] == [["b0"], ["b1"], ["a"], ["c*[1]"]]


def sample(packed: bytes) -> bytes:
    return packed[: len(packed) * 2 // 3]


def parquet(**columns: Any) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


LONG = bytes(range(32, 127)) * 5_000
DAMAGED: dict[str, tuple[str, bytes, str]] = {
    "text": ("a.txt", b"low \xe9 lower", "not UTF-8 at byte 4"),
    "a line that is not UTF-8": ("a.jsonl", b'{"text": "low"}\n{"text": "\xe9"}\n', "not UTF-8 at byte 26"),
    "a line that is no JSON": ("a.jsonl", b'{"text": "low"}\n{"text', "line at byte 16 is not JSON"),
    "a line that nests": ("a.jsonl", b"[" * 100_000, "line at byte 0 is not JSON"),
    "a line of a number": ("a.jsonl", b"5\n", "no field 'text'"),
    "a line without the field": ("a.jsonl", b'{"body": "low"}\n', "no field 'text'"),
    "a field that is no text": ("a.jsonl", b'{"text": ["low"]}\n', "which is not text"),
    "a field that is a long number": ("a.jsonl", b'{"text": ' + b"9" * 5_000 + b"}\n", "which is not text"),
    "a line of a long number": ("a.jsonl", b"9" * 5_000 + b"\n", "no field 'text'"),
    "a long number that does not end": ("a.jsonl", b'{"text": ' + b"9" * 5_000, "line at byte 0 is not JSON"),
    "gzip that ends too early": ("a.txt.gz", sample(gzip.compress(LONG)), "end-of-stream"),
    "gzip with wrong bytes": ("a.txt.gz", gzip.compress(LONG)[:-8] + b"12345678", "CRC"),
    "no gzip": ("a.txt.gz", b"low lower", "gzip"),
    "no zstd": ("a.jsonl.zst", b"low lower", "zstd"),
    "zstd that ends too early": ("a.txt.zst", sample(zstd(LONG)), "ends too early"),
    "no Parquet": ("a.parquet", b"low lower " * 20, "cannot be read"),
    "Parquet that ends too early": ("a.parquet", sample(parquet(text=["low"] * 99)), "cannot be read"),
    "Parquet without the column": ("a.parquet", parquet(body=["low"]), "no column 'text'"),
    "a column of numbers": ("a.parquet", parquet(text=[5]), "holds int64, not text"),
    "a column of bytes": ("a.parquet", parquet(text=[b"low"]), "holds binary, not text"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_what_is_damaged_is_named_with_the_reason(what: str, tmp_path: Path) -> None:
    name, data, reason = DAMAGED[what]
    Path(tmp_path, name).write_bytes(data)
    with pytest.raises(CorpusError, match=reason) as refused:
        texts_in(tmp_path / name)
    assert name in str(refused.value)
    [part] = parts_of(tmp_path / name, "gpt2")
    counted = work.count_part(part, WordSettings(), 3)
    assert counted.report.problem is not None
    assert [work.unpacked(piece).text for piece in counted.pieces] == [b"", b"", b""]


def test_what_a_worker_sends_can_be_said_in_every_language(tmp_path: Path) -> None:
    name, data, _ = DAMAGED["a column of numbers"]
    Path(tmp_path, name).write_bytes(data)
    [part] = parts_of(tmp_path / name, "gpt2")
    sent = pickle.loads(pickle.dumps(work.count_part(part, WordSettings(), 1).report))
    assert [in_language(each, PSEUDO)[0] for each in sent.problem] == ["⟦", "⟦", "⟦"]


def test_a_file_for_which_memory_is_short_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd")
    short = zstandard.ZstdError("zstd decompressor error: Allocation error : not enough memory")
    monkeypatch.setattr(reading._Zstd, "read", Mock(side_effect=short))
    with pytest.raises(MemoryError, match="not enough memory"):
        texts_in(path)
    monkeypatch.setattr("fsspec.implementations.local.LocalFileSystem.info", Mock(side_effect=MemoryError))
    with pytest.raises(MemoryError):
        parts_of(path, "gpt2")


def test_a_range_that_is_damaged_is_named_with_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"low lower " * 50 + b"\xff" + b" low lower" * 50)
    problems = [work.count_part(part, WordSettings(), 1).report.problem for part in parts_of(path, "gpt2", block=400)]
    assert [problem is None for problem in problems] == [True, False, True]
    assert "not UTF-8 at byte 500 (0xFF)" in problems[1][0]  # type: ignore[index]
    pq.write_table(pa.table({"text": ["low"] * 900}), tmp_path / "a.parquet", row_group_size=10)
    assert parts_of(tmp_path / "a.parquet", "gpt2", block=400)[1].name.endswith("a.parquet', bytes 400 to 800")


NOWHERE: dict[str, tuple[Any, str]] = {
    "a file that is missing": ("missing.txt", "cannot be read: No such file|missing.txt"),
    "a pattern that nothing matches": ("*.none", "No file matches"),
    "a folder": (".", "it is a folder"),
    "an unknown protocol": ("nowhere://bucket/a", "Protocol not known"),
    "a protocol without its library": ("s3://bucket/a", "cannot be read"),
    "bytes": (b"a.txt", "of type bytes"),
    "a number": ([5], "of type int"),
    "nothing": (None, "of type NoneType"),
}


@pytest.mark.parametrize("what", NOWHERE)
def test_an_address_where_nothing_is_is_named(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    address, reason = NOWHERE[what]
    with pytest.raises(CorpusError, match=reason):
        parts_of(address, "gpt2")


def test_more_parts_than_there_are_numbers_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(tmp_path, "a").write_bytes(b"a" * 100)
    monkeypatch.setattr("bpe_core.cluster.parts.MOST_PARTS", 10)
    assert len(parts_of(tmp_path / "a", "gpt2", block=10)) == 10
    with pytest.raises(ConfigError, match="larger blocks"):
        parts_of(tmp_path / "a", "gpt2", block=9)
    assert word_counts.MOST_PARTS == 1 << 23


@given(texts=TEXTS, pieces=st.integers(1, 7), least=st.integers(1, 3))
def test_pieces_combined_in_any_grouping_have_every_word_once(texts: list[str], pieces: int, least: int) -> None:
    config = TrainConfig()
    counted = [count_words(text, config, part=part) for part, text in enumerate(texts)] or [count_words("", config)]
    divided = [work.divided(each.rows, pieces) for each in counted]
    found: dict[bytes, tuple[int, int]] = {}
    dropped = 0
    for of in zip(*divided, strict=True):
        finished = work.finish(least, work.combine(*of[:2]), *of[2:])
        rows = work.unpacked(finished.piece)
        words = [rows.text[start:end] for start, end in pairwise(rows.offsets.tolist())]
        assert not found.keys() & set(words)
        found |= zip(words, zip(rows.counts.tolist(), rows.places.tolist(), strict=True), strict=True)
        dropped += finished.dropped
    whole = counted[0].merge(*counted[1:]).without_rare(least)
    expected = zip(whole.words, whole.counts.tolist(), whole.places.tolist(), strict=True)
    assert found == {word.encode(): (count, place) for word, count, place in expected}
    assert dropped == whole.dropped


def test_words_are_spread_evenly_over_the_pieces() -> None:
    words = [f"{number}" for number in range(20_000)] + [f"a longer word {number}" for number in range(20_000)]
    text = "".join(words).encode()
    offsets = np.cumsum([0, *map(len, words)])
    rows = Rows(text, offsets, np.ones(len(words), np.int64), np.arange(len(words)))
    sizes = [len(work.unpacked(piece).counts) for piece in work.divided(rows, 16)]
    assert sum(sizes) == len(words)
    assert max(sizes) < 1.2 * min(sizes)


def test_a_worker_compiles_no_kernel_again() -> None:
    part = parts_of("README.md", "gpt2")[0]
    pieces = count_part(part, WordSettings(), 2).pieces
    work.finish(1, *work.combine_parts(pieces, pieces))
    assert {len(kernel.signatures) for kernel in (scan._keys, scan._add_spans)} == {1}


@pytest.mark.parametrize("kind", ["text", "jsonl"])
def test_a_worker_counts_and_encodes_a_large_part_in_its_own_thread(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "low lower lowest, and the new ones\n" * 60_000
    lines = json.dumps({"text": text}) + "\n"
    path = tmp_path / f"a.{kind}"
    path.write_text(text * 3 if kind == "text" else lines * 3, encoding="utf-8")
    part = parts_of(path, "gpt2", kind=kind)[0]
    gpt2, folder = load_pretrained("gpt2"), Folder(str(tmp_path))

    def refuse(count: int) -> None:
        raise AssertionError(f"{count} threads")

    monkeypatch.setattr("bpe_core.kernels.threads.os.cpu_count", lambda: 8)
    monkeypatch.setattr("bpe_core.kernels.threads.ThreadPoolExecutor", refuse)
    assert count_part(part, WordSettings(), 2).report.problem is None
    assert encode_part(part, gpt2, Ids("gpt2", "text", None, "<u2"), folder).ids > 1_000_000


def test_a_library_that_is_missing_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"distributed is not installed.*extra cluster"):
        count_corpus("README.md")
    assert libraries.library("json") is json


WRONG: dict[str, dict[str, Any]] = {
    "kind": {"kind": "csv"},
    "field": {"field": 5},
    "block": {"block": 0},
    "pieces": {"pieces": 0},
    "min_word_count": {"min_word_count": True},
    "damaged": {"damaged": "ignore"},
    "on_progress": {"on_progress": 5},
    "workers": {"workers": 0},
    "memory": {"memory": "much"},
    "workers with a scheduler": {"workers": 2, "scheduler": "tcp://127.0.0.1:1"},
    "a config": {"config": 5},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_setting_that_is_not_possible_is_refused_before_anything_is_counted(what: str) -> None:
    with pytest.raises(ConfigError):
        count_corpus("README.md", **WRONG[what])


@pytest.mark.parametrize("scheduler", ["nowhere", "tcp://", "", "http://x", "tcp://127.0.0.1:1", 5])
def test_a_scheduler_that_is_not_there_is_named(scheduler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe_core.cluster.connection._SECONDS", 0.5)
    with pytest.raises((ClusterError, ConfigError), match="scheduler"):
        count_corpus("README.md", scheduler=scheduler)


def test_a_client_that_reached_nobody_is_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed  # imported here: takes seconds in every test process

    monkeypatch.setattr("bpe_core.cluster.connection._SECONDS", 0.5)
    gc.collect()
    gc.disable()
    try:
        with pytest.raises(ClusterError):
            count_corpus("README.md", scheduler="nowhere")
        left = [each.status for each in gc.get_objects() if isinstance(each, distributed.Client)]
    finally:
        gc.enable()
    assert {*left} <= {"closed"}


def test_a_part_says_what_it_covers() -> None:
    part = Part(1, "a.txt", "text", "", "", 1_000, 1_000, 1_500, False)
    assert (part.bytes, part.name) == (500, "'a.txt', bytes 1,000 to 1,500")
    assert part._replace(whole=True, start=0).name == "'a.txt'"
