"""End of a prompt: its last prefixes in tokens, as during typing, and the tokens that may follow after healing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from bpe_core import BpeError, Encoding, Tokenizer
from bpe_core.language import _, joined, message, n_, translate
from bpe_core.payloads.chips import Column, Table, Word
from bpe_core.text.marks import marked
from bpe_core.tokenizer.chips import chip, chips_of, shown
from bpe_core.tokenizer.prompt_end import Healed, Prefix, heal, prefixes
from ui.encode.chosen import ChosenTokenizer
from ui.session import encode as state
from ui.views.token_table import token_table_view
from ui.widgets.layout import heading, side_by_side
from ui.widgets.messages import note, problem

SHOWN_PREFIXES = 20
"""Number of prefixes in the table."""

MOST_ALLOWED = 40
"""Maximum number of listed tokens that may follow."""

_MOST_CHARACTERS = 400_000
"""Maximum total characters of the prefixes shown: some tokenizers encode each prefix as a whole."""

_MOST_KEPT, _MOST_TYPED = 3, 18
"""Maximum tokens and characters shown before the end."""

_LONGEST_GONE_ON = 1_000_000
"""Maximum characters of a prompt that a click on a token can continue, since the whole prompt is decoded."""

_CHARACTERS_AROUND = 400
"""Bytes of the text that are searched for the characters around byte pieces."""

EXAMPLES = {
    message("A space at the end"): "Hello ",
    message("Half a word"): "The qui",
    message("An open URL"): "The link is http:",
}
"""Prompts by their titles."""


def show_prompt_end(chosen: ChosenTokenizer, encoding: Encoding, take: Callable[[str], None]) -> None:
    """Draw the card with the prefixes of the text and its healing. `take` replaces the text, for callbacks."""
    with st.container(border=True, key="prompt end"):
        text = encoding.normalized.original
        if not text:
            st.caption(_("Type a text, or choose one of the examples below its field."))
            return
        typed, healed = side_by_side(3, 2, key="prefixes-and-healing")
        try:
            with typed:
                _show_prefixes(chosen.tokenizer, encoding, text)
            with healed:
                _show_healing(chosen.tokenizer, encoding, text, take)
        except BpeError as error:  # the tokens are too long in total, or a file's pattern exceeds its time limit
            problem(error, key="problem of the prompt")


# -- prefixes ------------------------------------------------------------------------------------------------


def _show_prefixes(tokenizer: Tokenizer, encoding: Encoding, text: str) -> None:
    heading(_("While typing"), _("the tokens after each character"))
    last = max(1, min(SHOWN_PREFIXES, _MOST_CHARACTERS // len(text)))
    rows = prefixes(tokenizer, text, last=last, special=state.SPECIAL.get(), encoding=encoding)
    typed = [_ending(text[max(0, row.characters - _MOST_TYPED - 1) : row.characters]) for row in rows]
    columns = (
        Column(_("Typed so far"), typed),
        Column(_("Tokens that stay"), [_kept(tokenizer, encoding, row.kept) for row in rows], "chip"),
        Column(_("Tokens that change"), [_after(tokenizer, encoding, row.kept, row.others) for row in rows], "chip"),
    )
    token_table_view(
        Table(*columns),
        key="prompt prefixes",
        current=len(rows) - 1,
        height=430,
        label=_("Tokens of each prefix"),
        pickable=False,
    )
    st.caption(_summary(rows))


def _kept(tokenizer: Tokenizer, encoding: Encoding, count: int) -> Word | None:
    """The last few of the first `count` tokens."""
    first = max(0, count - _MOST_KEPT)
    return _after(tokenizer, encoding, first, encoding.ids[first:count].tolist())


def _after(tokenizer: Tokenizer, encoding: Encoding, count: int, ids: Sequence[int]) -> Word | None:
    """Tokens after the first `count` of the text."""
    start = int(encoding.ends[count - 1]) if count else 0
    return Word(chips_of(tokenizer, ids, encoding.utf8, start)) if ids else None


def _ending(prefix: str) -> str:
    """Last characters of a prefix, with visible white space.

    >>> _ending("The link is "), _ending("The tokenizer is open ")
    ('The·link·is·', '…tokenizer·is·open·')
    """
    return ("…" if len(prefix) > _MOST_TYPED else "") + marked(prefix[-_MOST_TYPED:])


def _summary(rows: Sequence[Prefix]) -> str:
    """How many of the prefixes end in tokens that the whole text does not have."""
    changed = sum(not row.stays for row in rows)
    return n_(
        "{changed} of {count:,} prefix ends in tokens that the whole text does not have.",
        "{changed} of {count:,} prefixes end in tokens that the whole text does not have.",
        len(rows),
        changed=changed,
    )


# -- healing -------------------------------------------------------------------------------------------------


def _show_healing(tokenizer: Tokenizer, encoding: Encoding, text: str, take: Callable[[str], None]) -> None:
    special = state.SPECIAL.get()
    healed = heal(tokenizer, text, special=special, encoding=encoding)
    heading(_("Token healing"), _("remove the end, and choose again"))
    note(_why(encoding, healed))
    if not healed.removed:
        return
    chips = [_kept(tokenizer, encoding, healed.kept), _after(tokenizer, encoding, healed.kept, healed.removed)]
    table = Table(Column("", [_("Kept"), _("Removed")]), Column("", chips, "chip"))
    token_table_view(table, key="healed", height=None, label=_("Kept and removed tokens"), header=False, pickable=False)
    count, listed = len(healed.allowed), healed.allowed[:MOST_ALLOWED]
    st.text(
        n_(
            "{count:,} token begins with {bytes}, and may follow:",
            "{count:,} tokens begin with {bytes}, and may follow:",
            count,
            bytes=translate(shown(healed.data)),
        )
    )
    around = encoding.utf8[-_CHARACTERS_AROUND:]
    columns = (
        Column(_("Token"), [chip(tokenizer, each, around) for each in listed], "chip"),
        Column(_("Id"), listed, "number"),
    )
    goes_on, stays = len(text) <= _LONGEST_GONE_ON and tokenizer.decode(encoding.ids) == text, healed.kept

    def go_on(at: int) -> None:  # outlives the run, so it must not hold the ids
        kept = tokenizer.encode(text, special=special).ids[:stays].tolist()
        take(tokenizer.decode([*kept, listed[at]]))

    token_table_view(
        Table(*columns),
        key="allowed",
        height=240,
        label=_("Tokens that may follow"),
        on_pick=go_on if goes_on else None,
        pickable=goes_on,
    )
    hints = [_("Click a token to continue with it.")] if goes_on else []
    if count > MOST_ALLOWED:
        ranked = tokenizer.model.merges is not None
        limit = {"shown": MOST_ALLOWED}
        hints.insert(0, _("The first {shown} by rank.", **limit) if ranked else _("The {shown} shortest.", **limit))
    if hints:
        st.caption(translate(joined(*hints)))


def _why(encoding: Encoding, healed: Healed) -> str:
    """Why the prompt's end needs healing, or why not."""
    if healed.data.strip(b" "):
        return _(
            "In a longer text these may be other tokens: the model has rarely seen them before the rest of the word."
        )
    if healed.removed:
        return _(
            "A space usually belongs to the token of the next word: the model has rarely seen this one before a letter."
        )
    if not len(encoding) or encoding.ends[-1] < len(encoding.utf8):
        return _("Nothing to heal: this tokenizer drops the space at the end, so it does not affect the next word.")
    return _("Nothing to heal: no other token begins like the last one.")
