"""What several pages keep between runs: bounded, and shared by all visitors, so what it holds is never changed.

A page's own `cache.py` keeps what only that page needs. There are caches in files of this name only.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from threading import Thread
from typing import Any

import streamlit as st

from bpe_core import Encoding, Snapshot, Tokenizer, TrainConfig, Training, load_pretrained, train
from bpe_core.bpe.corpus import Progress
from bpe_core.tokenizer.tokenizer import Special
from ui.session.cache import NotMadeYet
from ui.session.state import TRAINED, Forks, Source, own_file
from ui.session.tokenizer_files import TokenizerFile, is_own

KEYS: dict[str | type[Any], Callable[[Any], Any]] = {
    Source: lambda source: source.digest,
    TrainConfig: repr,
    str: lambda text: text.encode("utf-8", "surrogatepass"),  # Streamlit's own hash fails on a lone surrogate
}
"""How Streamlit hashes these types as keys of a cache."""

LONG = 100_000
"""An encoding of more characters is kept only for a while: it takes up to 60 bytes a character."""


def training(
    source: Source, config: TrainConfig, forks: Forks = (), *, on_progress: Progress | None = None
) -> Training:
    """The training on a text with these settings, and with these choices against the rule.

    `on_progress` is not called when the training is cached. What it raises ends the training, and nothing is kept.
    """
    try:
        return _kept_training(source, config, forks, None)
    except NotMadeYet:
        if forks:
            *earlier, (step, left, right) = forks
            made = training(source, config, tuple(earlier)).fork(step, (left, right))
        else:
            made = train(source.text, config, on_progress=on_progress)
        return _kept_training(source, config, forks, made)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=KEYS)
def _kept_training(source: Source, config: TrainConfig, forks: Forks, _made: Training | None) -> Training:
    # The training itself runs outside of the cache, which would record and replay its progress bar.
    if _made is None:
        raise NotMadeYet
    return _made


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=KEYS)
def snapshot(source: Source, config: TrainConfig, step: int, forks: Forks = ()) -> Snapshot:
    """The state of a training at a step."""
    return training(source, config, forks).at(step)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=KEYS)
def trained_tokenizer(source: Source, config: TrainConfig, step: int | None = None, forks: Forks = ()) -> Tokenizer:
    """The tokenizer that the first merges of a training make; all of them when `step` is None."""
    return training(source, config, forks).tokenizer(step)


def tokenizer(name: str, source: Source, config: TrainConfig, forks: Forks = ()) -> Tokenizer:
    """A tokenizer by the name under which visitors choose it."""
    if is_own(name):
        return file_tokenizer(own_file(name))
    return trained_tokenizer(source, config, None, forks) if name == TRAINED else load_pretrained(name)


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs={TokenizerFile: attrgetter("name")})
def file_tokenizer(file: TokenizerFile) -> Tokenizer:
    """The tokenizer of a visitor's own file; few are kept: some are large. Raises FormatError where it holds none."""
    return file.tokenizer()


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
    keep = _long_encoding if len(text) > LONG or is_own(name) else _short_encoding  # each keeps its tokenizer
    return keep(name, source, config, text, special, step, forks)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=KEYS)
def _short_encoding(*key: Any) -> Encoding:
    return _encode(*key)


@st.cache_resource(max_entries=6, show_spinner=False, hash_funcs=KEYS)
def _long_encoding(*key: Any) -> Encoding:
    return _encode(*key)


def _encode(
    name: str, source: Source, config: TrainConfig, text: str, special: Special, step: int | None, forks: Forks
) -> Encoding:
    at_step = name == TRAINED
    chosen = trained_tokenizer(source, config, step, forks) if at_step else tokenizer(name, source, config)
    return chosen.encode(text, special=special)


@st.cache_resource(max_entries=1, show_spinner=False)
def started(_start: Callable[[], Thread]) -> Thread:
    """The thread that prepares this server, started on first use."""
    return _start()
