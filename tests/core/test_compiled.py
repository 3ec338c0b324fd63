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


COMPILE_TWO = """
from bpe_core.kernels import processes, runs, wide_scan

processes.KERNEL_MODULES, processes.LATER_MODULES = (wide_scan.__name__, runs.__name__), ()
processes.compile_missing()
wide_scan.warm_up()
runs.warm_up()
for kernel in (wide_scan._spans, runs._add_runs, runs._find_near):
    print(sum(kernel.from_python.stats.cache_hits.values()), sum(kernel.from_python.stats.cache_misses.values()))
"""


def test_other_processes_compile_what_is_not_kept(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COMPILE_TWO]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("1 0\n" * 3, "")
