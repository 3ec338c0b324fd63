"""What the Lessons page keeps between runs: the tables of its exhibits, and what textbooks print beside ours."""

from __future__ import annotations

from ui.components.tokens import Table
from ui.lessons.tables import table_of
from ui.memory.cache import kept
from ui.session.lessons import lesson
from ui.shared.textbooks import Held, held_against


@kept
def exhibit_table(name: str, language: str) -> Table:
    """The table of the exhibit of a lesson that comes with the app, in the language that is spoken now."""
    found = lesson(name)
    assert found is not None
    return table_of(found)


@kept
def printed_and_here(name: str) -> tuple[Held, ...]:
    """What textbooks print for a lesson that comes with the app, and what comes out here."""
    found = lesson(name)
    return () if found is None else held_against(found)
