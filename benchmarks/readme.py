"""The tables of the README that a benchmark writes, each between two marks of its own."""

from __future__ import annotations

from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
END = "<!-- end -->"


def write_table(command: str, table: str, readme: Path = README) -> None:
    """Put the table that this command prints in its place. ValueError where the README has none for it."""
    mark = f"<!-- written by {command} -->"
    before, found, rest = readme.read_text(encoding="utf-8").partition(mark)
    _, ended, after = rest.partition(END)
    if not (found and ended):
        raise ValueError(f"{readme.name} has no {mark} with an {END} after it: write both where the table belongs")
    readme.write_text(f"{before}{mark}\n{table}\n{END}{after}", encoding="utf-8")
