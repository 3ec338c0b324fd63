"""The one door to caches: bounded, and shared by all visitors, so what they hold is never changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import streamlit as st

from bpe_core import (
    PRETRAINED,
    BpeError,
    Comparison,
    Disagreement,
    Encoding,
    Snapshot,
    Tokenizer,
    TrainConfig,
    Training,
    compare,
    load_pretrained,
    split,
    train,
)
from bpe_core.corpus import Progress
from bpe_core.formats.proof import Proof, prove
from bpe_core.normalize import normalize
from bpe_core.token_facts import TokenFacts, times_used, token_facts
from bpe_core.tokenizer import Special
from ui import charts, display, exports
from ui.algorithms.family import Recipe, trained_member, usual_size
from ui.algorithms.member import Failed, Member
from ui.algorithms.pieces import Side, side_by_side
from ui.algorithms.words import Words, differing, frequent_words
from ui.compare.listing import MOST_LISTED, disagreement_page
from ui.compare.parallel import Parallel, parallel
from ui.display import title_of
from ui.exports import FORMATS, Export
from ui.pipeline.asked import Asked, Markups, markups
from ui.pipeline.asked import title as pipeline_title
from ui.pipeline.drawing import drawing
from ui.pipeline.training import trained_otherwise
from ui.state import ALGORITHMS, TRAINED, Forks, Source, own_file
from ui.token_view import Table, TokenSpans
from ui.token_view.wire import Body
from ui.tokenizer_file import TokenizerFile, is_own
from ui.train.lines import Line, lines

_KEYS: dict[str | type[Any], Callable[[Any], Any]] = {
    Source: lambda source: source.digest,
    TrainConfig: repr,
    Recipe: repr,
    str: lambda text: text.encode("utf-8", "surrogatepass"),  # Streamlit's own hash fails on a lone surrogate
}

_LONG = 100_000
"""Characters from which on an encoding is worth keeping only for a while: it takes up to 60 bytes a character."""


class _NotMadeYet(Exception):  # noqa: N818 - a signal, not an error
    """What `_kept_training` answers when it is asked for a training that it does not hold."""


def training(
    source: Source, config: TrainConfig, forks: Forks = (), *, on_progress: Progress | None = None
) -> Training:
    """The training on a text with these settings, and with these choices against the rule.

    `on_progress` is not called when the training is at hand. What it raises ends the training, and nothing is kept.
    """
    try:
        return _kept_training(source, config, forks, None)
    except _NotMadeYet:
        if forks:
            *earlier, (step, left, right) = forks
            made = training(source, config, tuple(earlier)).fork(step, (left, right))
        else:
            made = train(source.text, config, on_progress=on_progress)
        return _kept_training(source, config, forks, made)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEYS)
def _kept_training(source: Source, config: TrainConfig, forks: Forks, _made: Training | None) -> Training:
    # The training itself runs outside of the cache, which would record and replay its progress bar.
    if _made is None:
        raise _NotMadeYet
    return _made


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_KEYS)
def snapshot(source: Source, config: TrainConfig, step: int, forks: Forks = ()) -> Snapshot:
    """The state of a training at a step."""
    return training(source, config, forks).at(step)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_KEYS)
def trained_tokenizer(source: Source, config: TrainConfig, step: int | None = None, forks: Forks = ()) -> Tokenizer:
    """The tokenizer that the first merges of a training make; all of them when `step` is None."""
    return training(source, config, forks).tokenizer(step)


def tokenizer(name: str, source: Source, config: TrainConfig, forks: Forks = ()) -> Tokenizer:
    """A tokenizer by the name under which visitors choose it."""
    if is_own(name):
        return file_tokenizer(own_file(name))
    return trained_tokenizer(source, config, None, forks) if name == TRAINED else load_pretrained(name)


def export(name: str, source: Source, config: TrainConfig, forks: Forks, format: str) -> Export | BpeError:
    """A tokenizer that visitors can choose as a file, or why the format cannot hold it."""
    keep = _own_export if is_own(name) else _known_export
    return keep(*_made_of(name, source, config, forks), format)


@st.cache_resource(max_entries=12, show_spinner=False, hash_funcs=_KEYS)
def _known_export(*key: Any) -> Export | BpeError:
    return _export(*key)


@st.cache_resource(max_entries=len(FORMATS), show_spinner=False, hash_funcs=_KEYS)
def _own_export(*key: Any) -> Export | BpeError:  # few: some are large
    return _export(*key)


def _export(name: str, source: Source, config: TrainConfig, forks: Forks, format: str) -> Export | BpeError:
    return exports.export(tokenizer(name, source, config, forks), format, source.text)


def proof(name: str, source: Source, config: TrainConfig, forks: Forks, format: str, text: Source) -> Proof | BpeError:
    """Whether the library that reads a tokenizer's file gives the same ids for a text, or why that cannot be told."""
    return _proof(*_made_of(name, source, config, forks), format, text)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_KEYS)
def _proof(name: str, source: Source, config: TrainConfig, forks: Forks, format: str, text: Source) -> Proof | BpeError:
    written = export(name, source, config, forks, format)
    if not isinstance(written, Export):
        return written
    try:
        return prove(tokenizer(name, source, config, forks), text.text, format=format, files=written.files)
    except BpeError as error:
        return error.with_traceback(None)


def _made_of(name: str, source: Source, config: TrainConfig, forks: Forks) -> tuple[str, Source, TrainConfig, Forks]:
    """What a tokenizer's files depend on. Ranks of an own file may be proven by the text; published ones need none."""
    if name == TRAINED:
        return name, source, config, forks
    return name, source if is_own(name) else Source("", "", ""), TrainConfig(), ()


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
    keep = _long_encoding if len(text) > _LONG or is_own(name) else _short_encoding  # each keeps its tokenizer
    return keep(name, source, config, text, special, step, forks)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_KEYS)
def _short_encoding(*key: Any) -> Encoding:
    return _encode(*key)


@st.cache_resource(max_entries=6, show_spinner=False, hash_funcs=_KEYS)
def _long_encoding(*key: Any) -> Encoding:
    return _encode(*key)


def _encode(
    name: str, source: Source, config: TrainConfig, text: str, special: Special, step: int | None, forks: Forks
) -> Encoding:
    at_step = name == TRAINED
    chosen = trained_tokenizer(source, config, step, forks) if at_step else tokenizer(name, source, config)
    return chosen.encode(text, special=special)


def comparison(
    names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks, text: Source, special: Special
) -> Comparison:
    """Several tokenizers that visitors can choose, on one text; by the names that the pages show."""
    keep = _own_comparison if any(map(is_own, names)) else _short_comparison
    keep = _long_comparison if len(text.text) > _LONG else keep
    return keep(names, source, config, forks, text, special)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_KEYS)
def _short_comparison(*key: Any) -> Comparison:
    return _compare(*key)


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs=_KEYS)
def _own_comparison(*key: Any) -> Comparison:  # few: each keeps its tokenizers
    return _compare(*key)


@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs=_KEYS)
def _long_comparison(*key: Any) -> Comparison:
    return _compare(*key)


def _compare(
    names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks, text: Source, special: Special
) -> Comparison:
    chosen = {title_of(name): tokenizer(name, source, config, forks) for name in names}
    return compare(text.text, chosen, special=special)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_KEYS | {range: repr})
def merge_table(source: Source, config: TrainConfig, ranks: range | tuple[int, ...], forks: Forks = ()) -> Table:
    """The merges of these ranks as a table; kept, since its encoding for the browser is kept with it."""
    chosen = training(source, config, forks)
    text = source.text[:20_000].encode("utf-8", "replace")
    return display.merge_table(chosen, trained_tokenizer(source, config, None, forks), ranks, text)


Curves: TypeAlias = tuple[tuple[Line, go.Figure], ...]
"""Numbers over the steps, each with its chart."""


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEYS)
def curves(source: Source, config: TrainConfig, forks: Forks, until: int | None) -> Curves:
    """Tokens and compression over the steps of a training, beside those by the rule when it is a fork; see `lines`."""
    rule = training(source, config) if forks else None
    return tuple((line, charts.curve(line)) for line in lines(training(source, config, forks), rule, until=until))


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs=_KEYS)
def word_places(source: Source, config: TrainConfig) -> tuple[str, list[int]]:
    """The normalized training text, and for each of its distinct words the character where it stands first."""
    text = normalize(source.text, config).text
    places: dict[str, int] = {}
    for start, end in split.spans(split.compile_split(config.split), text):
        places.setdefault(text[start:end], start)
    return text, list(places.values())


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_KEYS)
def words_of(text: str, pattern: str) -> TokenSpans | BpeError:
    """The words that a split makes of a text, or why it cannot; kept, since a bad pattern takes its time to fail."""
    try:
        return display.word_spans(text, pattern)
    except BpeError as error:
        return error


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEYS)
def disagreements(left: str, right: str, *key: Any) -> list[Disagreement]:
    """What two tokenizers cut differently; by the names that visitors choose, and the key of their comparison."""
    return comparison(*key).disagreements(title_of(left), title_of(right), most=MOST_LISTED)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEYS)
def disagreement_table(left: str, right: str, cause: str, page: int, *key: Any) -> Table:
    """One page of the disagreements of one cause as a table; kept, since its encoding for the browser is, too."""
    found = disagreements(left, right, *key)
    return disagreement_page(comparison(*key), title_of(left), title_of(right), found, cause, page)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_KEYS)
def fertility(names: tuple[str, ...], source: Source, config: TrainConfig, forks: Forks) -> list[Parallel]:
    """The tokens of the paragraph that the samples hold in many languages."""
    return parallel({title_of(name): tokenizer(name, source, config, forks) for name in names})


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEYS)
def trained_facts(source: Source, config: TrainConfig, forks: Forks = ()) -> TokenFacts:
    """Facts about every token of a training."""
    return token_facts(trained_tokenizer(source, config, None, forks))


@st.cache_resource(max_entries=2, show_spinner=False)
def own_facts(name: str) -> TokenFacts:
    """Facts about every token of a visitor's own file."""
    return token_facts(file_tokenizer(own_file(name)))


@st.cache_resource(max_entries=len(PRETRAINED), show_spinner=False)
def pretrained_facts(name: str) -> TokenFacts:
    """Facts about every token of a published vocabulary."""
    return token_facts(load_pretrained(name))


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEYS)
def trained_uses(source: Source, config: TrainConfig, forks: Forks = ()) -> npt.NDArray[np.int64]:
    """How often each token of a training stands in its own text at the end."""
    last = len(training(source, config, forks).merges)
    return times_used(trained_facts(source, config, forks), snapshot(source, config, last, forks))


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEYS)
def pretrained_uses(name: str, source: Source) -> npt.NDArray[np.int64]:
    """How often each token of a published vocabulary stands in a text."""
    facts = own_facts(name) if is_own(name) else pretrained_facts(name)
    return times_used(facts, encoding(name, source, TrainConfig(), source.text, "text"))


class DrawnPipeline(NamedTuple):
    """A pipeline as it is drawn, how many lone surrogates were replaced, and the length of the longest text."""

    body: Body
    surrogates: int
    longest: int


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=_KEYS)
def _otherwise(name: str, source: Source) -> Tokenizer | None:
    return trained_otherwise(name, source)


def pipeline_tokenizer(name: str, source: Source, config: TrainConfig, forks: Forks) -> Tokenizer:
    """A tokenizer of the Pipeline page: one of those that all pages have, or one trained on the same text."""
    return _otherwise(name, source) or tokenizer(name, source, config, forks)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_KEYS)
def pipeline_drawing(asked: Asked, *key: Any) -> DrawnPipeline:
    """All stages of the texts, drawn; `key` is that of `pipeline_tokenizer`."""
    done = asked.run(pipeline_tokenizer(*key))
    normalized = [passage.normalized for passage in done.passages]
    return DrawnPipeline(
        drawing(asked, done, pipeline_title(key[0])),
        sum(each.surrogates for each in normalized),
        max(len(each.original) for each in normalized),
    )


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_KEYS)
def pipeline_markups(asked: Asked, *key: Any) -> tuple[Markups, ...] | BpeError:
    """A chat under every way to treat its mark-up; `key` is that of `pipeline_tokenizer`."""
    return markups(asked, pipeline_tokenizer(*key))


def family_member(name: str, source: Source, asked: Recipe, *, on_progress: Progress | None = None) -> Member | Failed:
    """One of the four algorithms of the family, trained on a text, or why it cannot be; `on_progress` as above."""
    key = name, source, asked if name == "sentencepiece" else replace(asked, model="bpe")  # the model is only its own
    try:
        return _kept_member(*key, None)
    except _NotMadeYet:
        return _kept_member(*key, trained_member(name, source.text, asked, on_progress))


@st.cache_resource(max_entries=24, show_spinner=False, hash_funcs=_KEYS)
def _kept_member(name: str, source: Source, asked: Recipe, _made: Member | Failed | None) -> Member | Failed:
    if _made is None:
        raise _NotMadeYet
    return _made


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_KEYS)
def usual_family_size(source: Source) -> int:
    """The vocabulary size that the algorithms of the family are trained to when none was asked for."""
    return usual_size(source.text)


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs=_KEYS)
def family_words(source: Source, asked: Recipe) -> Words:
    """Words of a text that the algorithms of the family cut differently."""
    return differing(_members(source, asked), frequent_words(source.text))


@st.cache_resource(max_entries=8, show_spinner=False, hash_funcs=_KEYS)
def family_pieces(source: Source, asked: Recipe, step: int | None) -> list[Side]:
    """The vocabularies of the family side by side, at a step or at their ends."""
    members = _members(source, asked)
    ends = {name: member.steps if step is None else min(step, member.steps) for name, member in members.items()}
    return side_by_side({name: member.vocabulary(ends[name]) for name, member in members.items()})


def _members(source: Source, asked: Recipe) -> dict[str, Member]:
    """Those of the family that could be trained."""
    found = {name: family_member(name, source, asked) for name in ALGORITHMS}
    return {name: member for name, member in found.items() if not isinstance(member, Failed)}


class _NotKept(Exception):  # noqa: N818 - a signal, not an error
    """What `long_text` answers when it is asked for a text that it does not hold."""


@st.cache_resource(max_entries=16, show_spinner=False)
def long_text(digest: str, _text: str | None = None) -> str:
    """Keep a text that is too long for a link under its digest: the link then still works on this server."""
    if _text is None:
        raise _NotKept
    return _text


def kept_long_text(digest: str) -> str | None:
    """The text with this digest, if it is still kept."""
    try:
        return long_text(digest)
    except _NotKept:
        return None
