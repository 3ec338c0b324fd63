"""The files in `bpe_core/vocabularies`: where they are, their hashes, and reading one with its hash checked.

NOTICE says where they come from and under which licences.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from bpe_core.errors import VocabularyError
from bpe_core.language import message

FOLDER = Path(__file__).parents[1] / "vocabularies"
"""Where the bundled files are."""

SUMS = "SHA256SUMS"
_AGAIN = message("Get the file again from the project's repository.")


def hashes() -> dict[str, str]:
    """The SHA-256 that each bundled file must have, by its name. Raises VocabularyError without the list of them.

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
                reason=getattr(error, "strerror", None) or str(error),
            ),
            limit=message("They are expected at {path}.", path=str(path)),
            remedy=_AGAIN,
        ) from None


def checked(path: Path, name: str, digest: str, *, remedy: str = _AGAIN) -> bytes:
    """The content of the vocabulary file called `name`, read at `path`.

    Raises VocabularyError for a file that cannot be read, or that has another SHA-256 than `digest`.

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
                reason=error.strerror or str(error),
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
    """The content of a bundled file that has its hash in SHA256SUMS. Raises as `checked` does.

    >>> bundled("bert-base-uncased.json")[:16]
    b'{"version":"1.0"'
    """
    return checked(FOLDER / name, name, hashes().get(name, "none"))
