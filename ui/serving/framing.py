"""Origins whose pages may embed this server in a frame: none, unless a setting names them.

BPE_LAB_FRAME_ANCESTORS="https://course.example.edu" scripts/run
"""

from __future__ import annotations

import re

from bpe_core import ConfigError
from bpe_core.language import message
from ui.memory.environment import setting

SETTING = "BPE_LAB_FRAME_ANCESTORS"

MOST = 50
"""Maximum number of origins: every response has them in a header."""

OWN = "'self'"

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ORIGIN = re.compile(rf"https://{_LABEL}(?:\.{_LABEL})*(?::(\d{{1,5}}))?|http://localhost:(\d{{1,5}})", re.ASCII)


def ancestors_of(value: str | None) -> tuple[str, ...]:
    """Parse the setting: origins with spaces or commas between them; none if it is unset, blank or "off".

    `self` is this server's own origin. Raises ConfigError for anything else than origins.

    >>> ancestors_of("self, https://course.example.edu http://localhost:8000")
    ("'self'", 'https://course.example.edu', 'http://localhost:8000')
    >>> ancestors_of("off"), ancestors_of(None)
    ((), ())
    """
    names = (value or "").replace(",", " ").split()
    if [name.lower() for name in names] in ([], ["off"]):
        return ()
    origins = tuple(dict.fromkeys(_origin(name) for name in names))
    if len(origins) > MOST:
        raise ConfigError(
            message("{setting} has {count} origins.", setting=SETTING, count=len(origins)),
            limit=message("It takes at most {most}.", most=MOST),
            remedy=message("Name only the sites whose pages show this one."),
        )
    return origins


def _origin(name: str) -> str:
    if name.lower().strip("'") == "self":
        return OWN
    found = _ORIGIN.fullmatch(name.lower())
    if found is None or not all(0 < int(port) < 2**16 for port in found.groups() if port):
        raise ConfigError(
            message("{setting} has {value}.", setting=SETTING, value=repr(name[:200])),
            limit=message("It takes origins: https://name, http://localhost with a port, or self."),
            remedy=message("Set it to origins without a path, such as https://course.example.edu, or leave it out."),
        )
    return found[0]


FRAME_ANCESTORS = setting(SETTING, ancestors_of)
"""Origins whose pages may show this server in a frame."""
