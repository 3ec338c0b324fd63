"""Ids only, in fresh processes: from opening a published tokenizer to the ids of a text, with each library.

python -m benchmarks.cold LIBRARY NAME FILE     # one measurement: importing the library is not counted

Ours reads its compiled kernels from disk in that time. Peers that are not installed (requirements-benchmarks.txt) are
named in the table. gigatoken has a scheme for each published name; tiktoken and ffbpe get the same ranks and pattern.
ffbpe makes merges of the ranks: where these do not lead to a token its ids are others, and no time is given. toktok on
PyPI divides sentences into words and knows no byte pairs: there is no encoder of that name to install.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

OURS = ("bpe_core", "bpe_core, with offsets")
PEERS = ("gigatoken", "ffbpe", "tiktoken")


class Cold(NamedTuple):
    """The median seconds of a library; None if it is not installed, or if its ids are others (ffbpe)."""

    what: str
    library: str
    seconds: float | None
    missing: str = ""


def cold(what: str, text: str, names: tuple[str, ...], folder: Path, *, rounds: int) -> list[Cold]:
    """Encode a text with every library in turn, each in a process of its own; the ids must be equal."""
    path = folder / "cold.txt"
    path.write_bytes(text.encode())
    found: list[Cold] = []
    for name in names:
        seconds: dict[str, list[float]] = {library: [] for library in (*OURS, *PEERS) if _installed(library)}
        digests: dict[str, set[str]] = {library: set() for library in seconds}
        for _ in range(rounds):
            for library, times in seconds.items():
                run = _child(library, name, str(path))
                times.append(run["seconds"])
                digests[library].add(run["ids"])
        other = {"ffbpe"} if digests.get("ffbpe", digests[OURS[0]]) != digests[OURS[0]] else set()
        same = set().union(*(each for library, each in digests.items() if library not in other))
        assert len(same) == 1, f"the ids of {name} differ"
        whole = f"{what}, {path.stat().st_size / 1e6:.1f} MB, {name}"
        for library in (*OURS, *PEERS):
            if library not in seconds or library in other:
                found.append(Cold(whole, library, None, "other ids" if library in other else "not installed"))
            else:
                found.append(Cold(whole, library, statistics.median(seconds[library])))
    return found


def _installed(library: str) -> bool:
    return find_spec(library.partition(",")[0]) is not None


def _child(library: str, name: str, path: str) -> dict[str, Any]:
    environment = os.environ | {"TIKTOKEN_CACHE_DIR": ""}
    command = [sys.executable, "-m", "benchmarks.cold", library, name, path]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(output)
    return result


def _ours(name: str, text: str) -> npt.NDArray[Any]:
    from bpe_core import load_pretrained

    return load_pretrained(name).encode(text).ids


def _ours_with_offsets(name: str, text: str) -> npt.NDArray[Any]:
    from bpe_core import load_pretrained

    return load_pretrained(name).encode(text).complete().ids


def _gigatoken(name: str, text: str) -> npt.NDArray[Any]:
    gigatoken = import_module("gigatoken")
    return np.asarray(gigatoken.Tokenizer.from_tiktoken(_file(name)).encode(text))


def _ffbpe(name: str, text: str) -> npt.NDArray[Any]:
    ffbpe = import_module("ffbpe")
    return np.asarray(ffbpe.Encoding(name, **_definition(name)).encode_to_numpy(text))


def _tiktoken(name: str, text: str) -> npt.NDArray[Any]:
    import tiktoken

    return tiktoken.Encoding(name, **_definition(name)).encode_to_numpy(text, disallowed_special=())


_ENCODERS: dict[str, Callable[[str, str], npt.NDArray[Any]]] = {
    "bpe_core": _ours,
    "bpe_core, with offsets": _ours_with_offsets,
    "gigatoken": _gigatoken,
    "ffbpe": _ffbpe,
    "tiktoken": _tiktoken,
}


def _file(name: str) -> str:
    from bpe_core.bundled.files import FOLDER

    return str(FOLDER / f"{'r50k_base' if name == 'gpt2' else name}.tiktoken")


def _definition(name: str) -> dict[str, Any]:
    from tiktoken.load import load_tiktoken_bpe

    ranks = load_tiktoken_bpe(_file(name))
    return {"pat_str": _pattern(name), "mergeable_ranks": ranks, "special_tokens": {}}


def _pattern(name: str) -> str:
    """tiktoken's own pattern, without the file that its constructor would fetch."""
    from unittest.mock import patch

    from tiktoken_ext import openai_public

    with patch.object(openai_public, "load_tiktoken_bpe", lambda *_, **__: {}):
        pattern: str = getattr(openai_public, "r50k_base" if name == "gpt2" else name)()["pat_str"]
        return pattern


def main() -> None:
    """Print the seconds and a digest of the ids as JSON."""
    library, name, path = sys.argv[1:]
    text = Path(path).read_bytes().decode()
    import_module(library.partition(",")[0])
    start = time.perf_counter()
    ids = _ENCODERS[library](name, text)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "ids": sha256(ids.astype("<u4").tobytes()).hexdigest()}))


if __name__ == "__main__":
    main()
