"""Tokens of a text as a pandas DataFrame; pandas is imported lazily."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame
    from pandas.api.extensions import ExtensionArray

    from bpe_core.tokenizer.encoding import Encoding
else:
    DataFrame = Any


def encoding_table(encoding: Encoding) -> DataFrame:
    """Return the table documented by `Encoding.table`. Every distinct id is decoded once.

    >>> from bpe_core import load_pretrained
    >>> encoding_table(load_pretrained("gpt2").encode("low こ"))["bytes"].tolist()
    [b'low', b' \\xe3\\x81', b'\\x93']
    """
    import pandas as pd

    distinct, row_to_distinct = np.unique(encoding.ids, return_inverse=True)
    tokens = [encoding.token_bytes(token_id) for token_id in distinct.tolist()]
    columns: dict[str, Any] = {
        "id": encoding.ids.astype(np.int32),
        "bytes": bytes_column(tokens)[row_to_distinct],
        "text": text_column(tokens).take(row_to_distinct),
        "start": encoding.starts.astype(np.int32),
        "end": encoding.ends.astype(np.int32),
        "char_start": encoding.char_starts.astype(np.int32),
        "char_end": encoding.char_ends.astype(np.int32),
        "word": encoding.word_ids.astype(np.int32),
        "special": encoding.special.astype(np.bool_),
    }
    return pd.DataFrame(columns, index=pd.RangeIndex(len(encoding), name="token"))


def bytes_column(tokens: Sequence[bytes]) -> npt.NDArray[np.object_]:
    """Column of tokens as `bytes` objects.

    >>> bytes_column([b"a", b"\\x00"]).tolist()
    [b'a', b'\\x00']
    """
    column = np.empty(len(tokens), np.object_)
    column[:] = tokens
    return column


def text_column(tokens: Iterable[bytes]) -> ExtensionArray:
    """Column of tokens as pandas' `str`; missing (NaN) if the bytes are not whole characters.

    >>> text_column([b"low", b"\\xe3\\x81"]).tolist()
    ['low', nan]
    """
    import pandas as pd

    return pd.array([_decoded(token) for token in tokens], dtype="str")


def _decoded(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None
