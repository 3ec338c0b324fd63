"""Words of a text by a dictionary: the choice of the segmenter, the words, and their agreement with tokens."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from bpe_core import BpeError
from bpe_core.comparison.word_boundaries import WordAgreement
from bpe_core.language import _, joined, message, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.text.segmenters import DictionaryWords, has_segmenter, segmenter
from ui import cache
from ui.session.items import Item
from ui.session.word_sources import OF_BROWSER
from ui.views.token_table import token_table_view
from ui.views.word_breaks import word_breaks_view
from ui.widgets.controls import segments
from ui.widgets.messages import problem

LONGEST = 10_000
"""Maximum characters of a text that are divided into words."""

NAMES = {
    "off": message("Off"),
    "browser": message("Browser"),
    "japanese": message("MeCab (Japanese)"),
    "chinese": message("jieba (Chinese)"),
}
_EXTRAS = {"japanese": 'pip install ".[japanese]"', "chinese": 'pip install ".[chinese]"'}


def show_source(item: Item[str]) -> None:
    """Draw the choice of the source of words; "off" is offered if it is the item's default."""
    names = NAMES if item.default == "off" else {name: NAMES[name] for name in NAMES if name != "off"}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(_("Words by a dictionary"), width="content")
        segments(_("Words by a dictionary"), names, item, hidden=True)


def found_words(text: str, source: str, *, key: str) -> DictionaryWords | None:
    """Words of the start of a text by a source, with a caption; None until the browser has segmented it.

    The browser's words are used if the library of the source is not installed.
    """
    part = text[:LONGEST]
    if source != "browser" and has_segmenter(source):
        try:
            return cache.dictionary_words(part, segmenter(source), source)
        except BpeError as error:  # a library that changed the text
            problem(error, key=key)
            return None
    divided, lengths = OF_BROWSER.get()
    if not part:
        return None
    if divided != part:
        word_breaks_view(part, key=key, on_divided=lambda text, lengths: OF_BROWSER.set((text, lengths)))
        return None
    return cache.dictionary_words(part, lambda spaced: _pieces(spaced, lengths), lengths)


def _pieces(text: str, lengths: tuple[int, ...]) -> list[str]:
    """The text in pieces of these lengths.

    >>> _pieces("abc", (2, 1))
    ['ab', 'c']
    """
    at, pieces = 0, []
    for length in lengths:
        pieces.append(text[at : at + length])
        at += length
    return pieces


def caption(text: str, source: str) -> str:
    """Source of the words, how to use another one, and how much of the text is covered."""
    sentences = []
    if source == "browser":
        sentences.append(_("Words by the browser's own dictionary (Intl.Segmenter); no library of Python."))
    elif has_segmenter(source):
        sentences.append(_("Words by {segmenter}.", segmenter=translate(NAMES[source])))
    else:
        sentences.append(
            _(
                "{segmenter} is not installed, so these are the browser's words (Intl.Segmenter). To add it: {command}",
                segmenter=translate(NAMES[source]),
                command=_EXTRAS[source],
            )
        )
    if len(text) > LONGEST:
        sentences.append(_("Only the first {most:,} characters are divided into words.", most=LONGEST))
    return translate(joined(*sentences))


def agreement_sentence(found: WordAgreement) -> str:
    """How token and word boundaries agree, in plain words.

    >>> agreement_sentence(WordAgreement(5, 1, 3, 1, 2, 2)).partition(". ")[0]
    'Token boundaries between words: 1 of 5 (precision 20 %)'
    """
    return _(
        "Token boundaries between words: {outside:,} of {tokens:,} (precision {precision:.0f} %). Word boundaries with "
        "a token boundary: {met:,} of {words:,} (recall {recall:.0f} %). Words cut by tokens: {cut:,} of {all:,}.",
        outside=found.outside,
        tokens=found.token_boundaries,
        precision=100 * found.precision,
        met=found.met,
        words=found.word_boundaries,
        recall=100 * found.recall,
        cut=found.cut,
        all=found.words,
    )


def show_agreements(found: Mapping[str, WordAgreement]) -> None:
    """Draw a row per tokenizer with the agreement of its token boundaries and the words'."""
    rows = list(found.values())
    table = Table(
        Column("", [*found]),
        Column(message("Token boundaries"), [each.token_boundaries for each in rows], "number"),
        Column(message("between words, %"), [100 * each.precision for each in rows], "number", digits=1),
        Column(message("Word boundaries"), [each.word_boundaries for each in rows], "number"),
        Column(message("with a token boundary, %"), [100 * each.recall for each in rows], "number", digits=1),
        Column("F1", [each.f1 for each in rows], "share", digits=2),
        Column(message("Dictionary words"), [each.words for each in rows], "number"),
        Column(message("cut by tokens"), [each.cut for each in rows], "number"),
    )
    token_table_view(
        table, key="word agreement", height=None, label=_("Tokens against words by a dictionary"), pickable=False
    )
    st.caption(
        _(
            "The first share is the precision, the second the recall. White space between two words is one boundary; "
            "punctuation is not counted as a word."
        )
    )
