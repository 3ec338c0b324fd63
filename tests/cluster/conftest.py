"""Two workers, a corpus of files of every kind, and its texts in order."""

from __future__ import annotations

import gzip
import json
import logging
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from distributed import LocalCluster

from tests.draws import RUN

SOURCE = Path(sysconfig.get_paths()["stdlib"], "argparse.py").read_text(encoding="utf-8")
TEXTS = [SOURCE[start : start + 12_000] for start in range(0, 60_000, 12_000)]
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたか\r\nとんと見当がつかぬ。 été ⅷ ﬁ\n" * 120


@pytest.fixture(scope="session")
def cluster() -> Iterator[LocalCluster]:
    """Two workers. In the short run both live in this process, but still communicate through sockets."""
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=RUN != "short",
        protocol="tcp",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    ) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def scheduler(cluster: LocalCluster) -> str:
    return str(cluster.scheduler_address)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every kind; ordered by name, they contain the texts of `in_order`."""
    folder = tmp_path_factory.mktemp("corpus")
    lines = [json.dumps({"text": text}) + "\n" for text in TEXTS]
    Path(folder, "a.txt").write_bytes((SOURCE[:30_000] + JAPANESE).encode())
    Path(folder, "b.jsonl").write_text("".join(lines), encoding="utf-8")
    Path(folder, "c.jsonl.gz").write_bytes(gzip.compress("".join(lines[:2]).encode()))
    Path(folder, "d.txt.zst").write_bytes(zstandard.ZstdCompressor().compress(JAPANESE.encode()))
    pq.write_table(pa.table({"text": TEXTS[::-1]}), folder / "e.parquet", row_group_size=2)
    return folder


def in_order() -> list[str]:
    return [SOURCE[:30_000] + JAPANESE, *TEXTS, *TEXTS[:2], JAPANESE, *TEXTS[::-1]]
