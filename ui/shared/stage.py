"""What the stage shows of each page: its cards by the keys of their containers, and what stays in sight with them."""

from __future__ import annotations

from ui.components.stage import StageCards, stage_button
from ui.session import state
from ui.session.courses import all_courses

STAGE: dict[str, StageCards] = {
    "train": StageCards(
        (
            ("text", "Text"),
            ("story", "This step"),
            ("candidates", "Next merge"),
            ("token", "Token"),
            ("changes", "Changes"),
            ("merges", "Merge table"),
            ("curves", "Curves"),
            ("costs", "Costs"),
            ("nothing", "Nothing to merge"),
        ),
        beside="player",
        fits=("text", "story", "curves"),
    ),
    "encode": StageCards(
        (
            ("tokens", "Tokens"),
            ("token", "Token"),
            ("word", "Word"),
            ("copy", "Copy"),
            ("decode", "Ids to text"),
            ("refused", "Refused"),
        ),
        beside="encode text area",
        fits=("tokens", "token", "word"),
    ),
    "compare": StageCards(
        (
            ("lines", "Lines"),
            ("why", "Why they differ"),
            ("counts", "Counts"),
            ("agreement", "Shared boundaries"),
            ("metrics", "Measures"),
            ("fertility", "Languages"),
        ),
        beside="compare text area",
        fits=("counts", "agreement", "metrics"),
    ),
    "vocabulary": StageCards(
        (
            ("tokens", "Tokens"),
            ("vocabulary token", "Token"),
            ("filters", "Find"),
            ("lengths", "Lengths"),
        ),
        fits=("vocabulary token", "lengths"),
    ),
    "algorithms": StageCards(
        (
            ("algorithms cards", "Four algorithms"),
            ("algorithms sentence card", "A sentence"),
            ("algorithms word card", "The word"),
            ("algorithms differences", "Differences"),
            ("why Bpe", "BPE"),
            ("why WordPiece", "WordPiece"),
            ("why Unigram", "Unigram"),
            ("why SentencePiece", "SentencePiece"),
            ("algorithms vocabularies", "Vocabularies"),
            ("by hand pieces card", "By hand: pieces"),
            ("by hand ways", "By hand: ways"),
            ("by hand losses", "By hand: loss"),
        ),
        beside="algorithms player",
        fits=("algorithms word card", "why Bpe", "why WordPiece", "why Unigram", "why SentencePiece"),
    ),
    "pipeline": StageCards(
        (
            ("stages", "Stages"),
            ("masks", "What the model gets"),
            ("encoding table", "Table"),
            ("labels over tokens", "Labels"),
            ("markups", "Chat markups"),
            ("own template", "Template"),
        ),
        beside="pipeline text area",
    ),
    "lessons": StageCards(
        (
            ("question", "Question"),
            ("answer", "Answer"),
            *((f"course of {each.name}", each.title) for each in all_courses()),
        ),
        fits=("question", "answer"),
    ),
}
"""By the name of the page, the first card first."""


def show_stage_button() -> None:
    """Draw the button that puts a card of this page on the stage."""
    page = state.PAGE.get()
    stage_button(page, STAGE[page])
