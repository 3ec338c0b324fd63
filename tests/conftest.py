"""Settings of all tests: selection, random seed, tracing of each test at most once, and no skipped tests."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import is_hypothesis_test

from tests import draws
from tests.hub_server import Hub, hub_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHORT_LIVED = (
    "--disable-features=ScriptStreaming,AvoidUnnecessaryBeforeUnloadCheckSync,HttpsUpgrades,OptimizationHints,"
    "PaintHolding,ThirdPartyStoragePartitioning",  # only the last such flag counts: the others are Playwright's
    "--js-flags=--no-maglev --no-turbofan",
)
"""Flags for pages that live for seconds. Scripts are compiled once in the process of a site, but parsed again in the
background for every page, to no effect; and machine code is generated again for every page, and costs more than it
saves."""

draws.load_profile()

os.environ["LANGUAGE"] = "en"  # the language of commands, whatever the locale of the machine
os.environ["HF_HUB_OFFLINE"] = "1"  # neither tests nor their servers query the hub; see the fixture `hub`
os.environ["HF_HUB_DISABLE_XET"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """Random generator of a test: same draws in every run of scripts/test, new ones in each round of scripts/fuzz."""
    return draws.generator(request.node.nodeid)


@pytest.fixture(scope="class")  # one for each function outside a class; Hypothesis rejects scope="function"
def outcomes(request: pytest.FixtureRequest) -> Iterator[draws.Outcomes]:
    """Counts of refused and accepted inputs of a property; with all examples, at least those of its mark `floor`."""
    counted = draws.Outcomes()
    failed = request.session.testsfailed
    yield counted
    if request.session.testsfailed > failed or (draws.RUN == "fuzz" and not (counted.refused or counted.accepted)):
        return  # failed, perhaps in an earlier round of a fuzz; then this one skips it
    least: dict[str, int] = request.node.get_closest_marker("floor").kwargs
    for outcome, number in least.items():
        assert getattr(counted, outcome) >= draws.examples(number), f"{getattr(counted, outcome)} inputs are {outcome}"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """A hub of the test, used by the hub's library in place of the real one, with an empty cache and no login."""
    from huggingface_hub import constants

    with hub_server() as served:
        monkeypatch.setattr(constants, "ENDPOINT", served.url)
        template = f"{served.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
        monkeypatch.delenv("HF_TOKEN", raising=False)
        monkeypatch.delenv("BPE_LAB_HUB", raising=False)
        yield served


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process: Playwright can be started only once per process.

    Tabs of a site share one process, as in a browser with many tabs: compiled code is reused.
    """
    from tests.browser.serving import launched_chromium  # not needed by most tests

    with launched_chromium("--process-per-site", *SHORT_LIVED) as browser:
        yield browser


def pytest_collection_finish() -> None:
    """Keep what was collected and imported out of garbage collection, and collect more rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, 100)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if draws.RUN == "short":
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("thorough")])
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    trace_each_test_once(items)


def trace_each_test_once(items: list[pytest.Item]) -> None:
    """Trace each test with its first parameters only, because tracing is slow.

    Random examples are never traced: their coverage varies.
    """
    traced: set[object] = set()
    for item in items:
        if isinstance(item, pytest.Function):
            if item.function in traced or is_hypothesis_test(item.function):
                item.add_marker("no_cover")
            traced.add(item.function)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Stop tracing: in a pytest-xdist process, pytest-cov has two collectors and stops only one for such a test."""
    if item.get_closest_marker("no_cover") is None or "PYTEST_XDIST_WORKER" not in os.environ:
        return (yield)
    trace = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(trace)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A skipped test fails the run: scripts/test installs everything that tests need."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if skipped := terminalreporter.stats.get("skipped"):
        terminalreporter.section("skipped tests count as failures")
        for report in skipped:
            terminalreporter.line(report.nodeid)
