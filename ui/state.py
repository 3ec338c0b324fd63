"""The one door to session state: every key, its default, and what counts as a valid value.

Widgets take their key from here (`STEP.widget()`), so that their values outlive a change of page, and everything
that reads a value gets the default instead of one that is missing or was forged in the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Generic, TypeVar

import streamlit as st

from bpe_core import PRETRAINED, BpeError, TrainConfig
from bpe_core.causes import CAUSES
from bpe_core.config import BaseOrder, Normalization, TieBreak, Unit
from bpe_core.formats import FORMATS
from bpe_core.normalize import NORMALIZATIONS
from bpe_core.scripts import SCRIPTS
from bpe_core.sentencepiece import MODEL_TYPES, ModelType
from bpe_core.split import PATTERNS
from bpe_core.split_rules import SPLITS
from bpe_core.templates import MARKUPS, TEMPLATES, Markup
from bpe_core.tokenizer import SPECIAL_MODES, Special
from ui.lessons import lessons
from ui.samples import Sample, sample, samples
from ui.tokenizer_file import FILE_SPLITS, TokenizerFile, is_own

T = TypeVar("T")

TRAINED = "trained"
"""The name of the tokenizer trained here, wherever tokenizers are chosen."""

TOKENIZERS = (TRAINED, *PRETRAINED)
FIRST_SAMPLE = "lantern_story"
COMPARE_SAMPLE = "python_code"
ALL_CAUSES = "all"
"""The filter by cause that lets every disagreement through."""
ALL_LESSONS = "all"
ALGORITHMS = ("bpe", "wordpiece", "unigram", "sentencepiece")


Forks = tuple[tuple[int, int, int], ...]
"""Choices against the rule, each on top of the one before: (step, left id, right id)."""

SPEEDS = (0.5, 1.0, 2.0, 5.0, 20.0)
"""Merges a second that the player can be set to."""


@dataclass(frozen=True)
class Item(Generic[T]):
    """One value of a visitor's session."""

    key: str
    default: T
    valid: Callable[[Any], bool]

    def get(self) -> T:
        """The value, or the default when there is none or it is not valid."""
        value = st.session_state.get(self.key, self.default)
        return value if self.valid(value) else self.default

    def set(self, value: T) -> None:
        """Set the value. For a widget's item only before the widget is drawn, or in a callback."""
        st.session_state[self.key] = value

    def widget(self) -> dict[str, Any]:
        """The arguments that tie a widget to this item and keep its value when its page is left."""
        st.session_state[self.key] = self.get()
        return {"key": self.key, "persist_state": "session"}


def digest_of(text: str) -> str:
    """32 hex digits that stand for a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Source:
    """The text to train on and where it came from. `digest` stands for the text in cache keys."""

    kind: str
    label: str
    text: str = field(repr=False)
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest_of(self.text))

    @classmethod
    def of_sample(cls, chosen: Sample) -> Source:
        """The text of a sample."""
        return cls("sample", chosen.name, chosen.text)


@dataclass(frozen=True)
class Wanted:
    """A training that was asked for and is not yet made; `own`: the settings are the visitor's.

    A link or a lesson asks for the step and the forks as well.
    """

    source: Source
    config: TrainConfig
    own: bool
    step: int = 0
    forks: Forks = ()


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kind)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_range(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(map(_is_count, value)) and value[0] <= value[1]


def _is_count_or_none(value: object) -> bool:
    return value is None or _is_count(value)


def _is_size_or_none(value: object) -> bool:
    return value is None or (_is_count(value) and 1 <= value <= MOST_PIECES)  # type: ignore[operator]


def _is_word_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_place_or_none(value: object) -> bool:
    return value is None or (isinstance(value, tuple) and len(value) == 2 and all(map(_is_count, value)))


def _one_of(*choices: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in choices


def _some_of(*choices: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(isinstance(v, str) and v in choices for v in value)


def _is_tokenizer(value: object) -> bool:
    return isinstance(value, str) and value in tokenizers()


def _is_pipeline_tokenizer(value: object) -> bool:
    return _is_tokenizer(value) or value in ("wordpiece", "unigram")


def _are_tokenizers(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_tokenizer, value))


def _is_split_or_none(value: object) -> bool:
    return value is None or (isinstance(value, str) and value in FILE_SPLITS)


def _are_files(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(file, TokenizerFile) for file in value)


def _one_of_numbers(*choices: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value in choices


def _are_forks(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(fork, tuple) and len(fork) == 3 and all(map(_is_count, fork)) for fork in value
    )


# -- what is trained ---------------------------------------------------------------------------------------

SOURCE: Item[Source | None] = Item("source", None, _is(Source))
CONFIG = Item("config", TrainConfig(), _is(TrainConfig))
WANTED: Item[Wanted | None] = Item("wanted", None, _is(Wanted))
PROBLEM: Item[BpeError | None] = Item("problem", None, _is(BpeError))
OWN_CONFIG = Item("config is the visitor's own", False, _is(bool))
STEP = Item("step", 0, _is_count)
MERGE_SEARCH = Item("merge search", "", _is(str))
FORKS: Item[Forks] = Item("forks", (), _are_forks)
TRAININGS = Item("trainings settled", 0, _is_count)
CHART_CLICKS = Item("clicks in charts", 0, _is_count)
JUMPED = Item("jumped to another step", False, _is(bool))
CURVES_DRAWN: Item[object] = Item("curves drawn", None, _is(object))
PLAYING = Item("playing", False, _is(bool))
SPEED = Item("merges a second", 2.0, _one_of_numbers(*SPEEDS))
CANDIDATES_AS = Item("candidates as", "pairs", _one_of("pairs", "chart"))
SHOWN_TEXT = Item("shown text", "training", _one_of("training", "unseen"))
UNSEEN_TEXT = Item("unseen text", "The lowest lantern glows below the highest tower. 低いランタン", _is(str))
PREDICTING = Item("predicting", False, _is(bool))
GUESSES: Item[dict[int, tuple[int, int] | None]] = Item("guesses", {}, _is(dict))

# -- settings as they are being chosen, before the button is pressed ------------------------------------------

DRAFT_SAMPLE = Item("draft sample", FIRST_SAMPLE, _one_of(*(s.name for s in samples())))
DRAFT_PASTE = Item("draft paste", "", _is(str))
LONG_PASTES = Item("long pastes", 0, _is_count)
DRAFT_UNIT: Item[Unit] = Item("draft unit", "byte", _one_of("byte", "char"))
DRAFT_SPLIT = Item("draft split", "gpt2", _one_of(*PATTERNS, "own"))
DRAFT_PATTERN = Item("draft pattern", r"\w+|\s+|[^\w\s]+", _is(str))
DRAFT_VOCAB_SIZE = Item("draft vocab size", 512, _is_count)
DRAFT_TIE_BREAK: Item[TieBreak] = Item("draft tie rule", "first-seen", _one_of("first-seen", "lowest-ids"))
DRAFT_NORMALIZATION: Item[Normalization] = Item("draft normalization", "none", _one_of(*NORMALIZATIONS))
DRAFT_LOWERCASE = Item("draft lowercase", False, _is(bool))
DRAFT_STRIP_ACCENTS = Item("draft strip accents", False, _is(bool))
DRAFT_END_OF_WORD = Item("draft end of word", "", _is(str))
DRAFT_BYTE_FALLBACK = Item("draft byte fallback", False, _is(bool))
DRAFT_BASE_ORDER: Item[BaseOrder] = Item("draft base order", "byte-value", _one_of("byte-value", "gpt2"))
DRAFT_MIN_COUNT = Item("draft min count", 1, _is_count)
DRAFT_SPECIAL_TOKENS = Item("draft special tokens", "", _is(str))

# -- Encode ----------------------------------------------------------------------------------------------------

ENCODE_TEXT = Item("encode text", "The tokenizer's choices aren't neutral: 日本語は高い。 🙂", _is(str))
ENCODE_WITH = Item("encode with", "gpt2", _is_tokenizer)
ENCODE_SPECIAL: Item[Special] = Item("encode special", "text", _one_of(*SPECIAL_MODES))
ENCODE_COPY = Item("encode copy as", "ids", _one_of("ids", "bytes", "text"))
ENCODE_VIEW = Item("encode view as", "tokens", _one_of("tokens", "lanes"))
ENCODE_MERGES = Item("encode by merges", "all", _one_of("all", "step"))
ENCODE_CHOSEN: Item[int | None] = Item("encode chosen token", None, _is_count_or_none)
ENCODE_CHOSEN_AT: Item[tuple[int, int] | None] = Item("encode chosen token and its byte", None, _is_place_or_none)
ENCODE_LANES_AT = Item("encode first token in lanes", 0, _is_count)
ENCODE_HANDED_OVER = Item("encode handed over", False, _is(bool))
DECODE_IDS = Item("decode ids", "", _is(str))
DECODE_SPECIAL = Item("decode special tokens too", True, _is(bool))

# -- Compare ---------------------------------------------------------------------------------------------------

COMPARE_TEXT = Item("compare text", sample(COMPARE_SAMPLE).text, _is(str))
TOKENIZER_FILES: Item[tuple[TokenizerFile, ...]] = Item("tokenizer files", (), _are_files)
TOKENIZER_UPLOADS = Item("tokenizer uploads", 0, _is_count)
UPLOADED_SPLIT: Item[str | None] = Item("split of an uploaded file", None, _is_split_or_none)
COMPARE_WITH = Item("compare with", [*TOKENIZERS], _are_tokenizers)
COMPARE_SPECIAL: Item[Special] = Item("compare special", "text", _one_of("text", "parse"))
COMPARE_LEFT = Item("compare left", "gpt2", _is_tokenizer)
COMPARE_RIGHT = Item("compare right", "cl100k_base", _is_tokenizer)
COMPARE_AT = Item("disagreement", 0, _is_count)  # the byte of the text where the one that is shown starts
COMPARE_CAUSE = Item("compare cause", ALL_CAUSES, _one_of(ALL_CAUSES, *CAUSES))
COMPARE_SAMPLE_NAME = Item("compare sample", COMPARE_SAMPLE, _one_of(*(s.name for s in samples())))
COMPARE_AGREED = Item("agreed where clicked", "", _is(str))
FERTILITY_BY = Item("fertility by", "relative", _one_of("relative", "tokens", "per character", "per word"))

# -- Pipeline --------------------------------------------------------------------------------------------------

PIPELINE_INPUT = Item("pipeline input", "text", _one_of("text", "pair", "chat"))
PIPELINE_TEXT = Item("pipeline text", "The caf\u00e9 and the cafe\u0301 look alike. \U0001f642", _is(str))
PIPELINE_PAIR = Item("pipeline second text", "Only one of them is composed.", _is(str))
PIPELINE_SYSTEM = Item("pipeline system message", "You answer in one word.", _is(str))
PIPELINE_USER = Item("pipeline user message", "Is seven a prime number?", _is(str))
PIPELINE_ASSISTANT = Item("pipeline assistant message", "Yes.", _is(str))
PIPELINE_WITH = Item("pipeline with", "gpt2", _is_pipeline_tokenizer)
PIPELINE_FORM = Item("pipeline normalization", "own", _one_of("own", *NORMALIZATIONS))
PIPELINE_ALSO: Item[list[str]] = Item("pipeline also", [], _some_of("lower", "accents"))
PIPELINE_SPLIT = Item("pipeline split", "own", _one_of("own", *SPLITS))
PIPELINE_TEMPLATE = Item("pipeline template", "end of text", _one_of(*TEMPLATES))
PIPELINE_EXAMPLES = Item("pipeline examples chosen", 0, _is_count)
PIPELINE_MARKUP: Item[Markup] = Item("pipeline markup", "special", _one_of(*MARKUPS))

# -- Algorithms ------------------------------------------------------------------------------------------------

MOST_PIECES = 5_000
"""The largest vocabulary that the Algorithms page trains."""

FAMILY_SIZE: Item[int | None] = Item("family size", None, _is_size_or_none)  # None: one that fits the text
FAMILY_SIZE_DRAFT: Item[int | None] = Item("family size draft", None, _is_size_or_none)
FAMILY_MODEL: Item[ModelType] = Item("family sentencepiece model", "bpe", _one_of(*MODEL_TYPES))
FAMILY_STEP = Item("family step", 0, _is_count)
FAMILY_PLAYING = Item("family playing", False, _is(bool))
FAMILY_STOPPED = Item("family training cancelled", "", _is(str))
FAMILY_AT = Item("family word and pieces at", "end", _one_of("end", "step"))
FAMILY_MOVED = Item("family word and pieces moved", False, _is(bool))
FAMILY_WORD: Item[str | None] = Item("family word", None, _is_word_or_none)  # None: one that the four cut differently
FAMILY_WORD_DRAFT = Item("family word draft", "", _is(str))
FAMILY_SHOWN = Item("family pieces shown", "all", _one_of("all", "shared", *ALGORITHMS))
FAMILY_FIND = Item("family pieces found", "", _is(str))

# -- Lessons and links -----------------------------------------------------------------------------------------

IN_APP = Item("run of app.py", False, _is(bool))
PAGE: Item[str] = Item("page", "train", _is(str))
LINK_READ = Item("link read", False, _is(bool))
LESSON = Item("lesson", ALL_LESSONS, _one_of(ALL_LESSONS, *(each.name for each in lessons())))
ANSWERED = Item("lesson whose answer is shown", "", _is(str))
VIA_LESSON = Item("lesson that led here", "", _one_of("", *(each.name for each in lessons())))
LATEST_SCENE: Item[object] = Item("latest scene", None, _is(object))
GO_TO_PAGE = Item("go to page", "", _is(str))
LESSON_FILE_PROBLEM: Item[BpeError | None] = Item("lesson file problem", None, _is(BpeError))

# -- Vocabulary ------------------------------------------------------------------------------------------------

VOCABULARY_OF = Item("vocabulary of", TRAINED, _is_tokenizer)
FIND_BY = Item("find tokens by", "text", _one_of("text", "hex", "id"))
FIND = Item("find tokens", "", _is(str))
SCRIPTS_SHOWN: Item[list[str]] = Item("scripts shown", [], _some_of(*SCRIPTS))
TOKENS_SHOWN = Item("tokens shown", "all", _one_of("all", "used", "unused", "twins"))
LENGTH_IN = Item("length in", "bytes", _one_of("bytes", "characters"))
LENGTHS: Item[tuple[int, int] | None] = Item("lengths", None, _is_range)
LENGTHS_SLIDER: Item[tuple[int, int] | None] = Item("lengths slider", None, _is_range)
BORN: Item[tuple[int, int] | None] = Item("born", None, _is_range)
BORN_FROM = Item("born from", 0, _is_count)
BORN_TO = Item("born to", 0, _is_count)
TOKEN_ORDER = Item("order of tokens", "most used", _one_of("id", "longest", "most used"))
TOKEN_PAGE = Item("page of tokens", 0, _is_count)
TOKEN: Item[int | None] = Item("token", None, _is_count)
EXPORTS_OPEN = Item("exports open", False, _is(bool))
EXPORT_AS = Item("export as", "tokenizers", _one_of(*FORMATS))
PROOF_ON = Item("proof on", "training", _one_of("training", "encode", "own"))
PROOF_TEXT = Item("proof text", "Café, naïve, 日本語 and 🙂: the same ids elsewhere?", _is(str))
PROOF_ASKED = Item("digest of a long text to prove", "", _is(str))
TRAINING_FILE: Item[tuple[str, bytes] | None] = Item("training file to open", None, _is(tuple))


def tokenizers() -> tuple[str, ...]:
    """Every tokenizer that the visitor can choose: the trained one, the published ones, and those of own files."""
    return (*TOKENIZERS, *(file.name for file in TOKENIZER_FILES.get()))


def own_file(name: str) -> TokenizerFile:
    """The visitor's own file of a name in `tokenizers()`."""
    return next(file for file in TOKENIZER_FILES.get() if file.name == name)


def without_files(chosen: Any) -> Any:
    """A choice of tokenizers as far as others have them: without the visitor's own files. None for one of these."""
    if isinstance(chosen, list):
        return [name for name in chosen if not is_own(name)]
    return None if is_own(chosen) else chosen


def files_in(chosen: list[str]) -> list[str]:
    """The visitor's own files in a choice of tokenizers."""
    return [name for name in chosen if is_own(name)]


def source() -> Source:
    """The text that is trained on; the first sample until the visitor chooses."""
    return SOURCE.get() or Source.of_sample(sample(FIRST_SAMPLE))


def want_source(chosen: Source, settings: Mapping[str, Any] | None = None) -> None:
    """Ask for a training on another text; a sample may bring settings of its own.

    Settings that an earlier sample brought do not outlive it; those that the visitor made do.
    """
    kept = CONFIG.get() if OWN_CONFIG.get() else TrainConfig()
    WANTED.set(Wanted(chosen, TrainConfig(**settings) if settings else kept, OWN_CONFIG.get() and not settings))


def want_config(config: TrainConfig) -> None:
    """Ask for a training with the visitor's own settings."""
    WANTED.set(Wanted(source(), config, own=True))


def choose_forks(forks: Forks) -> None:
    """Follow these choices against the rule. Guesses were about other merges: they are forgotten."""
    FORKS.set(forks)
    GUESSES.set({})


_LONG_DRAFT = 100_000


def paste_widget() -> dict[str, Any]:
    """What ties the field for a pasted text to its item.

    After a long text the field is another one: a browser sends what its fields hold with every click.
    """
    key = _paste_key()
    st.session_state[key] = DRAFT_PASTE.get()
    return {"key": key, "persist_state": "session"}


def take_paste() -> str:
    """The text in that field, when its form was sent."""
    text = st.session_state.get(_paste_key(), "")
    DRAFT_PASTE.set(text)
    return DRAFT_PASTE.get()


def _paste_key() -> str:
    return f"{DRAFT_PASTE.key} {LONG_PASTES.get()}"


def settle(wanted: Wanted) -> None:
    """What was asked for could be trained: from now on it is what the pages show, at the step that was asked for."""
    SOURCE.set(wanted.source)
    CONFIG.set(wanted.config)
    OWN_CONFIG.set(wanted.own)
    STEP.set(wanted.step)
    choose_forks(wanted.forks)
    PLAYING.set(False)
    TRAININGS.set(TRAININGS.get() + 1)
    if wanted.source.kind == "sample":
        DRAFT_SAMPLE.set(wanted.source.label)
    if len(DRAFT_PASTE.get()) > _LONG_DRAFT:
        DRAFT_PASTE.set("")
        LONG_PASTES.set(LONG_PASTES.get() + 1)
    show_as_draft(wanted.config)


def show_as_draft(config: TrainConfig) -> None:
    """Fill the settings form with these settings."""
    named = config.split in PATTERNS
    DRAFT_UNIT.set(config.unit)
    DRAFT_SPLIT.set(config.split if named else "own")
    if not named:
        DRAFT_PATTERN.set(config.split)
    DRAFT_VOCAB_SIZE.set(config.vocab_size)
    DRAFT_TIE_BREAK.set(config.tie_break)
    DRAFT_NORMALIZATION.set(config.normalization)
    DRAFT_LOWERCASE.set(config.lowercase)
    DRAFT_STRIP_ACCENTS.set(config.strip_accents)
    DRAFT_END_OF_WORD.set(config.end_of_word)
    DRAFT_BYTE_FALLBACK.set(config.byte_fallback)
    DRAFT_BASE_ORDER.set(config.base_order)
    DRAFT_MIN_COUNT.set(config.min_count)
    DRAFT_SPECIAL_TOKENS.set(_in_lines(config.special_tokens))


def _in_lines(special_tokens: tuple[str, ...]) -> str:
    return "\n".join(special_tokens)


def _draft_special_tokens() -> tuple[str, ...]:
    """One a line; until they are edited those in use, which a file or a link may have given line ends."""
    draft, in_use = DRAFT_SPECIAL_TOKENS.get(), CONFIG.get().special_tokens
    if draft == _in_lines(in_use):
        return in_use
    return tuple(filter(None, (line.strip() for line in draft.splitlines())))


def draft_config() -> TrainConfig:
    """The settings as they stand in the form. Raises ConfigError for what cannot be."""
    byte_unit = DRAFT_UNIT.get() == "byte"
    return TrainConfig(
        vocab_size=DRAFT_VOCAB_SIZE.get(),
        unit=DRAFT_UNIT.get(),
        split=DRAFT_PATTERN.get() if DRAFT_SPLIT.get() == "own" else DRAFT_SPLIT.get(),
        end_of_word="" if byte_unit else DRAFT_END_OF_WORD.get(),
        normalization=DRAFT_NORMALIZATION.get(),
        lowercase=DRAFT_LOWERCASE.get(),
        strip_accents=DRAFT_STRIP_ACCENTS.get(),
        tie_break=DRAFT_TIE_BREAK.get(),
        base_order=DRAFT_BASE_ORDER.get(),
        min_count=DRAFT_MIN_COUNT.get(),
        special_tokens=_draft_special_tokens(),
        byte_fallback=not byte_unit and DRAFT_BYTE_FALLBACK.get(),
    )
