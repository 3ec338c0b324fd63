"""Counts of many texts as pandas DataFrames; pandas is imported lazily."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bpe_core.arrays import Int32s
from bpe_core.tokenizer.tables import text_column

if TYPE_CHECKING:
    import pandas as pd

    from bpe_core.comparison.many_texts import TextCounts

PERCENTILES = (5, 25, 50, 75, 90, 95, 99)


def each_text_table(counts: TextCounts) -> pd.DataFrame:
    """Return the table documented by `TextCounts.table`.

    >>> from bpe_core import compare_texts, load_pretrained
    >>> table = each_text_table(compare_texts(["low lower"], {"a": load_pretrained("gpt2")}))
    >>> table.to_dict("index")[0]["a tokens per word"], table.columns.tolist()[:4]
    (1.0, ['characters', 'bytes', 'words', 'a tokens'])
    """
    import pandas as pd

    columns: dict[str, Any] = {"characters": counts.characters, "bytes": counts.bytes, "words": counts.words}
    for name in counts.names:
        tokens = counts.tokens[name]
        columns[f"{name} tokens"] = tokens
        columns[f"{name} tokens per character"] = _ratio(tokens, counts.characters)
        columns[f"{name} tokens per word"] = _ratio(tokens, counts.words)
        ids, places = np.unique(counts.longest[name], return_inverse=True)
        found = (counts.longest_texts[name].get(token_id, b"\xff") for token_id in ids.tolist())
        columns[f"{name} longest token"] = text_column(found).take(places)
    return pd.DataFrame(columns, index=pd.Index(counts.rows, name="row"))


def each_tokenizer_table(counts: TextCounts, limits: Sequence[int]) -> pd.DataFrame:
    """Return the table documented by `TextCounts.tokenizer_table`.

    >>> from bpe_core import compare_texts, load_pretrained
    >>> counts = compare_texts(["low", "low lower lowest"], {"a": load_pretrained("gpt2")})
    >>> each_tokenizer_table(counts, [2]).loc["a", ["mean", "p50", "p99", "max", "over_2"]].tolist()
    [2.0, 2.0, 2.98, 3.0, 0.5]
    """
    import pandas as pd

    every = [counts.tokens[name] for name in counts.names]
    some = len(counts) > 0
    columns: dict[str, Any] = {
        "texts": np.full(len(every), len(counts)),
        "tokens": np.array([each.sum(dtype=np.int64) for each in every], np.int64),
        "bytes_per_token": np.array([counts.bytes.sum(dtype=np.int64) / (each.sum() or 1) for each in every], float),
        "mean": np.array([each.mean() if some else 0.0 for each in every], float),
    }
    found = [np.percentile(each, PERCENTILES) if some else np.zeros(len(PERCENTILES)) for each in every]
    for at, percent in enumerate(PERCENTILES):
        columns[f"p{percent}"] = np.array([each[at] for each in found], float)
    columns["max"] = np.array([each.max() if some else 0 for each in every], np.int64)
    rows = [counts.rows[each.argmax()] if some else None for each in every]
    columns["longest_row"] = pd.array(rows, dtype="Int64")
    columns["unknown"] = pd.array([counts.unknown[name] for name in counts.names], dtype="Int64")
    for limit in limits:
        columns[f"over_{limit}"] = np.array([(each > limit).mean() if some else 0.0 for each in every], float)
    return pd.DataFrame(columns, index=pd.Index(pd.array(counts.names, dtype="str"), name="tokenizer"))


def _ratio(tokens: Int32s, sizes: Int32s) -> Any:
    """Tokens by size; NaN where the size is 0."""
    return np.divide(tokens, sizes, out=np.full(len(tokens), np.nan), where=sizes > 0)
