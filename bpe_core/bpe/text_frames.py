"""Text in base symbols with the merges that joined them, from which the browser draws any step."""

from __future__ import annotations

import numpy as np

from bpe_core.bpe.corpus import NEVER
from bpe_core.bpe.text_symbols import TextSymbols
from bpe_core.payloads.frames import Body, encode_body

_NO_MERGE = -1


def symbols_body(symbols: TextSymbols, mark: str = "") -> Body:
    """Data from which the browser draws the tokens at any step. `mark`: the end-of-word mark, if there is one.

    >>> from bpe_core import TrainConfig, train
    >>> body = symbols_body(train("low low", TrainConfig(vocab_size=258)).symbols(0, 3))
    >>> b'"ids":[108,111,119],"joined":[-1,0,1],"joinedAfter":-1,"sizes":null' in body.data
    True
    """
    sizes = symbols.ends - symbols.starts
    before = np.concatenate((np.zeros(1, np.int32), symbols.ends))[:-1]
    skipped = np.flatnonzero(symbols.starts > before)
    return encode_body(
        {
            "text": symbols.text,
            "begins": symbols.begins_text,
            "ends": symbols.ends_text,
            "firstId": symbols.first_id,
            "ids": symbols.ids.tolist(),
            "joined": np.where(symbols.joined == NEVER, _NO_MERGE, symbols.joined).tolist(),
            "joinedAfter": _NO_MERGE if symbols.joined_after == NEVER else symbols.joined_after,
            "sizes": None if (sizes == 1).all() else sizes.tolist(),
            "skips": dict(zip(skipped.tolist(), (symbols.starts - before)[skipped].tolist(), strict=True)),
            "mark": mark,
        }
    )
