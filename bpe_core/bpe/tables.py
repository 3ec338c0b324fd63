"""Merges of a training as a pandas DataFrame; pandas is imported lazily."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bpe_core.tokenizer.tables import DataFrame, bytes_column, text_column

if TYPE_CHECKING:
    from collections.abc import Sequence


def merge_table(
    merges: npt.NDArray[np.integer[Any]],
    tokens: Sequence[bytes],
    token_counts: npt.NDArray[np.int64],
    units: int,
) -> DataFrame:
    """Return the table documented by `Training.table`.

    `merges`: left id, right id and count of each merge, by rank. `tokens`: the bytes of every id, those of merges last.
    `token_counts`: tokens of the corpus after each merge; `units`: its size in bytes or characters.

    >>> merges = np.array([[0, 1, 7]])
    >>> table = merge_table(merges, [b"a", b"b", b"ab"], np.array([10]), 17)
    >>> table[["token_id", "token_text", "compression"]].values.tolist()
    [[2, 'ab', 1.7]]
    """
    import pandas as pd

    first_id = len(tokens) - len(merges)
    ids = {
        "left": merges[:, 0].astype(np.int32),
        "right": merges[:, 1].astype(np.int32),
        "token": np.arange(first_id, len(tokens), dtype=np.int32),
    }
    all_bytes, all_texts = bytes_column(tokens), text_column(tokens)
    columns: dict[str, Any] = {"left": ids["left"], "right": ids["right"], "token_id": ids["token"]}
    columns |= {f"{side}_bytes": all_bytes[side_ids] for side, side_ids in ids.items()}
    columns |= {f"{side}_text": all_texts.take(side_ids) for side, side_ids in ids.items()}
    columns["count"] = merges[:, 2].astype(np.int64)
    columns["tokens"] = token_counts.astype(np.int64)
    columns["compression"] = units / np.maximum(token_counts, 1)
    return pd.DataFrame(columns, index=pd.RangeIndex(len(merges), name="rank"))
