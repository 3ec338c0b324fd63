"""Text in base symbols with the merges that joined them, from which the browser draws any step."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from bpe_core.bpe.corpus import NEVER
from bpe_core.bpe.text_symbols import TextSymbols
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.payloads.frames import EMPTY_BODY, Body, encode_body, frame

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


def step_frame(
    step: int,
    symbols: Body,
    *,
    of: str,
    part: tuple[int, int] | None,
    key: str,
    label: str,
    captions: Captions = NO_CAPTIONS,
    height: int | None = None,
) -> bytes:
    """Frame of a text at a step of its training, for the view `key`: the browser computes the tokens itself.

    of: name of the training; while the page's player is ahead, the view shows the player's step. symbols: the text,
    as encoded by `symbols_body`. part: start of the text in the whole text and length of the whole, in characters;
    the symbols are then sent with the step, and the caption begins with the position. None: it is the whole text,
    whose symbols are published under `symbols_key`.

    >>> from bpe_core import TrainConfig, train
    >>> body = symbols_body(train("low low", TrainConfig(vocab_size=258)).symbols(0, 3))
    >>> b'"step":1' in step_frame(1, body, of="lesson", part=None, key="text", label="Text")
    True
    """
    head = {
        **asdict(captions),
        "name": key,
        "label": label,
        "height": height,
        "step": step,
        "of": of,
        "symbols": symbols.rev,
        "part": part,
    }
    return frame(head, symbols if part else EMPTY_BODY)


def symbols_key(key: str) -> str:
    """Key under which a relay publishes the symbols of the view `key`.

    >>> symbols_key("text")
    'text: symbols'
    """
    return f"{key}: symbols"
