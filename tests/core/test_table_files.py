"""Files with a text in each row: every kind is read, broken rows are named, and the rest is kept."""

from __future__ import annotations

import io
import json
import os
import threading
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bpe_core import ConfigError, CorpusError, SkippedRow, TableFile, open_table, work
from bpe_core.text import csv_records, json_lines, parquet_texts, table_files
from bpe_core.text.table_files import TextRow, foreign_encoding


def rows(data: bytes, kind: str, *columns: str) -> list[TextRow]:
    with open_table(data, kind=kind) as table:
        return list(table.rows(columns or [table.column()]))


def texts(data: bytes, kind: str, *columns: str) -> list[str | None]:
    return [row[1][0] for row in rows(data, kind, *columns) if not isinstance(row, SkippedRow)]


def skipped(data: bytes, kind: str, *columns: str) -> dict[int, str]:
    return {row.row: row.reason for row in rows(data, kind, *columns) if isinstance(row, SkippedRow)}


def parquet(frame: pd.DataFrame, **options: object) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), file, **options)
    return file.getvalue()


# -- kinds --------------------------------------------------------------------------------------------------------


def test_every_kind_gives_the_same_texts(tmp_path: Path) -> None:
    wanted = ["low", 'a "quoted", cell', "日本語 \u202e", "=1+1"]
    frame = pd.DataFrame({"id": range(4), "text": wanted})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "a.tsv", index=False, sep="\t")
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True, force_ascii=False)
    (tmp_path / "a.txt").write_text("\n".join(wanted))
    for suffix in ("csv", "tsv", "parquet", "jsonl", "txt"):
        with open_table(tmp_path / f"a.{suffix}") as table:
            assert [row[1] for row in table.rows([table.column()])] == [(text,) for text in wanted], suffix
            assert table.position == table.size


def test_rows_have_the_numbers_of_their_lines() -> None:
    assert rows(b"low\n\nlower\r\n", "lines") == [(1, ("low",)), (2, (None,)), (3, ("lower",))]
    assert rows(b'text\n"a\nb"\nc\n', "csv") == [(2, ("a\nb",)), (4, ("c",))]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_the_most_frequent_one_of_the_header(separator: str) -> None:
    data = f"id{separator}text\n1{separator}low\n".encode()
    assert texts(data, "csv", "text") == ["low"]


def test_a_byte_order_mark_is_no_part_of_the_first_name() -> None:
    assert texts("\ufefftext\nlow\n".encode(), "csv", "text") == ["low"]
    assert texts('\ufeff{"text": "low"}\n'.encode(), "jsonl", "text") == ["low"]


# -- columns ------------------------------------------------------------------------------------------------------


def test_columns_of_one_name_and_without_a_name_can_be_chosen() -> None:
    data = b"text,text,,text (2)\na,b,c,d\n"
    with open_table(data, kind="csv") as table:
        assert table.columns == ("text", "text (2)", "column 3", "text (2) (4)")
    assert [texts(data, "csv", name) for name in ("text (2)", "column 3")] == [["b"], ["c"]]


def test_a_table_of_a_thousand_columns_is_read_and_its_error_is_short() -> None:
    data = ",".join(f"c{number}" for number in range(1_000)) + "\n" + ",".join("x" * 1_000) + "\n"
    assert texts(data.encode(), "csv", "c999") == ["x"]
    with pytest.raises(ConfigError, match="1,000 columns") as error:
        texts(data.encode(), "csv")
    assert len(str(error.value)) < 600


def test_columns_without_text_are_not_offered() -> None:
    data = parquet(pd.DataFrame({"id": [1], "vector": [["a"]], "kind": pd.Categorical(["low"])}))
    with open_table(data, kind="parquet") as table:
        assert table.columns == ("kind",)
    with open_table(b'{"id": 1, "text": null}\n{"id": 2, "body": "low"}\n', kind="jsonl") as table:
        assert table.columns == ("body",)
    with open_table(parquet(pd.DataFrame({"id": [1]})), kind="parquet") as table, pytest.raises(CorpusError):
        table.column()


# -- broken rows --------------------------------------------------------------------------------------------------


def test_broken_rows_of_csv_are_named_and_the_rest_is_kept() -> None:
    data = b'id,text\n1,low\n2\n3,a,b\n4,"never closed\n5,lower\n6,"x"y\n7,\xff\n8,\n9,last\n'
    assert texts(data, "csv", "text") == ["low", "lower", None, "last"]
    assert skipped(data, "csv", "text") == {
        3: "it has 1 of 2 cells",
        4: "it has 3 of 2 cells",
        5: "its quotation marks do not match",
        7: "its quotation marks do not match",
        8: "it is not UTF-8",
    }


def test_broken_lines_of_json_are_named_and_the_rest_is_kept() -> None:
    lines = [
        '{"text": "low"}',
        '{"text": 5}',
        "{",
        '["low"]',
        '{"text": null}',
        "",
        '{"other": 1}',
        '{"text": "\\ud800"}',
    ]
    data = "\n".join(lines).encode() + b'\n{"text": "\xff"}\n' + b"[" * 100_000 + b'\n{"text": "last"}\n'
    assert texts(data, "jsonl", "text") == ["low", None, None, "\ud800", "last"]
    assert list(skipped(data, "jsonl", "text")) == [2, 3, 4, 9, 10]
    assert skipped(data, "jsonl", "text")[2] == "5 is not a text"


def test_a_line_of_very_many_lists_is_left_out_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MOST_NESTED", 1_000)
    brackets = "[{" * 1_000  # in a text they are ordinary characters
    rows = [{"text": "a", "more": [[]] * 1_000}, {"text": brackets, "more": [{}] * 998}, {"text": "b"}]
    data = "\n".join(map(json.dumps, rows)).encode()
    with open_table(data, kind="jsonl") as table:
        found = list(table.rows(["text"]))
    assert found == [SkippedRow(1, "it has more than 1,000 lists and objects"), (2, (brackets,)), (3, ("b",))]


def test_a_line_that_is_not_json_is_shown_as_text() -> None:
    data = '{"text": "low"}\n{"text": 日本}\n[1]\n'.encode()
    reasons = skipped(data, "jsonl", "text")
    assert [str(each) for each in reasons.values()] == [
        "it is not JSON: '{\"text\": 日本}'",
        "it is not a JSON object: '[1]'",
    ]


def test_a_cell_of_a_million_characters_is_read_and_a_longer_one_than_the_limit_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = b'id,text\n1,"' + b"a\n" * 500_000 + b'"\n2,low\n'
    assert [len(text or "") for text in texts(data, "csv", "text")] == [1_000_000, 3]
    monkeypatch.setattr(csv_records, "MOST_CHARACTERS", 1_000)
    data = b'id,text\n1,"' + b"a\n" * 1_000 + b'"\n2,low\n'
    assert texts(data, "csv", "text")[-1:] == ["low"]
    assert "more than" in skipped(data, "csv", "text")[2]


def test_a_record_of_very_many_lines_is_left_out_and_reading_goes_on_behind_its_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(csv_records, "MOST_LINES", 3)
    with open_table(b'id,text\n1,"never closed\n2,low\n3,lower\n4,"two\nlines"\n5,last\n', kind="csv") as table:
        assert list(table.rows(["text"])) == [
            SkippedRow(2, "it has more than 3 lines"),
            (3, ("low",)),
            (4, ("lower",)),
            (5, ("two\nlines",)),
            (7, ("last",)),
        ]


def test_a_csv_file_whose_quotes_never_match_is_refused_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_records, "MOST_CHARACTERS", 10_000)
    monkeypatch.setattr(csv_records, "_MOST_READ_AGAIN", 40_000)
    data = b'a,b,c\n"' + b'\na",x,"b' * 100_000
    with pytest.raises(CorpusError, match=r"do not match from line .* on"):
        texts(data, "csv", "a")


def test_null_characters_are_text() -> None:
    assert texts(b"text\na\x00b\n", "csv") == ["a\x00b"]
    assert texts(b"a\x00b\n", "lines") == ["a\x00b"]


# -- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["lines", "csv", "jsonl", "parquet"])
def test_an_empty_file_is_refused(kind: str) -> None:
    with pytest.raises(CorpusError, match="is empty"):
        open_table(b"", kind=kind)


def test_a_header_alone_has_no_rows() -> None:
    assert rows(b"text\n", "csv") == []
    assert rows(b"text", "csv") == []


def test_another_encoding_is_named_and_can_be_given() -> None:
    data = ("text\n" + "日本語の文字です\n" * 3).encode("shift_jis")
    with pytest.raises(CorpusError, match="probably Shift_JIS"):
        open_table(data, kind="csv")
    with open_table(data, kind="csv", encoding="shift_jis") as table:
        assert next(iter(table.rows(["text"]))) == (2, ("日本語の文字です",))
    for encoding in ("utf-16", "utf-16-le"):
        assert foreign_encoding("text\nlow\nlower\n".encode(encoding)) in ("UTF-16", "UTF-16LE")


def test_a_few_lines_in_another_encoding_are_skipped() -> None:
    data = "日本語の文字です\n".encode() * 5 + "日本語の文字です\n".encode("shift_jis")
    assert texts(data, "lines") == ["日本語の文字です"] * 5
    assert skipped(data, "lines") == {6: "it is not UTF-8"}


def test_a_damaged_row_group_of_parquet_is_named_and_the_others_are_kept() -> None:
    data = parquet(
        pd.DataFrame({"text": [f"text number {number}" for number in range(300)]}),
        row_group_size=100,
        compression="none",
        use_dictionary=False,
    )
    at = data.index(b"text number 100")
    broken = data[: at - 200] + b"\xff" * 400 + data[at + 200 :]
    found = texts(broken, "parquet", "text")
    assert len(found) >= 100
    assert found[-1] == "text number 299"
    assert any("is damaged" in reason for reason in skipped(broken, "parquet", "text").values())


def test_a_cell_of_parquet_that_is_not_utf8_is_named() -> None:
    data = parquet(pd.DataFrame({"text": ["aaaa", "bbbb", "cccc"]}), compression="none", use_dictionary=False)
    broken = data.replace(b"bbbb", b"b\xff\xffb", 1)
    assert texts(broken, "parquet") == ["aaaa", "cccc"]
    assert skipped(broken, "parquet") == {2: "it is not UTF-8"}


def test_what_is_no_parquet_is_refused() -> None:
    for data in (b"PAR1", b"PAR1" + b"\xff" * 100 + b"PAR1", json.dumps({"text": "low"}).encode()):
        with pytest.raises(CorpusError, match="cannot be read as Parquet"):
            open_table(data, kind="parquet")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'[{"text": "low"}]', """it is not a JSON object: '[{"text": "low"}]'"""),
        (b'\n[\n{"text": "low"},\n{"text": "hi"},\n]\n', "it is not JSON: '['"),
        (b"{'text': 'low'}\n", """it is not JSON: "{'text': 'low'}\""""),
        (b'{"text": "low"}{"text": "hi"}\n', "it is not JSON"),
        (b'{"n": 1}\n{"text": "\xff"}\n', "it is not UTF-8"),
    ],
)
def test_json_without_a_column_says_what_is_wrong_with_a_line(data: bytes, reason: str) -> None:
    with pytest.raises(CorpusError) as caught, open_table(data, name="a.jsonl") as table:
        table.column()
    assert str(caught.value).startswith(f"'a.jsonl' has no column of texts. A line cannot be read: {reason}")
    assert str(caught.value).endswith("Write one JSON object a line.")


def test_json_whose_lines_are_objects_without_texts_names_no_line() -> None:
    with pytest.raises(CorpusError) as caught, open_table(b'\n{"n": 1}\n\n', name="a.jsonl") as table:
        table.column()
    assert "cannot be read" not in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    ("text", "kind"), [("text,n\rlow,1\ré,2\r", "csv"), ('{"text": "low"}\r{"text": "é"}', "jsonl")]
)
def test_carriage_returns_alone_end_lines(text: str, kind: str, encoding: str) -> None:
    with open_table(text.encode(encoding), kind=kind, encoding=encoding) as table:
        assert [row[1] for row in table.rows(["text"]) if not isinstance(row, SkippedRow)] == [("low",), ("é",)]


@pytest.mark.parametrize("kind", ["lines", "csv", "jsonl", "parquet"])
def test_a_pipe_is_read_as_a_file_is(kind: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": ["low", "lower"]})
    data = {
        "lines": b"low\nlower\n",
        "csv": b"text\nlow\nlower\n",
        "jsonl": b'{"text": "low"}\n{"text": "lower"}\n',
        "parquet": parquet(frame),
    }[kind]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[data])
    writer.start()
    with open_table(pipe, kind=kind) as table:
        assert [row[1] for row in table.rows(["text"]) if not isinstance(row, SkippedRow)] == [("low",), ("lower",)]
        assert table.position == table.size == len(data)
    writer.join()


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(CorpusError, match=r"missing\.csv' cannot be read"):
        open_table(Path("missing.csv"))


# -- values that unpack to more than their bytes -----------------------------------------------------------------


def encoded(texts: Sequence[str | None], encoding: str) -> bytes:
    """A Parquet file whose pages have this encoding; "" for a dictionary."""
    file = io.BytesIO()
    how: dict[str, Any] = {"use_dictionary": False, "column_encoding": {"text": encoding}} if encoding else {}
    pq.write_table(pa.table({"text": pa.array(texts, pa.string())}), file, **how)
    return file.getvalue()


ENCODINGS = ["", "PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_each_encoding_of_parquet_gives_the_texts(encoding: str, rng: Random) -> None:
    some: list[str | None] = ["low", "日本語", "", None, "low lower"]
    given = [rng.choice([*some, "x" * rng.randrange(400)]) for _ in range(20_000)]
    assert texts(encoded(given, encoding), "parquet", "text") == given


@pytest.mark.parametrize("encoding", ["", "DELTA_BYTE_ARRAY"])
def test_a_long_text_in_each_row_of_parquet_is_not_made_for_many_rows_at_once(encoding: str) -> None:
    data = encoded(["a" * 1_000_000] * 120, encoding)
    assert len(data) < 100_000
    most = 0
    tracemalloc.start()
    try:
        with open_table(data, kind="parquet") as table:
            for row in table.rows(["text"]):
                assert not isinstance(row, SkippedRow)
                assert len(row[1][0] or "") == 1_000_000
                most = max(most, pa.total_allocated_bytes())
        assert most + tracemalloc.get_traced_memory()[1] < 90_000_000
    finally:
        tracemalloc.stop()


def test_a_text_of_two_encodings_in_one_row_group_is_read_on() -> None:
    some = ["low", "lower"] * 20_000
    plain = encoded(some, "DELTA_BYTE_ARRAY")
    whole = parquet_texts._opened
    with pytest.MonkeyPatch.context() as patch:

        class Cut:
            """A file whose first rows Arrow reads into a dictionary, before it finds pages of another encoding."""

            def __init__(self, file: Any) -> None:
                self.file = whole(io.BytesIO(encoded(some, "")), "", ["text"])
                self.metadata = self.file.metadata

            def iter_batches(self, *given: Any, **more: Any) -> Iterator[Any]:
                yield next(self.file.iter_batches(*given, **more))
                raise OSError("Not yet implemented: DecodeArrow of DictAccumulator for DeltaByteArrayDecoder.")

        patch.setattr(
            parquet_texts, "_opened", lambda file, name, *columns: (Cut if columns else partial(whole, name=""))(file)
        )
        assert [text for _, _, [text] in parquet_texts.read_texts(io.BytesIO(plain), "", ["text"])] == some


@pytest.mark.parametrize(
    ("data", "kind", "bytes_"),
    [
        (b'{"text": "' + b"a" * 3_000_000 + b'"}', "jsonl", 3_000_000),
        (b'{"text": "a", "b": [' + b'{"a": {}},' * 200_000 + b"1]}", "jsonl", 200_000 * 300),
        (b"{" + b"".join(b'"k%d": 1,' % number for number in range(200_000)) + b'"text": "a"}', "jsonl", 200_000 * 120),
        (b"text\n" + b"a" * 3_000_000 + b"\n", "csv", 3_000_000),
    ],
    ids=["a text", "objects", "keys", "a cell"],
)
def test_a_long_line_says_what_memory_it_takes(data: bytes, kind: str, bytes_: int) -> None:
    asked: list[int] = []
    work.limit_work(lambda size: asked.append(size) or nullcontext())  # type: ignore[func-returns-value]
    try:
        assert len(rows(data, kind, "text")) == 1
    finally:
        work.limit_work(None)
    assert bytes_ < max(asked) < 20 * bytes_


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"a," * 20_000, "csv"), (b"{" + b",".join(b'"%d": ""' % i for i in range(20_000)) + b"}", "jsonl")],
)
def test_a_file_of_too_many_columns_is_refused(data: bytes, kind: str) -> None:
    with pytest.raises(CorpusError, match=r"has 20,00[01] columns\. The most allowed is 10,000"):
        open_table(data, kind=kind)


def test_a_parquet_file_of_too_many_columns_of_texts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "MOST_COLUMNS", 2)
    frame = pd.DataFrame({"a": ["low"], "b": ["er"], "number": [1]})
    assert texts(parquet(frame), "parquet", "b") == ["er"]
    with pytest.raises(CorpusError, match=r"has 3 columns\. The most allowed is 2"):
        open_table(parquet(frame.assign(c="est")), kind="parquet")


def test_many_columns_are_found_by_their_names_once_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    class Batch:
        """A batch that counts how often its names are listed."""

        listed = 0

        def __init__(self, batch: pa.RecordBatch) -> None:
            self._batch = batch
            self.column = batch.column

        def __len__(self) -> int:
            return len(self._batch)

        @property
        def schema(self) -> pa.Schema:
            Batch.listed += 1
            return self._batch.schema

    [batch] = pa.table({f"{i}": [f"{-i}", None] for i in range(300)}).to_batches()
    found = list(parquet_texts._rows(Batch(batch), ["299", "0", "299"]))
    assert found == [("-299", "0", "-299"), (None, None, None)]
    assert Batch.listed == 1


def test_a_file_of_empty_lines_has_no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableFile, "_records", lambda *_: pytest.fail("read line by line"))
    with open_table(b"\r\n" * 700_000, kind="csv") as table:
        assert table.columns == ()
