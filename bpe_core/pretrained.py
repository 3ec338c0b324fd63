"""GPT-2, cl100k_base and o200k_base, offline: tiktoken's definitions over the rank files that this package carries.

The files are OpenAI's published ones; see NOTICE for where they come from and their licence.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import TypedDict, cast

from tiktoken_ext import openai_public

from bpe_core.config import TrainConfig
from bpe_core.errors import VocabularyError, quoted
from bpe_core.merges import ByteRanks
from bpe_core.tokenizer import Tokenizer
from bpe_core.vocabulary import BaseVocabulary

PRETRAINED = ("gpt2", "cl100k_base", "o200k_base")
"""The names that load_pretrained knows."""

FOLDER = Path(__file__).with_name("vocabularies")
"""Where the rank files lie."""

_SPLITS = {"gpt2": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}
_DEFINITIONS = {"gpt2": "r50k_base"}  # the same ranks under tiktoken's newer name, and in its one-file format


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
    if name not in PRETRAINED:
        raise VocabularyError(
            f"{quoted(name)} is no pretrained tokenizer.",
            limit=f"Known: {', '.join(PRETRAINED)}.",
            remedy="Choose one of these.",
        )
    return _load(name)


def carried_name(data: bytes) -> str | None:
    """The name of the pretrained tokenizer whose rank file these bytes are, or None.

    >>> carried_name((FOLDER / "r50k_base.tiktoken").read_bytes())
    'gpt2'
    """
    for line in (FOLDER / "SHA256SUMS").read_text(encoding="ascii").splitlines():
        digest, file = line.split()
        if (FOLDER / file).stat().st_size == len(data) and hashlib.sha256(data).hexdigest() == digest:
            stem = file.removesuffix(".tiktoken")
            return next(name for name in PRETRAINED if _DEFINITIONS.get(name, name) == stem)
    return None


@lru_cache(maxsize=len(PRETRAINED))
def _load(name: str) -> Tokenizer:
    definition = _definition(_DEFINITIONS.get(name, name))
    ranks = definition["mergeable_ranks"]
    tokens: list[bytes | None] = [None] * (max(ranks.values()) + 1)
    for token, rank in ranks.items():
        tokens[rank] = token
    return Tokenizer(
        name,
        config=TrainConfig(vocab_size=len(tokens), split=_SPLITS[name]),
        base=BaseVocabulary(
            tokens=(), special_tokens={}, byte_ids=tuple(ranks[bytes([value])] for value in range(256))
        ),
        tokens=tokens,
        merges=ByteRanks(ranks, tokens),
        special_tokens=definition["special_tokens"],
    )


def _definition(name: str) -> _Definition:
    """tiktoken's own definition, made to read the carried file instead of the network.

    tiktoken's constructors fetch their file through the global `load_tiktoken_bpe`. A copy of the constructor with
    another global in its place leaves tiktoken itself, and the environment, as they are.
    """
    constructor = cast("FunctionType", getattr(openai_public, name))
    scope = {**constructor.__globals__, "load_tiktoken_bpe": _load_ranks}
    return cast("Callable[[], _Definition]", FunctionType(constructor.__code__, scope))()


def _load_ranks(url: str, expected_hash: str) -> dict[bytes, int]:
    """Parse a rank file (a line each: base64 of the token, its rank) once its hash is the one tiktoken expects."""
    path = _rank_file(url)
    remedy = "Get the file again from the project's repository."
    if path.parent != FOLDER:
        remedy = "It lies in TIKTOKEN_CACHE_DIR: remove it there, and the file that comes with the project is used."
    try:
        data = path.read_bytes()
    except OSError as error:
        raise VocabularyError(
            f"The vocabulary file for {url.rsplit('/', 1)[-1]} cannot be read: {error.strerror or error}.",
            limit=f"It is looked for at {path}.",
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
    """The carried file, or the one in the user's own TIKTOKEN_CACHE_DIR, where tiktoken names files by their URL."""
    cache = os.environ.get("TIKTOKEN_CACHE_DIR")
    if cache:
        cached = Path(cache) / hashlib.sha1(url.encode()).hexdigest()
        if cached.exists():
            return cached
    return FOLDER / url.rsplit("/", 1)[-1]
