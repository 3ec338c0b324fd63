"""Cards of each page by container key, and the element shown beside them: for the stage, and for frames."""

from __future__ import annotations

from dataclasses import replace

from bpe_core.language import TranslatableMessage, gettext, message, translate
from ui.session.courses import all_courses
from ui.session.navigation import LESSON, PAGE, VIA_LESSON
from ui.session.places import Place, place
from ui.views.stage import Scene, SpeakerNotes, StageCards, stage_button
from ui.widgets.lesson_words import asked

_REASONS = (
    ("why Bpe", "BPE"),
    ("why Picky", "PickyBPE"),
    ("why SuperBpe", "SuperBPE"),
    ("why BoundlessBpe", "BoundlessBPE"),
    ("why WordPiece", "WordPiece"),
    ("why Unigram", "Unigram"),
    ("why SentencePiece", "SentencePiece"),
)
_BESIDE_THE_STEPS = (
    ("by hand pieces card", message("By hand: pieces")),
    ("by hand ways", message("By hand: ways")),
    ("by hand losses", message("By hand: loss")),
    ("by hand viterbi", message("By hand: Viterbi")),
    ("by hand wordpiece", message("By hand: WordPiece")),
    ("four algorithms", message("Overview")),
)

STAGE: dict[str, StageCards] = {
    "train": StageCards(
        (
            ("scene", message("At a glance")),
            ("text", message("Text")),
            ("story", message("This step")),
            ("candidates", message("Next merge")),
            ("token", message("Token")),
            ("changes", message("Changes")),
            ("merges", message("Merge table")),
            ("curves", message("Curves")),
            ("costs", message("Costs")),
            ("nothing", message("Nothing to merge")),
            ("printed results", message("Textbooks")),
        ),
        beside="player",
        fits=("text", "story", "curves"),
        scene=Scene("scene", over="story", main="text", beside=("candidates", "token")),
        alone=("nothing", "printed results"),
        joined={"player": (message("Player, sentence and text"), ("player", "story", "text"))},
    ),
    "encode": StageCards(
        (
            ("tokens", message("Tokens")),
            ("prompt end", message("Prompt end")),
            ("token", message("Token")),
            ("word", message("Word")),
            ("other segmentations", message("Other segmentations")),
            ("copy", message("Copy")),
            ("decode", message("Ids to text")),
            ("refused", message("Refused")),
        ),
        beside="encode text area",
        fits=("tokens", "token", "word"),
        joined={"input": (message("Field and tokens"), ("tokens", "encode text area"))},
    ),
    "compare": StageCards(
        (
            ("lines", message("Lines")),
            ("why", message("Why they differ")),
            ("counts", message("Counts")),
            ("agreement", message("Shared boundaries")),
            ("metrics", message("Measures")),
            ("fertility", message("Languages")),
            ("fair languages", message("Fair to languages")),
            ("many texts", message("Many texts")),
            ("tokens per line", message("Tokens per line")),
            ("prices", message("Costs")),
            ("two texts", message("Two texts")),
            ("composition", message("Composition")),
            ("shared tokens", message("Shared tokens")),
        ),
        beside="compare text area",
        fits=("counts", "agreement", "metrics"),
        joined={"input": (message("Field and lines"), ("lines", "compare text area"))},
    ),
    "vocabulary": StageCards(
        (
            ("tokens", message("Tokens")),
            ("vocabulary token", message("Token")),
            ("lengths", message("Lengths")),
            ("frequencies", message("Frequencies")),
            ("forest", message("Merge forest")),
            ("composition", message("Composition")),
            ("with merges", message("First merges")),
            ("added", message("Added token")),
            ("smaller", message("Smaller")),
        ),
        fits=("vocabulary token", "lengths"),
    ),
    "algorithms": StageCards(
        (
            ("algorithms cards", message("Algorithms")),
            ("algorithms step tables", message("Pairs and pieces")),
            ("algorithms sentence card", message("A sentence")),
            ("algorithms word card", message("The word")),
            ("algorithms differences", message("Differences")),
            *_REASONS,
            ("algorithms vocabularies", message("Vocabularies")),
            *_BESIDE_THE_STEPS,
        ),
        beside="algorithms player",
        fits=("algorithms word card", *(key for key, _title in _REASONS)),
        alone=tuple(key for key, _title in _BESIDE_THE_STEPS),
    ),
    "pipeline": StageCards(
        (
            ("stages", message("Stages")),
            ("masks", message("What the model gets")),
            ("encoding table", message("Table")),
            ("labels over tokens", message("Labels")),
            ("markups", message("Chat markups")),
            ("own template", message("Template")),
        ),
        beside="pipeline text area",
    ),
    "lessons": StageCards(
        (
            ("question", message("Question")),
            ("answer", message("Answer")),
            *((f"course of {each.name}", each.title) for each in all_courses()),
        ),
        fits=("question", "answer"),
        joined={"lesson": (message("Question and answer"), ("question", "answer"))},
    ),
}
"""Cards by page name, in display order. Tab names are messages, course titles, or names."""


def show_stage_button() -> None:
    """Draw the button that opens this page's stage."""
    page = PAGE.get()
    shown = STAGE[page]
    lesson = place(LESSON.get() if page == "lessons" else VIA_LESSON.get())
    stage_button(
        page,
        replace(
            shown,
            cards=[(key, _called(tab)) for key, tab in shown.cards],
            joined={name: (_called(title), keys) for name, (title, keys) in shown.joined.items()},
        ),
        _speaker_notes(lesson) if lesson else None,
    )


def _speaker_notes(shown: Place) -> SpeakerNotes:
    following = place(shown.names[shown.number]) if shown.number < len(shown.names) else None
    notes, after = shown.translated(shown.lesson.notes), asked(following) if following else ""
    return SpeakerNotes(asked(shown), notes, after, shown.begins)


def _called(tab: str) -> str:
    return translate(tab) if isinstance(tab, TranslatableMessage) else gettext(tab)
