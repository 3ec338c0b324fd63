"""The memory announced for counting pairs is close to the memory used, whether pairs repeat or not."""

import json
import subprocess
import sys

import pytest

from tests.draws import PROJECT, first

MEASURED = """
import json, re, sys
from contextlib import nullcontext
import numpy as np
from bpe_core.bpe.compiled import pair_counts
from bpe_core.bpe.corpus import Corpus
from bpe_core.kernels import merge_loop
from bpe_core.work import limit_work

def most():
    return 1024 * int(re.search(r"VmHWM:\\s+([0-9]+)", open("/proc/self/status").read())[1])

symbols, kinds, word = map(int, sys.argv[1:])
ids = np.random.default_rng(symbols).integers(0, kinds, symbols).astype(np.int32)
offsets = np.append(np.arange(0, symbols, word), symbols)
corpus = Corpus(ids, offsets, np.ones(len(offsets) - 1, np.int64))
merge_loop.warm_up()
announced = []
limit_work(lambda size: announced.append(size) or nullcontext())
before = most()
pairs = pair_counts(corpus)
print(json.dumps([announced, most() - before]))
"""


@pytest.mark.parametrize(
    ("symbols", "kinds", "word"),
    first(
        3,
        [
            pytest.param(3_000_000, 60_000, 3_000_000),
            pytest.param(3_000_000, 4, 3_000_000),
            pytest.param(3_000_000, 2_000, 3_000_000),
            pytest.param(2_200_000, 60_000, 2_200_000),
            pytest.param(2_000_000, 300, 4),
            pytest.param(3_000_000, 60_000, 3),
        ],
    ),
)
def test_about_what_counting_pairs_takes_is_announced(symbols: int, kinds: int, word: int) -> None:
    code = [sys.executable, "-c", MEASURED, *map(str, (symbols, kinds, word))]
    done = subprocess.run(code, cwd=PROJECT, capture_output=True, text=True, check=True)
    [announced], taken = json.loads(done.stdout)
    assert 0.9 * taken < announced < 2 * taken
