"""Content of a lesson's self-contained page: the texts, the question to the reader, and the recording it opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from bpe_core import BpeError, Tokenizer, compare
from bpe_core.bpe.page_views import MOST_MERGES, merges_offered, training_facts, training_recording
from bpe_core.comparison.page_views import comparison_recording
from bpe_core.language import _, current_language
from bpe_core.payloads.lines import Interlinear, lines_frame
from bpe_core.payloads.tables import table_frame
from bpe_core.tokenizer.encoding_page import encoding_recording
from ui import cache
from ui.lessons.ask import prompt_of, question_of
from ui.lessons.cache import exhibit_table, printed_and_here
from ui.lessons.exhibit import exhibit_lanes
from ui.lessons.words import unbroken
from ui.runs.of_step import run_of
from ui.runs.page_views import Recorded, algorithms_facts, algorithms_recording
from ui.session import compare as compare_state
from ui.session import encode as encode_state
from ui.session.algorithms import SIDE_BY_SIDE_AT_FIRST, in_page_order
from ui.session.asks import AskChoice
from ui.session.lesson_steps import LessonStep
from ui.session.lessons import Lesson
from ui.session.places import Place
from ui.session.shared_view import SharedView
from ui.session.training import Wanted
from ui.views.ask import ask_frame
from ui.widgets.display import page_title, title_of
from ui.widgets.lesson_words import asked
from ui.widgets.printed import printed_words
from ui.work.algorithm_training import Recipe

_PLACES = {
    "train": {"player", "next", "story", "changes", "text", "first token", "candidates", "token", "merges", "curves"},
    "encode": {"tokens", "first token", "token"},
    "compare": {"headline", "lines", "why", "pair", "counts"},
    "algorithms": {"player", "cards", "sentence", "word", "differences"},
}
"""Places that a page's recording contains. Pages not listed are not recorded."""

_RULES = {
    "bytes": "byte_fallback",
    "normalization": "normalization",
    "merges_by": "merges_by",
    "special": "special_tokens",
    "seed": "seed_size",
    "shrink": "shrink",
    "unknown": "unknown",
    "threshold": "threshold",
    "crossing": "crossing",
}
"""Fields of a recipe by the choices of Algorithms."""

_MERGES = 500
"""Maximum merges of a training on the page, which take half a megabyte at most."""

_PARTS = re.compile(r"\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*|`(?P<code>[^`]+)`")


class Opened(NamedTuple):
    """What a lesson opens, independent of the session: its view, a training, and makers of its tokenizers by name."""

    view: SharedView
    training: Wanted
    makers: Mapping[str, Callable[[], Tokenizer]]


def opened(view: SharedView, wanted: Wanted) -> Opened:
    """What a lesson opens, with the tokenizers of its page; `wanted`: the training."""
    made_from = wanted.source, wanted.config, wanted.forks
    return Opened(view, wanted, {name: cache.maker_of(name, *made_from) for name in names_in(view)})


def is_recorded(page: str) -> bool:
    """Whether the self-contained page of a lesson that opens this page includes a recording of it."""
    return page in _PLACES


def names_in(view: SharedView) -> list[str]:
    """The tokenizers that Encode or Compare shows for a view."""
    if view.page == "encode":
        return [view.choices.get("with", encode_state.WITH.default)]
    return list(view.choices.get("with", compare_state.WITH.default)) if view.page == "compare" else []


def lesson_recording(shown: Place, found: Opened) -> dict[str, Any]:
    """The recording of a page of kind "lesson": see recording.ts."""
    lesson = shown.lesson
    bundled = lesson if isinstance(lesson, Lesson) else None
    words = prose if bundled else plain_prose
    ask = None if lesson.ask is None else question_of(shown, lesson.ask)
    inside, facts = _inside(found)
    return {
        "kind": "lesson",
        "question": asked(shown),
        "text": words(shown.translated(lesson.text)),
        "answer": words(shown.translated(lesson.answer) or _("This lesson has no answer.")),
        "ask": ask
        and lesson.ask
        and ask_frame(ask, of=shown.lesson_name, prompt=prompt_of(lesson.ask), head={"name": "ask"}),
        "textWaits": isinstance(lesson.ask, AskChoice),
        "exhibit": _exhibit(bundled) if bundled else None,
        "printed": [printed_words(each) for each in printed_and_here(bundled.name)] if bundled else [],
        "steps": [shown.translated(each.says) for each in lesson.steps if inside and _can_be_done(each)],
        "page": page_title(shown.page),
        "facts": facts,
        "inside": inside,
    }


def prose(text: str) -> list[list[Any]]:
    """Paragraphs of a bundled text in the markdown of lessons: bold, italics and code.

    >>> prose("One **d + `x`**\\n\\n*two*")
    [['One ', {'strong': ['d + ', {'code': 'x'}]}], [{'em': ['two']}]]
    """
    return [_parts(unbroken(each)) for each in re.split(r"\n{2,}", text) if each]


def plain_prose(text: str) -> list[list[Any]]:
    """Paragraphs of a text without markup.

    >>> plain_prose("*One*\\n\\ntwo")
    [['*One*'], ['two']]
    """
    return [[each] for each in re.split(r"\n{2,}", text) if each]


def _parts(text: str) -> list[Any]:
    found: list[Any] = []
    end = 0
    for match in _PARTS.finditer(text):
        found += [text[end : match.start()]] if match.start() > end else []
        kind, inner = str(match.lastgroup), match[str(match.lastgroup)]
        found.append({kind: inner if kind == "code" else _parts(inner)})
        end = match.end()
    return found + ([text[end:]] if end < len(text) else [])


def _can_be_done(step: LessonStep) -> bool:
    """Whether the recording of its page has the step's place, and allows its action there."""
    can_change = step.at == "pair"
    return step.at in _PLACES[step.page] and step.done != "click" and (step.done != "change" or can_change)


def _exhibit(lesson: Lesson) -> dict[str, Any] | None:
    if lesson.exhibit.table:
        table = exhibit_table(lesson.name, current_language())
        frame = table_frame(table, key="exhibit", height=None, pickable=False, label=_("What comes out"))
        return {"view": "token_table", "frame": frame}
    if lesson.exhibit.text:
        lines = Interlinear.of(lesson.exhibit.text, exhibit_lanes(lesson))
        frame = lines_frame(lines, "exhibit", label=_("The text of this lesson in tokens"))
        return {"view": "interlinear", "frame": frame}
    return None


def _inside(opened: Opened) -> tuple[dict[str, Any] | None, str]:
    """The recording of what the lesson opens, and facts about it; None if its page is not recorded, or has an error."""
    view = opened.view
    try:
        if view.page == "train":
            return _training(opened.training)
        if view.page == "algorithms":
            return _algorithms(view, opened.training)
        if view.page == "compare":
            return _comparison(opened), ""
        if view.page == "encode" and view.choices.get("view") != "prompt":  # prefixes are not recorded
            choices = view.choices
            text = choices.get("text", encode_state.TEXT.default)
            [tokenizer] = opened.makers.values()
            return encoding_recording(tokenizer().encode(text, special=choices.get("special", "text"))), ""
    except BpeError:
        return None, ""
    return None, ""


def most_merges(wanted: Wanted) -> int:
    """Maximum merges on the page of a lesson: more than _MERGES only if its step needs and a page allows them."""
    return wanted.step if _MERGES < wanted.step <= MOST_MERGES else _MERGES


def _training(wanted: Wanted) -> tuple[dict[str, Any], str]:
    training = cache.training(wanted.source, wanted.config, wanted.forks)
    merges = min(merges_offered(training), most_merges(wanted))
    beside = cache.beside_of(wanted.source, wanted.config, wanted.forks)
    recording = training_recording(training, merges=merges, step=wanted.step, forks=wanted.forks, beside=beside)
    return recording, training_facts(training, merges, wanted.forks)


def _algorithms(view: SharedView, wanted: Wanted) -> tuple[dict[str, Any], str]:
    source, config, choices = wanted.source, wanted.config, view.choices
    rules = {field: choices[name] for name, field in _RULES.items() if name in choices}
    size = choices.get("size") or cache.default_vocabulary_size(source)
    names = in_page_order(choices.get("side_by_side", SIDE_BY_SIDE_AT_FIRST))
    recipe = Recipe(size, choices.get("model", "bpe"), config.split, config.tie_break, side_by_side=names, **rules)
    found = {name: run_of(cache.trained_algorithm(name, source, recipe), source.text) for name in recipe.side_by_side}
    recorded = Recorded(found, source.text, choices)
    return algorithms_recording(recorded), algorithms_facts(recorded)


def _comparison(opened: Opened) -> dict[str, Any]:
    choices = opened.view.choices
    text = choices.get("text", compare_state.TEXT.default)
    titles = {name: title_of(name) for name in opened.makers}
    tokenizers = {titles[name]: make() for name, make in opened.makers.items()}
    comparison = compare(text, tokenizers, special=choices.get("special", "text"))
    left, right = choices.get("left", compare_state.LEFT.default), choices.get("right", compare_state.RIGHT.default)
    chosen = (titles[left], titles[right]) if {left, right} <= titles.keys() and left != right else None
    return comparison_recording(comparison, chosen)
