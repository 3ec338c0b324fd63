"""Settings of all tests: property tests without a deadline, and no test skipped."""

import os

import pytest
from hypothesis import settings

# No deadline: the first example may wait for the compiler. In CI every run tries the same examples.
settings.register_profile("bpe-lab", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("bpe-lab")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A skipped test fails the run: scripts/test installs whatever a test needs."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if skipped := terminalreporter.stats.get("skipped"):
        terminalreporter.section("skipped tests count as failures")
        for report in skipped:
            terminalreporter.line(report.nodeid)
