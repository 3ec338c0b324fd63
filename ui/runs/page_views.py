"""The trainings as a self-contained page that plays them: every step as recorded frames of the views. No Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from bpe_core.language import TranslatableMessage, _, listed, message, n_
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.lines import Interlinear, lines_frame
from bpe_core.payloads.tables import table_frame
from ui.runs.algorithm_run import AlgorithmRun, FailedRun
from ui.runs.compared_pieces import compare_pieces, pieces_table
from ui.runs.differing_words import DifferingWords, differing, frequent_words
from ui.runs.of_step import cards_at, notes_of, segmentation_row
from ui.runs.sentences import (
    LONGEST_SENTENCE,
    SentenceRow,
    SentenceWord,
    chosen_sentence,
    followed_word,
    in_bytes,
    in_one_line,
    sentence_row,
    sentence_words,
)
from ui.runs.why import why_cards
from ui.session.algorithms import MOST_SIDE_BY_SIDE, TITLES
from ui.views.algorithm_cards import cards_frame
from ui.views.word_segmentations import SegmentationRow, segmentations_frame

T = TypeVar("T")

MOST_STEPS = 200
"""Limit on the recorded steps."""

_SPEEDS = (0.5, 1, 2, 5, 20)
_CARDS, _SENTENCE, _WORDS, _PIECES = (
    "algorithms cards",
    "sentence rows",
    "words table",
    "pieces table",
)
"""Keys of the views, as in frontend/src/recorded/algorithms.ts."""

_EMPTY_PAGE, _BYTES_A_STEP = 110_000, 900

_WORDS_HEIGHT, _PIECES_HEIGHT = 240, 420


def title_of(names: Collection[str]) -> TranslatableMessage:
    """Title of a page of these algorithms.

    >>> title_of(["bpe", "picky"])
    'BPE and PickyBPE on one text'
    """
    if len(names) == MOST_SIDE_BY_SIDE:
        return message("Four ways to learn pieces from one text")
    return message("{names} on one text", names=listed([TITLES[name] for name in names]))


class Recorded(NamedTuple):
    """Content of a page: the trainings on a text, and the choices of a view in plain form."""

    found: Mapping[str, AlgorithmRun | FailedRun]
    text: str
    choices: Mapping[str, Any]

    @property
    def runs(self) -> dict[str, AlgorithmRun]:
        """Successful trainings in page order."""
        return {name: each for name, each in self.found.items() if not isinstance(each, FailedRun)}

    @property
    def steps(self) -> int:
        """The largest last step of all trainings."""
        return max((run.steps for run in self.runs.values()), default=0)


def algorithms_recording(shown: Recorded) -> dict[str, Any]:
    """The recording of a page of kind "algorithms": see recording.ts."""
    runs, last = shown.runs, min(shown.steps, MOST_STEPS)
    vocabularies = {name: run.vocabulary(run.steps) for name, run in runs.items()}
    pieces = pieces_table(compare_pieces(vocabularies), list(runs))
    found = differing(runs, frequent_words(shown.text))
    return {
        "kind": "algorithms",
        "name": "algorithms",
        "step": min(shown.choices.get("at_step", 0), last),
        "speeds": _SPEEDS,
        "fixed": {},
        "steps": [{_CARDS: cards_frame(cards_at(shown.found, at), step=at, key=_CARDS)} for at in range(last + 1)],
        "notes": notes_of(runs),
        "sentence": _sentence(shown, last, found.words),
        "atEnd": shown.choices.get("with", "end") == "end",
        "differing": _listed(shown, found) if found.words else None,
        "pieces": table_frame(
            pieces,
            key=_PIECES,
            height=_PIECES_HEIGHT,
            pickable=False,
            label=_("Pieces"),
            captions=Captions(_("The vocabularies side by side"), _("at the end, with ids or scores")),
        ),
    }


def algorithms_facts(shown: Recorded) -> str:
    """Line below the heading: the number of steps, and how many of them are recorded if not all are."""
    if shown.steps > MOST_STEPS:
        return _("the first {shown:,} of {all:,} steps", shown=MOST_STEPS, all=shown.steps)
    return n_("{count:,} step", "{count:,} steps", shown.steps)


def page_bytes(steps: int) -> int:
    """Approximate size of a page with this many steps, in bytes."""
    return _EMPTY_PAGE + _BYTES_A_STEP * steps


def _sentence(shown: Recorded, last: int, listed: Sequence[str]) -> dict[str, Any] | None:
    """The sentence, and each of its words, in the pieces of each step and of the end; None without a sentence."""
    typed = (shown.choices.get("sentence"), shown.choices.get("word"))
    sentence = in_one_line(chosen_sentence(*typed, shown.text, lambda: listed))
    if not shown.runs or not 0 < len(sentence) <= LONGEST_SENTENCE:
        return None
    followed = followed_word(typed[1], sentence, lambda: listed)
    words = sentence_words(sentence)
    known = [each.word for each in words]
    if followed and followed not in known:
        start = sentence.index(followed)
        words.append(SentenceWord(start, start + len(followed), followed))
        known.append(followed)
    return {
        **_at_steps(shown, last, partial(sentence_row, sentence=sentence), partial(_lines, sentence)),
        "words": [
            {
                "word": each.word,
                "at": in_bytes(sentence, (each.start, each.end)),
                "why": _why_at_end(shown, each.word),
                **_at_steps(shown, last, partial(segmentation_row, word=each.word), _word),
            }
            for each in words
        ],
        "followed": known.index(followed) if followed else None,
    }


def _at_steps(
    shown: Recorded, last: int, row: Callable[..., T], drawn: Callable[[Sequence[T]], bytes]
) -> dict[str, Any]:
    """Frames of every recorded step, and of the end, each drawn from one row per algorithm."""
    rows = [[row(name, run, step=step) for step in range(min(run.steps, last) + 1)] for name, run in shown.runs.items()]
    steps = ([each[min(step, len(each) - 1)] for each in rows] for step in range(last + 1))
    return {"steps": [drawn(each) for each in steps], "end": _at_end(shown, row, drawn)}


def _at_end(shown: Recorded, row: Callable[..., T], drawn: Callable[[Sequence[T]], bytes]) -> bytes:
    return drawn([row(name, run, step=run.steps) for name, run in shown.runs.items()])


def _lines(sentence: str, rows: Sequence[SentenceRow]) -> bytes:
    lines = Interlinear.of(sentence, [row.lane() for row in rows])
    return lines_frame(lines, _SENTENCE, label=_("The sentence in the pieces of each algorithm"), tells=True)


def _word(rows: Sequence[SegmentationRow]) -> bytes:
    return segmentations_frame(rows, label=_("The word, segmented by each algorithm"))


def _why_at_end(shown: Recorded, word: str) -> list[dict[str, Any]]:
    """The card of each algorithm that explains a word's segmentation with the finished vocabulary."""
    cards = why_cards([(run, run.steps) for run in shown.runs.values()], word)
    return [
        {"title": each.title, "rest": each.rest, "parts": [[part.view, part.content] for part in each.parts]}
        for each in cards
    ]


def _listed(shown: Recorded, found: DifferingWords) -> dict[str, Any]:
    """The table of words that differ, with the final segmentations of each."""
    captions = Captions(_("Words segmented differently"), _("click one; at the end"))
    label = _("Words that the algorithms segment differently")
    return {
        "table": table_frame(found.table, key=_WORDS, height=_WORDS_HEIGHT, label=label, captions=captions, tells=True),
        "words": [
            {
                "word": word,
                "why": _why_at_end(shown, word),
                "end": _at_end(shown, partial(segmentation_row, word=word), _word),
            }
            for word in found.words
        ],
    }
