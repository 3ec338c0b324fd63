"""Choices on each page, under the names used in links and lesson files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ui.session import state
from ui.session.limits import LONGEST_TEMPLATE, LONGEST_TEXT, LONGEST_UNSEEN
from ui.session.own_lessons import MOST_CHARACTERS, scenes_in
from ui.session.tokenizer_files import OwnTokenizer

ValueKind = Literal["text", "word", "words", "number", "range", "flag"]


def _no_scenes(_: str) -> Iterable[tuple[str, object]]:
    return ()


@dataclass(frozen=True)
class Choice:
    """A choice on a page, under its name in links.

    always: written even at its default, so that a link to the page has at least one parameter.
    tokenizers: a choice of tokenizers; links omit uploaded files.
    longest: maximum characters of a text.
    own_work: opening a link never overwrites the visitor's value.
    scenes: the plain views embedded in a text, each with its name for errors.
    """

    name: str
    item: state.Item[Any]
    kind: ValueKind
    always: bool = False
    tokenizers: bool = False
    longest: int = LONGEST_TEXT
    own_work: bool = False
    scenes: Callable[[str], Iterable[tuple[str, object]]] = _no_scenes

    def get(self) -> Any:
        """The value without the visitor's files."""
        value = self.item.get()
        value = state.without_files(value) if self.tokenizers else value
        return self.item.default if value is None and self.tokenizers else value

    def set(self, value: Any) -> None:
        """Set the value, keeping columns of the visitor's files."""
        own = state.files_in(self.item.get()) if self.tokenizers and self.kind == "words" else []
        self.item.set([*value, *own] if own else value)


PAGES: dict[str, tuple[Choice, ...]] = {
    "train": (
        Choice("candidates", state.CANDIDATES_AS, "word"),
        Choice("shown", state.SHOWN_TEXT, "word"),
        Choice("unseen", state.UNSEEN_TEXT, "text", longest=LONGEST_UNSEEN),
        Choice("predict", state.PREDICTING, "flag"),
        Choice("find", state.MERGE_SEARCH, "word"),
        Choice("token", state.OPENED_TOKEN, "number"),
        Choice("width", state.EMBEDDING_WIDTH, "number"),
    ),
    "encode": (
        Choice("text", state.ENCODE_TEXT, "text"),
        Choice("with", state.ENCODE_WITH, "word", always=True, tokenizers=True),
        Choice("special", state.ENCODE_SPECIAL, "word"),
        Choice("view", state.ENCODE_VIEW, "word"),
        Choice("merges", state.ENCODE_MERGES, "word"),
        Choice("boundary", state.ENCODE_BOUNDARY, "number"),
        Choice("token", state.ENCODE_CHOSEN, "number"),
        Choice("token_at", state.ENCODE_CHOSEN_AT, "range"),
        Choice("from", state.ENCODE_LANES_AT, "number"),
        Choice("copy", state.ENCODE_COPY, "word"),
        Choice("ids", state.DECODE_IDS, "text"),
        Choice("ids_special", state.DECODE_SPECIAL, "flag"),
        Choice("own", state.FILES_OF_LINK, "words"),
    ),
    "compare": (
        Choice("text", state.COMPARE_TEXT, "text"),
        Choice("with", state.COMPARE_WITH, "words", always=True, tokenizers=True),
        Choice("special", state.COMPARE_SPECIAL, "word"),
        Choice("left", state.COMPARE_LEFT, "word", tokenizers=True),
        Choice("right", state.COMPARE_RIGHT, "word", tokenizers=True),
        Choice("at", state.COMPARE_AT, "number"),
        Choice("cause", state.COMPARE_CAUSE, "word"),
        Choice("listed", state.COMPARE_LISTED, "word"),
        Choice("lines", state.COMPARE_LINES_OPEN, "flag"),
        Choice("composition", state.COMPARE_COMPOSITION_OPEN, "flag"),
        Choice("composition_by", state.COMPOSITION_BY, "word"),
        Choice("overlap", state.COMPARE_OVERLAP_OPEN, "flag"),
        Choice("spelled", state.COMPARE_SPELLED, "word"),
        Choice("fertility", state.FERTILITY_BY, "word"),
        Choice("language", state.FERTILITY_WHY, "word"),
        Choice("own", state.FILES_OF_LINK, "words"),
    ),
    "vocabulary": (
        Choice("of", state.VOCABULARY_OF, "word", always=True, tokenizers=True),
        Choice("by", state.FIND_BY, "word"),
        Choice("find", state.FIND, "word"),
        Choice("scripts", state.SCRIPTS_SHOWN, "words"),
        Choice("tokens", state.TOKENS_SHOWN, "word"),
        Choice("length_in", state.LENGTH_IN, "word"),
        Choice("lengths", state.LENGTHS, "range"),
        Choice("born", state.CREATED, "range"),
        Choice("order", state.TOKEN_ORDER, "word"),
        Choice("from", state.TOKEN_PAGE, "number"),
        Choice("token", state.TOKEN, "number"),
        Choice("frequencies", state.FREQUENCIES_OPEN, "flag"),
        Choice("forest", state.FOREST_OPEN, "flag"),
        Choice("forest_by", state.FOREST_BY, "word"),
        Choice("forest_of_token", state.FOREST_OF_TOKEN, "flag"),
        Choice("composition", state.COMPOSITION_OPEN, "flag"),
        Choice("composition_by", state.COMPOSITION_BY, "word"),
        Choice("beside", state.VOCABULARY_BESIDE, "word", tokenizers=True),
        Choice("first_merges", state.FIRST_MERGES_OPEN, "flag"),
        Choice("files", state.EXPORTS_OPEN, "flag"),
        Choice("format", state.EXPORT_AS, "word"),
        Choice("proof", state.PROOF_ON, "word"),
        Choice("proof_text", state.PROOF_TEXT, "text"),
        Choice("own", state.FILES_OF_LINK, "words"),
    ),
    "algorithms": (
        Choice("size", state.ALGORITHMS_SIZE, "number"),
        Choice("model", state.ALGORITHMS_MODEL, "word", always=True),
        Choice("bytes", state.ALGORITHMS_BYTES, "flag"),
        Choice("normalization", state.ALGORITHMS_NORMALIZATION, "word"),
        Choice("merges_by", state.ALGORITHMS_MERGES_BY, "word"),
        Choice("unknown", state.ALGORITHMS_UNKNOWN, "word"),
        Choice("at_step", state.ALGORITHMS_STEP, "number"),
        Choice("with", state.ALGORITHMS_AT, "word"),
        Choice("sentence", state.ALGORITHMS_SENTENCE, "word"),
        Choice("word", state.ALGORITHMS_WORD, "word"),
        Choice("pieces", state.ALGORITHMS_SHOWN, "word"),
        Choice("find", state.ALGORITHMS_FIND, "word"),
        Choice("by_hand", state.BY_HAND_OPEN, "flag"),
        Choice("hand_words", state.BY_HAND_WORDS, "text", longest=state.LONGEST_LIST),
        Choice("hand_pieces", state.BY_HAND_PIECES, "text", longest=state.LONGEST_LIST),
        Choice("hand_word", state.BY_HAND_WORD, "word"),
        Choice("hand_without", state.BY_HAND_WITHOUT, "word"),
    ),
    "pipeline": (
        Choice("text", state.PIPELINE_TEXT, "text"),
        Choice("second", state.PIPELINE_PAIR, "text"),
        Choice("system", state.PIPELINE_SYSTEM, "text"),
        Choice("user", state.PIPELINE_USER, "text"),
        Choice("assistant", state.PIPELINE_ASSISTANT, "text"),
        Choice("input", state.PIPELINE_INPUT, "word"),
        Choice("with", state.PIPELINE_WITH, "word", always=True, tokenizers=True),
        Choice("form", state.PIPELINE_FORM, "word"),
        Choice("also", state.PIPELINE_ALSO, "words"),
        Choice("words", state.PIPELINE_SPLIT, "word"),
        Choice("template", state.PIPELINE_TEMPLATE, "word"),
        Choice("texts", state.PIPELINE_BATCH, "text"),
        Choice("single", state.PIPELINE_SINGLE, "text", longest=LONGEST_TEMPLATE),
        Choice("double", state.PIPELINE_DOUBLE, "text", longest=LONGEST_TEMPLATE),
        Choice("most", state.PIPELINE_MOST, "number"),
        Choice("truncated", state.PIPELINE_TRUNCATED, "word"),
        Choice("strategy", state.PIPELINE_STRATEGY, "word"),
        Choice("stride", state.PIPELINE_STRIDE, "number"),
        Choice("padding", state.PIPELINE_PADDING, "word"),
        Choice("pad_length", state.PIPELINE_PAD_LENGTH, "number"),
        Choice("multiple", state.PIPELINE_PAD_MULTIPLE, "number"),
        Choice("padded", state.PIPELINE_PADDED, "word"),
        Choice("pad", state.PIPELINE_PAD_TOKEN, "word"),
        Choice("encoding", state.PIPELINE_ENCODING, "word"),
        Choice("copy", state.PIPELINE_COPY, "word"),
        Choice("markup", state.PIPELINE_MARKUP, "word"),
        Choice("mark", state.PIPELINE_MARKS, "words"),
        Choice("score", state.PIPELINE_GUESSES, "words"),
        Choice("aggregate", state.PIPELINE_AGGREGATION, "word"),
        Choice("labels_as", state.PIPELINE_LABELS_COPY, "word"),
        Choice("own", state.FILES_OF_LINK, "words"),
    ),
    "lessons": (
        Choice("lesson", state.LESSON, "word", always=True),
        Choice("written", state.OWN_LESSONS, "text", longest=MOST_CHARACTERS, own_work=True, scenes=scenes_in),
    ),
}
"""Choices of each page."""


def replace_file(old: OwnTokenizer, new: OwnTokenizer) -> None:
    """Replace an uploaded tokenizer in the session and in all choices; for callbacks."""
    items = [choice.item for page in PAGES.values() for choice in page if choice.tokenizers]
    chosen = [(item, item.get()) for item in (*items, state.CHECKED_FIRST)]  # read before the old name becomes invalid
    state.TOKENIZER_FILES.set(tuple(new if file == old else file for file in state.TOKENIZER_FILES.get()))
    for item, value in chosen:
        if isinstance(value, list) and old.name in value:
            item.set([new.name if name == old.name else name for name in value])
        elif value == old.name:
            item.set(new.name)
