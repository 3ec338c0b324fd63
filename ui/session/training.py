"""Training state: the text, the settings, the step, the forks, and pending requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from bpe_core import BpeError, TrainConfig
from bpe_core.bpe.training_step import Forks
from ui.session.items import Item, Upload, are_forks, is_a, is_count, one_of, one_of_numbers, or_none
from ui.session.limits import MOST_WIDTH
from ui.session.samples import Sample, sample
from ui.session.tokenizer_files import OwnTokenizer

FIRST_SAMPLE = "lantern_story"
FIRST_IN_LANGUAGE = {"ja": "japanese_station_clock", "zh": "chinese_umbrella"}
"""Initial samples of a session: in English, and in other languages of the app."""

SPEEDS = (0.5, 1.0, 2.0, 5.0, 20.0)
"""Player speeds in merges per second."""


def digest_of(text: str) -> str:
    """Digest of a text, 32 hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Source:
    """A training text and its origin. `digest` identifies the text in cache keys."""

    kind: str
    label: str
    text: str = field(repr=False)
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest_of(self.text))

    @classmethod
    def of_sample(cls, chosen: Sample) -> Source:
        """Source from a sample."""
        return cls("sample", chosen.name, chosen.text)


@dataclass(frozen=True, kw_only=True)
class GrownConfig(TrainConfig):
    """Settings of a training that continues from a tokenizer.

    base  name of the tokenizer in choices
    file  the visitor's file of that name, for callbacks that outlive the session; None for a published tokenizer
    """

    base: str
    file: OwnTokenizer | None = field(default=None, repr=False, compare=False)


def config_of(settings: Mapping[str, Any]) -> TrainConfig:
    """Settings by name, "base" among them. Raises ConfigError for invalid ones."""
    if settings.get("base"):
        return GrownConfig(**settings)
    return TrainConfig(**{name: value for name, value in settings.items() if name != "base"})


def base_name(config: TrainConfig) -> str:
    """Name in choices of the tokenizer that a training continues from; "" without one."""
    return config.base if isinstance(config, GrownConfig) else ""


@dataclass(frozen=True)
class Wanted:
    """A pending training request; `own`: whether the visitor chose the settings.

    Links and lessons also set the step and the forks. `carried`: whether the other pages open with this training.
    """

    source: Source
    config: TrainConfig
    own: bool
    step: int = 0
    forks: Forks = ()
    carried: bool = False


SOURCE: Item[Source | None] = Item("source", None, is_a(Source))
CONFIG = Item("config", TrainConfig(), is_a(TrainConfig))
WANTED: Item[Wanted | None] = Item("wanted", None, is_a(Wanted))
PROBLEM: Item[BpeError | None] = Item("problem", None, is_a(BpeError))
PROBLEMS = Item("problems told", 0, is_count)
TOLD: Item[tuple[BpeError, float] | None] = Item("problem told", None, is_a(tuple))
CORPUS_UPLOAD = Upload("upload")
TRAINING_STOPPED = Item("training cancelled", "", is_a(str))
OWN_CONFIG = Item("config is the visitor's own", False, is_a(bool))
STEP = Item("step", 0, is_count)
STEP_DRAWN = Item("step drawn", 0, is_count)
MERGE_SEARCH = Item("merge search", "", is_a(str))
FORKS: Item[Forks] = Item("forks", (), are_forks)
TRAININGS = Item("trainings settled", 0, is_count)
PLAYING = Item("playing", False, is_a(bool))
SPEED = Item("merges a second", 2.0, one_of_numbers(*SPEEDS))
CANDIDATES_AS = Item("candidates as", "pairs", one_of("pairs", "chart"))
SHOWN_TEXT = Item("shown text", "training", one_of("training", "unseen", "words", "vocabulary", "pairs"))
UNSEEN_TEXT = Item("unseen text", "The lowest lantern glows below the highest tower. 低いランタン", is_a(str))
VISITOR_NAME = Item("visitor's name", "", is_a(str))
PREDICTING = Item("predicting", False, is_a(bool))
EMBEDDING_WIDTH = Item("embedding width", 768, lambda value: is_count(value) and 1 <= value <= MOST_WIDTH)
OPENED_TOKEN: Item[int | None] = Item("opened token", None, or_none(is_count))
TEXTBOOKS_OPEN = Item("textbooks open", False, is_a(bool))
GUESSES: Item[dict[int, tuple[int, int] | None]] = Item("guesses", {}, is_a(dict))


def source() -> Source:
    """The training text; initially the first sample."""
    return SOURCE.get() or Source.of_sample(sample(FIRST_SAMPLE))


def want_source(chosen: Source, settings: Mapping[str, Any] | None = None) -> None:
    """Request a training on another text; a sample may come with settings.

    Settings of an earlier sample are reset; the visitor's own are kept.
    """
    OPENED_TOKEN.set(None)
    kept = CONFIG.get() if OWN_CONFIG.get() else TrainConfig()
    config = TrainConfig(**settings) if settings else kept
    WANTED.set(Wanted(chosen, config, OWN_CONFIG.get() and not settings, carried=True))


def want_config(config: TrainConfig) -> None:
    """Request a training with the visitor's settings."""
    OPENED_TOKEN.set(None)
    WANTED.set(Wanted(source(), config, own=True, carried=True))


def choose_forks(forks: Forks) -> None:
    """Set the forks, and clear the guesses, which belong to the previous merges."""
    FORKS.set(forks)
    GUESSES.set({})
