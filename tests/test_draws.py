"""Same draws in every run of scripts/test, new ones in scripts/fuzz, whose findings are reproducible."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1]

PROPERTIES = """
from pathlib import Path
from hypothesis import given, strategies as st
{imports}
DRAWN = Path(__file__).with_suffix(".drawn")

def keep(value):
    with DRAWN.open("a") as file:
        print(ascii(value), file=file)

@given(st.text(), st.integers(), st.sets(st.text()))
def test_of_examples(text, number, texts):
    keep((text, number, sorted(texts)))

def test_of_the_generator(rng):
    keep(rng.random())
"""

FAILING = """
from hypothesis import given, strategies as st
import pytest

@pytest.mark.parametrize("unit", ["a b", "c"])
@given(st.integers())
def test_integers_are_small(unit, number):
    assert number < 1000

def test_the_generator_gives_one_value(rng):
    value = rng.random()
    assert value == 0.5

def test_without_draws():
    raise AssertionError
"""


def run(module: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a module such as pytest with the settings of this project's tests."""
    command = [sys.executable, "-m", module, *arguments, "-p", "tests.conftest", f"--rootdir={PROJECT}"]
    return subprocess.run(
        command, cwd=PROJECT, env=os.environ | environment, capture_output=True, text=True, check=False
    )


def drawn(tmp_path: Path, imports: str = "", **environment: str) -> list[str]:
    """The draws of the tests of `PROPERTIES` in a separate process."""
    test, values = tmp_path / "test_draws.py", tmp_path / "test_draws.drawn"
    test.write_text(PROPERTIES.format(imports=imports))
    values.unlink(missing_ok=True)
    done = run("pytest", str(test), "-q", "-p", "no:cacheprovider", **environment)
    assert not done.returncode, done.stdout
    return values.read_text().splitlines()


def test_two_runs_draw_the_same_whatever_is_loaded_and_whatever_strings_hash_to(tmp_path: Path) -> None:
    one = drawn(tmp_path, BPE_LAB_TESTS="short", PYTHONHASHSEED="1")
    assert len(set(one)) > 20
    assert drawn(tmp_path, "import bpe_core.formats", BPE_LAB_TESTS="short", PYTHONHASHSEED="2") == one
    assert drawn(tmp_path, BPE_LAB_TESTS="fuzz", BPE_LAB_SEED="1", PYTHONHASHSEED="1")[: len(one)] != one


def test_a_fuzz_reports_each_failing_property_once_and_repeats_it(tmp_path: Path) -> None:
    path = tmp_path / "test_failing.py"
    path.write_text(FAILING)
    fuzz = run("tests.fuzz", "--seed", "7", str(path))
    assert fuzz.returncode == 1
    assert "number=1000" in fuzz.stderr
    assert (
        fuzz.stderr.count("Repeat: scripts/fuzz --seed 7 ") == 2
    )  # one for both parameters, none for tests that never draw
    repeated = run("tests.fuzz", "--seed", "7", f"{path}::test_the_generator_gives_one_value")
    assert repeated.returncode == 1
    [failure] = [line for line in repeated.stderr.splitlines() if line.startswith("E   assert 0.")]
    assert failure in fuzz.stderr


def test_a_fuzz_that_finds_nothing_goes_on_with_new_seeds_until_time_is_over(tmp_path: Path) -> None:
    path = tmp_path / "test_passing.py"
    path.write_text("def test_of_the_generator(rng):\n    assert rng.random() < 1")
    fuzz = run("tests.fuzz", "2s", "--jobs", "1", str(path))
    assert (fuzz.returncode, fuzz.stderr) == (0, "")
    assert fuzz.stdout.endswith("Nothing found.\n")
