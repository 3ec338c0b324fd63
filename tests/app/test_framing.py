"""The setting that names the pages that may frame the app, and the resulting headers."""

from __future__ import annotations

import pytest
from starlette.responses import Response

from bpe_core import ConfigError
from ui.serving.framing import MOST, ancestors_of
from ui.serving.protection import Protection

COURSE = "https://course.example.edu"


@pytest.mark.parametrize(
    ("value", "origins"),
    [
        (None, ()),
        ("  ", ()),
        ("off", ()),
        ("self", ("'self'",)),
        ("'self'", ("'self'",)),
        (COURSE, (COURSE,)),
        (f"{COURSE},http://localhost:8000 Self", (COURSE, "http://localhost:8000", "'self'")),
        (f"{COURSE} {COURSE.upper()}:8443 {COURSE}", (COURSE, f"{COURSE}:8443")),
    ],
)
def test_a_setting_names_origins(value: str | None, origins: tuple[str, ...]) -> None:
    assert ancestors_of(value) == origins


@pytest.mark.parametrize(
    "value",
    [
        "*",
        "https:",
        "https://*",
        "https://*.example.edu",
        "http://course.example.edu",
        "http://localhost",
        f"{COURSE}/",
        f"{COURSE}/week1",
        f"{COURSE}:0",
        f"{COURSE}:65536",
        f"{COURSE};script-src",
        "https://-a.edu",
        "https://user@a.edu",
        "data:",
        "'none'",
        f"off {COURSE}",
        f"{COURSE}\r\nx-own: 1;",
        "https://" + "a" * 1_000,
    ],
)
def test_what_is_no_origin_is_refused_with_value_limit_and_remedy(value: str) -> None:
    with pytest.raises(ConfigError) as refused:
        ancestors_of(value)
    error = refused.value
    assert str(error.problem).startswith("BPE_LAB_FRAME_ANCESTORS has ")
    assert len(str(error.problem)) < 300
    assert "https://name" in str(error.limit)
    assert "without a path" in str(error.remedy)


def test_more_origins_than_a_header_holds_are_refused() -> None:
    origins = [f"https://a{number}.edu" for number in range(MOST + 1)]
    assert len(ancestors_of(" ".join(origins[:-1]))) == MOST
    with pytest.raises(ConfigError, match="51 origins"):
        ancestors_of(" ".join(origins))


@pytest.mark.parametrize(
    ("ancestors", "policy", "options"),
    [
        ((), "frame-ancestors 'none'", "DENY"),
        (("'self'",), "frame-ancestors 'self'", "SAMEORIGIN"),
        ((COURSE, "'self'"), f"frame-ancestors {COURSE} 'self'", None),
    ],
)
def test_the_older_header_never_contradicts_the_policy(
    ancestors: tuple[str, ...], policy: str, options: str | None
) -> None:
    headers = dict(Protection(Response("said"), ancestors)._headers)
    assert headers[b"content-security-policy"].decode().endswith(policy)
    found = headers.get(b"x-frame-options")
    assert (found and found.decode()) == options
