"""Files in `bpe_core/vocabularies`: location, hashes, and verified reading.

NOTICE lists their sources and licences.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from bpe_core.errors import VocabularyError, reason_of
from bpe_core.language import message

FOLDER = Path(__file__).parents[1] / "vocabularies"
"""Folder of the bundled files."""

SUMS = "SHA256SUMS"
_AGAIN = message("Get the file again from the project's repository.")


def hashes() -> dict[str, str]:
    """Expected SHA-256 of each bundled file by name. Raises VocabularyError if the list is missing.

    >>> hashes()["r50k_base.tiktoken"][:12]
    '306cd27f03c1'
    """
    path = FOLDER / SUMS
    try:
        lines = path.read_text(encoding="ascii").splitlines()
        return {name: digest for digest, name in (line.split() for line in lines)}
    except (OSError, ValueError) as error:
        raise VocabularyError(
            message(
                "The hashes of the vocabulary files cannot be read: {reason}.",
                reason=reason_of(error),
            ),
            limit=message("They are expected at {path}.", path=str(path)),
            remedy=_AGAIN,
        ) from None


def checked(path: Path, name: str, digest: str, *, remedy: str = _AGAIN) -> bytes:
    """Read and verify the vocabulary file `name` at `path`.

    Raises VocabularyError for a file that cannot be read, or whose SHA-256 is not `digest`.

    >>> len(checked(FOLDER / "t5-small.json", "t5-small.json", hashes()["t5-small.json"]))
    1389353
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise VocabularyError(
            message(
                "The vocabulary file for {name} cannot be read: {reason}.",
                name=name,
                reason=reason_of(error),
            ),
            limit=message("It is expected at {path}.", path=str(path)),
            remedy=remedy,
        ) from None
    found = hashlib.sha256(data).hexdigest()
    if found != digest:
        raise VocabularyError(
            message(
                "The vocabulary file {path} is damaged: its SHA-256 is {found}… over {bytes:,} bytes.",
                path=str(path),
                found=found[:12],
                bytes=len(data),
            ),
            limit=message("For {name} it must be {expected}….", name=name, expected=digest[:12]),
            remedy=remedy,
        )
    return data


def bundled(name: str) -> bytes:
    """Read a bundled file and verify it against SHA256SUMS. Raises as `checked` does.

    >>> bundled("bert-base-uncased.json")[:16]
    b'{"version":"1.0"'
    """
    return checked(FOLDER / name, name, hashes().get(name, "none"))
