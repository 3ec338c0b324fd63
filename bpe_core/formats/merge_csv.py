"""A training's merges as CSV, for spreadsheets and programs."""

from __future__ import annotations

from bpe_core.bpe.training import Training
from bpe_core.formats.tables import to_csv

COLUMNS = (
    "step", "rank", "left_id", "right_id", "token_id", "left", "right", "token", "left_hex", "right_hex", "token_hex",
    "count", "tokens_left",
)  # fmt: skip

_RENAMED = {"left": "left_id", "right": "right_id", "tokens": "tokens_left"} | {
    f"{side}_{kind}": name
    for side in ("left", "right", "token")
    for kind, name in (("text", side), ("bytes", f"{side}_hex"))
}


def merges_csv(training: Training) -> bytes:
    """One line per merge, by rank: ids, texts, bytes in hex, count, and tokens remaining after the merge.

    `step` counts from 1, as on the pages, `rank` from 0, as in the core. A token with incomplete characters has an
    empty text; the hex columns are always exact. For the encoding of cells see `to_csv`.

    >>> from bpe_core import TrainConfig, train
    >>> print(merges_csv(train("low low", TrainConfig(vocab_size=257))).decode("utf-8-sig"))
    step,rank,left_id,right_id,token_id,left,right,token,left_hex,right_hex,token_hex,count,tokens_left
    1,0,108,111,256,l,o,lo,6C,6F,6C6F,2,5
    """
    table = training.table().rename(columns=_RENAMED).reset_index()
    table["step"] = table["rank"] + 1
    return to_csv(table[list(COLUMNS)])
