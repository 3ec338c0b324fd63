"""Lazy import of Plotly, with an error that explains how to install it, and the type of its figures."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bpe_core.errors import ConfigError
from bpe_core.language import message

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Figure
else:
    Figure = Any


_LOOKED_FOR = ("pandas", "pyarrow")
"""Modules that Plotly looks for among those that are imported; it fails on one that is half imported."""


def graph_objects() -> Any:
    """The module plotly.graph_objects. Raises ConfigError if it cannot be imported.

    >>> graph_objects().Figure().data
    ()
    """
    for name in _LOOKED_FOR:
        if name in sys.modules:
            import_module(name)  # waits for another thread that imports it
    try:
        from plotly import graph_objects as module
    except ImportError as error:
        raise ConfigError(
            message("The library {library} is not installed.", library=error.name or "plotly"),
            limit=message("Figures are made by Plotly."),
            remedy=message("Install it: pip install plotly"),
        ) from None
    return module
