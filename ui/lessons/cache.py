"""Caches of the Lessons page: tables of exhibits, and printed results beside this app's."""

from __future__ import annotations

from bpe_core.payloads.chips import Table
from ui.lessons.tables import table_of
from ui.memory.cache import cached
from ui.session.lessons import lesson
from ui.widgets.textbooks import PrintedResult, compared_results


@cached
def exhibit_table(name: str, language: str) -> Table:
    """Exhibit table of a bundled lesson in the current language."""
    found = lesson(name)
    assert found is not None
    return table_of(found)


@cached
def printed_and_here(name: str) -> tuple[PrintedResult, ...]:
    """Printed results for a bundled lesson, with this app's results."""
    found = lesson(name)
    return () if found is None else compared_results(found)
