"""GPT-2, cl100k_base and o200k_base, offline: tiktoken's definitions with the rank files bundled here.

The files are OpenAI's published ones; see NOTICE for where they come from and their licence.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import TypedDict, cast

from tiktoken_ext import openai_public

from bpe_core.bpe.merge_tables import ByteRanks
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import BaseVocabulary
from bpe_core.errors import VocabularyError, quoted
from bpe_core.text.splits import Split
from bpe_core.tokenizer.tokenizer import Tokenizer

PRETRAINED = ("gpt2", "cl100k_base", "o200k_base")
"""The names that load_pretrained knows."""

FOLDER = Path(__file__).parents[1] / "vocabularies"
"""Where the bundled rank files are."""

_SPLITS = {"gpt2": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}
_DEFINITIONS = {"gpt2": "r50k_base"}  # tiktoken's newer name for the same ranks, in one file instead of two


class _Definition(TypedDict):
    pat_str: str
    mergeable_ranks: dict[bytes, int]
    special_tokens: dict[str, int]


def load_pretrained(name: str) -> Tokenizer:
    """A published tokenizer: "gpt2", "cl100k_base" or "o200k_base". Loaded once, then shared.

    Raises VocabularyError for another name, and for a rank file that is missing or damaged.

    >>> load_pretrained("gpt2").encode("Hello").ids.tolist()
    [15496]
    """
    if not isinstance(name, str) or name not in PRETRAINED:
        raise VocabularyError(
            f"{quoted(name)} is not a pretrained tokenizer.",
            limit=f"Known: {', '.join(PRETRAINED)}.",
            remedy="Choose one of these.",
        )
    return _load(name)


def bundled_name(data: bytes) -> str | None:
    """The name of the pretrained tokenizer whose rank file these bytes are, or None.

    >>> bundled_name((FOLDER / "r50k_base.tiktoken").read_bytes())
    'gpt2'
    """
    with suppress(OSError):
        sums = (FOLDER / "SHA256SUMS").read_text(encoding="ascii")
        digests = dict(line.split()[::-1] for line in sums.splitlines())
        found = hashlib.sha256(data).hexdigest()
        for name in PRETRAINED:
            if digests.get(f"{_DEFINITIONS.get(name, name)}.tiktoken") == found:
                return name
    return None


@lru_cache(maxsize=len(PRETRAINED))
def _load(name: str) -> Tokenizer:
    definition = _definition(_DEFINITIONS.get(name, name))
    ranks = definition["mergeable_ranks"]
    tokens: list[bytes | None] = [None] * (max(ranks.values()) + 1)
    for token, rank in ranks.items():
        tokens[rank] = token
    byte_ids = tuple(ranks[bytes([value])] for value in range(256))
    base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids)
    return Tokenizer(
        name,
        model=BpeModel(base, tokens, ByteRanks(ranks, tokens)),
        split=Split(_SPLITS[name]),
        special_tokens=definition["special_tokens"],
    )


def _definition(name: str) -> _Definition:
    """tiktoken's own definition, made to read the bundled file instead of the network.

    tiktoken's constructors fetch their file through the global `load_tiktoken_bpe`. Calling a copy of the constructor
    with another function under that name leaves tiktoken itself and the environment unchanged.
    """
    constructor = cast("FunctionType", getattr(openai_public, name))
    scope = {**constructor.__globals__, "load_tiktoken_bpe": _load_ranks}
    return cast("Callable[[], _Definition]", FunctionType(constructor.__code__, scope))()


def _load_ranks(url: str, expected_hash: str) -> dict[bytes, int]:
    """Parse a rank file (a token per line: its bytes in base64, its rank) after checking the hash tiktoken expects."""
    path = _rank_file(url)
    remedy = "Get the file again from the project's repository."
    if path.parent != FOLDER:
        remedy = "It is in TIKTOKEN_CACHE_DIR: remove it there, and the bundled file is used."
    try:
        data = path.read_bytes()
    except OSError as error:
        raise VocabularyError(
            f"The vocabulary file for {url.rsplit('/', 1)[-1]} cannot be read: {error.strerror or error}.",
            limit=f"It is expected at {path}.",
            remedy=remedy,
        ) from None
    found = hashlib.sha256(data).hexdigest()
    if found != expected_hash:
        raise VocabularyError(
            f"The vocabulary file {path} is damaged: its SHA-256 is {found[:12]}… over {len(data):,} bytes.",
            limit=f"For {url.rsplit('/', 1)[-1]} it must be {expected_hash[:12]}….",
            remedy=remedy,
        )
    return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in data.splitlines())}


def _rank_file(url: str) -> Path:
    """The file in the user's TIKTOKEN_CACHE_DIR, named by the SHA-1 of its URL; else the bundled one."""
    cache = os.environ.get("TIKTOKEN_CACHE_DIR")
    if cache:
        cached = Path(cache) / hashlib.sha1(url.encode()).hexdigest()
        if cached.exists():
            return cached
    return FOLDER / url.rsplit("/", 1)[-1]
