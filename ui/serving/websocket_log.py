"""Log filter for websockets: no tracebacks for two kinds of disconnects that Streamlit reports as errors.

If a frame is not a message of Streamlit's protocol, Streamlit closes the connection: one line is logged. If a browser
disconnects while the server is sending, Streamlit closes the connection again, which fails: nothing is logged.
"""

from __future__ import annotations

import logging

from google.protobuf.message import DecodeError
from starlette.websockets import WebSocketDisconnected

LOGGERS = ("streamlit.web.server.starlette.starlette_websocket", "uvicorn.error")
"""Loggers for unparsable frames, and for text frames, on which Starlette raises KeyError('bytes')."""


class WithoutTracebacks(logging.Filter):
    """Filter that shortens the record of a forged frame, and drops that of a browser that has left."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is kept."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, DecodeError) or (isinstance(error, KeyError) and error.args == ("bytes",)):
            record.msg = "A connection was closed: its browser sent a frame that is no message."
            record.args = ()
            record.exc_info = None
        return not isinstance(error, WebSocketDisconnected)


def shorten_log() -> None:
    """Add the filter to the loggers of this process."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(WithoutTracebacks())
