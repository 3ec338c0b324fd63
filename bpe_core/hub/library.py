"""The hub's own library, imported on first use: it takes half a second, and most programs never speak to the hub.

Its settings hold: HF_ENDPOINT (a mirror), HF_HOME and HF_HUB_CACHE (where files are kept), HF_TOKEN or `hf auth login`,
HF_HUB_OFFLINE, HF_HUB_ETAG_TIMEOUT and HF_HUB_DOWNLOAD_TIMEOUT (seconds without an answer, 10 unless set).
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from urllib.parse import urlsplit

LIBRARY = "huggingface_hub"


def hub_library() -> ModuleType:
    """The library. It reports no usage, unless the program has imported it before with another setting.

    >>> hub_library().__name__
    'huggingface_hub'
    """
    if LIBRARY not in sys.modules:
        os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # also a request of its own before the first one
    import huggingface_hub

    return huggingface_hub


def hub_address() -> str:
    """The address that is asked: the hub's, or that of the mirror in HF_ENDPOINT.

    >>> hub_address().startswith("http")
    True
    """
    hub_library()
    from huggingface_hub import constants

    return constants.ENDPOINT


def hub_host() -> str:
    """The host in that address, with its port if there is one; the address itself where it names no host.

    >>> isinstance(hub_host(), str)
    True
    """
    address = hub_address()
    try:
        return urlsplit(address).netloc.rpartition("@")[2] or address
    except ValueError:
        return address
