"""Access to the machine's endpoints, and headers on every response."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.responses import Response

from ui.serving.protection import OF_THE_MACHINE, Protection

PROTECTED = Protection(Response("said", headers={"X-Own": "1"}))


def answer(path: str, client: str | None, **headers: str) -> tuple[int, list[str]]:
    """Status, and the names of the headers."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        "client": None if client is None else (client, 1),
    }
    asyncio.run(PROTECTED(scope, receive, send))
    return sent[0]["status"], [name.decode() for name, _ in sent[0]["headers"]]


@pytest.mark.parametrize("endpoint", OF_THE_MACHINE)
@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("127.8.9.1", {}, 200),
        ("::1", {}, 200),
        ("::ffff:127.0.0.1", {}, 200),
        ("127.0.0.1", {"x_forwarded_for": "127.0.0.1"}, 404),
        ("127.0.0.1", {"forwarded": "for=203.0.113.7"}, 404),
        ("127.0.0.1", {"x_real_ip": "203.0.113.7"}, 404),
        ("203.0.113.7", {}, 404),
        ("2001:db8::7", {}, 404),
        ("10.0.0.2", {}, 404),
        ("nobody", {}, 404),
        (None, {}, 404),
    ],
)
def test_endpoints_of_the_machine(endpoint: str, client: str | None, headers: dict[str, str], status: int) -> None:
    for path in (f"/{endpoint}", f"/base/{endpoint}", f"/{endpoint}/"):
        assert answer(path, client, **headers)[0] == status
    assert answer("/_stcore/health", client, **headers)[0] == 200


def test_headers_are_added_to_every_answer() -> None:
    for path in ("/", f"/{OF_THE_MACHINE[0]}"):
        names = answer(path, "203.0.113.7")[1]
        assert len(set(names)) == len(names)
        assert {"content-security-policy", "x-content-type-options", "x-frame-options"} < set(names)
