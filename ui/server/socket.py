"""The web socket of a browser, on which only the messages of Streamlit's protocol are read.

Streamlit answers a frame of text, or bytes that are no message, with a traceback in the log. Here the connection ends
with one line instead. This is set up before the server starts, since each server makes its endpoint only once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.logger import get_logger
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.starlette import starlette_websocket as streamlit_socket

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import Receive, Scope, Send
    from streamlit.runtime import Runtime

_LOGGER = get_logger(__name__)

NOT_OF_THIS_PROTOCOL = 1002
"""The code that a connection is closed with."""

_make_endpoint = streamlit_socket.create_websocket_handler


class _MessagesOnly(WebSocket):
    """A web socket that ends at the first frame that is no message."""

    async def receive_bytes(self) -> bytes:
        frame = await self.receive()
        self._raise_on_disconnect(frame)
        data = frame.get("bytes")
        if data is not None and _is_message(data):
            return bytes(data)
        _LOGGER.warning("A browser's connection was closed: it sent what is no message.")
        await self.close(NOT_OF_THIS_PROTOCOL)
        raise WebSocketDisconnect(NOT_OF_THIS_PROTOCOL)


class _Endpoint:
    """Streamlit's endpoint, handed a socket that reads messages only."""

    def __init__(self, rest: Callable[[WebSocket], Awaitable[None]]) -> None:
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._rest(_MessagesOnly(scope, receive, send))


def _is_message(data: bytes) -> bool:
    try:
        BackMsg.FromString(data)
    except DecodeError:
        return False
    return True


def read_messages_only() -> None:
    """From the next start of a server in this process on."""
    streamlit_socket.create_websocket_handler = _endpoint


def _endpoint(runtime: Runtime) -> Any:
    return _Endpoint(_make_endpoint(runtime))
