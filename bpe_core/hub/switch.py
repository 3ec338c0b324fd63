"""The switch that disables the hub, and other hosts, in the app, the command line and programs: BPE_LAB_HUB=off"""

from __future__ import annotations

import os

from bpe_core.errors import ConfigError, HubError
from bpe_core.hub.names import HubName
from bpe_core.language import message

SETTING = "BPE_LAB_HUB"


def is_allowed(setting: str | None) -> bool:
    """Whether a setting enables the hub; None for the default, on. Raises ConfigError for values other than on and off.

    >>> is_allowed("off"), is_allowed(None)
    (False, True)
    """
    value = (setting or "").strip().lower() or "on"
    if value not in ("on", "off"):
        raise ConfigError(
            message("{setting} is {value}.", setting=SETTING, value=repr(setting)),
            limit=message("It is on or off."),
            remedy=message('Set it to "on" or "off".'),
        )
    return value == "on"


def allowed_now() -> bool:
    """Whether the environment enables the hub now. Raises ConfigError as `is_allowed` does.

    >>> allowed_now()
    True
    """
    return is_allowed(os.environ.get(SETTING))


def require_allowed(wanted: HubName) -> None:
    """Raise HubError if the environment disables the hub; cached files are not opened either.

    >>> require_allowed(HubName("Qwen/Qwen3-8B"))
    """
    if not allowed_now():
        raise HubError(
            message("{model} is not requested from the hub.", model=wanted.name),
            limit=message("{setting} is off.", setting=SETTING),
            remedy=message("Set it to on, or open its tokenizer file from your disk."),
        )
