"""The locks install what the ranges allow, and the package asks pip for the same ranges."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

PROJECT = Path(__file__).parents[1]
LOCKS = ("requirements", "requirements-dev", "requirements-benchmarks")
"""Each lock contains the previous one."""

PRIVATE_PARTS_ARE_USED = ("numba", "starlette", "streamlit")

SEGMENTERS = ("japanese", "chinese")
"""Extras that neither the app nor its tests install."""


def requirements(name: str) -> dict[str, Requirement]:
    """The requirements of a file and of its included files, by their names in locks."""
    found = {}
    for line in (PROJECT / name).read_text("utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            found |= requirements(text.removeprefix("-r "))
        elif text:
            requirement = Requirement(text)
            found[normalized(requirement.name)] = requirement
    return found


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(name: str) -> dict[str, tuple[Version, int]]:
    """Version and number of hashes of each package in a lock."""
    text = re.sub(r"^ *#.*\n", "", (PROJECT / f"{name}.lock").read_text("utf-8"), flags=re.MULTILINE)
    found = {}
    for entry in text.replace("\\\n", " ").splitlines():
        pin = re.match(r"([\w.-]+)==(\S+)", entry)
        assert pin is not None, entry
        assert pin[1] not in found, f"{pin[1]} has two versions"
        found[pin[1]] = Version(pin[2]), len(re.findall(r" --hash=sha256:[0-9a-f]{64}\b", entry))
    return found


def next_minor(version: Version) -> Version:
    return Version(f"{version.major}.{version.minor + 1}")


@pytest.mark.parametrize("name", LOCKS)
def test_every_direct_requirement_is_locked_within_its_range(name: str) -> None:
    lock = locked(name)
    wanted = requirements(f"{name}.txt")
    assert wanted
    outside = [
        str(each) for package, each in wanted.items() if package not in lock or lock[package][0] not in each.specifier
    ]
    assert not outside


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_hashes(name: str) -> None:
    assert not [package for package, (_, hashes) in locked(name).items() if not hashes]


@pytest.mark.parametrize(("smaller", "larger"), [LOCKS[:2], LOCKS[1:]])
def test_a_larger_lock_has_the_versions_of_the_smaller_one(smaller: str, larger: str) -> None:
    assert locked(smaller).items() <= locked(larger).items()


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_index_and_no_folder(name: str) -> None:
    text = (PROJECT / f"{name}.lock").read_text("utf-8")
    assert not re.findall(r"https?:|file:|index|find-links|(?:^|\s)/\w+", text)


def test_every_range_ends_before_the_next_version_that_may_break() -> None:
    files = ("benchmarks", *SEGMENTERS)
    for package, requirement in chain.from_iterable(requirements(f"requirements-{each}.txt").items() for each in files):
        bounds = {each.operator: Version(each.version) for each in requirement.specifier}
        assert set(bounds) == {">=", "<"}, requirement
        by_minor = package in PRIVATE_PARTS_ARE_USED or bounds[">="].major == 0
        expected = next_minor(bounds[">="]) if by_minor else Version(f"{bounds['>='].major + 1}")
        assert bounds["<"] == expected, requirement


def test_the_package_asks_for_the_ranges_of_the_requirements_files() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert set(extras) == {"app", "cluster", "notebook", *SEGMENTERS}
    asked = {*map(Requirement, [*project["dependencies"], *extras["app"]])}
    assert asked == {*requirements("requirements.txt").values()}
    for extra in ("cluster", "notebook", *SEGMENTERS):
        assert {*map(Requirement, extras[extra])} == {*requirements(f"requirements-{extra}.txt").values()}


def test_everything_installs_from_the_locks() -> None:
    installs = {
        "scripts/run": "prepare_environment requirements.lock requirements-dev.lock",
        "scripts/test": "prepare_environment requirements-dev.lock",
        "deploy/Dockerfile": "--require-hashes -r requirements.lock",
    }
    assert not [path for path, command in installs.items() if command not in (PROJECT / path).read_text("utf-8")]


def test_every_install_uses_the_same_range_of_uv() -> None:
    for path in ("scripts/_setup.sh", "deploy/Dockerfile"):
        [asked] = re.findall(r"pip.install '(uv\b[^']*)'", (PROJECT / path).read_text("utf-8"))
        assert Requirement(asked) == requirements("requirements-dev.txt")["uv"], path
