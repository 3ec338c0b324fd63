"""Comparisons of a text, and of many texts, as pandas DataFrames; pandas is imported lazily."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from bpe_core.arrays import Int32s
from bpe_core.tokenizer.chips import shown
from bpe_core.tokenizer.tables import DataFrame, text_column
from bpe_core.tokenizer.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_core.comparison.comparison import Comparison
    from bpe_core.comparison.many_texts import TextCounts
    from bpe_core.comparison.results import Agreement, Disagreement, Row


def count_table(rows: Sequence[Row]) -> DataFrame:
    """Return the table documented by `Comparison.table`.

    >>> from bpe_core import Row
    >>> count_table([Row("mine", 4, 1.5, 1.5, 2.0)]).loc["mine", "tokens"]
    np.int64(4)
    """
    import pandas as pd

    columns: dict[str, Any] = {
        "tokens": np.array([row.tokens for row in rows], np.int64),
        "bytes_per_token": np.array([row.bytes_per_token for row in rows], np.float64),
        "chars_per_token": np.array([row.chars_per_token for row in rows], np.float64),
        "tokens_per_word": np.array([row.tokens_per_word for row in rows], np.float64),
    }
    names = pd.array([row.name for row in rows], dtype="str")
    return pd.DataFrame(columns, index=pd.Index(names, name="tokenizer"))


def agreement_table(comparison: Comparison, names: Iterable[str]) -> DataFrame:
    """Return the table documented by `Comparison.agreement_table`, for these names.

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
    >>> agreement_table(comparison, ["a", "b"])["only_left"].tolist()
    [2, 0]
    """
    import pandas as pd

    pairs = list(permutations(names, 2))
    found: list[Agreement] = [comparison.agreement(left, right) for left, right in pairs]
    columns: dict[str, Any] = {
        "left": pd.array([left for left, _ in pairs], dtype="str"),
        "right": pd.array([right for _, right in pairs], dtype="str"),
    }
    for share in ("precision", "recall", "f1"):
        columns[share] = np.array([getattr(each, share) for each in found], np.float64)
    for count in ("shared", "only_left", "only_right"):
        columns[count] = np.array([getattr(each, count) for each in found], np.int64)
    return pd.DataFrame(columns)


def disagreement_table(text: str, left: Tokenizer, right: Tokenizer, found: Sequence[Disagreement]) -> DataFrame:
    """Return the table documented by `Comparison.disagreement_table`.

    `found`: disagreements of `left` and `right` on `text`.

    >>> from bpe_core import compare, load_pretrained
    >>> a, b = load_pretrained("gpt2"), load_pretrained("cl100k_base")
    >>> found = compare("    x", {"a": a, "b": b}).disagreements("a", "b")
    >>> disagreement_table("    x", a, b, found)["left_tokens"].tolist()
    ['“·” “·” “·”']
    """
    import pandas as pd

    data = text.encode()
    ids = {"left": [each.left_ids for each in found], "right": [each.right_ids for each in found]}
    columns: dict[str, Any] = {
        "start": np.array([each.start for each in found], np.int64),
        "end": np.array([each.end for each in found], np.int64),
        "text": text_column(data[each.start : each.end] for each in found),
        "left_ids": pd.Series([list(each) for each in ids["left"]], dtype=object),
        "right_ids": pd.Series([list(each) for each in ids["right"]], dtype=object),
        "left_tokens": pd.array(_readable(left, ids["left"]), dtype="str"),
        "right_tokens": pd.array(_readable(right, ids["right"]), dtype="str"),
        "cause": pd.array([each.cause for each in found], dtype="str"),
        "explanation": pd.array([each.explanation for each in found], dtype="str"),
    }
    return pd.DataFrame(columns, index=pd.RangeIndex(len(found), name="disagreement"))


def _readable(tokenizer: Tokenizer, sequences: Sequence[Sequence[int]]) -> list[str]:
    """Sequences of tokens in readable form: every token in quotation marks, or in hex."""
    read: dict[int, str] = {}
    for token_id in {token_id for ids in sequences for token_id in ids}:
        read[token_id] = shown(tokenizer.token_bytes(token_id))
    return [" ".join(read[token_id] for token_id in ids) for ids in sequences]


PERCENTILES = (5, 25, 50, 75, 90, 95, 99)


def each_text_table(counts: TextCounts) -> DataFrame:
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


def each_tokenizer_table(counts: TextCounts, limits: Sequence[int]) -> DataFrame:
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
