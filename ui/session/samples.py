"""Bundled sample texts and their descriptions.

The texts are files in `sample_texts/`, described by `sample_texts/index.json`. Independent of Streamlit.
A "modules" file lists modules of Python's standard library, one per line; their source is the text.
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

Purpose = Literal["read", "by hand", "code", "characters", "languages"]


@dataclass(frozen=True)
class Sample:
    """A sample text with its entry in the index.

    `group` is "text" (something to read), "parallel" (one paragraph in many languages) or "toy" (a string short enough
    to follow by hand). `settings` holds the `TrainConfig` fields that reproduce the description; other fields keep
    their defaults. `lang` is a BCP-47 code, or None if no single language fits. `printed` holds results printed in
    textbooks. `modules`: the file lists modules, whose source is the text.
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
    def purpose(self) -> Purpose:
        """What it is good for: see `Purpose`."""
        if self.group != "text":
            return "languages" if self.group == "parallel" else "by hand"
        return {"Code": "code", "Mixed": "characters"}.get(self.language, "read")  # type: ignore[return-value]

    @property
    def path(self) -> Path:
        """The text's file."""
        return SAMPLE_FOLDER / f"{self.name}.txt"

    @property
    def text(self) -> str:
        r"""The text, read on every access; line endings are preserved.

        >>> "\r\n" in sample("white_space").text
        True
        """
        text = self.path.read_bytes().decode("utf-8")
        return "".join(map(source_of, text.split())) if self.modules else text


def source_of(module: str) -> str:
    """Source of an installed standard library module; "" if not available.

    >>> "class TextWrapper" in source_of("textwrap")
    True
    """
    found = importlib.util.find_spec(module)
    read = getattr(found and found.loader, "get_source", None)
    return (read(module) if read else None) or ""


class SampleNotFoundError(KeyError):
    """No sample has this name; the message lists all names."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)

    def __str__(self) -> str:
        names = ", ".join(known.name for known in all_samples())
        return f"There is no sample text named {self.name!r}. Choose one of: {names}."


def all_samples() -> tuple[Sample, ...]:
    """All samples in index order: texts, parallel paragraphs, toys.

    >>> [each.name for each in all_samples() if each.group == "toy"][0]
    'toy_aaabdaaabac'
    """
    return _SAMPLES


def samples_for(purpose: Purpose | None, language: str) -> list[Sample]:
    """Samples for a purpose, or all: those in a language of the app first, then texts, toys and parallel paragraphs.

    >>> [each.name for each in samples_for("languages", "ja")][:2]
    ['parallel_ja', 'parallel_en']
    """
    chosen = [each for each in all_samples() if purpose in (None, each.purpose)]
    groups = ("text", "toy", "parallel")
    return sorted(chosen, key=lambda each: ((each.lang or "").split("-")[0] != language, groups.index(each.group)))


def sample(name: str) -> Sample:
    """The sample of this name. Raises `SampleNotFoundError`, a `KeyError`, if there is none.

    >>> sample("toy_aaabdaaabac").text
    'aaabdaaabac'
    """
    for each in all_samples():
        if each.name == name:
            return each
    raise SampleNotFoundError(name)


def _from_entry(entry: dict[str, Any]) -> Sample:
    """Sample from its index entry. JSON lists become tuples, as the settings require."""
    settings = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.get("settings", {}).items()
    }
    return Sample(**(entry | {"settings": settings, "printed": all_printed(entry.get("printed", ()))}))


def _read_index() -> tuple[Sample, ...]:
    entries = json.loads((SAMPLE_FOLDER / "index.json").read_text(encoding="utf-8"))
    return tuple(map(_from_entry, entries))


_SAMPLES = _read_index()
