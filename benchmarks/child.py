"""One measurement in its own process: `train MEGABYTES`, `encode MEGABYTES`, `open LIBRARY FILE` or `start`."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_FEW_WORDS = "bababi koko zuzu Ärger 猫"


def main() -> None:
    """Print the measurement as JSON."""
    kind, *arguments = sys.argv[1:]
    result = _MEASURED[kind](*arguments)
    result["peak_mb"] = _megabytes("VmHWM")
    print(json.dumps(result))


def _megabytes(field: str) -> float:
    """Peak memory of this process (VmHWM), or current memory (VmRSS); outside Linux always the peak.

    On Linux getrusage would include the peak of the parent process before the fork.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(status.split(f"{field}:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _train(megabytes: str) -> dict[str, float]:
    from benchmarks.corpus import standard_library, stream
    from bpe_core import TrainConfig, train
    from bpe_core.kernels import backend

    backend.warm_up()
    texts = standard_library()
    start = time.perf_counter()
    training = train(stream(texts, int(megabytes)), TrainConfig(vocab_size=16_384, tie_break="lowest-ids"))
    return {"seconds": time.perf_counter() - start, "merges": len(training.merges)}


def _encode(megabytes: str) -> dict[str, float]:
    """Encode a file of this many megabytes to a file of ids."""
    from benchmarks.corpus import standard_library, stream
    from bpe_core import encode_files, load_pretrained
    from bpe_core.kernels import backend

    backend.warm_up()
    with TemporaryDirectory() as folder:
        path = Path(folder, "text")
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(stream(standard_library(), int(megabytes)))
        tokenizer = load_pretrained("cl100k_base")
        start = time.perf_counter()
        done = encode_files(path, tokenizer, path.with_suffix(".npy"))
        return {"seconds": time.perf_counter() - start, "ids": done.count}


def _open(library: str, path: str) -> dict[str, Any]:
    """Open a tokenizer.json and encode a few words, which builds some tables."""
    import tokenizers

    import bpe_core

    before = _megabytes("VmRSS")
    start = time.perf_counter()
    opened = bpe_core.load(path) if library == "bpe_core" else tokenizers.Tokenizer.from_file(path)
    if isinstance(opened, bpe_core.Tokenizer):
        ids = opened.encode(_FEW_WORDS).ids.tolist()
    else:
        ids = opened.encode(_FEW_WORDS, add_special_tokens=False).ids
    return {"seconds": time.perf_counter() - start, "growth_mb": _megabytes("VmRSS") - before, "ids": ids}


def _start() -> dict[str, float]:
    start = time.perf_counter()
    from bpe_core.kernels import backend

    imported = time.perf_counter()
    backend.warm_up()
    return {"import_seconds": imported - start, "ready_seconds": time.perf_counter() - start}


_MEASURED: dict[str, Callable[..., dict[str, Any]]] = {
    "train": _train,
    "encode": _encode,
    "open": _open,
    "start": _start,
}


if __name__ == "__main__":
    main()
