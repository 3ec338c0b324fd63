"""One measurement in a process of its own: `python -m benchmarks.child train MEGABYTES` or `start`."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path


def main() -> None:
    """Print what was measured as JSON."""
    kind = sys.argv[1]
    result = _train(int(sys.argv[2])) if kind == "train" else _start()
    result["peak_mb"] = _peak_megabytes()
    print(json.dumps(result))


def _peak_megabytes() -> float:
    """The most memory that this process had. On Linux getrusage would count that of the process it was forked from."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _train(megabytes: int) -> dict[str, float]:
    from benchmarks.corpus import standard_library, stream
    from bpe_core import TrainConfig, train
    from bpe_core.kernels import backend

    backend.warm_up()
    texts = standard_library()
    start = time.perf_counter()
    training = train(stream(texts, megabytes), TrainConfig(vocab_size=16_384, tie_break="lowest-ids"))
    return {"seconds": time.perf_counter() - start, "merges": len(training.merges)}


def _start() -> dict[str, float]:
    start = time.perf_counter()
    from bpe_core.kernels import backend

    imported = time.perf_counter()
    backend.warm_up()
    return {"import_seconds": imported - start, "ready_seconds": time.perf_counter() - start}


if __name__ == "__main__":
    main()
