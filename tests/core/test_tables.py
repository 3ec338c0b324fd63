"""Tables: complete, with the documented types, fast for a million tokens, and unchanged by a round trip to files."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ConfigError, Encoding, TrainConfig, Training, compare, load_pretrained, train
from bpe_core.formats.tables import to_csv, to_parquet
from tests.core import oracle

PROJECT = Path(__file__).parents[2]
HOSTILE = "=1+1 +x -y @z \t=a こん 👩‍👩‍👧 <script> \ud800 \u202e"


@pytest.fixture(scope="module")
def training() -> Training:
    return train("こんにちは こんばんは low lower lowest =1 =1 =1", TrainConfig(vocab_size=290))


@pytest.fixture(scope="module")
def encoding(training: Training) -> Encoding:
    return training.tokenizer().with_special_tokens({"<s>": 900}).encode(f"<s>{HOSTILE}", special="parse")


def whole(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None


# -- contents -----------------------------------------------------------------------------------------------------


def test_a_row_of_the_training_is_a_merge(training: Training) -> None:
    table, tokenizer = training.table(), training.tokenizer()
    assert table.index.tolist() == list(range(len(training.merges)))
    for row, merge in zip(table.reset_index().to_dict("records"), training.merges, strict=True):
        assert (row["rank"], row["count"]) == (merge.rank, merge.count)
        for side, token_id in (("left", merge.left), ("right", merge.right), ("token_id", merge.token_id)):
            token, name = tokenizer.token_bytes(token_id), side.removesuffix("_id")
            assert row[side] == token_id
            assert row[f"{name}_bytes"] == token
            assert row[f"{name}_text"] == whole(token) or (pd.isna(row[f"{name}_text"]) and whole(token) is None)
        assert row["tokens"] == training.token_count(merge.rank + 1)
        assert row["compression"] == training.compression(merge.rank + 1)


@given(oracle.texts, oracle.configs())
def test_compression_is_that_of_every_step(text: str, config: TrainConfig) -> None:
    training = train(text, config)
    expected = [training.compression(step) for step in range(1, len(training.merges) + 1)]
    assert training.table()["compression"].tolist() == expected


def test_a_row_of_the_encoding_is_a_token(encoding: Encoding) -> None:
    table = encoding.table()
    assert table.index.name == "token"
    for row, token in zip(table.to_dict("records"), encoding, strict=True):
        text = row.pop("text")
        assert text == whole(token.bytes) or (pd.isna(text) and whole(token.bytes) is None)
        assert row == {name: getattr(token, name) for name in row}
    assert table["special"].tolist()[0]
    assert table["text"].isna().any()


def test_columns_have_the_types_that_the_docstrings_promise(training: Training, encoding: Encoding) -> None:
    comparison = compare("low こ", {"a": training.tokenizer(), "b": load_pretrained("gpt2")})
    empty = train("")
    for some, none in (
        (training.table(), empty.table()),
        (encoding.table(), empty.tokenizer().encode("").table()),
        (comparison.table(), compare("", {}).table()),
        (comparison.agreement_table(), compare("", {}).agreement_table()),
        (comparison.disagreement_table("a", "b"), comparison.disagreement_table("a", "b", most=0)),
    ):
        assert len(some) > len(none) == 0
        assert some.dtypes.to_dict() == none.dtypes.to_dict()
    dtypes = {name: str(dtype) for name, dtype in training.table().dtypes.items()}
    assert dtypes == {
        **dict.fromkeys(("left", "right", "token_id"), "int32"),
        **dict.fromkeys(("left_bytes", "right_bytes", "token_bytes"), "object"),
        **dict.fromkeys(("left_text", "right_text", "token_text"), "str"),
        "count": "int64",
        "tokens": "int64",
        "compression": "float64",
    }
    dtypes = {name: str(dtype) for name, dtype in encoding.table().dtypes.items()}
    places = ("start", "end", "char_start", "char_end", "word")
    assert dtypes == {
        "id": "int32", "bytes": "object", "text": "str", **dict.fromkeys(places, "int32"), "special": "bool"
    }  # fmt: skip


def test_the_tables_of_a_comparison_are_its_rows_pairs_and_disagreements(training: Training) -> None:
    names = ("mine", "gpt2", "cl100k_base")
    tokenizers = {"mine": training.tokenizer()} | {name: load_pretrained(name) for name in names[1:]}
    comparison = compare(HOSTILE, tokenizers)
    table = comparison.table()
    assert table.index.tolist() == list(names)
    assert [(name, *row) for name, row in zip(table.index, table.values.tolist(), strict=True)] == comparison.rows
    pairs = comparison.agreement_table()
    assert len(pairs) == 6
    for row in pairs.itertuples(index=False):
        assert tuple(row[2:]) == comparison.agreement(row.left, row.right)
    assert pairs.pivot(index="left", columns="right", values="f1").loc["gpt2", "mine"] > 0
    found = comparison.disagreements("mine", "gpt2")
    listed = comparison.disagreement_table("mine", "gpt2")
    for row, each in zip(listed.to_dict("records"), found, strict=True):
        assert (row["start"], row["end"], row["cause"], row["explanation"]) == (
            each.start, each.end, each.cause, each.explanation,
        )  # fmt: skip
        assert (tuple(row["left_ids"]), tuple(row["right_ids"])) == (each.left_ids, each.right_ids)
    assert len(comparison.disagreement_table("mine", "gpt2", most=2)) == 2
    with pytest.raises(ConfigError):
        comparison.disagreement_table("mine", "nobody")


def test_a_table_of_a_million_tokens_asks_for_the_bytes_of_each_id_once() -> None:
    encoding = load_pretrained("gpt2").encode("The quick brown fox こんにちは 12345 jumps; over\n" * 60_000)
    assert len(encoding) > 1_000_000
    asked: list[int] = []
    counting = Encoding(
        encoding.ids,
        encoding.normalized,
        places=encoding.places,
        token_bytes=lambda token_id: asked.append(token_id) or encoding.token_bytes(token_id),
    )
    table = counting.table()
    assert len(table) == len(encoding)
    assert len(asked) == len(np.unique(encoding.ids))


def test_the_core_starts_without_pandas_and_plotly() -> None:
    code = "import sys, bpe_core, bpe_core.formats.tables, bpe_core.formats.merge_csv; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert not {"pandas", "pyarrow", "plotly"} & set(done.stdout.split())


# -- as files -----------------------------------------------------------------------------------------------------


def read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_has_a_mark_line_ends_hex_and_no_formula(encoding: Encoding) -> None:
    data = to_csv(encoding.table())
    assert data.startswith(b"\xef\xbb\xbftoken,id,bytes,text,")
    assert data.endswith(b"\r\n")
    for row, token in zip(read(data), encoding, strict=True):
        assert bytes.fromhex(row["bytes"]) == token.bytes
        assert not row["text"].strip().startswith(tuple("=+-@|%＝＋－＠"))
        assert (row["id"], row["word"], row["special"]) == (str(token.id), str(token.word), str(token.special))


def test_names_of_tokenizers_are_guarded_too(training: Training) -> None:
    comparison = compare("low", {"=cmd": training.tokenizer(), "@b": load_pretrained("gpt2")})
    assert [row["tokenizer"] for row in read(to_csv(comparison.table()))] == ["'=cmd", "'@b"]
    matrix = comparison.agreement_table().pivot(index="left", columns="right", values="f1")
    assert list(read(to_csv(matrix))[0]) == ["left", "'=cmd", "'@b"]


def test_lists_of_ids_are_numbers_with_spaces_in_csv(training: Training) -> None:
    comparison = compare("low low", {"a": training.tokenizer(0), "b": load_pretrained("gpt2")})
    assert read(to_csv(comparison.disagreement_table("a", "b")))[0]["left_ids"] == "108 111 119"


@given(st.lists(st.text('=+-@|%＝＋－＠\t\r\n" ,;a1\x00\ud800', max_size=6)))
def test_no_text_begins_like_a_formula(texts: list[str]) -> None:
    column = pd.Series([text.encode("utf-8", "replace").decode() for text in texts], dtype="str")
    rows = read(to_csv(pd.DataFrame({"n": range(len(texts)), "text": column})))
    assert len(rows) == len(texts)
    for row, text in zip(rows, column, strict=True):
        assert row["text"] in (text, f"'{text}")
        assert not row["text"].strip().startswith(tuple("=+-@|%＝＋－＠"))
        assert not row["text"].startswith(("\t", "\r", "\n"))


def test_parquet_gives_the_same_table_again(training: Training, encoding: Encoding) -> None:
    comparison = compare(HOSTILE, {"a": training.tokenizer(), "b": load_pretrained("gpt2")})
    for table in (
        training.table(),
        train("").table(),
        encoding.table(),
        comparison.table(),
        comparison.agreement_table(),
    ):
        again = pd.read_parquet(io.BytesIO(to_parquet(table)))
        pd.testing.assert_frame_equal(again, table, check_index_type=False)
    listed = comparison.disagreement_table("a", "b")
    again = pd.read_parquet(io.BytesIO(to_parquet(listed)))
    assert [ids.tolist() for ids in again["left_ids"]] == listed["left_ids"].tolist()


@pytest.mark.parametrize("text", ["", "low low こ"])
def test_parquet_has_binary_bytes_and_lists_of_ids_with_and_without_rows(text: str) -> None:
    comparison = compare(text, {"a": train("").tokenizer(), "b": load_pretrained("gpt2")})
    schema = pq.read_schema(io.BytesIO(to_parquet(comparison.encoding("a").table())))
    assert str(schema.field("bytes").type) == "binary"
    assert str(schema.field("id").type) == "int32"
    assert "token" in schema.names
    schema = pq.read_schema(io.BytesIO(to_parquet(comparison.disagreement_table("a", "b"))))
    assert schema.field("left_ids").type.value_type.bit_width == 32
