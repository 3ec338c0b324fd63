"""Downloads of tables: the contents of the files, none of which is made before a click."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
import streamlit

from bpe_core import TrainConfig, compare, load_pretrained, train
from bpe_core.comparison import totals
from bpe_core.formats.merge_csv import merges_csv
from bpe_core.formats.tables import to_csv
from tests.app.pages import opened
from ui.session.samples import sample

HOSTILE = "=cmd|' /C calc'!A0 <script> こ \u202e 👩‍👩‍👧 12345\n\t+1"
Files = dict[str, Callable[[], bytes]]


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    """The data that each download button of the last run would send, by file name."""
    found: Files = {}
    button = streamlit.download_button

    def kept(label: str, data: Any, file_name: str, *args: Any, **options: Any) -> bool:
        assert callable(data), "made before a click"
        found[file_name] = data
        return button(label, data, file_name, *args, **options)

    monkeypatch.setattr(streamlit, "download_button", kept)
    return found


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def parquet(data: bytes) -> pd.DataFrame:
    return pd.read_parquet(io.BytesIO(data))


def test_merges_of_the_vocabulary_come_as_the_csv_that_they_were_and_as_parquet(files: Files) -> None:
    opened("vocabulary")
    training = train(sample("lantern_story").text, TrainConfig())
    assert files["merges.csv"]() == merges_csv(training)
    pd.testing.assert_frame_equal(parquet(files["merges.parquet"]()), training.table(), check_index_type=False)


def test_tokens_of_encode_come_in_both(files: Files) -> None:
    opened("encode", encode_text=HOSTILE, encode_with="gpt2")
    table = load_pretrained("gpt2").encode(HOSTILE).table()
    assert files["tokens.csv"]() == to_csv(table)
    assert rows(files["tokens.csv"]())[0]["text"] == "'="
    pd.testing.assert_frame_equal(parquet(files["tokens.parquet"]()), table, check_index_type=False)


def test_counts_and_disagreements_of_compare_come_in_both(files: Files) -> None:
    opened("compare", compare_text=HOSTILE, compare_with=["gpt2", "cl100k_base"])
    comparison = compare(HOSTILE, {"GPT-2": load_pretrained("gpt2"), "cl100k": load_pretrained("cl100k_base")})
    assert files["counts.csv"]() == to_csv(comparison.table())
    pd.testing.assert_frame_equal(parquet(files["counts.parquet"]()), comparison.table())
    listed = comparison.disagreement_table("GPT-2", "cl100k")
    assert len(listed) > 1
    assert files["disagreements.csv"]() == to_csv(listed)
    assert parquet(files["disagreements.parquet"]())["explanation"].tolist() == listed["explanation"].tolist()


def test_disagreements_of_every_cause_come_whichever_is_shown(files: Files) -> None:
    opened("compare", compare_text=HOSTILE, compare_with=["gpt2", "cl100k_base"], compare_cause="split")
    assert len({row["cause"] for row in rows(files["disagreements.csv"]())}) > 1


def test_no_more_disagreements_come_than_are_listed(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.compare.cache.MOST_LISTED", 3)
    opened("compare", compare_text="x = 12345 " * 30 + "listed", compare_with=["gpt2", "cl100k_base"])
    assert len(rows(files["disagreements.csv"]())) == 3 < totals.MOST_LISTED


def test_without_tokens_or_disagreements_there_is_nothing_to_download() -> None:
    app = opened("encode", encode_text="")
    [popover] = [each for each in app.get("popover") if each.proto.popover.label == "Download"]
    assert popover.proto.popover.disabled
    app = opened("compare", compare_text="low low", compare_with=["gpt2", "cl100k_base"])
    disabled = [each.proto.popover.disabled for each in app.get("popover") if each.proto.popover.label == "Download"]
    assert disabled == [True, False]  # disagreements, counts
