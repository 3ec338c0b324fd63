"""Encoding without offsets in fresh processes: from opening a published tokenizer to the ids, with each library.

python -m benchmarks.cold LIBRARY NAME FILE     # one measurement: importing the library is not counted

The time of bpe_core includes reading its compiled kernels from disk. Peers that are not installed
(requirements-benchmarks.txt) are named in the table, as are those that lack a vocabulary or give other ids. toktok
(toktok-rs on PyPI) and quicktok (quicktok-v1) have vocabularies of their own; gigatoken, tiktoken and iree read the
ranks. snaptokens gets a tokenizer.json written for it, ffbpe vocab.json and merges.txt: from ranks alone ffbpe derives
other merges, which do not reach all tokens.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

OURS = ("bpe_core", "bpe_core, with offsets in bytes", "bpe_core, with offsets in characters")


class Cold(NamedTuple):
    """Median seconds of a library, to open and encode and to encode once more; None where `missing` says why."""

    what: str
    library: str
    seconds: float | None
    again: float | None = None
    missing: str = ""


def cold(what: str, text: str, names: tuple[str, ...], folder: Path, *, rounds: int) -> list[Cold]:
    """Encode a text with every library in turn, each in its own process; the ids must be equal."""
    path = folder / "cold.txt"
    path.write_bytes(text.encode())
    found: list[Cold] = []
    for name in names:
        _write_files(name, folder / name)
        missing = {library: _missing(library, name) for library in LIBRARIES}
        runs: dict[str, list[dict[str, Any]]] = {library: [] for library, why in missing.items() if not why}
        for _ in range(rounds):
            for library, done in runs.items():
                done.append(_child(library, name, str(path)))
        ids = {library: {run["ids"] for run in done} for library, done in runs.items()}
        differ = [library for library, digests in ids.items() if digests != ids[OURS[0]]]
        assert all(LIBRARIES[library].differs for library in differ), f"the ids of {name} differ: {differ}"
        missing |= {library: LIBRARIES[library].differs for library in differ}
        whole = f"{what}, {path.stat().st_size / 1e6:.1f} MB, {name}"
        for library, why in missing.items():
            times = (
                [statistics.median(run[each] for run in runs[library]) for each in _TIMES] if not why else [None] * 2
            )
            found.append(Cold(whole, library, *times, missing=why))
    return found


_TIMES = ("seconds", "again")


def _missing(library: str, name: str) -> str:
    """The reason why a library cannot be measured; "" if it can."""
    peer = LIBRARIES[library]
    with suppress(ModuleNotFoundError):  # of the package around a module
        if find_spec(peer.module) is not None:
            return peer.lacks.get(name, "")
    return "not installed"


def _write_files(name: str, folder: Path) -> None:
    """Write a published tokenizer without its special tokens as tokenizer.json, and as vocab.json and merges.txt."""
    from bpe_core import load_pretrained, save

    folder.mkdir(exist_ok=True)
    path = folder / "tokenizer.json"
    published = load_pretrained(name)
    save(published, path, format="tokenizers")
    content = json.loads(path.read_text("utf-8"))
    model = content["model"]
    for token in published.special_tokens:
        model["vocab"].pop(token, None)
    path.write_text(json.dumps(content | {"added_tokens": [], "post_processor": None}), "utf-8")
    (folder / "vocab.json").write_text(json.dumps(model["vocab"]), "utf-8")
    merges = (each.split(" ") if isinstance(each, str) else each for each in model["merges"])
    (folder / "merges.txt").write_text("".join(f"{left} {right}\n" for left, right in merges), "utf-8")


def _child(library: str, name: str, path: str) -> dict[str, Any]:
    environment = os.environ | {"TIKTOKEN_CACHE_DIR": ""}
    command = [sys.executable, "-m", "benchmarks.cold", library, name, path]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(output)
    return result


Encode = Callable[[str], Any]


def _ours(name: str, folder: Path) -> Encode:
    tokenizer = import_module("bpe_core").load_pretrained(name)
    return lambda text: tokenizer.encode(text).ids


def _ours_with(name_of_ends: str, name: str, folder: Path) -> Encode:
    tokenizer = import_module("bpe_core").load_pretrained(name)

    def encode(text: str) -> Any:
        encoding = tokenizer.encode(text)
        getattr(encoding, name_of_ends)  # computed on first access
        return encoding.ids

    return encode


def _gigatoken(name: str, folder: Path) -> Encode:
    encode: Encode = import_module("gigatoken").Tokenizer.from_tiktoken(ranks_file(name)).encode
    return encode


def _toktok(name: str, folder: Path) -> Encode:
    return partial(import_module("toktok")._encoding(name).encode_to_numpy, disallowed_special=())


def _quicktok(name: str, folder: Path) -> Encode:
    encode: Encode = import_module("quicktok").get_encoding(name).encode_ordinary
    return encode


def _snaptokens(name: str, folder: Path) -> Encode:
    tokenizer = import_module("snaptokens").Tokenizer.from_file(str(folder / "tokenizer.json"))
    return lambda text: tokenizer.encode(text).ids


def _iree(name: str, folder: Path) -> Encode:
    known = "r50k_base" if name == "gpt2" else name
    encode: Encode = import_module("iree.tokenizer").Tokenizer.from_tiktoken(ranks_file(name), known).encode_to_array
    return encode


def _ffbpe(name: str, folder: Path) -> Encode:
    files = {"vocab_file": folder / "vocab.json", "merges_file": folder / "merges.txt"}
    encode: Encode = (
        import_module("ffbpe").Encoding.from_files(name, **files, pat_str=own_pattern(name)).encode_to_numpy
    )
    return encode


def _tiktoken(name: str, folder: Path) -> Encode:
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    ranks = load_tiktoken_bpe(ranks_file(name))
    encoding = tiktoken.Encoding(name, pat_str=own_pattern(name), mergeable_ranks=ranks, special_tokens={})
    return partial(encoding.encode_to_numpy, disallowed_special=())


class Library(NamedTuple):
    """A library: its module, a function that opens a tokenizer, what it lacks, and why its ids differ if they do."""

    module: str
    open: Callable[[str, Path], Encode]
    lacks: Mapping[str, str] = {}
    differs: str = ""


LIBRARIES = {
    OURS[0]: Library("bpe_core", _ours),
    OURS[1]: Library("bpe_core", partial(_ours_with, "ends")),
    OURS[2]: Library("bpe_core", partial(_ours_with, "char_ends")),
    "gigatoken": Library("gigatoken", _gigatoken),
    "toktok": Library("toktok", _toktok, {"gpt2": "not available"}),
    "quicktok": Library("quicktok", _quicktok, {"gpt2": "not available"}),
    "snaptokens": Library("snaptokens", _snaptokens, {"cl100k_base": "refuses its pattern"}),
    "iree": Library("iree.tokenizer", _iree, differs="other ids: misses merges, as in ` Specification` with gpt2"),
    "ffbpe": Library("ffbpe", _ffbpe),
    "tiktoken": Library("tiktoken", _tiktoken),
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
    peer = LIBRARIES[library]
    import_module(peer.module)
    start = time.perf_counter()
    encode = peer.open(name, Path(path).parent / name)
    ids = np.asarray(encode(text))
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    encode(text)
    again = time.perf_counter() - start
    digest = sha256(ids.astype("<u4").tobytes()).hexdigest()
    print(json.dumps({"seconds": seconds, "again": again, "ids": digest}))


if __name__ == "__main__":
    main()
