"""The hub's own library, imported lazily: it takes half a second, and most programs never use the hub.

Its settings apply: HF_ENDPOINT (a mirror), HF_HOME and HF_HUB_CACHE (cache folders), HF_TOKEN or `hf auth login`,
HF_HUB_OFFLINE, HF_HUB_ETAG_TIMEOUT and HF_HUB_DOWNLOAD_TIMEOUT (seconds without a response, 10 by default).
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from urllib.parse import urlsplit

LIBRARY = "huggingface_hub"


def hub_library() -> ModuleType:
    """Import the library with telemetry off, unless the program has already imported it with another setting.

    >>> hub_library().__name__
    'huggingface_hub'
    """
    if LIBRARY not in sys.modules:
        os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # otherwise the library sends a request of its own first
    import huggingface_hub

    return huggingface_hub


def hub_address() -> str:
    """Base URL of requests: the hub's, or that of the mirror in HF_ENDPOINT.

    >>> hub_address().startswith("http")
    True
    """
    hub_library()
    from huggingface_hub import constants

    return constants.ENDPOINT


def hub_host() -> str:
    """Host of that URL, with its port if any; the whole URL if it has no host.

    >>> isinstance(hub_host(), str)
    True
    """
    address = hub_address()
    try:
        return urlsplit(address).netloc.rpartition("@")[2] or address
    except ValueError:
        return address
