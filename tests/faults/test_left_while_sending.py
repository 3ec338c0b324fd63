"""A browser that leaves while the server sends to it leaves no traceback in the log."""

import asyncio
import logging
from collections.abc import MutableMapping
from typing import Any

import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.serving.websocket_log import LOGGERS, WithoutTracebacks


async def lose_the_browser() -> None:
    """Do what Streamlit's endpoint does after a failed send: receive the next frame as text, and close again."""

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "websocket.send":
            raise OSError("the browser has left")

    socket = WebSocket({"type": "websocket", "headers": []}, receive, send)
    await socket.accept()
    with pytest.raises(WebSocketDisconnect):
        await socket.send_bytes(b"a page")
    with pytest.raises(RuntimeError):
        await socket.receive_bytes()
    await socket.close()


def logged(caplog: pytest.LogCaptureFixture, error: Exception) -> str:
    logger = logging.getLogger(LOGGERS[1])
    quiet = WithoutTracebacks()
    logger.addFilter(quiet)
    try:
        raise error
    except type(error):
        logger.exception("Exception in ASGI application\n")
    finally:
        logger.removeFilter(quiet)
    return caplog.text


def test_the_second_close_of_a_connection_that_is_gone_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(RuntimeError) as closed:
        asyncio.run(lose_the_browser())
    assert logged(caplog, closed.value) == ""


def test_any_other_error_of_a_connection_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    assert "Traceback" in logged(caplog, RuntimeError("something else"))
