"""Lazy import of Plotly, with an error that explains how to install it, and the type of its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpe_core.errors import ConfigError
from bpe_core.language import message

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Figure
else:
    Figure = Any


def graph_objects() -> Any:
    """The module plotly.graph_objects. Raises ConfigError if it cannot be imported.

    >>> graph_objects().Figure().data
    ()
    """
    try:
        from plotly import graph_objects as module
    except ImportError as error:
        raise ConfigError(
            message("The library {library} is not installed.", library=error.name or "plotly"),
            limit=message("Figures are made by Plotly."),
            remedy=message("Install it: pip install plotly"),
        ) from None
    return module
