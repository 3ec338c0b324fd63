"""Tables written by benchmarks into docs/speed.md and docs/scale.md, each between two markers."""

from __future__ import annotations

from pathlib import Path

SPEED = Path(__file__).parents[1] / "docs" / "speed.md"
END = "<!-- end -->"


def write_table(command: str, table: str, page: Path = SPEED) -> None:
    """Replace the table of a command in a page. Raises ValueError for a page without its markers."""
    marker = f"<!-- written by {command} -->"
    before, found, rest = page.read_text(encoding="utf-8").partition(marker)
    _, ended, after = rest.partition(END)
    if not (found and ended):
        raise ValueError(f"{page.name} needs the lines {marker} and {END} where the table belongs")
    page.write_text(f"{before}{marker}\n{table}\n{END}{after}", encoding="utf-8")
