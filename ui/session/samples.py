"""The sample texts that come with the app, and what each of them shows.

The texts are files in `sample_texts/`, described by `sample_texts/index.json`. Nothing here needs Streamlit.
A file of "modules" names modules of Python's standard library, a line each: their source is the text.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ui.session.folders import SAMPLE_FOLDER
from ui.session.printed import Printed, all_printed

__all__ = ["SAMPLE_FOLDER", "Group", "Sample", "SampleNotFoundError", "all_samples", "sample", "source_of"]

Group = Literal["text", "parallel", "toy"]


@dataclass(frozen=True)
class Sample:
    """One sample text: what the index says about it, and the text itself.

    `group` is "text" (something to read), "parallel" (the same paragraph in many languages) or "toy" (a
    string small enough to follow by hand). `settings` holds the `TrainConfig` fields under which the
    sample comes out as described; the fields it does not name keep their defaults. `lang` is a BCP-47
    code, or None where no one language fits. `printed` holds what textbooks print for it. `modules`: the file
    names modules, whose source is the text.
    """

    name: str
    title: str
    language: str
    shows: str
    group: Group
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    lang: str | None = None
    printed: tuple[Printed, ...] = ()
    modules: bool = False

    @property
    def path(self) -> Path:
        """The file of the text."""
        return SAMPLE_FOLDER / f"{self.name}.txt"

    @property
    def text(self) -> str:
        r"""The text, read when asked for, exactly as its bytes say: line endings are not translated.

        >>> "\r\n" in sample("white_space").text
        True
        """
        text = self.path.read_bytes().decode("utf-8")
        return "".join(map(source_of, text.split())) if self.modules else text


def source_of(module: str) -> str:
    """The source of a module of Python's standard library, as it is installed here; "" where there is none.

    >>> "class TextWrapper" in source_of("textwrap")
    True
    """
    found = importlib.util.find_spec(module)
    read = getattr(found and found.loader, "get_source", None)
    return (read(module) if read else None) or ""


class SampleNotFoundError(KeyError):
    """There is no sample of this name. The message lists the names there are."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)

    def __str__(self) -> str:
        names = ", ".join(known.name for known in all_samples())
        return f"There is no sample text named {self.name!r}. Choose one of: {names}."


def all_samples() -> tuple[Sample, ...]:
    """All samples, in the order of the index: texts first, then the parallel paragraphs, then the toys.

    >>> [each.name for each in all_samples() if each.group == "toy"][0]
    'toy_aaabdaaabac'
    """
    return _SAMPLES


def sample(name: str) -> Sample:
    """The sample of this name; `SampleNotFoundError`, a `KeyError`, if there is none.

    >>> sample("toy_aaabdaaabac").text
    'aaabdaaabac'
    """
    for each in all_samples():
        if each.name == name:
            return each
    raise SampleNotFoundError(name)


def _from_entry(entry: dict[str, Any]) -> Sample:
    """A sample from its object in the index. JSON knows no tuples, the settings do: lists become tuples."""
    settings = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.get("settings", {}).items()
    }
    return Sample(**(entry | {"settings": settings, "printed": all_printed(entry.get("printed", ()))}))


def _read_index() -> tuple[Sample, ...]:
    entries = json.loads((SAMPLE_FOLDER / "index.json").read_text(encoding="utf-8"))
    return tuple(map(_from_entry, entries))


_SAMPLES = _read_index()
