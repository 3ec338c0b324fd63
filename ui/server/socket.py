"""A websocket that accepts only messages of Streamlit's protocol.

On a text frame, or bytes that do not parse, Streamlit logs a traceback. Here the connection closes with one log line.
Install this before the server starts, since a server creates its endpoint only once.
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
"""Close code of the connection: protocol error."""

_make_endpoint = streamlit_socket.create_websocket_handler


class _MessagesOnly(WebSocket):
    """A websocket that closes at the first invalid frame."""

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
    """Streamlit's endpoint on a websocket that accepts valid messages only."""

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
    """Install the checked websocket for servers that start after this call."""
    streamlit_socket.create_websocket_handler = _endpoint


def _endpoint(runtime: Runtime) -> Any:
    return _Endpoint(_make_endpoint(runtime))
