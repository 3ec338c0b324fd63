"""Scope of a test run: the number of examples and parameters, and the seed of all random draws.

The environment variable `BPE_LAB_TESTS` names the run: `short` and `all` draw the same examples every time, `fuzz`
draws new ones from the seed in `BPE_LAB_SEED`.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import _constants_from_source

RUN = os.environ.get("BPE_LAB_TESTS", "short")
SEED = int(os.environ.get("BPE_LAB_SEED", "0"))
SCALE = {"short": 0.25, "all": 1.0, "fuzz": 1.0}
PROJECT = Path(__file__).parents[1]


def examples(number: int) -> int:
    """Number of examples in this run where `all` tries `number`."""
    return round(number * SCALE[RUN])


def examples_each(number: int) -> int:
    """`examples` per parameter of a property with many parameters: the short run draws fewer, shared by all of them."""
    return round(number * (0.1 if RUN == "short" else SCALE[RUN]))


def first(number: int, values: Iterable[Any]) -> list[Any]:
    """Parameters of a test; the short run takes the first `number` of them, the others are thorough."""
    every = [each if isinstance(each, type(pytest.param())) else pytest.param(each) for each in values]
    return [
        *every[:number],
        *(pytest.param(*each.values, id=each.id, marks=pytest.mark.thorough) for each in every[number:]),
    ]


def swept(characters: Iterable[str]) -> list[str]:
    """Characters of a sweep; the short run takes those before U+3400 and every 61st of the others."""
    every = list(characters)
    return every if RUN != "short" else [each for at, each in enumerate(every) if each < "\u3400" or at % 61 == 0]


def generator(*names: object) -> Random:
    """Random generator seeded by the run's seed and by names, which give each test its own draws."""
    return Random(" ".join(map(str, (SEED, *names))))


class Outcomes:
    """How many damaged inputs were refused and how many accepted: a fuzz test asserts a floor of both."""

    refused = accepted = 0

    @contextmanager
    def of(self, *refusals: type[Exception]) -> Iterator[None]:
        """Counts one input; other errors than a refusal propagate."""
        try:
            yield
        except refusals:
            self.refused += 1
        else:
            self.accepted += 1

    def count(self, is_accepted: object) -> None:
        """Counts one input."""
        if is_accepted:
            self.accepted += 1
        else:
            self.refused += 1


def load_profile() -> None:
    """Make the settings of this run Hypothesis's defaults.

    No deadline and no speed check: both fail on a busy machine. No database: it would try examples of an earlier run
    first.
    """
    settings.register_profile(
        "bpe-lab",
        max_examples=examples(100),
        derandomize=RUN != "fuzz",
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=False,
    )
    settings.load_profile("bpe-lab")
    # Hypothesis also draws constants from the project's loaded modules: draws would depend on earlier tests in the
    # same process, and on unrelated edits. A fuzz run draws them from all modules of the core.
    providers.is_local_module_file = lambda path: False
    if RUN == "fuzz":
        for path in sorted(PROJECT.glob("bpe_core/**/*.py")):
            providers._local_constants |= _constants_from_source(path.read_bytes(), limit=True)
