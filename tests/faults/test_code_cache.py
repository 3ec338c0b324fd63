"""Damaged entries of the compiled-code cache are recompiled; without a cache everything still works."""

import errno
import importlib.util
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NoReturn

import pytest

from bpe_core.kernels import code_cache
from bpe_core.kernels.code_cache import CodeCache, _CheckedFiles
from tests.draws import examples, first

SOURCE = """
from bpe_core.kernels.backend import njit

@njit
def triple(number):
    return number * 3
"""


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def turned_bit(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a bit": turned_bit,
    "cut": cut,
    "empty": lambda data: b"",
    "garbage": lambda data: b"garbage\n" * 99,
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A kernel's file, compiled once."""
    path = tmp_path / "small_kernel.py"
    path.write_text(SOURCE)
    assert started(path).triple(14) == 42
    assert len(list(cache_files(path, ".nbc"))) == 1
    return path


def started(path: Path) -> ModuleType:
    """The module as in a new process: nothing is compiled yet."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cache_files(path: Path, ending: str) -> list[Path]:
    return [each for each in (path.parent / "__pycache__").iterdir() if each.suffix == ending]


def was_compiled(module: ModuleType) -> bool:
    return sum(module.triple.from_python.stats.cache_misses.values()) == 1


def test_what_was_compiled_once_is_read_by_the_next_process(source: Path) -> None:
    module = started(source)
    assert module.triple(14) == 42
    assert not was_compiled(module)


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", first(1, DAMAGES))
def test_a_damaged_file_is_compiled_again_and_written_over(source: Path, ending: str, damage: str) -> None:
    [file] = cache_files(source, ending)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    module = started(source)
    assert module.triple(14) == 42
    again = started(source)
    assert again.triple(14) == 42
    assert not was_compiled(again)


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_damaged_file_is_never_unpickled(
    source: Path, ending: str, rng: Random, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Errors of an aborted unpickling are printed by Python and reach no handler."""
    [file] = cache_files(source, ending)
    whole = file.read_bytes()
    loads = pickle.loads

    def loaded(data: bytes) -> object:
        assert data in whole
        return loads(data)

    monkeypatch.setattr(pickle, "loads", loaded)
    monkeypatch.setattr(pickle, "load", None)
    for _ in range(examples(40)):
        damaged = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged[: rng.choice([len(damaged), rng.randrange(len(damaged))])])
        cache = started(source).triple.from_python._cache
        assert cache._cache_file._load_index() == {} if ending == ".nbi" else True
        if ending == ".nbc":
            with pytest.raises(OSError, match="damaged"):
                cache._cache_file._load_data(file.name)
    assert capfd.readouterr().err == ""


def test_code_kept_by_an_earlier_version_is_compiled_again(source: Path) -> None:
    """Numba's own cache files have no digest before the code."""
    [file] = cache_files(source, ".nbc")
    file.write_bytes(file.read_bytes()[16:])
    module = started(source)
    assert module.triple(14) == 42
    assert was_compiled(module)


CALLED = "from bpe_core.kernels.backend import njit\n\n@njit\ndef add(number):\n    return number + {}\n"
TYPES = "from typing import NamedTuple\n\nclass {}(NamedTuple):\n    a: int\n    b: float\n"


def beside(folder: Path, name: str, text: str) -> ModuleType:
    """Another module of the kernel's folder, imported as in a new process."""
    (folder / f"{name}.py").write_text(text)
    sys.modules.pop(name, None)
    code_cache._stamp.cache_clear()
    return importlib.import_module(name)


def test_a_kept_kernel_is_compiled_again_when_one_that_it_calls_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "small_kernel.py"
    path.write_text(
        SOURCE.replace("number * 3", "add(number)").replace("\n@njit", "from called_by_it import add\n\n@njit")
    )
    for added, result in (("number", 28), ("2 * number", 42)):
        beside(tmp_path, "called_by_it", CALLED.format(added))
        assert started(path).triple(14) == result


def test_a_kept_kernel_is_compiled_again_when_a_type_that_it_takes_has_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "small_kernel.py"
    for name in ("Pair", "Two"):
        of_it = beside(tmp_path, "types_of_it", TYPES.format(name))
        path.write_text(SOURCE.replace("number * 3", "number.a * 3"))
        assert started(path).triple(getattr(of_it, name)(14, 0.5)) == 42


def test_on_a_full_disk_a_kernel_runs_and_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_CheckedFiles, "_open_for_write", full)
    path = tmp_path / "small_kernel.py"
    path.write_text(SOURCE)
    module = started(path)
    assert isinstance(module.triple.from_python._cache, CodeCache)
    assert module.triple(14) == 42
    assert not cache_files(path, ".nbc")
