"""Security headers on every response, and endpoints restricted to the local machine.

A proxy in front of the server passes the headers on: deploy/nginx adds its own only to responses without them.
"""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response
from streamlit import file_util

from ui.serving.framing import FRAME_ANCESTORS, OWN

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

OF_THE_MACHINE = ("_stcore/metrics", "_stcore/script-health-check")
"""Endpoints for the operator: memory, sessions, and a test run of the app."""

_FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip", b"via")
"""Request headers that a proxy adds: with any of them, a local address is the proxy's."""

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def content_policy(page: str, ancestors: tuple[str, ...] = ()) -> str:
    """Content security policy of Streamlit's page: only the app's own files, no frames in it, and around it those of
    `ancestors` alone.

    Streamlit also needs its inline scripts (allowed by hash), component scripts from blobs, styles made at run time,
    and images and fonts in its own styles. Plotly exports a chart through an image from a blob.

    >>> content_policy("<script>1</script>").split("; ")[1]
    "script-src 'self' blob: 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"
    """
    around = " ".join(ancestors) or "'none'"
    digests = (sha256(script.encode()).digest() for script in _INLINE_SCRIPT.findall(page))
    hashes = "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src 'self' blob:{hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-src 'none'; object-src 'none'; "
        f"base-uri 'none'; form-action 'none'; frame-ancestors {around}"
    )


class Protection:
    """ASGI middleware that adds the headers and hides OF_THE_MACHINE from other machines."""

    def __init__(self, app: ASGIApp, ancestors: tuple[str, ...] = FRAME_ANCESTORS) -> None:
        self._app = app
        page = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")
        headers = {
            "content-security-policy": content_policy(page, ancestors),
            "x-content-type-options": "nosniff",
            **_frame_options(ancestors),
            "referrer-policy": "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        }
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *self._headers]}
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"].strip("/").endswith(OF_THE_MACHINE) and not _is_local(scope):
            await Response(status_code=404)(scope, receive, send_protected)
        else:
            await self._app(scope, receive, send_protected)


def _frame_options(ancestors: tuple[str, ...]) -> dict[str, str]:
    """The older header for frames: it cannot name origins, so it is omitted if the policy does."""
    words = {(): "DENY", (OWN,): "SAMEORIGIN"}.get(ancestors)
    return {"x-frame-options": words} if words else {}


def _is_local(scope: Scope) -> bool:
    """Whether a request comes from this machine and not through a proxy."""
    if any(name in _FORWARDED for name, _ in scope["headers"]):
        return False
    client = scope.get("client")
    try:
        return client is not None and ip_address(client[0].removeprefix("::ffff:")).is_loopback
    except ValueError:  # not an address
        return False
