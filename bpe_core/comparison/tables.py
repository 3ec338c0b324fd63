"""Comparison as pandas DataFrames; pandas is imported lazily."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from bpe_core.tokenizer.chips import shown
from bpe_core.tokenizer.tables import text_column
from bpe_core.tokenizer.tokenizer import Tokenizer

if TYPE_CHECKING:
    import pandas as pd

    from bpe_core.comparison.comparison import Comparison
    from bpe_core.comparison.results import Agreement, Disagreement, Row


def count_table(rows: Sequence[Row]) -> pd.DataFrame:
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


def agreement_table(comparison: Comparison, names: Iterable[str]) -> pd.DataFrame:
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


def disagreement_table(text: str, left: Tokenizer, right: Tokenizer, found: Sequence[Disagreement]) -> pd.DataFrame:
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
