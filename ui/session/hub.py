"""Whether this server may ask the Hugging Face hub for a tokenizer, which it does only when a visitor says so.

BPE_LAB_HUB=off scripts/run
"""

from __future__ import annotations

import os

from bpe_core import ConfigError
from bpe_core.language import message

SETTING = "BPE_LAB_HUB"


def is_allowed(asked: str | None) -> bool:
    """Whether a setting allows it; None for the usual, which does. Raises ConfigError for anything but on and off.

    >>> is_allowed("off"), is_allowed(None)
    (False, True)
    """
    said = (asked or "").strip().lower() or "on"
    if said not in ("on", "off"):
        raise ConfigError(
            message("{setting} is {value}.", setting=SETTING, value=repr(asked)),
            limit=message("It is on or off."),
            remedy=message("Set it to one of them."),
        )
    return said == "on"


HUB_ALLOWED = is_allowed(os.environ.get(SETTING))
"""What holds for this server."""
