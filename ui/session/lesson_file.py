"""Lesson files: a view as JSON, for texts too long for a link. Draws nothing.

{"format": "bpe-lab lesson", "version": 1, "scene": {"page": "train", "corpus": "…", "step": 12}}
"""

from __future__ import annotations

import json

from bpe_core import FormatError
from bpe_core.formats.reading import check_version
from bpe_core.language import message
from bpe_core.text.normalization import replace_surrogates
from ui.session import own_lessons
from ui.session.shared_view import SharedView, check_scene, from_plain, to_plain

FORMAT, VERSION = "bpe-lab lesson", 1
FILE_NAME = "bpe-lab-lesson.json"
MOST_BYTES = 30_000_000
"""Maximum bytes of a file; enough for the longest text that a page accepts."""


def to_file(view: SharedView) -> bytes:
    r"""Serialize a view as a lesson file.

    >>> from_file(to_file(from_plain({"page": "train", "corpus": "aaab\r\n"}))).training.source.text
    'aaab\r\n'
    """
    whole = {"format": FORMAT, "version": VERSION, "scene": to_plain(view)}
    return replace_surrogates(json.dumps(whole, ensure_ascii=False, indent=1))[0].encode()


def from_file(data: bytes) -> SharedView:
    """Parse a lesson file; several lessons become a view of the Lessons page. Raises FormatError if invalid."""
    if len(data) > MOST_BYTES:
        raise FormatError(
            message("The file has {size:,} bytes.", size=len(data)),
            limit=message("A lesson file has at most {most:,}.", most=MOST_BYTES),
            remedy=_REMEDY,
        )
    whole = own_lessons.parsed(data, message("The file is not a lesson file."))
    if isinstance(whole, dict) and whole.get("format") == own_lessons.FORMAT:
        own = own_lessons.from_whole(whole)
        for number, each in enumerate(own.lessons, 1):
            check_scene(message("lesson {number}", number=number), each.scene)
        text = own_lessons.to_text(own)
        return from_plain({"page": "lessons", "choices": {"written": text}})
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise FormatError(
            message("The file is not a lesson file."),
            limit=message('It does not say "format": "{format}".', format=FORMAT),
            remedy=_REMEDY,
        )
    check_version(whole.get("version"), VERSION)
    try:
        return from_plain(whole.get("scene"))
    except FormatError as error:
        problem = message("The lesson file cannot be opened. {reason}", reason=error.problem)
        raise FormatError(problem, remedy=_REMEDY) from None


_REMEDY = message("Choose a file that was saved with “Save as a lesson file”.")
