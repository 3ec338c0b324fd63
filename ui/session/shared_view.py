"""A shared view: the page, its training and its choices, as in links, lesson files and lessons.

Its plain form contains only strings, numbers, booleans and lists, and omits defaults:

    {"page": "train", "sample": "toy_hug", "settings": {"vocab_size": 14}, "step": 4}
    {"page": "compare", "choices": {"text": "    return", "with": ["gpt2", "cl100k_base"]}}

Instead of "sample", a training on another text has "corpus" (the text) and, if it was a file, "file" (its name).
A view without a sample or a corpus leaves the visitor's training alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from bpe_core import BpeError, FormatError, TrainConfig
from bpe_core.bpe.training_step import Forks
from bpe_core.errors import quoted
from bpe_core.language import message
from ui.session import drafts
from ui.session import training as training_state
from ui.session.choices import PAGES, ValueKind
from ui.session.limits import LONGEST_TEXT, MOST_IDS, MOST_MIN_COUNT
from ui.session.navigation import LATEST_VIEW, PAGE
from ui.session.reasons import reason
from ui.session.samples import SampleNotFoundError, sample
from ui.session.tokenizer_choice import missing_files, own_file
from ui.session.tokenizer_files import is_own

Plain = dict[str, Any]

LONGEST_WORD = 2_000
MOST_WORDS = 1_000
MOST_FORKS = 100
MOST_STEPS = 10**7

PYTHON_TYPES: dict[ValueKind, type] = {
    "text": str,
    "word": str,
    "words": list,
    "number": int,
    "range": list,
    "flag": bool,
}

WITH_TRAINING = PAGES.keys() - {"lessons"}
"""Pages that show the training."""

SETTINGS: dict[str, ValueKind] = {
    each.name: {bool: "flag", int: "number", tuple: "words"}.get(type(each.default), "word")  # type: ignore[misc]
    for each in fields(TrainConfig)
}
SETTINGS["base"] = "word"


@dataclass(frozen=True)
class SharedView:
    """A page, its training (None: leave it unchanged), and its choices. Validated when parsed."""

    page: str
    training: training_state.Wanted | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Latest:
    """Holder of a session's latest view: a download is generated on click, outside any session."""

    view: SharedView


def training_of(plain: Mapping[str, Any]) -> training_state.Wanted | None:
    """The training of a view that was validated before. Independent of the session, for callbacks that outlive it.

    >>> training_of({"page": "train", "sample": "toy_hug", "step": 4}).step
    4
    """
    return _training(dict(plain))


# -- a session's view ---------------------------------------------------------------------------------------


def now(page: str) -> SharedView:
    """The current view of this page."""
    choices = _choices_now(page)
    if page not in WITH_TRAINING:
        return SharedView(page, None, choices)
    own = training_state.OWN_CONFIG.get()
    training = training_state.WANTED.get() or training_state.Wanted(  # a page hidden by a question has not trained yet
        training_state.source(), training_state.CONFIG.get(), own, training_state.STEP.get(), training_state.FORKS.get()
    )
    return SharedView(page, training, choices)


def chosen(page: str) -> SharedView | None:
    """Current choices of this page without the training; None if all are defaults."""
    if all(each.get() == each.item.default for each in PAGES[page]):
        return None
    return SharedView(page, None, _choices_now(page))


def has_training_of_newcomers() -> bool:
    """Whether the training is the initial one at step 0, without a pending request."""
    source = training_state.source()
    first_samples = (training_state.FIRST_SAMPLE, *training_state.FIRST_IN_LANGUAGE.values())
    return (
        source.kind == "sample"
        and source.label in first_samples
        and not training_state.OWN_CONFIG.get()
        and not training_state.STEP.get()
        and not training_state.FORKS.get()
        and training_state.WANTED.get() is None
    )


def _choices_now(page: str) -> Plain:
    choices = {each.name: each.get() for each in PAGES[page] if each.always or each.get() != each.item.default}
    if files := _own_files(page):
        choices["own"] = [*dict.fromkeys([*files, *missing_files()])]
    return choices


def _own_files(page: str) -> list[str]:
    """Titles of uploaded files chosen on this page. Links name them, although their recipients do not have them."""
    chosen = [each.item.get() for each in PAGES[page] if each.tokenizers]
    names = [name for value in chosen for name in (value if isinstance(value, list) else [value])]
    return [own_file(name).in_links for name in names if is_own(name)]


def show(view: SharedView) -> None:
    """Apply a view; choices it does not name get their defaults. Call before any widget is drawn."""
    for each in PAGES[view.page]:
        if each.own_work and (each.name not in view.choices or each.get() != each.item.default):
            continue
        each.set(view.choices.get(each.name, each.item.default))
    training = view.training
    if training is None:
        return
    if training.source.kind == "paste":
        drafts.PASTE.set(training.source.text)
    if (training.source, training.config, training.forks) == (
        training_state.source(),
        training_state.CONFIG.get(),
        training_state.FORKS.get(),
    ):
        training_state.WANTED.set(None)
        training_state.STEP.set(training.step)
    else:
        training_state.WANTED.set(training)


def latest() -> Latest:
    """The session's holder of its latest view."""
    held = LATEST_VIEW.get()
    if not isinstance(held, Latest):
        held = Latest(now(PAGE.get()))
        LATEST_VIEW.set(held)
    return held


# -- the plain form ------------------------------------------------------------------------------------------


def to_plain(view: SharedView) -> Plain:
    """Plain form of a view.

    >>> to_plain(from_plain({"page": "train", "sample": "toy_hug", "settings": {"unit": "char"}, "step": 4}))
    {'page': 'train', 'sample': 'toy_hug', 'step': 4}
    """
    plain: Plain = {"page": view.page}
    training = view.training
    if training is not None:
        source = training.source
        plain |= {"sample": source.label} if source.kind == "sample" else {"corpus": source.text}
        plain |= {"file": source.label} if source.kind == "file" else {}
        settings = _changed(training.config, _default_config(source))
        plain |= {"settings": settings} if settings else {}
        plain |= {"step": training.step} if training.step else {}
        plain |= {"forks": [list(fork) for fork in training.forks]} if training.forks else {}
    choices = {name: list(value) if isinstance(value, tuple) else value for name, value in view.choices.items()}
    return plain | ({"choices": choices} if choices else {})


def from_plain(plain: object) -> SharedView:
    """Parse a plain form. Raises FormatError if invalid; the message is one sentence."""
    given = _table(plain, "scene")
    page = given.get("page")
    if not isinstance(page, str) or page not in PAGES:
        raise _bad("page", page)
    unknown = given.keys() - {"page", "sample", "corpus", "file", "settings", "step", "forks", "choices"}
    if unknown:
        raise FormatError(message("It holds {name}, which this version does not know.", name=quoted(min(unknown))))
    return SharedView(page, _training(given), _choices(page, _table(given.get("choices", {}), "choices")))


def _choices(page: str, given: Plain) -> Plain:
    known = {each.name: each for each in PAGES[page]}
    choices: Plain = {}
    for name, value in given.items():
        if name not in known:
            raise FormatError(
                message("It chooses {name}, which the page {page} does not have.", name=quoted(name), page=page)
            )
        each = known[name]
        _check(name, value, each.kind, each.longest)
        choice = tuple(value) if each.kind == "range" else value
        if not each.item.valid(choice):
            raise _bad(name, value)
        if each.always or choice != each.item.default:
            for who, scene in each.scenes(value) if isinstance(value, str) else ():
                check_scene(who, scene)
            choices[name] = choice
    return choices


def check_scene(who: str, scene: object) -> None:
    """Validate the plain form of a view. Raises FormatError, whose message names `who`."""
    try:
        from_plain(scene)
    except FormatError as error:
        raise FormatError(message("Its {who} cannot be opened. {reason}", who=who, reason=reason(error))) from None


def _training(given: Plain) -> training_state.Wanted | None:
    source = _source(given)
    if source is None:
        if given.keys() & {"settings", "step", "forks"}:
            raise FormatError(message("It has settings of a training, but no text to train on."))
        return None
    default = _default_config(source)
    settings = _table(given.get("settings", {}), "settings")
    for name, value in settings.items():
        if name not in SETTINGS:
            raise FormatError(message("It sets {name}, which is not a training setting.", name=quoted(name)))
        _check(name, value, SETTINGS[name])
    try:
        config = training_state.config_of({name: getattr(default, name, "") for name in SETTINGS} | settings)
    except BpeError as error:
        raise FormatError(message("Its settings are not valid: {reason}", reason=reason(error))) from None
    most_ids = MOST_IDS if not training_state.base_name(config) else config.vocab_size  # then cache.settled checks
    if config.vocab_size > most_ids or config.min_count > MOST_MIN_COUNT:
        raise FormatError(
            message(
                "It asks for {ids:,} ids and a minimum count of {count:,}; a page takes at most {most_ids:,} and "
                "{most_count:,}, so ask for fewer, or train in Python.",
                ids=config.vocab_size,
                count=config.min_count,
                most_ids=MOST_IDS,
                most_count=MOST_MIN_COUNT,
            )
        )
    step = given.get("step", 0)
    _check("step", step, "number")
    return training_state.Wanted(source, config, config != default, step, _forks(given.get("forks", [])))


def _source(given: Plain) -> training_state.Source | None:
    if "sample" in given and "corpus" in given:
        raise FormatError(message("It names a sample and has a text of its own."))
    if "corpus" in given:
        text, name = given["corpus"], given.get("file", "")
        _check("corpus", text, "text")
        _check("file", name, "word")
        return (
            training_state.Source("file", name, text) if name else training_state.Source("paste", "Pasted text", text)
        )
    if "sample" not in given:
        return None
    _check("sample", given["sample"], "word")
    try:
        return training_state.Source.of_sample(sample(given["sample"]))
    except SampleNotFoundError:
        raise FormatError(
            message("It names the sample {name}, which this version does not have.", name=quoted(given["sample"]))
        ) from None


def _forks(given: object) -> Forks:
    whole = isinstance(given, list) and len(given) <= MOST_FORKS and all(isinstance(fork, list) for fork in given)
    forks: Any = tuple(map(tuple, given)) if whole else None  # type: ignore[call-overload]
    if (
        forks is None
        or not training_state.FORKS.valid(forks)
        or any(number > MOST_STEPS for fork in forks for number in fork)
    ):
        raise _bad("forks", given)
    checked: Forks = forks
    return checked


def _default_config(source: training_state.Source) -> TrainConfig:
    """Default settings for this text."""
    return TrainConfig(**sample(source.label).settings) if source.kind == "sample" else TrainConfig()


def _changed(config: TrainConfig, default: TrainConfig) -> Plain:
    both = ((name, getattr(config, name, ""), getattr(default, name, "")) for name in SETTINGS)
    return {name: list(now) if isinstance(now, tuple) else now for name, now, then in both if now != then}


def _table(value: object, name: str) -> Plain:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise _bad(name, value)
    return value


def _check(name: str, value: object, kind: ValueKind, longest: int = LONGEST_TEXT) -> None:
    """Validate the type and size of a value. Raises FormatError."""
    good = isinstance(value, PYTHON_TYPES[kind]) and (kind != "number" or not isinstance(value, bool))
    most = longest if kind == "text" else LONGEST_WORD
    if isinstance(value, str) and len(value) > most:
        raise FormatError(
            message(
                "Its {name} has {length:,} characters; at most {most:,} are taken, so shorten it.",
                name=quoted(name),
                length=len(value),
                most=most,
            )
        )
    if isinstance(value, list) and kind == "words":
        good = len(value) <= MOST_WORDS and all(isinstance(v, str) and len(v) <= LONGEST_WORD for v in value)
    if isinstance(value, int) and not 0 <= value <= MOST_STEPS:
        good = False
    if not good:
        raise _bad(name, value)
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and not _has_utf8(text):
            raise FormatError(message("Its {name} holds a lone surrogate, which has no UTF-8.", name=quoted(name)))


def _has_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bad(name: str, value: object) -> FormatError:
    return FormatError(message("Its {name} is {value}, which is not valid.", name=quoted(name), value=quoted(value)))
