"""The merges of a training as CSV, for spreadsheets and programs alike."""

from __future__ import annotations

import csv
import io

from bpe_core.training import Training

COLUMNS = (
    "step", "rank", "left_id", "right_id", "token_id", "left", "right", "token", "left_hex", "right_hex", "token_hex",
    "count", "tokens_left",
)  # fmt: skip

# What spreadsheets take for the beginning of a formula, in both widths, and what hides one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "|", "%")


def merges_csv(training: Training) -> bytes:
    """One line a merge, by rank: ids, texts, bytes in hex, its count and the tokens left after it.

    `step` counts from 1 as the pages do, `rank` from 0 as the core does. UTF-8 with a byte-order mark, without which
    Excel reads Japanese as Latin-1 (in Python: encoding="utf-8-sig"); lines end in CRLF, as RFC 4180 has it.

    A text that a spreadsheet would run as a formula has an apostrophe before it; one that is no whole character is
    left empty. The hex columns are always exact.

    >>> from bpe_core import TrainConfig, train
    >>> print(merges_csv(train("low low", TrainConfig(vocab_size=257))).decode("utf-8-sig"))
    step,rank,left_id,right_id,token_id,left,right,token,left_hex,right_hex,token_hex,count,tokens_left
    1,0,108,111,256,l,o,lo,6C,6F,6C6F,2,5
    """
    tokenizer = training.tokenizer()
    lines = io.StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow(COLUMNS)
    for merge in training.merges:
        ids = (merge.left, merge.right, merge.token_id)
        tokens = [tokenizer.token_bytes(token_id) for token_id in ids]
        texts = [_cell(token) for token in tokens]
        hexes = [token.hex().upper() for token in tokens]
        left = training.token_count(merge.rank + 1)
        writer.writerow([merge.rank + 1, merge.rank, *ids, *texts, *hexes, merge.count, left])
    return lines.getvalue().encode("utf-8-sig")


def _cell(token: bytes) -> str:
    """A token's text, safe to open in a spreadsheet.

    >>> _cell(b"=1+1"), _cell(b" the"), _cell(b"\\xe3\\x81")
    ("'=1+1", ' the', '')
    """
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return ""
    return f"'{text}" if text.startswith(_FORMULA) or text.strip().startswith(_FORMULA) else text
