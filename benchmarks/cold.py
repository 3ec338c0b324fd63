"""Encoding without offsets in fresh processes: from opening a published tokenizer to the ids, with each library.

python -m benchmarks.cold LIBRARY NAME FILE     # one measurement: importing the library is not counted

Ours includes reading its compiled kernels from disk. Peers that are not installed (requirements-benchmarks.txt) are
named in the table. gigatoken and tiktoken read the ranks; toktok (toktok-rs on PyPI) has its own vocabularies, without
that of GPT-2. ffbpe gets a vocab.json and merges.txt written for it: from ranks alone it derives other merges, which
do not reach all tokens.
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
PEERS = ("gigatoken", "toktok", "ffbpe", "tiktoken")
_KNOWN_BY_TOKTOK = ("cl100k_base", "o200k_base")


class Cold(NamedTuple):
    """Median seconds of a library; None if it is not installed or lacks the vocabulary: see `missing`."""

    what: str
    library: str
    seconds: float | None
    missing: str = ""


def cold(what: str, text: str, names: tuple[str, ...], folder: Path, *, rounds: int) -> list[Cold]:
    """Encode a text with every library in turn, each in its own process; the ids must be equal."""
    path = folder / "cold.txt"
    path.write_bytes(text.encode())
    found: list[Cold] = []
    for name in names:
        missing = {library: _missing(library, name) for library in (*OURS, *PEERS)}
        seconds: dict[str, list[float]] = {library: [] for library, why in missing.items() if not why}
        if "ffbpe" in seconds:
            _write_merges(name, folder / name)
        digests = set()
        for _ in range(rounds):
            for library, times in seconds.items():
                run = _child(library, name, str(path))
                times.append(run["seconds"])
                digests.add(run["ids"])
        assert len(digests) == 1, f"the ids of {name} differ"
        whole = f"{what}, {path.stat().st_size / 1e6:.1f} MB, {name}"
        for library, why in missing.items():
            found.append(Cold(whole, library, None if why else statistics.median(seconds[library]), why))
    return found


def _missing(library: str, name: str) -> str:
    """The reason why a library cannot be measured; "" if it can."""
    if find_spec(library.partition(",")[0]) is None:
        return "not installed"
    return "" if library != "toktok" or name in _KNOWN_BY_TOKTOK else "not available"


def _write_merges(name: str, folder: Path) -> None:
    """Write vocab.json and merges.txt of a published tokenizer, in GPT-2's byte alphabet."""
    from bpe_core import load_pretrained, save

    folder.mkdir(exist_ok=True)
    save(load_pretrained(name), folder / "tokenizer.json", format="tokenizers")
    model = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]
    (folder / "vocab.json").write_text(json.dumps(model["vocab"]), "utf-8")
    (folder / "merges.txt").write_text("".join(f"{left} {right}\n" for left, right in model["merges"]), "utf-8")


def _child(library: str, name: str, path: str) -> dict[str, Any]:
    environment = os.environ | {"TIKTOKEN_CACHE_DIR": ""}
    command = [sys.executable, "-m", "benchmarks.cold", library, name, path]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(output)
    return result


def _ours(name: str, text: str, folder: Path) -> npt.NDArray[Any]:
    from bpe_core import load_pretrained

    return load_pretrained(name).encode(text).ids


def _ours_with_offsets(name: str, text: str, folder: Path) -> npt.NDArray[Any]:
    from bpe_core import load_pretrained

    return load_pretrained(name).encode(text).complete().ids


def _gigatoken(name: str, text: str, folder: Path) -> npt.NDArray[Any]:
    gigatoken = import_module("gigatoken")
    return np.asarray(gigatoken.Tokenizer.from_tiktoken(ranks_file(name)).encode(text))


def _ffbpe(name: str, text: str, folder: Path) -> npt.NDArray[Any]:
    files = {"vocab_file": folder / name / "vocab.json", "merges_file": folder / name / "merges.txt"}
    encoding = import_module("ffbpe").Encoding.from_files(name, **files, pat_str=own_pattern(name))
    return np.asarray(encoding.encode_to_numpy(text))


def _toktok(name: str, text: str, folder: Path) -> npt.NDArray[Any]:
    return np.asarray(import_module("toktok")._encoding(name).encode_to_numpy(text, disallowed_special=()))


def _tiktoken(name: str, text: str, folder: Path) -> npt.NDArray[Any]:
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    ranks = load_tiktoken_bpe(ranks_file(name))
    encoding = tiktoken.Encoding(name, pat_str=own_pattern(name), mergeable_ranks=ranks, special_tokens={})
    return encoding.encode_to_numpy(text, disallowed_special=())


_ENCODERS: dict[str, Callable[[str, str, Path], npt.NDArray[Any]]] = {
    "bpe_core": _ours,
    "bpe_core, with offsets": _ours_with_offsets,
    "gigatoken": _gigatoken,
    "toktok": _toktok,
    "ffbpe": _ffbpe,
    "tiktoken": _tiktoken,
}


def ranks_file(name: str) -> str:
    from bpe_core.bundled.files import FOLDER

    return str(FOLDER / f"{'r50k_base' if name == 'gpt2' else name}.tiktoken")


def own_pattern(name: str) -> str:
    """tiktoken's own pattern, without the download that its constructor would start."""
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
    ids = _ENCODERS[library](name, text, Path(path).parent)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "ids": sha256(ids.astype("<u4").tobytes()).hexdigest()}))


if __name__ == "__main__":
    main()
