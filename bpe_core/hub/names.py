"""Model names on the hub: `owner/name`, or only `name` for old models, and a branch, tag or commit.

The URL of a model's page is read as the name in it.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from bpe_core import checks
from bpe_core.errors import HubError, quoted
from bpe_core.hub.library import hub_address
from bpe_core.language import message

PREFIX = "hf:"
"""Prefix of a model's name where files and published tokenizers are also accepted."""

LONGEST_PART = 96
"""Maximum number of characters in an owner or a name."""

LONGEST_REVISION = 250

LONGEST_NAME = len(PREFIX) + 2 * LONGEST_PART + LONGEST_REVISION + 2
"""Maximum number of characters in all parts together."""

LONGEST_ADDRESS = 2_000
"""Maximum number of characters in a page's URL."""

HOSTS = ("huggingface.co", "www.huggingface.co", "hf.co")
"""Hosts of the hub's pages."""

_MAIN = "main"
_NOT_MODELS = ("datasets", "spaces")
_OF_FILES = ("tree", "blob", "raw", "resolve", "commit", "commits")
"""URL path segments between a model's name and a revision."""

_PART = rf"\w(?:[\w.-]{{0,{LONGEST_PART - 2}}}\w)?"
_NAME = re.compile(rf"(?:{_PART}/)?{_PART}", re.ASCII)
_REVISION = re.compile(r"\w(?:[\w./+-]*[\w+-])?", re.ASCII)


class HubName(NamedTuple):
    """Model name with a branch, tag or commit; None for the main branch.

    >>> str(HubName("Qwen/Qwen3-8B", "v2")), str(HubName("gpt2"))
    ('hf:Qwen/Qwen3-8B@v2', 'hf:gpt2')
    """

    name: str
    revision: str | None = None

    def __str__(self) -> str:
        return f"{PREFIX}{self.name}" + (f"@{self.revision}" if self.revision is not None else "")


def checked_name(name: object, revision: object = None) -> HubName:
    """Validate a model's name and revision. Raises HubError for either that cannot exist on the hub.

    `name`: may be the URL of the model's page; its revision is the default for `revision`.

    >>> checked_name("Qwen/Qwen3-8B", "refs/pr/4")
    HubName(name='Qwen/Qwen3-8B', revision='refs/pr/4')
    """
    checks.instance(name, message("The name of the model"), str, message("a str"), error=HubError)
    assert isinstance(name, str)
    if "://" in name:
        name, _, found = _from_address(name).partition("@")
        revision = found or None if revision is None else revision
    if not _NAME.fullmatch(name) or "--" in name or ".." in name or name.endswith(".git"):
        raise HubError(
            message("{name} is not the name of a model on the hub.", name=quoted(name)),
            limit=message(
                "A name is owner/name, each at most {longest} letters, digits, and . _ - between them.",
                longest=LONGEST_PART,
            ),
            remedy=message("Copy it from the model's page, such as Qwen/Qwen3-8B."),
        )
    if revision is None:
        return HubName(name)
    checks.instance(revision, message("The revision"), str, message("a str or None"), error=HubError)
    assert isinstance(revision, str)
    within = len(revision) <= LONGEST_REVISION and _REVISION.fullmatch(revision)
    if not within or any(part in ("", ".", "..") or ".." in part for part in revision.split("/")):
        raise HubError(
            message("{revision} is not a revision.", revision=quoted(revision)),
            limit=message(
                "A revision is a branch, a tag or a commit, of at most {longest} characters.", longest=LONGEST_REVISION
            ),
            remedy=message("Leave it out for the main branch."),
        )
    return HubName(name, revision)


def parsed_name(text: object) -> HubName:
    """Parse `owner/name` or `owner/name@revision`, with or without `hf:`, or a URL.

    Raises HubError for text that is not a model's name.

    >>> parsed_name("hf:Qwen/Qwen3-8B@main")
    HubName(name='Qwen/Qwen3-8B', revision='main')
    >>> parsed_name("https://huggingface.co/Qwen/Qwen3-8B/tree/main")
    HubName(name='Qwen/Qwen3-8B', revision=None)
    """
    written = checks.instance(text, message("The name of the model"), str, message("a str"), error=HubError)
    name, at, revision = _from_address(written.strip().removeprefix(PREFIX).strip()).partition("@")
    return checked_name(name, revision if at else None)


def _from_address(text: str) -> str:
    """Convert the URL of a model's page to `name@revision`; other text is returned unchanged."""
    plain = re.sub(r"[?#].*", "", text, flags=re.DOTALL) if "/" in text else text
    path = _path(plain)
    if path is None:
        return text
    parts = [unquote(part) for part in path.split("/") if part]
    if not parts or parts[0] in _NOT_MODELS:
        return text
    at = next((at for at in (1, 2) if parts[at : at + 1] and parts[at] in _OF_FILES), len(parts))
    name, revision = parts[: min(at, 2)], parts[at + 1 : at + 2]  # other pages extend the name
    if revision == ["refs"]:  # refs/pr/4, with unescaped slashes in the URL
        revision = ["/".join(parts[at + 1 : at + 4])]
    return "/".join(name) + (f"@{revision[0]}" if revision and revision != [_MAIN] else "")


def _path(address: str) -> str | None:
    """Path of a URL on the hub, or on the mirror in HF_ENDPOINT; None for other text."""
    without_scheme = re.sub(r"^https?://", "", address, flags=re.IGNORECASE)
    host, slash, path = without_scheme.partition("/")
    if slash and host.lower() in HOSTS:
        return path
    if "://" not in address:
        return None
    try:
        mirror = urlsplit(hub_address())
    except ValueError:
        return None
    begin = f"{mirror.netloc.rpartition('@')[2]}{mirror.path.rstrip('/')}/"
    return without_scheme.removeprefix(begin) if without_scheme.startswith(begin) else None
