"""One log line instead of a traceback for a websocket frame that is not a message of Streamlit's protocol.

Streamlit closes such a connection by itself.
"""

from __future__ import annotations

import logging

from google.protobuf.message import DecodeError

LOGGERS = ("streamlit.web.server.starlette.starlette_websocket", "uvicorn.error")
"""Loggers for unparsable frames, and for text frames, on which Starlette raises KeyError('bytes')."""


class ForgedFrames(logging.Filter):
    """Filter that shortens the record of a forged frame."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every record."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, DecodeError) or (isinstance(error, KeyError) and error.args == ("bytes",)):
            record.msg = "A connection was closed: its browser sent a frame that is no message."
            record.args = ()
            record.exc_info = None
        return True


def shorten_log() -> None:
    """Add the filter to the loggers of this process."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(ForgedFrames())
