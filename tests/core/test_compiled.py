"""Kernels are compiled once, cached where possible, and never block a start."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bpe_core
from bpe_core.kernels import backend

PROJECT = Path(bpe_core.__file__).parents[1]
KERNEL = """
from bpe_core.kernels.backend import njit

@njit
def double(number):
    return number + number

if __name__ == "__main__":
    print(double(21))
"""


@pytest.fixture
def run_kernel(tmp_path):
    """Run a program with its own kernel in its own process, and return its output."""
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")

    def run(**environment):
        environment = {**os.environ, "PYTHONPATH": str(PROJECT), "NUMBA_CACHE_DIR": "", **environment}
        return subprocess.run(
            [sys.executable, "-W", "error", "kernel.py"], cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    return run


def test_a_kernel_is_kept_beside_its_source(run_kernel, tmp_path):
    assert run_kernel().stdout == "42\n"
    assert list(tmp_path.glob("__pycache__/kernel.double-*.nbc"))


def test_a_folder_that_cannot_be_written_sends_the_kernel_to_the_users_cache(run_kernel, tmp_path):
    (tmp_path / "__pycache__").touch()  # a file: no folder can be created in its place, not even by root
    assert run_kernel(XDG_CACHE_HOME=str(tmp_path / "cache")).stdout == "42\n"
    assert list(tmp_path.glob("cache/**/kernel.double-*.nbc"))


def test_a_kernel_that_can_be_kept_nowhere_is_compiled_all_the_same(run_kernel, tmp_path):
    (tmp_path / "__pycache__").touch()
    result = run_kernel(XDG_CACHE_HOME=str(tmp_path / "__pycache__" / "none"), HOME=str(tmp_path / "__pycache__"))
    assert (result.stdout, result.stderr) == ("42\n", "")


@pytest.mark.thorough
def test_processes_that_compile_at_once_do_each_other_no_harm(run_kernel):
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda _: run_kernel(), range(4)))
    assert [(result.stdout, result.stderr) for result in results] == [("42\n", "")] * 4


def test_warming_up_makes_ready_and_may_be_asked_for_twice():
    backend.warm_up()
    backend.warm_up()
    assert backend.is_ready()


def test_a_kept_kernel_is_compiled_again_when_one_that_it_calls_has_changed(run_kernel, tmp_path):
    called = "from bpe_core.kernels.backend import njit\n\n\n@njit\ndef add(number):\n    return number + {}\n"
    (tmp_path / "called.py").write_text(called.format("number"), encoding="utf-8")
    calling = KERNEL.replace("number + number", "add(number)").replace("\n@njit", "from called import add\n\n@njit")
    (tmp_path / "kernel.py").write_text(calling, encoding="utf-8")
    assert run_kernel().stdout == "42\n"
    (tmp_path / "called.py").write_text(called.format("2 * number"), encoding="utf-8")
    assert run_kernel().stdout == "63\n"


def test_a_kept_kernel_is_compiled_again_when_a_type_that_it_takes_has_another_name(run_kernel, tmp_path):
    types = "from typing import NamedTuple\n\n\nclass {}(NamedTuple):\n    a: int\n    b: float\n"
    for name in ("Pair", "Two"):
        (tmp_path / "types_of_it.py").write_text(types.format(name), encoding="utf-8")
        taking = KERNEL.replace("number + number", "number.a + number.a").replace(
            "double(21)", f"double({name}(21, 0.5))"
        )
        taking = taking.replace("\n@njit", f"from types_of_it import {name}\n\n@njit")
        (tmp_path / "kernel.py").write_text(taking, encoding="utf-8")
        result = run_kernel()
        assert (result.stdout, result.stderr) == ("42\n", "")


COMPILE_TWO = """
from bpe_core.kernels import judging, pieces, processes

processes.KERNEL_MODULES, processes.LATER_MODULES = (judging.__name__, pieces.__name__), ()
processes.compile_missing()
judging.warm_up()
pieces.warm_up()
for kernel in (judging._best_pair, pieces._best_paths, pieces._longest_matches):
    print(sum(kernel.from_python.stats.cache_hits.values()), sum(kernel.from_python.stats.cache_misses.values()))
"""


def test_other_processes_compile_what_is_not_kept(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COMPILE_TWO]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1 0\n" * 3, "")
