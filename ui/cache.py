"""Caches shared by several pages, in the common store (ui/memory/cache.py).

A cache for a single page is in that page's `cache.py`; no other files contain caches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from bpe_core import (
    BpeError,
    ConfigError,
    Encoding,
    Snapshot,
    Tokenizer,
    TrainConfig,
    Training,
    load_pretrained,
    train,
)
from bpe_core.bpe.corpus import Progress
from bpe_core.bpe.growth import grown_settings
from bpe_core.bpe.page_views import Beside
from bpe_core.bpe.training_step import Forks
from bpe_core.display.composition_figures import Composition
from bpe_core.formats import by_merges
from bpe_core.formats.file_choice import MODEL_CONFIG
from bpe_core.formats.model_config import EmbeddingFit
from bpe_core.formats.model_config import embedding_fit as model_embedding_fit
from bpe_core.language import _, message
from bpe_core.text.segmenters import DictionaryWords, Segmenter
from bpe_core.text.segmenters import dictionary_words as words_of
from bpe_core.text.utf8 import distinct_characters
from bpe_core.tokenizer.facts import TokenFacts, token_facts
from bpe_core.tokenizer.tokenizer import Special
from bpe_core.tokenizer.tokenizer_figures import kinds_of, scripts_of
from ui.memory.cache import MEMORY, CachedFunction, cached
from ui.session.learned_tokenizers import is_learned, learned
from ui.session.limits import MOST_IDS
from ui.session.tokenizer_choice import TOKENIZER_FILES, TRAINED, own_file
from ui.session.tokenizer_files import Content, OwnTokenizer, is_own, own_title
from ui.session.training import GrownConfig, Source
from ui.work.algorithm_training import Recipe, TrainedAlgorithm, beginning, default_size, train_algorithm

T = TypeVar("T")


def cached_of(of: Callable[..., tuple[Any, ...]]) -> Callable[[Callable[..., T]], CachedFunction[T]]:
    """Decorator: like `cached`, keyed by what `of` keeps of the positional arguments: what the result depends on."""
    return lambda function: CachedFunction(function, of)


class TextFacts(NamedTuple):
    """Sizes of a text: its UTF-8 bytes, its characters, and its distinct characters."""

    size: int
    characters: int
    distinct: int


@cached
def text_facts(source: Source) -> TextFacts:
    """Sizes of a training text."""
    text = source.text
    return TextFacts(len(text.encode("utf-8", "replace")), len(text), distinct_characters(text))


@cached
def training(
    source: Source,
    config: TrainConfig,
    forks: Forks = (),
    *,
    on_progress: Progress | None = None,
    waiting: Callable[[], object] | None = None,
) -> Training:
    """The training on a text with these settings and forks, cached.

    `on_progress` is not called for a cached training. An exception from it ends the training, and nothing is cached.
    `waiting` is called periodically while another session computes the same training.
    """
    if not forks:
        return train(source.text, config, base=base_of(config), on_progress=on_progress)
    *earlier, (step, left, right) = forks
    rule = training(source, config, tuple(earlier), on_progress=on_progress, waiting=waiting)
    return rule.fork(step, (left, right), on_progress=on_progress)


def base_of(config: TrainConfig) -> Tokenizer | None:
    """Tokenizer that a training continues from, or None. Raises BpeError if it is unknown, or a file not open here."""
    if not isinstance(config, GrownConfig):
        return None
    file = _own_base(config)
    if file is not None:
        return _merging(file)
    if is_own(config.base):
        raise ConfigError(
            message("The training continues from the tokenizer {name}.", name=own_title(config.base)),
            limit=message("Its file is not open here, and links hold no files."),
            remedy=message("Open it on Compare, then choose it in the settings."),
        )
    return published(config.base)


def settled(config: TrainConfig) -> TrainConfig:
    """Settings completed by those of the tokenizer to continue from. Raises BpeError if that is impossible."""
    if not isinstance(config, GrownConfig):
        return config
    config = replace(config, file=_own_base(config))
    base = base_of(config)
    assert base is not None
    grown, new = grown_settings(base, config), config.vocab_size - base.vocab_size
    if new > MOST_IDS:
        raise ConfigError(
            message("{name} would get {new:,} merges.", name=base.name, new=new),
            limit=message("A page takes {most:,} at most.", most=MOST_IDS),
            remedy=message("Ask for fewer, or train in Python: bpe_core has no such limit."),
        )
    return grown


def _own_base(config: GrownConfig) -> OwnTokenizer | None:
    return config.file or next((file for file in TOKENIZER_FILES.get() if file.name == config.base), None)


@cached
def snapshot(source: Source, config: TrainConfig, step: int, forks: Forks = ()) -> Snapshot:
    """State of a training at a step."""
    return training(source, config, forks).at(step)


@cached
def trained_tokenizer(source: Source, config: TrainConfig, step: int | None = None, forks: Forks = ()) -> Tokenizer:
    """Tokenizer from the first `step` merges of a training; None for all."""
    return training(source, config, forks).tokenizer(step)


def tokenizer(name: str, source: Source, config: TrainConfig, forks: Forks = ()) -> Tokenizer:
    """Tokenizer by its name in choices."""
    return maker_of(name, source, config, forks)()


def maker_of(name: str, source: Source, config: TrainConfig, forks: Forks = ()) -> Callable[[], Tokenizer]:
    """Function that makes a tokenizer outside the session, for downloads; it holds only what the session holds."""
    if is_own(name):
        return partial(file_tokenizer, own_file(name))
    if name == TRAINED:
        return partial(trained_tokenizer, source, config, None, forks)
    return partial(published, name) if learned(name) is None else partial(learned_tokenizer, name, source)


def published(name: str) -> Tokenizer:
    """A published tokenizer, loaded on first use and kept for all sessions."""
    loaded = load_pretrained(name)
    MEMORY.count_elsewhere(loaded, loaded.model)
    return loaded


@cached
def file_tokenizer(
    file: OwnTokenizer, *, on_progress: Progress | None = None, waiting: Callable[[], object] | None = None
) -> Tokenizer:
    """Tokenizer of an uploaded file. Raises FormatError if it contains none.

    `on_progress` is not called for a cached tokenizer. An exception from it ends the reading, and nothing is cached.
    `waiting` is called periodically while another session opens the same file.
    """
    return file.tokenizer(on_progress)


@cached
def _merging(file: OwnTokenizer) -> Tokenizer:
    """Tokenizer of an uploaded file, with its list of merges. Raises BpeError if it cannot have one."""
    return by_merges(file_tokenizer(file))


@cached
def needs_split(content: Content, *, on_progress: Progress | None = None) -> bool:
    """Whether an upload is tiktoken ranks without a known split; `on_progress` as for `file_tokenizer`."""
    return content.needs_split(on_progress)


@cached
def embedding_fit(file: OwnTokenizer) -> EmbeddingFit | BpeError | None:
    """Embedding rows of an opened tokenizer's config.json against its ids, None without; errors are returned."""
    try:
        config = file.contents().get(MODEL_CONFIG)
        return None if config is None else model_embedding_fit(file_tokenizer(file), config)
    except BpeError as error:
        return error.with_traceback(None)


# -- the algorithms other than BPE ---------------------------------------------------------------------------------


@cached_of(lambda name, source, recipe: (name, source, recipe.of(name)))
def trained_algorithm(
    name: str,
    source: Source,
    recipe: Recipe,
    *,
    on_progress: Progress | None = None,
    waiting: Callable[[], object] | None = None,
) -> TrainedAlgorithm | BpeError:
    """Train one of the algorithms on a text; errors are returned. `on_progress`, `waiting` as for `training`."""
    return train_algorithm(name, source.text, recipe, on_progress)


@cached
def default_vocabulary_size(source: Source) -> int:
    """Default vocabulary size of the algorithms for a text."""
    return default_size(beginning(source.text))


@cached
def learned_tokenizer(
    name: str,
    source: Source,
    *,
    on_progress: Progress | None = None,
    waiting: Callable[[], object] | None = None,
) -> Tokenizer:
    """Tokenizer trained by an algorithm on a text, or on the start of a long one; `name` as in choices.

    Raises BpeError if it cannot be trained on the text.
    """
    chosen = learned(name)
    assert chosen is not None  # session state contains no other names
    taken = beginning(source.text, chosen.algorithm)
    if len(taken) < len(source.text):
        source = Source("beginning", source.label, taken)
    recipe = Recipe.of_learned(chosen, taken)
    found = trained_algorithm(chosen.algorithm, source, recipe, on_progress=on_progress, waiting=waiting)
    if isinstance(found, BpeError):
        raise found.with_traceback(None)
    return found.tokenizer(recipe)


def made_of(name: str, source: Source, config: TrainConfig, forks: Forks, *rest: Any) -> tuple[Any, ...]:
    """Cache key of a value computed from a tokenizer and `rest`: all that the tokenizer depends on, and `rest`."""
    if name == TRAINED:
        return name, source, config, forks, *rest
    return name, source if is_learned(name) else Source("", "", ""), TrainConfig(), (), *rest


@cached_of(made_of)
def facts_of(name: str, source: Source, config: TrainConfig, forks: Forks) -> TokenFacts:
    """Facts about every token of a tokenizer that visitors can choose."""
    return token_facts(tokenizer(name, source, config, forks))


@cached_of(made_of)
def composition_of(name: str, source: Source, config: TrainConfig, forks: Forks, by: str) -> Composition:
    """The tokens of a tokenizer that visitors can choose, by "kinds" or "scripts"."""
    made = name, source, config, forks
    return {"kinds": kinds_of, "scripts": scripts_of}[by](name, tokenizer(*made), facts_of(*made))


def encoding(
    name: str,
    source: Source,
    config: TrainConfig,
    text: str,
    special: Special,
    step: int | None = None,
    forks: Forks = (),
) -> Encoding:
    """Encode a text by a selectable tokenizer; `step` and `forks` apply to the trained one."""
    if name != TRAINED:
        step, forks = None, ()
    return _encode(name, source, config, text, special, step, forks)


@cached
def _encode(
    name: str, source: Source, config: TrainConfig, text: str, special: Special, step: int | None, forks: Forks
) -> Encoding:
    at_step = name == TRAINED
    chosen = trained_tokenizer(source, config, step, forks) if at_step else tokenizer(name, source, config)
    return chosen.encode(text, special=special).complete()  # with lazy parts, so that its size can be measured


@cache
def started(start: Callable[[], Thread]) -> Thread:
    """Start the thread that prepares this server, once, and return it."""
    return start()


def beside_of(source: Source, config: TrainConfig, forks: Forks) -> Beside | None:
    """The training to compare with: by the rule for a fork, inside words for merges across them, otherwise None."""
    if forks:
        return Beside(training(source, config), _("dashed: the training by the rule"))
    if config.method != "bpe":
        inside = replace(config, method="bpe", transition=0)
        return Beside(training(source, inside), _("dashed: merges inside words only"))
    return None


def dictionary_words(text: str, segmenter: Segmenter, *key: Any) -> DictionaryWords:
    """Words of a text by a segmenter, which is cached under its key."""
    return MEMORY.get(("dictionary words", text, *key), lambda: words_of(text, segmenter))
