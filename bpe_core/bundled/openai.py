"""GPT-2, cl100k_base and o200k_base offline: tiktoken's definitions with bundled rank files.

The files are those OpenAI publishes; NOTICE lists their sources and licence.
"""

from __future__ import annotations

import hashlib
import os
from binascii import a2b_base64
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
from bpe_core.bundled import files
from bpe_core.errors import VocabularyError
from bpe_core.language import message
from bpe_core.text.splits import Split
from bpe_core.tokenizer.tokenizer import Tokenizer

OPENAI = ("gpt2", "cl100k_base", "o200k_base")
"""Names of the tokenizers with OpenAI's rank files."""

_SPLITS = {"gpt2": "gpt2", "cl100k_base": "cl100k", "o200k_base": "o200k"}
_DEFINITIONS = {"gpt2": "r50k_base"}  # tiktoken's newer definition: the same ranks in one file instead of two


class _Definition(TypedDict):
    pat_str: str
    mergeable_ranks: dict[bytes, int]
    special_tokens: dict[str, int]


@lru_cache(maxsize=len(OPENAI))
def load_ranked(name: str) -> Tokenizer:
    """Load a tokenizer by its name in `OPENAI`. Loaded once, then shared.

    Raises VocabularyError for a missing or damaged rank file.

    >>> load_ranked("gpt2").encode("Hello").ids.tolist()
    [15496]
    """
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
        split=Split(_SPLITS[name], library=True),
        special_tokens=definition["special_tokens"],
    )


def bundled_name(data: bytes) -> str | None:
    """Name of the tokenizer whose bundled rank file equals these bytes, or None.

    >>> bundled_name((files.FOLDER / "r50k_base.tiktoken").read_bytes())
    'gpt2'
    """
    with suppress(VocabularyError):
        digests = files.hashes()
        found = hashlib.sha256(data).hexdigest()
        for name in OPENAI:
            if digests.get(f"{_DEFINITIONS.get(name, name)}.tiktoken") == found:
                return name
    return None


def _definition(name: str) -> _Definition:
    """tiktoken's own definition, patched to read the bundled file instead of downloading.

    tiktoken's constructors fetch their file through the global `load_tiktoken_bpe`. A copy of the constructor with
    another function under that name leaves tiktoken itself and the environment unchanged.
    """
    constructor = cast("FunctionType", getattr(openai_public, name))
    scope = {**constructor.__globals__, "load_tiktoken_bpe": _load_ranks}
    return cast("Callable[[], _Definition]", FunctionType(constructor.__code__, scope))()


def _load_ranks(url: str, expected_hash: str) -> dict[bytes, int]:
    """Verify a rank file by the hash that tiktoken expects, then parse it: one token per line, base64 and rank."""
    path = _cached_file(url)
    name = url.rsplit("/", 1)[-1]
    if path is None:
        data = files.checked(files.FOLDER / name, name, expected_hash)
    else:
        remedy = message("It is in TIKTOKEN_CACHE_DIR: delete it there to use the bundled file.")
        data = files.checked(path, name, expected_hash, remedy=remedy)
    words = data.split()
    return dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))


def _cached_file(url: str) -> Path | None:
    """The file in TIKTOKEN_CACHE_DIR, named by the SHA-1 of its URL, or None."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR")
    path = Path(folder, hashlib.sha1(url.encode()).hexdigest()) if folder else None
    return path if path is not None and path.exists() else None
