"""Memory limit of the server: one setting for all caches and for the state of disconnected sessions.

BPE_LAB_MEMORY_MB=2048 scripts/run
"""

from __future__ import annotations

from bpe_core import ConfigError
from bpe_core.language import message
from ui.memory.environment import setting

SETTING = "BPE_LAB_MEMORY_MB"
DEFAULT_MB = 1024
LEAST_MB = 16


def limit_of(value: str | None) -> int:
    """Parse the setting into bytes; None or blank gives the default. Raises ConfigError unless it is whole megabytes.

    >>> limit_of("64"), limit_of(None) == 1024 * 2**20
    (67108864, True)
    """
    if value is None or not value.strip():
        return DEFAULT_MB * 2**20
    try:
        megabytes = int(value)
    except ValueError:
        megabytes = -1
    if megabytes < LEAST_MB:
        raise ConfigError(
            message("{setting} is {value}.", setting=SETTING, value=repr(value)),
            limit=message("It is a whole number of megabytes, at least {least}.", least=LEAST_MB),
            remedy=message("Set it to {usual}, or leave it out.", usual=DEFAULT_MB),
        )
    return megabytes * 2**20


LIMIT = setting(SETTING, limit_of)
"""Memory limit of this server, in bytes."""
