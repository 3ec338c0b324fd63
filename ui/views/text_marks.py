"""Text with labelled spans that can be selected and changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bpe_core.language import translate
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.payloads.frames import encode_body, frame
from ui.views.component import View
from ui.views.protocol import acting, is_index

_TEXT_MARKS = View("text_marks")

LONGEST_DRAWN = 1_000
"""Limit of drawn characters of a text."""


def text_marks_view(
    text: str,
    marks: Sequence[tuple[int, int, str]],
    *,
    key: str,
    label: str,
    names: Mapping[str, str],
    captions: Captions = NO_CAPTIONS,
    on_mark: Callable[[int, int, str], None] | None = None,
) -> None:
    """Draw a text with its marks: start, end and label, in the order of the text and without overlaps.

    names: label names, in the order of their keys 1, 2, …
    on_mark: called before the rerun with a range of characters and a label of `names`, or "" to remove the marks
    there. Without it the text is read-only.
    """
    window = text[:LONGEST_DRAWN]
    drawn = [(start, min(end, len(window)), name) for start, end, name in marks if start < len(window)]
    body = encode_body({"text": window, "rest": len(text) - len(window), "marks": drawn})
    of = encode_body({"text": window}).rev

    def marked(value: Any) -> None:
        if on_mark is not None and (given := checked_mark(value, of, len(window), [*names, ""])) is not None:
            on_mark(*given)

    head = {
        **asdict(captions),
        "name": key,
        "label": label,
        "of": of,
        "labels": [(name, translate(title)) for name, title in names.items()],
        "editable": on_mark is not None,
    }
    _TEXT_MARKS(key=key, data=frame(head, body), on_acts_change=acting(key, marked=marked))


def checked_mark(value: object, of: str, length: int, labels: Sequence[str]) -> tuple[int, int, str] | None:
    """Parse a mark [text, start, end, label] from the browser; None for anything else, or for another text.

    >>> checked_mark(["t", 0, 4, "PER"], "t", 9, ["PER"]), checked_mark(["t", 4, 4, "PER"], "t", 9, ["PER"])
    ((0, 4, 'PER'), None)
    """
    if not (isinstance(value, list) and len(value) == 4 and value[0] == of):
        return None
    _, start, end, label = value
    if not (is_index(start, 0, length) and is_index(end, 1, length) and isinstance(label, str)):
        return None
    return (start, end, label) if start < end and label in labels else None
