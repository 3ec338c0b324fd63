"""Names of models on the hub: `owner/name`, or `name` alone for old ones, and a branch, tag or commit."""

from __future__ import annotations

import re
from typing import NamedTuple

from bpe_core import checks
from bpe_core.errors import HubError, quoted

PREFIX = "hf:"
"""What a model's name begins with where files and published tokenizers are named as well."""

LONGEST_PART = 96
"""The most characters of an owner, and of a name."""

LONGEST_REVISION = 250

LONGEST_NAME = len(PREFIX) + 2 * LONGEST_PART + LONGEST_REVISION + 2
"""The most characters of all parts together."""

_PART = rf"\w(?:[\w.-]{{0,{LONGEST_PART - 2}}}\w)?"
_NAME = re.compile(rf"(?:{_PART}/)?{_PART}", re.ASCII)
_REVISION = re.compile(r"\w(?:[\w./+-]*[\w+-])?", re.ASCII)


class HubName(NamedTuple):
    """A model, and its branch, tag or commit; None for the main branch.

    >>> str(HubName("Qwen/Qwen3-8B", "v2")), str(HubName("gpt2"))
    ('hf:Qwen/Qwen3-8B@v2', 'hf:gpt2')
    """

    name: str
    revision: str | None = None

    def __str__(self) -> str:
        return f"{PREFIX}{self.name}" + (f"@{self.revision}" if self.revision is not None else "")


def checked_name(name: object, revision: object = None) -> HubName:
    """The model of this name and revision. Raises HubError for what can be neither on the hub.

    >>> checked_name("Qwen/Qwen3-8B", "refs/pr/4")
    HubName(name='Qwen/Qwen3-8B', revision='refs/pr/4')
    """
    checks.instance(name, "The name of the model", str, "a str", error=HubError)
    assert isinstance(name, str)
    if not _NAME.fullmatch(name) or "--" in name or ".." in name or name.endswith(".git"):
        raise HubError(
            f"{quoted(name)} is not the name of a model on the hub.",
            limit=f"A name is owner/name, each at most {LONGEST_PART} letters, digits, and . _ - between them.",
            remedy="Copy it from the model's page, such as Qwen/Qwen3-8B.",
        )
    if revision is None:
        return HubName(name)
    checks.instance(revision, "The revision", str, "a str or None", error=HubError)
    assert isinstance(revision, str)
    within = len(revision) <= LONGEST_REVISION and _REVISION.fullmatch(revision)
    if not within or any(part in ("", ".", "..") or ".." in part for part in revision.split("/")):
        raise HubError(
            f"{quoted(revision)} is not a revision.",
            limit=f"A revision is a branch, a tag or a commit, of at most {LONGEST_REVISION} characters.",
            remedy="Leave it out for the main branch.",
        )
    return HubName(name, revision)


def parsed_name(text: object) -> HubName:
    """The model that is written as `owner/name` or `owner/name@revision`, with or without `hf:`. Raises HubError.

    >>> parsed_name("hf:Qwen/Qwen3-8B@main")
    HubName(name='Qwen/Qwen3-8B', revision='main')
    """
    written = checks.instance(text, "The name of the model", str, "a str", error=HubError)
    name, at, revision = written.strip().removeprefix(PREFIX).partition("@")
    return checked_name(name, revision if at else None)
