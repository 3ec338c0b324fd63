"""A training that is fair to languages, next to the standard one: each merge serves the language that is worst off."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from bpe_core import ParallelCount, ParityStep, Tokenizer
from bpe_core.bpe.step_sentences import times
from bpe_core.display.library import Figure
from bpe_core.display.parity_figures import parity_figure
from bpe_core.formats import to_bytes
from bpe_core.language import _, message, parts, translate
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import Chip, Column, Table
from bpe_core.payloads.sentences import Sentence
from bpe_core.tokenizer.chips import chip
from ui.compare import cache
from ui.compare.cache import FAIR, USUAL
from ui.compare.parallel_counts import REFERENCE, language_titles
from ui.session import fair_languages as state
from ui.views.plot import plot_view
from ui.views.story import story_view
from ui.views.token_table import token_table_view
from ui.widgets.address import keep_address
from ui.widgets.controls import menu, segments
from ui.widgets.downloads import download_button
from ui.widgets.fragments import fragment
from ui.widgets.messages import note
from ui.widgets.opening import open_made
from ui.widgets.panels import show_panel

_TITLES = {USUAL: message("Standard training"), FAIR: message("Parity-aware")}
_VARIANTS = {
    "fair": message("Parity-aware"),
    "hybrid": message("Hybrid: first half by all texts"),
    "window": message("Window: a limit for each language"),
}
_UNITS = {"lines": message("The same paragraph"), "characters": message("Characters"), "bytes": message("Bytes")}
_STYLE = "<style>.st-key-fair-step-story { --story-height: auto; --story-border: none; --story-padding: 0 }</style>"
_SAYS = {
    "fair": message("Each merge serves the language that is worst off; standard training counts pairs in all texts."),
    "hybrid": message("The first half of the merges count pairs in all texts; the others serve the worst off."),
    "window": message("A language that had more than two equal shares of the last 100 merges is passed over."),
}


def show_fair_languages() -> None:
    """Draw the expander, closed at first."""
    title = _("A training that is fair to languages")
    show_panel(title, "balance", state.OPEN, _show, card="fair languages")


@fragment
def _show() -> None:
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="bottom", key="fair choices"):
        st.number_input(
            _("Vocabulary size, all ids"), state.LEAST_IDS, state.MOST_IDS, step=32, width=190, **state.SIZE.widget()
        )
        menu(_("Texts are equal by"), _UNITS, state.UNIT, width=220)
        segments(_("Variant"), _VARIANTS, state.VARIANT)
    st.caption(translate(_SAYS[state.VARIANT.get()]))
    found = cache.fair_training(state.SIZE.get(), state.VARIANT.get(), state.UNIT.get())
    _say_what_it_gives(found)
    last = len(found.fair.served)
    state.STEP.set(min(max(state.STEP.get(), 1), last))
    figure = _figure(found, state.STEP.get())
    plot_view(
        figure,
        key="fair chart",
        label=_("Tokens of the paragraph in each language, over the merges"),
        captions=Captions(_("Tokens of the paragraph in each language, over the merges"), ""),
        on_pick=partial(_go_to, figure, last),
    )
    st.slider(_("Merge"), 1, last, **state.STEP.widget())
    step = found.fair.step(state.STEP.get())
    story_view(_sentences(found, step), key="fair step story", label=_("The merge and the language it serves"))
    _show_table(found)
    _offer(found.fair.training.tokenizer())
    keep_address("fair languages")


def _figure(found: cache.FairTraining, step: int) -> Figure:
    titles = language_titles()
    tokens = {translate(_TITLES[USUAL]): found.usual.tokens, translate(_TITLES[FAIR]): found.fair.tokens}
    return parity_figure([titles[each] for each in found.fair.languages], tokens, step, "light")


def _go_to(figure: Figure, last: int, trace: int, point: int) -> None:
    state.STEP.set(min(max(figure.data[trace].x[point], 1), last))


def _sentences(found: cache.FairTraining, step: ParityStep) -> list[Sentence]:
    """The effect of a merge, the language it serves, and how often its pair occurs."""
    tokenizer = found.fair.training.tokenizer()
    pair = chip(tokenizer, step.left), chip(tokenizer, step.right)
    every = found.fair.training.merges[step.number - 1].count
    first = _served(found, step, pair)
    if step.language is None:
        return [first]
    return [first, [_("In all texts together it occurs {times}.", times=times(every))]]


def _served(found: cache.FairTraining, step: ParityStep, pair: tuple[Chip, Chip]) -> Sentence:
    """The language that a merge serves, and why."""
    values = {"number": step.number, "pair": pair, "times": times(step.times)}
    if step.language is None:
        return parts("Merge {number:,} serves no language: {pair} occurs most often in all texts, {times}.", **values)
    values["language"] = language_titles()[step.language]
    if step.rate > found.fair.rates(step.number - 1).min():
        return parts(
            "Merge {number:,} serves {language}, as those worse off had their share or have no pair that occurs twice: "
            "{pair} occurs there {times}.",
            **values,
        )
    if state.UNIT.get() == "lines":
        at = found.fair.languages.index(step.language)
        return parts(
            "Merge {number:,} serves {language}, worst off with {tokens:,} tokens for the paragraph: {pair} occurs "
            "there {times}.",
            tokens=int(found.fair.tokens[step.number - 1, at]),
            **values,
        )
    if state.UNIT.get() == "bytes":
        return parts(
            "Merge {number:,} serves {language}, worst off with {rate:.2f} bytes per token: {pair} occurs there "
            "{times}.",
            rate=step.rate,
            **values,
        )
    return parts(
        "Merge {number:,} serves {language}, worst off with {rate:.2f} characters per token: {pair} occurs there "
        "{times}.",
        rate=step.rate,
        **values,
    )


def _say_what_it_gives(found: cache.FairTraining) -> None:
    """Say what the costliest language gains, what English pays, and how equal the languages are."""
    rows = _rows(found)
    usual, fair = rows[0]
    english = next(pair for pair in rows if pair[0].language == REFERENCE)
    gini = found.counts.gini
    note(
        _(
            "{language}: {fair:,} tokens instead of {usual:,}. English: {paid:,} instead of {before:,}. Gini of all "
            "languages: {equal:.3f} instead of {unequal:.3f}.",
            language=language_titles()[usual.language],
            fair=fair.tokens,
            usual=usual.tokens,
            paid=english[1].tokens,
            before=english[0].tokens,
            equal=gini(FAIR),
            unequal=gini(USUAL),
        )
    )


def _rows(found: cache.FairTraining) -> list[tuple[ParallelCount, ParallelCount]]:
    """Each language's counts after the standard and the fair training, most tokens first."""
    by = {name: [each for each in found.counts.counts if each.tokenizer == name] for name in (USUAL, FAIR)}
    return sorted(zip(by[USUAL], by[FAIR], strict=True), key=lambda pair: -pair[0].tokens)


def _show_table(found: cache.FairTraining) -> None:
    rows, titles = _rows(found), language_titles()
    served = np.bincount(found.fair.served[found.fair.served >= 0], minlength=len(titles))
    merges = dict(zip(found.fair.languages, served.tolist(), strict=True))
    changes = [100 * (fair.tokens / usual.tokens - 1) for usual, fair in rows]
    table = Table(
        Column(message("Language"), [titles[usual.language] for usual, _fair in rows]),
        Column(message("Tokens, standard"), [usual.tokens for usual, _fair in rows], "number"),
        Column(message("Tokens, fair"), [fair.tokens for _usual, fair in rows], "number"),
        Column(message("Change, %"), changes, "number", digits=0),
        Column(message("Merges for it"), [merges[usual.language] for usual, _fair in rows], "number"),
        Column(message("Per word, standard"), [usual.fertility for usual, _fair in rows], "number", digits=2),
        Column(message("Per word, fair"), [fair.fertility for _usual, fair in rows], "number", digits=2),
        Column(message("To English, standard"), [usual.relative for usual, _fair in rows], "number", digits=2),
        Column(message("To English, fair"), [fair.relative for _usual, fair in rows], "number", digits=2),
    )
    label = _("Tokens of the paragraph by language")
    token_table_view(table, key="fair table", height=None, label=label, pickable=False)
    st.caption(
        _("Byte-level, split as GPT-2; pairs that occur once are not merged. No words for Japanese and Chinese.")
    )


def _offer(tokenizer: Tokenizer) -> None:
    """Draw the buttons that open the tokenizer in this session, and download it."""
    make = partial(to_bytes, tokenizer, format="tokenizers")
    title = f"parity-aware {tokenizer.vocab_size}"
    with st.container(horizontal=True, key="fair tokenizer"):
        if st.button(
            _("Open it here"),
            icon=":material/add:",
            help=_("Every page then offers it, like a tokenizer opened on Compare; Train can continue from it."),
            key="open fair tokenizer",
        ):
            open_made(make, title)
            st.rerun()
        library = _("For the tokenizers library.")
        download_button("tokenizer.json", make, "tokenizer.json", help=library, key="fair tokenizer file")
