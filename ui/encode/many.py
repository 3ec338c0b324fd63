"""Other segmentations of the text and of the chosen word: at random, the n best, and with the fewest tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from bpe_core import Encoding, FewestTokens, LikelySegmentation
from bpe_core.arrays import sorted_place
from bpe_core.language import _, n_, term, translate
from bpe_core.payloads.chips import LONGEST_WORD, Column, Table, Word
from bpe_core.segmentations.ways import way_of
from bpe_core.text.marks import marked
from bpe_core.tokenizer.chips import chips_of
from ui.encode import cache
from ui.encode.chosen import ChosenTokenizer
from ui.encode.word import word_around
from ui.session import encode as state
from ui.views.token_flow import token_view
from ui.views.token_table import token_table_view
from ui.widgets.display import spans
from ui.widgets.layout import heading, side_by_side

LONGEST_DRAWN = 20_000
"""Maximum characters of a text that is segmented at random."""

LONGEST_WORD_DRAWN = 100
"""Maximum characters of a word that is segmented a thousand times."""

LONGEST_COUNTED = 200_000
"""Maximum characters of a text whose fewest tokens are counted."""

_MOST_ROWS = 200
_TALL = 300
Choose = Callable[[int | None], None]


def show_many(chosen: ChosenTokenizer, encoding: Encoding, number: int | None, choose: Choose) -> None:
    """Draw the content of the panel. `choose`: called with the number of a token to open."""
    if not len(encoding):
        st.caption(_("This text has no tokens.") if encoding.normalized.original else _("Type a text first."))
        return
    way = way_of(chosen.tokenizer.model)
    if not way:
        st.caption(_only_one(chosen))
    else:
        _controls(way)
        _show_draw(chosen, encoding)
        _show_word(chosen, encoding, number, way)
    _show_fewest(chosen, encoding, choose)


def _only_one(chosen: ChosenTokenizer) -> str:
    if chosen.tokenizer.model.rule == "whole words":
        return _("Whole words are looked up: each has one segmentation.")
    return _("The longest match is always taken: each word has one segmentation.")


def _controls(way: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if way == "dropout":
            st.select_slider(
                _("Dropout p: how often a merge is skipped"),
                list(state.DROPOUTS),
                format_func=lambda percent: f"{percent / 100:.2f}",
                width=320,
                **state.DROPOUT.widget(),
            )
        else:
            st.select_slider(
                _("θ: 0 makes all equally likely, 5 favours the best"),
                list(state.THETAS),
                format_func=lambda tenths: f"{tenths / 10:.1f}",
                width=320,
                **state.THETA.widget(),
            )
        st.number_input(_("Seed"), 0, state.LARGEST_SEED, width=140, **state.SEED.widget())
        again = (state.SEED.get() + 1) % (state.LARGEST_SEED + 1)
        st.button(_("Draw again"), icon=":material/casino:", on_click=state.SEED.set, args=(again,), key="draw again")


def _settings() -> tuple[float, float, int]:
    return state.DROPOUT.get() / 100, state.THETA.get() / 10, int(state.SEED.get())


def _show_draw(chosen: ChosenTokenizer, encoding: Encoding) -> None:
    """Draw the text by the tokenizer's own rule and in one draw, side by side."""
    text = encoding.normalized.original
    if len(text) > LONGEST_DRAWN:
        st.caption(_("Texts of up to {most:,} characters are drawn at random.", most=LONGEST_DRAWN))
        return
    drawn = cache.sampled(chosen.tokenizer, text, state.SPECIAL.get(), *_settings())
    usual, other = side_by_side(1, 1, key="one-draw")
    long = len(drawn) > 200
    for place, title, found, key in (
        (usual, _("By its rule"), encoding, "usual tokens"),
        (other, _("One draw"), drawn, "drawn tokens"),
    ):
        with place:
            heading(title, n_("{count:,} token", "{count:,} tokens", len(found)))
            token_view(spans(found), key=key, height=_TALL if long else None, label=title)


def _show_word(chosen: ChosenTokenizer, encoding: Encoding, number: int | None, way: str) -> None:
    """Draw the segmentations of the chosen token's word with their shares."""
    token = encoding[number or 0]
    if token.word < 0:
        st.caption(_("A special token has one segmentation."))
        return
    word = word_around(encoding, token.word)
    if len(word) > LONGEST_WORD_DRAWN:
        st.caption(_("Words of up to {most} characters are drawn.", most=LONGEST_WORD_DRAWN))
        return
    found = cache.word_segmentations(chosen.tokenizer, word, *_settings())
    usual = tuple(encoding.ids[encoding.word_ids == token.word].tolist())
    if usual not in {found.plain, *(each.ids for each in found.likely)}:  # word cut inside a character, or an added ▁
        st.caption(_("Parts of a character and added marks are not drawn alone. Click a token of another word."))
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.markdown("## " + translate(term("of the split", "The word")), width="content")
        st.text(marked(word), width="content")
    table = _word_table(chosen, found, usual, word.encode("utf-8", "replace"), way)
    token_table_view(table, key="word segmentations", height=None, pickable=False, label=_("Segmentations of the word"))
    st.caption(_drawn_sentence(found))


def _drawn_sentence(found: cache.WordSegmentations) -> str:
    several = n_(
        "{count:,} segmentation in {draws:,} draws.",
        "{count:,} segmentations in {draws:,} draws.",
        found.different,
        draws=cache.DRAWS,
    )
    if found.entropy is None:
        return _("{several} The word is too long for exact probabilities.", several=several)
    return _("{several} Entropy: {entropy:.2f} nats.", several=several, entropy=found.entropy)


def _word_table(
    chosen: ChosenTokenizer, found: cache.WordSegmentations, usual: tuple[int, ...], text: bytes, way: str
) -> Table:
    draws = {(each.ids, each.lengths): each.draws for each in found.drawn}
    likely = found.likely or tuple(
        LikelySegmentation(each.ids, each.lengths, each.share, None) for each in found.drawn[: cache.MOST_LISTED]
    )
    columns = [
        Column(_("Segmentation"), [_chips(chosen, each.ids, text) for each in likely], "chip"),
        Column(translate(term("number", "Tokens")), [len(each.ids) for each in likely], "number"),
        Column(
            _("Draws of {draws:,}", draws=cache.DRAWS),
            [draws.get((each.ids, each.lengths), 0) for each in likely],
            "bar",
        ),
    ]
    if found.likely:
        columns.append(Column(_("Probability"), [each.probability for each in likely], "number", digits=4))
    if way == "paths":
        columns.append(Column(_("Log probability"), [each.score for each in likely], "number", digits=2))
    columns.append(Column("", [_("by its rule") if each.ids == usual else "" for each in likely]))
    return Table(*tuple(columns))


def _chips(chosen: ChosenTokenizer, ids: tuple[int, ...], text: bytes) -> Word:
    return Word(chips_of(chosen.tokenizer, ids[:LONGEST_WORD], text), max(0, len(ids) - LONGEST_WORD))


# -- the fewest tokens ---------------------------------------------------------------------------------------


def _show_fewest(chosen: ChosenTokenizer, encoding: Encoding, choose: Choose) -> None:
    heading(_("The fewest tokens"), _("the shortest path over the same vocabulary"))
    text = encoding.normalized.original
    if len(text) > LONGEST_COUNTED:
        st.caption(_("Texts of up to {most:,} characters are counted.", most=LONGEST_COUNTED))
        return
    found = cache.fewest(chosen.tokenizer, text, state.SPECIAL.get())
    st.text(_fewest_sentence(found))
    if not found.words:
        return
    token_table_view(
        _fewest_table(chosen, found),
        key="fewest words",
        height=320,
        label=_("Words with fewer tokens"),
        on_pick=partial(_open, encoding, found, choose),
    )
    st.caption(_("Click a word to open its first token above."))


def _fewest_sentence(found: FewestTokens) -> str:
    plain = len(found.by_rule)
    fewest = plain - sum(word.saved for word in found.words)  # unknown words may take more when spelled
    if not found.words:
        return n_(
            "{count:,} token by its rule, and no word has fewer.",
            "{count:,} tokens by its rule, and no word has fewer.",
            plain,
        )
    return n_(
        "{plain:,} tokens by its rule, {fewest:,} at the least: {count:,} word differs.",
        "{plain:,} tokens by its rule, {fewest:,} at the least: {count:,} words differ.",
        len(found.words),
        plain=plain,
        fewest=fewest,
    )


def _fewest_table(chosen: ChosenTokenizer, found: FewestTokens) -> Table:
    shown = found.words[:_MOST_ROWS]
    return Table(
        Column(_("Word"), [marked(word.text) for word in shown]),
        Column(_("Times"), [word.times for word in shown], "number"),
        Column(_("By its rule"), [_chips(chosen, word.by_rule, word.text.encode()) for word in shown], "chip"),
        Column(_("The fewest"), [_chips(chosen, word.fewest, word.text.encode()) for word in shown], "chip"),
        Column(_("Saved"), [word.saved for word in shown], "number"),
    )


def _open(encoding: Encoding, found: FewestTokens, choose: Choose, row: int) -> None:
    """Choose the first token of a word of the table."""
    choose(sorted_place(encoding.starts, found.words[row].start))
