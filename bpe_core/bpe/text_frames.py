"""Text in base symbols with the merges that joined them, from which the browser draws any step."""

from __future__ import annotations

import numpy as np

from bpe_core.arrays import Int32s
from bpe_core.bpe.corpus import NEVER
from bpe_core.bpe.text_symbols import EarlierSymbols, TextSymbols
from bpe_core.payloads.frames import Body, encode_body

_NO_MERGE = -1


def symbols_body(symbols: TextSymbols, mark: str = "") -> Body:
    """Data from which the browser draws the tokens at any step. `mark`: the end-of-word mark, if there is one.

    What joined the symbols before the split changed is included only where that makes other tokens.

    >>> from bpe_core import TrainConfig, train
    >>> body = symbols_body(train("low low", TrainConfig(vocab_size=258)).symbols(0, 3))
    >>> b'"ids":[108,111,119],"joined":[-1,0,1],"joinedAfter":-1,"sizes":null' in body.data
    True
    """
    sizes = symbols.ends - symbols.starts
    before = np.concatenate((np.zeros(1, np.int32), symbols.ends))[:-1]
    skipped = np.flatnonzero(symbols.starts > before)
    earlier = symbols.earlier
    if earlier is not None and _differs(symbols, earlier):
        was = {
            "until": earlier.until,
            "joined": _ranks(earlier.joined),
            "joinedAfter": _NO_MERGE if earlier.joined_after == NEVER else earlier.joined_after,
        }
    else:
        was = None
    return encode_body(
        {
            "text": symbols.text,
            "begins": symbols.begins_text,
            "ends": symbols.ends_text,
            "firstId": symbols.first_id,
            "ids": symbols.ids.tolist(),
            "joined": _ranks(symbols.joined),
            "joinedAfter": _NO_MERGE if symbols.joined_after == NEVER else symbols.joined_after,
            "sizes": None if (sizes == 1).all() else sizes.tolist(),
            "skips": dict(zip(skipped.tolist(), (symbols.starts - before)[skipped].tolist(), strict=True)),
            "mark": mark,
            **({} if was is None else {"earlier": was}),
        }
    )


def _ranks(joined: Int32s) -> list[int]:
    ranks: list[int] = np.where(joined == NEVER, _NO_MERGE, joined).tolist()
    return ranks


def _differs(symbols: TextSymbols, earlier: EarlierSymbols) -> bool:
    """Whether the tokens before the split changed differ from what the merges of that time make under the new one."""
    now, was = (np.append(each.joined, each.joined_after) for each in (symbols, earlier))
    return not np.array_equal(np.where(now < earlier.until, now, NEVER), was)
