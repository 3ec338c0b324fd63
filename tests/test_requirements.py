"""The locks install what the ranges allow, and the package asks pip for the same ranges."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from itertools import chain
from pathlib import Path

import pytest
from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement
from packaging.version import Version

PROJECT = Path(__file__).parents[1]
LOCKS = ("requirements", "requirements-dev", "requirements-benchmarks")
"""Each lock contains the previous one."""

PRIVATE_PARTS_ARE_USED = ("numba", "starlette", "streamlit")

PLATFORMS = {
    "Linux": {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux", "platform_machine": "aarch64"},
    "macOS": {"os_name": "posix", "sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64"},
    "Windows": {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows", "platform_machine": "AMD64"},
}
PYTHONS = ("3.11", "3.14")

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


def markers(name: str) -> dict[str, Marker | None]:
    """The platforms of each package in a lock; None means all."""
    pins = re.findall(r"^([\w.-]+)==\S+(?: ; (.+?))? \\$", (PROJECT / f"{name}.lock").read_text("utf-8"), re.MULTILINE)
    return {package: Marker(marker) if marker else None for package, marker in pins}


def needs(package: str) -> list[Requirement]:
    """What an installed package requires, on any platform; nothing of one that this platform does not install."""
    try:
        return [Requirement(each) for each in requires(package) or ()]
    except PackageNotFoundError:
        return []


def closure(name: str, environment: dict[str, str]) -> set[str]:
    """Every package that a requirements file installs in an environment, as far as their metadata are installed."""
    waiting = [(each, frozenset(requirement.extras)) for each, requirement in requirements(f"{name}.txt").items()]
    found: set[str] = set()
    done: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        package, extras = waiting.pop()
        if (package, extras) in done:
            continue
        done.add((package, extras))
        found.add(package)
        for each in needs(package):
            wanted = [each.marker is None or each.marker.evaluate(environment | {"extra": x}) for x in ("", *extras)]
            if any(wanted):
                waiting.append((normalized(each.name), frozenset(each.extras)))
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


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("name", LOCKS[:2])
def test_a_lock_has_every_package_that_a_platform_needs(name: str, platform: str, python: str) -> None:
    own: dict[str, str] = {key: str(value) for key, value in default_environment().items()}
    environment = own | PLATFORMS[platform] | {"python_version": python, "python_full_version": f"{python}.0"}
    lock = {package: marker is None or marker.evaluate(environment) for package, marker in markers(name).items()}
    needed = closure(name, environment)
    assert len(needed) > len(requirements(f"{name}.txt"))
    assert not [package for package in sorted(needed) if not lock.get(package)]


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
