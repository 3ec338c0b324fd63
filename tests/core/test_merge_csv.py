"""The merges as CSV: complete, exact in hex, and without anything that a spreadsheet would execute."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from bpe_core import TrainConfig, Training, train
from bpe_core.formats.merge_csv import COLUMNS, merges_csv

FORMULAS = tuple("=+-@|%＝＋－＠")


def rows(training: Training) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(merges_csv(training).decode("utf-8-sig"), newline="")))


def test_every_merge_stands_in_its_line() -> None:
    training = train("こんにちは こんばんは low lower lowest", TrainConfig(vocab_size=290))
    tokenizer = training.tokenizer()
    for row, merge in zip(rows(training), training.merges, strict=True):
        assert tuple(row) == COLUMNS
        assert (int(row["step"]), int(row["rank"])) == (merge.rank + 1, merge.rank)
        assert [int(row[c]) for c in ("left_id", "right_id", "token_id")] == [merge.left, merge.right, merge.token_id]
        assert bytes.fromhex(row["token_hex"]) == tokenizer.token_bytes(merge.token_id)
        assert (int(row["count"]), int(row["tokens_left"])) == (merge.count, training.token_count(merge.rank + 1))


def test_spreadsheets_are_told_that_it_is_utf8() -> None:
    assert merges_csv(train("ab ab")).startswith(b"\xef\xbb\xbfstep,")


def test_a_training_without_merges_is_a_heading() -> None:
    assert rows(train("")) == []


@given(st.text('=+-@|%＝＋－＠\t\r\n" ,;a1', max_size=60))
def test_no_cell_begins_like_a_formula_and_the_bytes_stay_exact(text: str) -> None:
    training = train([text, text], TrainConfig(split="none", vocab_size=300))
    tokenizer = training.tokenizer()
    for row, merge in zip(rows(training), training.merges, strict=True):
        for column in ("left", "right", "token"):
            assert not row[column].strip().startswith(FORMULAS)
            assert not row[column].startswith(("\t", "\r", "\n"))
        assert bytes.fromhex(row["token_hex"]) == tokenizer.token_bytes(merge.token_id)
