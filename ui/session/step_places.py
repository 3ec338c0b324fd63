"""Places of a page that a step of a lesson or of the tour can point at, by their names in lesson files.

A place is named after its card or control; the browser points at the first visible element of its selector.
Independent of Streamlit.
"""

from __future__ import annotations

from dataclasses import dataclass

from bpe_core.language import TranslatableMessage, message

TOKEN = ("token",)
CHANGE = ("change",)


@dataclass(frozen=True)
class StepPlace:
    """A place.

    title     its name for teachers
    selector  CSS selector of its elements on the page
    kinds     what a learner can do there besides looking and clicking: "token", "change" (ui/session/lesson_steps.py)
    inside    selector of an element in a component within it
    """

    title: TranslatableMessage
    selector: str
    kinds: tuple[str, ...] = ()
    inside: str = ""


def _card(title: TranslatableMessage, key: str, kinds: tuple[str, ...] = (), inside: str = "") -> StepPlace:
    return StepPlace(title, f".st-key-{key}", kinds, inside)


_QUESTION = _card(message("Question of the lesson"), "lesson-strip", CHANGE)
_TEXT_AND_SETTINGS = _card(message("Text and settings"), "strip")
_TOKENIZERS = message("Tokenizers")
_SPECIAL = message("Special tokens")
_SAMPLE = StepPlace(message("Sample"), '[class*="st-key-sample-"]', CHANGE)

PLACES: dict[str, dict[str, StepPlace]] = {
    "train": {
        "question": _QUESTION,
        "strip": _TEXT_AND_SETTINGS,
        "sample": _SAMPLE,
        "settings": StepPlace(message("Settings"), '[class*="st-key-settings-"]'),
        "player": _card(message("Player"), "player"),
        "next": _card(message("Button Next"), "player", inside="[data-do=next]"),
        "story": _card(message("This step"), "story", TOKEN),
        "changes": _card(message("Changes"), "changes", TOKEN),
        "text": _card(message("Text"), "text", TOKEN),
        "text choice": _card(message("Choice of the text"), "text-choice", CHANGE),
        "first token": _card(message("First token of the text"), "text", TOKEN, ".t"),
        "candidates": _card(message("Next merge"), "candidates", TOKEN),
        "token": _card(message("Token"), "token", TOKEN),
        "merges": _card(message("Merge table"), "merges", TOKEN),
        "curves": _card(message("Curves"), "curves"),
        "costs": _card(message("Costs"), "costs"),
    },
    "encode": {
        "question": _QUESTION,
        "tokenizer": _card(message("Tokenizer"), "encode-with", CHANGE),
        "special tokens": _card(_SPECIAL, "encode-special", CHANGE),
        "input": _card(message("Text to encode"), "encode-text-area", CHANGE),
        "lanes": _card(message("How tokens are shown"), "encode-view-as", CHANGE),
        "tokens": _card(message("Tokens"), "tokens", TOKEN),
        "first token": _card(message("First token of the text"), "tokens", TOKEN, ".t"),
        "token": _card(message("Token"), "token", TOKEN),
        "word": _card(message("Word"), "word", TOKEN),
        "other segmentations": _card(message("Other segmentations"), "other-segmentations", CHANGE),
        "prompt end": _card(message("End of a prompt"), "prompt-end", TOKEN),
        "copy": _card(message("Copy"), "copy", CHANGE),
        "decode": _card(message("Ids to text"), "decode", CHANGE),
    },
    "compare": {
        "question": _QUESTION,
        "tokenizers": _card(_TOKENIZERS, "compare-with-choice", CHANGE),
        "special tokens": _card(_SPECIAL, "compare-special", CHANGE),
        "input": _card(message("Text"), "compare-text-area", CHANGE),
        "headline": _card(message("Headline"), "headline"),
        "lines": _card(message("Lines"), "lines", TOKEN),
        "dictionary": _card(message("Words by a dictionary"), "compare-words-by", CHANGE),
        "why": _card(message("Why they differ"), "why", TOKEN),
        "pair": _card(message("Pair of tokenizers"), "why-controls", CHANGE),
        "counts": _card(message("Counts"), "counts"),
        "agreement": _card(message("Shared boundaries"), "agreement"),
        "metrics": _card(message("Measures"), "metrics"),
        "fertility": _card(message("Languages"), "fertility", CHANGE),
        "fair languages": _card(message("Fair to languages"), "fair-languages", CHANGE),
        "fair choices": _card(message("Settings of the fair training"), "fair-choices", CHANGE),
    },
    "vocabulary": {
        "question": _QUESTION,
        "tokenizer": _card(message("Tokenizer"), "vocabulary-of", CHANGE),
        "find": _card(message("Find"), "find-tokens", CHANGE),
        "filters": _card(message("Filters"), "filters", CHANGE),
        "scripts": StepPlace(
            message("Scripts"), ".st-key-scripts-shown, :root:not(:has(.st-key-scripts-shown)) .st-key-filters", CHANGE
        ),
        "which tokens": StepPlace(
            message("Which tokens"),
            ".st-key-tokens-shown, :root:not(:has(.st-key-tokens-shown)) .st-key-filters",
            CHANGE,
        ),
        "order": _card(message("Order"), "order-of-tokens", CHANGE),
        "tokens": _card(message("Tokens"), "tokens", TOKEN),
        "token": _card(message("Token"), "vocabulary-token", TOKEN),
        "lengths": _card(message("Lengths"), "lengths", CHANGE),
        "frequencies": _card(message("Frequencies"), "frequencies-open-panel"),
        "forest": _card(message("Merge forest"), "forest-open-panel"),
        "composition": _card(message("Composition"), "composition-open-panel"),
        "composition by": _card(message("Kinds or scripts"), "composition-by", CHANGE),
        "first merges": _card(message("First merges"), "first-merges-open-panel"),
    },
    "algorithms": {
        "question": _QUESTION,
        "strip": _TEXT_AND_SETTINGS,
        "sample": _SAMPLE,
        "size": _card(message("Size of the vocabularies"), "algorithms-size-draft", CHANGE),
        "rules": StepPlace(
            message("Rules"),
            ".st-key-algorithms-rules, :root:not(:has(.st-key-algorithms-rules)) .st-key-algorithms-rules-button",
            CHANGE,
        ),
        "player": _card(message("Player"), "algorithms-player"),
        "cards": _card(message("Algorithms"), "algorithms-cards", TOKEN),
        "sentence": _card(message("A sentence"), "algorithms-sentence-card", CHANGE),
        "word": _card(message("The word"), "algorithms-word-card", TOKEN),
        "differences": _card(message("Differences"), "algorithms-differences"),
        "bpe": _card(message("Card of BPE"), "why-Bpe"),
        "picky": _card(message("Card of PickyBPE"), "why-Picky"),
        "superbpe": _card(message("Card of SuperBPE"), "why-SuperBpe"),
        "boundlessbpe": _card(message("Card of BoundlessBPE"), "why-BoundlessBpe"),
        "wordpiece": _card(message("Card of WordPiece"), "why-WordPiece"),
        "unigram": _card(message("Card of Unigram"), "why-Unigram"),
        "sentencepiece": _card(message("Card of SentencePiece"), "why-SentencePiece"),
        "vocabularies": _card(message("Vocabularies"), "algorithms-vocabularies-open-panel", CHANGE),
    },
    "pipeline": {
        "question": _QUESTION,
        "what": _card(message("Kind of input"), "pipeline-input", CHANGE),
        "tokenizer": _card(message("Tokenizer"), "pipeline-with", CHANGE),
        "form": _card(message("Unicode form"), "pipeline-normalization", CHANGE),
        "also": _card(message("Other changes"), "pipeline-also", CHANGE),
        "split": _card(message("Split"), "pipeline-split", CHANGE),
        "template": _card(message("Template"), "pipeline-template", CHANGE),
        "markup": _card(message("Mark-up"), "pipeline-markup", CHANGE),
        "lengths": _card(message("Lengths"), "pipeline-max-length", CHANGE),
        "input": _card(message("Text"), "pipeline-text-area", CHANGE),
        "user": _card(message("User message"), "pipeline-user-message-area", CHANGE),
        "stages": _card(message("Stages"), "stages", TOKEN),
        "masks": _card(message("What the model gets"), "masks", TOKEN),
        "table": _card(message("Table"), "encoding-table", TOKEN),
        "labels": _card(message("Labels"), "labels-over-tokens", CHANGE),
        "aggregation": _card(message("Choice of the label"), "pipeline-aggregation", CHANGE),
        "markups": _card(message("Chat markups"), "markups"),
    },
}
"""Places by page and name, in the order of the page."""

OF_EVERY_PAGE: dict[str, StepPlace] = {
    "tour": _card(message("Button of the tour"), "tour"),
    "link to train": StepPlace(message("Link to Train"), '[data-testid=stTopNavLink][href$="/"]'),
    **{
        f"link to {page}": StepPlace(title, f'a[href$="/{page}"], a[href*="/{page}?"]')
        for page, title in (
            ("encode", message("Link to Encode")),
            ("compare", message("Link to Compare")),
            ("vocabulary", message("Link to Vocabulary")),
            ("algorithms", message("Link to Algorithms")),
            ("pipeline", message("Link to Pipeline")),
        )
    },
}
"""Places in the header of every page."""

OF_TOUR = {"welcome": _card(message("First screen"), "welcome")}
"""Places for the tour alone."""

WITH_PLAYER = ("train", "algorithms")
"""Pages with a player, whose step a learner can move."""


def step_place(page: str, name: object) -> StepPlace | None:
    """The place of this name on a page, or None.

    >>> step_place("train", "next").inside
    '[data-do=next]'
    """
    return (OF_TOUR | places_of(page)).get(name) if isinstance(name, str) else None


def places_of(page: str) -> dict[str, StepPlace]:
    """All places on a page, those in the header last."""
    return PLACES.get(page, {}) | OF_EVERY_PAGE
