"""What several pages keep between runs, in the memory that all caches share (ui/memory/cache.py).

A page's own `cache.py` keeps what only that page needs. There are caches in files of this name only.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Thread

from bpe_core import BpeError, Encoding, Snapshot, Tokenizer, TrainConfig, Training, load_pretrained, train
from bpe_core.bpe.corpus import Progress
from bpe_core.display.composition_figures import Composition
from bpe_core.tokenizer.facts import token_facts
from bpe_core.tokenizer.tokenizer import Special
from bpe_core.tokenizer.tokenizer_figures import kinds_of, scripts_of
from ui.memory.cache import MEMORY, kept
from ui.session.learned_tokenizers import is_learned, learned
from ui.session.state import TRAINED, Forks, Source, own_file
from ui.session.tokenizer_files import Content, OwnTokenizer, is_own
from ui.shared.algorithm_training import Recipe, TrainedAlgorithm, beginning, train_algorithm, usual_size


@kept
def training(
    source: Source,
    config: TrainConfig,
    forks: Forks = (),
    *,
    on_progress: Progress | None = None,
    waiting: Callable[[], object] | None = None,
) -> Training:
    """The training on a text with these settings, and with these choices against the rule.

    `on_progress` is not called when the training is cached. What it raises ends the training, and nothing is kept.
    `waiting` is called now and then while another visitor's run makes the same training.
    """
    if not forks:
        return train(source.text, config, on_progress=on_progress)
    *earlier, (step, left, right) = forks
    rule = training(source, config, tuple(earlier), on_progress=on_progress, waiting=waiting)
    return rule.fork(step, (left, right), on_progress=on_progress)


@kept
def snapshot(source: Source, config: TrainConfig, step: int, forks: Forks = ()) -> Snapshot:
    """The state of a training at a step."""
    return training(source, config, forks).at(step)


@kept
def trained_tokenizer(source: Source, config: TrainConfig, step: int | None = None, forks: Forks = ()) -> Tokenizer:
    """The tokenizer that the first merges of a training make; all of them when `step` is None."""
    return training(source, config, forks).tokenizer(step)


def tokenizer(name: str, source: Source, config: TrainConfig, forks: Forks = ()) -> Tokenizer:
    """A tokenizer by the name under which visitors choose it."""
    if is_own(name):
        return file_tokenizer(own_file(name))
    if name == TRAINED:
        return trained_tokenizer(source, config, None, forks)
    return published(name) if learned(name) is None else learned_tokenizer(name, source)


def published(name: str) -> Tokenizer:
    """A published tokenizer, which is read when it is first asked for, and then stays for all visitors."""
    loaded = load_pretrained(name)
    MEMORY.count_elsewhere(loaded, loaded.model)
    return loaded


@kept
def file_tokenizer(
    file: OwnTokenizer, *, on_progress: Progress | None = None, waiting: Callable[[], object] | None = None
) -> Tokenizer:
    """The tokenizer of a visitor's own file. Raises FormatError where it holds none.

    `on_progress` is not called when the tokenizer is cached. What it raises ends the reading, and nothing is kept.
    `waiting` is called now and then while another visitor's run opens the same file.
    """
    return file.tokenizer(on_progress)


@kept
def needs_split(content: Content, *, on_progress: Progress | None = None) -> bool:
    """Whether an uploaded file is tiktoken's ranks without a known split; `on_progress` as of `file_tokenizer`."""
    return content.needs_split(on_progress)


# -- the algorithms beside BPE -------------------------------------------------------------------------------------


def trained_algorithm(
    name: str,
    source: Source,
    recipe: Recipe,
    *,
    on_progress: Progress | None = None,
    waiting: Callable[[], object] | None = None,
) -> TrainedAlgorithm | BpeError:
    """One of the algorithms, trained on a text, or why it cannot be; `on_progress` and `waiting` as of `training`."""
    return _train_by_recipe(name, source, recipe.of(name), on_progress=on_progress, waiting=waiting)


def algorithm_is_trained(name: str, source: Source, recipe: Recipe) -> bool:
    """Whether this training is at hand."""
    return _train_by_recipe.is_at_hand(name, source, recipe.of(name))


@kept
def _train_by_recipe(
    name: str,
    source: Source,
    recipe: Recipe,
    *,
    on_progress: Progress | None = None,
    waiting: Callable[[], object] | None = None,
) -> TrainedAlgorithm | BpeError:
    return train_algorithm(name, source.text, recipe, on_progress)


@kept
def usual_vocabulary_size(source: Source) -> int:
    """The vocabulary size that the algorithms are trained to on a text when none was asked for."""
    return usual_size(beginning(source.text))


@kept
def learned_tokenizer(
    name: str,
    source: Source,
    *,
    on_progress: Progress | None = None,
    waiting: Callable[[], object] | None = None,
) -> Tokenizer:
    """The tokenizer that an algorithm learns from a text, from its beginning if it is long; `name`: as visitors choose
    it. Raises BpeError for a text on which that cannot be trained."""
    chosen = learned(name)
    assert chosen is not None  # the session gives no other names
    taken = beginning(source.text)
    if len(taken) < len(source.text):
        source = Source("beginning", source.label, taken)
    recipe = Recipe.of_learned(chosen, taken)
    found = trained_algorithm(chosen.algorithm, source, recipe, on_progress=on_progress, waiting=waiting)
    if isinstance(found, BpeError):
        raise found.with_traceback(None)
    return found.tokenizer(recipe)


def made_of(name: str, source: Source, config: TrainConfig, forks: Forks) -> tuple[str, Source, TrainConfig, Forks]:
    """What a tokenizer depends on, as the key of what is computed from it alone."""
    if name == TRAINED:
        return name, source, config, forks
    return name, source if is_learned(name) else Source("", "", ""), TrainConfig(), ()


def composition_of(by: str, name: str, source: Source, config: TrainConfig, forks: Forks) -> Composition:
    """The tokens of a tokenizer that visitors can choose, by "kinds" or "scripts"."""
    return _composition(by, *made_of(name, source, config, forks))


@kept
def _composition(by: str, name: str, source: Source, config: TrainConfig, forks: Forks) -> Composition:
    chosen = tokenizer(name, source, config, forks)
    return {"kinds": kinds_of, "scripts": scripts_of}[by](name, chosen, token_facts(chosen))


def encoding(
    name: str,
    source: Source,
    config: TrainConfig,
    text: str,
    special: Special,
    step: int | None = None,
    forks: Forks = (),
) -> Encoding:
    """The tokens of a text under a tokenizer that visitors can choose; `step` and `forks` are the trained one's."""
    if name != TRAINED:
        step, forks = None, ()
    return _encode(name, source, config, text, special, step, forks)


@kept
def _encode(
    name: str, source: Source, config: TrainConfig, text: str, special: Special, step: int | None, forks: Forks
) -> Encoding:
    at_step = name == TRAINED
    chosen = trained_tokenizer(source, config, step, forks) if at_step else tokenizer(name, source, config)
    return chosen.encode(text, special=special).complete()  # so that its size can be told


@cache
def started(start: Callable[[], Thread]) -> Thread:
    """The thread that prepares this server, started on first use."""
    return start()
