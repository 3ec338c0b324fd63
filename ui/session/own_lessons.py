"""Lessons written by a teacher, and their serialization, used both for files and in links.

    {"format": "bpe-lab lessons", "version": 1, "title": "Tuesday", "lessons": [
        {"title": "…", "question": "…", "text": "…", "answer": "…", "minutes": 5, "scene": {"page": "encode", …},
         "ask": {"number": 3}, "steps": [{"at": "tokens", "says": "Click a token.", "done": "token"}],
         "notes": "…"}]}

The content is untrusted: it is validated, and shown as plain text only. A scene is the plain form of a view, which
ui/session/shared_view.py validates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from typing import Any, NoReturn

from bpe_core import FormatError
from bpe_core.errors import quoted
from bpe_core.formats.reading import check_version
from bpe_core.language import message
from bpe_core.text.normalization import replace_surrogates
from ui.session.asks import Ask, checked_ask, plain_ask
from ui.session.items import Item, is_a
from ui.session.lesson_steps import LessonStep, checked_steps, plain_steps

FORMAT, VERSION = "bpe-lab lessons", 1
FILE_NAME = "bpe-lab-lessons.json"

MOST_LESSONS = 60
MOST_MINUTES = 240
MOST_CHARACTERS = 1_000_000
"""Maximum characters of all lessons, including the texts of the pages they open."""

LONGEST: Mapping[str, int] = {"title": 120, "question": 600, "text": 6_000, "answer": 6_000, "notes": 3_000}
"""Maximum characters of each field of a lesson, by its name in a file."""

MOST_OUTSIDE_TEXTS = 100_000
"""Maximum bytes of a file outside strings: these become objects, which take far more memory."""

MOST_DEEP = 20
"""Maximum nesting depth of objects and lists."""

PAGES_TO_OPEN = ("train", "encode", "compare", "vocabulary", "algorithms", "pipeline")

OWN_NAME = re.compile("own-[0-9a-f]{8}")
"""Names of custom lessons in URLs; they resolve only in sessions that have loaded the lesson."""

OWN_LESSONS = Item("own lessons", "", is_a(str))
"""Serialized lessons that the visitor wrote or opened; "" for none."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_REMEDY = message("Choose a file that was saved with “Save as a file” on the Lessons page.")
_CORRECT = message("Correct it in the file.")
_FILE = message("The file")


@dataclass(frozen=True)
class OwnLesson:
    """A lesson. Its fields are plain text; `scene` is the plain form of the view it opens."""

    title: str
    question: str
    text: str
    answer: str
    minutes: int
    scene: Mapping[str, Any]
    ask: Ask | None = None
    steps: tuple[LessonStep, ...] = ()
    notes: str = ""
    """For the speaker only."""

    @property
    def page(self) -> str:
        """The page that the lesson opens."""
        return str(self.scene["page"])


@dataclass(frozen=True)
class OwnLessons:
    """A teacher's lessons in order, under one title."""

    title: str = ""
    lessons: tuple[OwnLesson, ...] = ()

    @property
    def minutes(self) -> int:
        """Total minutes of all lessons."""
        return sum(each.minutes for each in self.lessons)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the lessons in URLs, derived from their content so that a link never shows another lesson."""
        names: dict[str, None] = {}
        for each in self.lessons:
            content, again = json.dumps(_plain(each)), 0
            while (name := f"own-{blake2b(f'{again}{content}'.encode(), digest_size=4).hexdigest()}") in names:
                again += 1
            names[name] = None
        return tuple(names)


def own_set() -> OwnLessons:
    """The lessons that the visitor wrote or opened."""
    text = OWN_LESSONS.get()
    try:
        return from_text(text) if text else OwnLessons()
    except FormatError:
        return OwnLessons()


def trains(scene: Mapping[str, Any]) -> bool:
    """Whether a scene is a training on Train, whose next merge a lesson can ask for."""
    return scene.get("page") == "train" and bool({"sample", "corpus"} & scene.keys())


def to_text(own: OwnLessons, *, indent: int | None = None) -> str:
    """Serialize lessons. Raises FormatError above MOST_CHARACTERS, unless indented.

    >>> from_text(to_text(OwnLessons("Tuesday"))).title
    'Tuesday'
    """
    whole = {"format": FORMAT, "version": VERSION, "title": own.title, "lessons": [*map(_plain, own.lessons)]}
    separators = (",", ":") if indent is None else None
    text = replace_surrogates(json.dumps(whole, ensure_ascii=False, indent=indent, separators=separators))[0]
    if indent is None and len(text) > MOST_CHARACTERS:
        raise FormatError(
            message("These lessons would have {length:,} characters.", length=len(text)),
            limit=message(
                "All lessons together, with the texts of their pages, have at most {most:,}.", most=MOST_CHARACTERS
            ),
            remedy=message("Take a shorter text on the page that this lesson opens, or make two files."),
        )
    return text


def from_text(text: str) -> OwnLessons:
    """Parse lessons; their scenes remain to be validated. Raises FormatError for invalid text."""
    return from_whole(parsed(text.encode("utf-8", "replace"), message("The text does not hold lessons.")))


def scenes_in(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each lesson's name for errors, with its scene."""
    for number, each in enumerate(from_text(text).lessons, 1):
        yield message("lesson {number}", number=number), each.scene


def from_whole(whole: object) -> OwnLessons:
    """Lessons from parsed JSON. Raises FormatError."""
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise FormatError(
            message("The file does not hold lessons."),
            limit=message('It says no "format": "{format}".', format=FORMAT),
            remedy=_REMEDY,
        )
    check_version(whole.get("version"), VERSION)
    _check_names(whole, {"format", "version", "title", "lessons"}, _FILE)
    lessons = whole.get("lessons")
    if not isinstance(lessons, list):
        raise FormatError(
            message("Its lessons are {value}.", value=quoted(lessons)),
            limit=message("They have to be a list."),
            remedy=_REMEDY,
        )
    if len(lessons) > MOST_LESSONS:
        raise FormatError(
            message("The file holds {number:,} lessons.", number=len(lessons)),
            limit=message("A file holds at most {most}.", most=MOST_LESSONS),
            remedy=message("Make two files of them."),
        )
    title = _words(whole.get("title", ""), "title", _FILE)
    numbered = ((message("Lesson {number}", number=number), each) for number, each in enumerate(lessons, 1))
    return OwnLessons(title, tuple(_lesson(each, who) for who, each in numbered))


def parsed(data: bytes, problem: str) -> object:
    """Parse UTF-8 JSON. Raises FormatError with `problem`, before parsing if the result could be too large."""
    outside = _outside_texts(data)
    if len(outside) > MOST_OUTSIDE_TEXTS:
        _refuse(
            problem,
            message("Outside of its texts it has more than {most:,} bytes, the most allowed.", most=MOST_OUTSIDE_TEXTS),
        )
    depth = _depth(outside)
    if depth > MOST_DEEP:
        _refuse(problem, message("It nests {depth:,} lists; the most allowed is {most}.", depth=depth, most=MOST_DEEP))
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        _refuse(problem, message("It is not JSON in UTF-8."))


def _refuse(problem: str, limit: str) -> NoReturn:
    raise FormatError(problem, limit=limit, remedy=message("Choose a file that this program saved."))


def _outside_texts(data: bytes) -> bytes:
    """JSON bytes outside strings, cut off just above the limit: millions of parts would take much memory.

    An unterminated string is left out, however long it is, since the text is not JSON then.
    """
    parts: list[bytes] = []
    at = size = 0
    for found in _STRING.finditer(data):
        if size > MOST_OUTSIDE_TEXTS:
            break
        parts.append(data[at : found.start()])
        at, size = found.end(), size + len(parts[-1])
    return b"".join((*parts, data[at : at + MOST_OUTSIDE_TEXTS + 1].partition(b'"')[0]))


def _depth(outside: bytes) -> int:
    """Nesting depth of objects and lists; excessive depth is rejected before the parser recurses."""
    steps = (1 if each in b"[{" else -1 for each in outside if each in b"[]{}")
    return max(accumulate(steps), default=0)


# -- one lesson ------------------------------------------------------------------------------------------------


def _plain(each: OwnLesson) -> dict[str, Any]:
    words = {name: getattr(each, name) for name in LONGEST if name != "notes" or each.notes}
    asked = {} if each.ask is None else {"ask": plain_ask(each.ask)}
    steps = {"steps": plain_steps(each.steps)} if each.steps else {}
    return {**words, "minutes": each.minutes, "scene": dict(each.scene), **asked, **steps}


def _lesson(given: object, who: str) -> OwnLesson:
    if not isinstance(given, dict):
        raise FormatError(
            message("{who} is {value}.", who=who, value=quoted(given)),
            limit=message("A lesson is a table."),
            remedy=_REMEDY,
        )
    _check_names(given, {*LONGEST, "minutes", "scene", "ask", "steps"}, who)
    words = {name: _words(given.get(name, ""), name, who) for name in LONGEST}
    minutes = given.get("minutes")
    if not isinstance(minutes, int) or isinstance(minutes, bool) or not 1 <= minutes <= MOST_MINUTES:
        raise FormatError(
            message("{who} takes {minutes} minutes.", who=who, minutes=quoted(minutes)),
            limit=message("A lesson takes 1 to {most}, a whole number.", most=MOST_MINUTES),
            remedy=_CORRECT,
        )
    scene = given.get("scene")
    page = scene.get("page") if isinstance(scene, dict) else None
    if page not in PAGES_TO_OPEN or not isinstance(scene, dict):
        raise FormatError(
            message("{who} opens the page {page}.", who=who, page=quoted(page)),
            limit=message("A lesson opens one of {pages}.", pages=", ".join(PAGES_TO_OPEN)),
            remedy=_CORRECT,
        )
    ask = checked_ask(given["ask"], who, trains=trains(scene)) if "ask" in given else None
    steps = checked_steps(given.get("steps", []), page, who)
    return OwnLesson(**words, minutes=minutes, scene=scene, ask=ask, steps=steps)


def _words(value: object, name: str, who: str) -> str:
    if not isinstance(value, str):
        raise FormatError(
            message("{who} has the {name} {value}.", who=who, name=name, value=quoted(value)),
            limit=message("It has to be a text."),
            remedy=_REMEDY,
        )
    if len(value) > LONGEST[name]:
        raise FormatError(
            message("{who} has a {name} of {length:,} characters.", who=who, name=name, length=len(value)),
            limit=message("A {name} has at most {most:,}.", name=name, most=LONGEST[name]),
            remedy=message("Shorten it."),
        )
    if replace_surrogates(value)[0] != value:
        raise FormatError(
            message("{who} has a lone surrogate in its {name}.", who=who, name=name),
            limit=message("It cannot be written in UTF-8."),
            remedy=message("Delete it."),
        )
    return value


def _check_names(given: Mapping[object, object], known: set[str], who: str) -> None:
    unknown: Sequence[object] = [name for name in given if name not in known]
    if unknown:
        raise FormatError(
            message("{who} holds {name}.", who=who, name=quoted(unknown[0])),
            limit=message("This version does not know that."),
            remedy=message("Open it with the version of BPE Lab that saved it, or delete it in the file."),
        )
