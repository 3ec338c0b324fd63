"""Choices on each page, under the names used in links and lesson files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ui.session import (
    algorithms,
    by_hand,
    compare,
    encode,
    fair_languages,
    labels,
    many_texts,
    pipeline,
    prices,
    training,
    vocabulary,
    word_sources,
)
from ui.session.items import Item
from ui.session.limits import LONGEST_TEMPLATE, LONGEST_TEXT, LONGEST_UNSEEN
from ui.session.navigation import LESSON
from ui.session.own_lessons import MOST_CHARACTERS, OWN_LESSONS, scenes_in
from ui.session.tokenizer_choice import FILES_OF_LINK, TOKENIZER_FILES, files_in, without_files
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
    item: Item[Any]
    kind: ValueKind
    always: bool = False
    tokenizers: bool = False
    longest: int = LONGEST_TEXT
    own_work: bool = False
    scenes: Callable[[str], Iterable[tuple[str, object]]] = _no_scenes

    def get(self) -> Any:
        """The value without the visitor's files."""
        value = self.item.get()
        value = without_files(value) if self.tokenizers else value
        return self.item.default if value is None and self.tokenizers else value

    def set(self, value: Any) -> None:
        """Set the value, keeping columns of the visitor's files."""
        own = files_in(self.item.get()) if self.tokenizers and self.kind == "words" else []
        self.item.set([*value, *own] if own else value)


PAGES: dict[str, tuple[Choice, ...]] = {
    "train": (
        Choice("candidates", training.CANDIDATES_AS, "word"),
        Choice("shown", training.SHOWN_TEXT, "word"),
        Choice("unseen", training.UNSEEN_TEXT, "text", longest=LONGEST_UNSEEN),
        Choice("predict", training.PREDICTING, "flag"),
        Choice("find", training.MERGE_SEARCH, "word"),
        Choice("token", training.OPENED_TOKEN, "number"),
        Choice("width", training.EMBEDDING_WIDTH, "number"),
        Choice("printed", training.TEXTBOOKS_OPEN, "flag"),
    ),
    "encode": (
        Choice("text", encode.TEXT, "text"),
        Choice("with", encode.WITH, "word", always=True, tokenizers=True),
        Choice("special", encode.SPECIAL, "word"),
        Choice("view", encode.VIEW, "word"),
        Choice("words", word_sources.ON_ENCODE, "word"),
        Choice("merges", encode.MERGES, "word"),
        Choice("boundary", encode.BOUNDARY, "number"),
        Choice("token", encode.CHOSEN, "number"),
        Choice("token_at", encode.CHOSEN_AT, "range"),
        Choice("from", encode.LANES_AT, "number"),
        Choice("copy", encode.COPY, "word"),
        Choice("many", encode.MANY_OPEN, "flag"),
        Choice("dropout", encode.DROPOUT, "number"),
        Choice("theta", encode.THETA, "number"),
        Choice("seed", encode.SEED, "number"),
        Choice("ids", encode.DECODE_IDS, "text"),
        Choice("ids_special", encode.DECODE_SPECIAL, "flag"),
        Choice("own", FILES_OF_LINK, "words"),
    ),
    "compare": (
        Choice("text", compare.TEXT, "text"),
        Choice("with", compare.WITH, "words", always=True, tokenizers=True),
        Choice("special", compare.SPECIAL, "word"),
        Choice("left", compare.LEFT, "word", tokenizers=True),
        Choice("right", compare.RIGHT, "word", tokenizers=True),
        Choice("at", compare.AT, "number"),
        Choice("cause", compare.CAUSE, "word"),
        Choice("listed", compare.LISTED, "word"),
        Choice("two", compare.TWO_OPEN, "flag"),
        Choice("first_text", compare.FIRST_TEXT, "text", longest=compare.LONGEST_OF_TWO),
        Choice("second_text", compare.SECOND_TEXT, "text", longest=compare.LONGEST_OF_TWO),
        Choice("lines", compare.LINES_OPEN, "flag"),
        Choice("words", word_sources.ON_COMPARE, "word"),
        Choice("composition", compare.COMPOSITION_OPEN, "flag"),
        Choice("composition_by", vocabulary.COMPOSITION_BY, "word"),
        Choice("overlap", compare.OVERLAP_OPEN, "flag"),
        Choice("spelled", compare.SPELLED, "word"),
        Choice("prices_open", prices.OPEN, "flag"),
        Choice("prices", prices.PRICES, "words"),
        Choice("windows", prices.WINDOWS, "word"),
        Choice("fertility", compare.FERTILITY_BY, "word"),
        Choice("language", compare.FERTILITY_WHY, "word"),
        Choice("many", many_texts.OPEN, "flag"),
        Choice("many_samples", many_texts.SAMPLES, "flag"),
        Choice("many_by", many_texts.WAY, "word"),
        Choice("many_column", many_texts.COLUMN, "word"),
        Choice("many_context", many_texts.LIMIT, "number"),
        Choice("many_order", many_texts.ORDER, "word"),
        Choice("many_languages", many_texts.LANGUAGES, "words"),
        Choice("many_relative_to", many_texts.REFERENCE, "word"),
        Choice("many_measure", many_texts.MEASURE, "word"),
        Choice("fair", fair_languages.OPEN, "flag"),
        Choice("fair_ids", fair_languages.SIZE, "number"),
        Choice("fair_by", fair_languages.VARIANT, "word"),
        Choice("fair_unit", fair_languages.UNIT, "word"),
        Choice("fair_merge", fair_languages.STEP, "number"),
        Choice("own", FILES_OF_LINK, "words"),
    ),
    "vocabulary": (
        Choice("of", vocabulary.VOCABULARY_OF, "word", always=True, tokenizers=True),
        Choice("by", vocabulary.FIND_BY, "word"),
        Choice("find", vocabulary.FIND, "word"),
        Choice("scripts", vocabulary.SCRIPTS_SHOWN, "words"),
        Choice("tokens", vocabulary.TOKENS_SHOWN, "word"),
        Choice("length_in", vocabulary.LENGTH_IN, "word"),
        Choice("lengths", vocabulary.LENGTHS, "range"),
        Choice("born", vocabulary.CREATED, "range"),
        Choice("order", vocabulary.TOKEN_ORDER, "word"),
        Choice("from", vocabulary.TOKEN_PAGE, "number"),
        Choice("token", vocabulary.TOKEN, "number"),
        Choice("frequencies", vocabulary.FREQUENCIES_OPEN, "flag"),
        Choice("forest", vocabulary.FOREST_OPEN, "flag"),
        Choice("forest_by", vocabulary.FOREST_BY, "word"),
        Choice("forest_of_token", vocabulary.FOREST_OF_TOKEN, "flag"),
        Choice("composition", vocabulary.COMPOSITION_OPEN, "flag"),
        Choice("composition_by", vocabulary.COMPOSITION_BY, "word"),
        Choice("beside", vocabulary.VOCABULARY_BESIDE, "word", tokenizers=True),
        Choice("first_merges", vocabulary.FIRST_MERGES_OPEN, "flag"),
        Choice("with_merges", vocabulary.FIRST_MERGES, "number"),
        Choice("add", vocabulary.ADD_OPEN, "flag"),
        Choice("added", vocabulary.ADD_TEXT, "word"),
        Choice("added_as", vocabulary.ADD_AS, "word"),
        Choice("added_with", vocabulary.ADD_FLAGS, "words"),
        Choice("smaller", vocabulary.SHRINK_OPEN, "flag"),
        Choice("smaller_by", vocabulary.SHRINK_BY, "word"),
        Choice("kept_merges", vocabulary.SHRINK_MERGES, "number"),
        Choice("files", vocabulary.EXPORTS_OPEN, "flag"),
        Choice("format", vocabulary.EXPORT_AS, "word"),
        Choice("proof", vocabulary.PROOF_ON, "word"),
        Choice("proof_text", vocabulary.PROOF_TEXT, "text"),
        Choice("own", FILES_OF_LINK, "words"),
    ),
    "algorithms": (
        Choice("size", algorithms.SIZE, "number"),
        Choice("side_by_side", algorithms.SIDE_BY_SIDE, "words"),
        Choice("threshold", algorithms.THRESHOLD, "number"),
        Choice("crossing", algorithms.CROSSING, "number"),
        Choice("model", algorithms.MODEL, "word", always=True),
        Choice("bytes", algorithms.BYTES, "flag"),
        Choice("normalization", algorithms.NORMALIZATION, "word"),
        Choice("merges_by", algorithms.MERGES_BY, "word"),
        Choice("unknown", algorithms.UNKNOWN, "word"),
        Choice("special", algorithms.SPECIAL, "word"),
        Choice("unigram_special", algorithms.FIRST, "word"),
        Choice("seed", algorithms.SEED, "number"),
        Choice("shrink", algorithms.SHRINK, "number"),
        Choice("at_step", algorithms.STEP, "number"),
        Choice("with", algorithms.AT, "word"),
        Choice("sentence", algorithms.SENTENCE, "word"),
        Choice("word", algorithms.WORD, "word"),
        Choice("pieces", algorithms.SHOWN, "word"),
        Choice("find", algorithms.FIND, "word"),
        Choice("tables", algorithms.TABLES_OPEN, "flag"),
        Choice("vocabularies", algorithms.VOCABULARIES_OPEN, "flag"),
        Choice("by_hand", by_hand.OPEN, "flag"),
        Choice("overview", algorithms.OVERVIEW_OPEN, "flag"),
        Choice("hand_words", by_hand.WORDS, "text", longest=by_hand.LONGEST_LIST),
        Choice("hand_pieces", by_hand.PIECES, "text", longest=by_hand.LONGEST_LIST),
        Choice("hand_word", by_hand.WORD, "word"),
        Choice("hand_wordpieces", by_hand.WORDPIECES, "text", longest=by_hand.LONGEST_LIST),
        Choice("hand_without", by_hand.WITHOUT, "word"),
    ),
    "pipeline": (
        Choice("text", pipeline.TEXT, "text"),
        Choice("second", pipeline.PAIR, "text"),
        Choice("system", pipeline.SYSTEM, "text"),
        Choice("user", pipeline.USER, "text"),
        Choice("assistant", pipeline.ASSISTANT, "text"),
        *(Choice(f"message_{at}", each, "text") for at, each in enumerate(pipeline.MESSAGES[3:], 4)),
        *(Choice(f"role_{at}", each, "word") for at, each in enumerate(pipeline.MESSAGE_ROLES, 1)),
        Choice("messages", pipeline.MESSAGE_COUNT, "number"),
        Choice("chat_template", pipeline.CHAT_TEMPLATE, "word"),
        Choice("prompted", pipeline.PROMPTED, "flag"),
        Choice("input", pipeline.INPUT, "word"),
        Choice("with", pipeline.WITH, "word", always=True, tokenizers=True),
        Choice("form", pipeline.FORM, "word"),
        Choice("also", pipeline.ALSO, "words"),
        Choice("words", pipeline.SPLIT, "word"),
        Choice("template", pipeline.TEMPLATE, "word"),
        Choice("texts", pipeline.BATCH, "text"),
        Choice("single", pipeline.SINGLE, "text", longest=LONGEST_TEMPLATE),
        Choice("double", pipeline.DOUBLE, "text", longest=LONGEST_TEMPLATE),
        Choice("most", pipeline.MOST, "number"),
        Choice("truncated", pipeline.TRUNCATED, "word"),
        Choice("strategy", pipeline.STRATEGY, "word"),
        Choice("stride", pipeline.STRIDE, "number"),
        Choice("padding", pipeline.PADDING, "word"),
        Choice("pad_length", pipeline.PAD_LENGTH, "number"),
        Choice("multiple", pipeline.PAD_MULTIPLE, "number"),
        Choice("padded", pipeline.PADDED, "word"),
        Choice("pad", pipeline.PAD_TOKEN, "word"),
        Choice("encoding", pipeline.ENCODING, "word"),
        Choice("copy", pipeline.COPY, "word"),
        Choice("markup", pipeline.MARKUP, "word"),
        Choice("mark", labels.MARKS, "words"),
        Choice("score", labels.GUESSES, "words"),
        Choice("aggregate", labels.AGGREGATION, "word"),
        Choice("labels_as", labels.LABELS_COPY, "word"),
        Choice("own", FILES_OF_LINK, "words"),
    ),
    "lessons": (
        Choice("lesson", LESSON, "word", always=True),
        Choice("written", OWN_LESSONS, "text", longest=MOST_CHARACTERS, own_work=True, scenes=scenes_in),
    ),
}
"""Choices of each page."""


def replace_file(old: OwnTokenizer, new: OwnTokenizer) -> None:
    """Replace an uploaded tokenizer in the session and in all choices; for callbacks."""
    items = [choice.item for page in PAGES.values() for choice in page if choice.tokenizers]
    chosen = [
        (item, item.get()) for item in (*items, vocabulary.CHECKED_FIRST)
    ]  # read before the old name becomes invalid
    TOKENIZER_FILES.set(tuple(new if file == old else file for file in TOKENIZER_FILES.get()))
    for item, value in chosen:
        if isinstance(value, list) and old.name in value:
            item.set([new.name if name == old.name else name for name in value])
        elif value == old.name:
            item.set(new.name)
