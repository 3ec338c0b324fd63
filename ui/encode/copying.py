"""Tokens as text: ids, bytes, strings, and as files spell them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from bpe_core import Encoding, Tokenizer
from bpe_core.language import _, message
from bpe_core.payloads.spans import WINDOW, TokenSpans
from bpe_core.tokenizer.tokenizer import Special
from ui.encode import cache
from ui.session import encode as state
from ui.views.verbatim import verbatim_view
from ui.widgets.controls import segments
from ui.widgets.display import word_edges
from ui.widgets.downloads import download_popover

LONGEST_COPY = 5_000
"""Maximum number of tokens in the text."""

_KINDS = {"ids": message("Ids"), "bytes": message("Bytes"), "text": message("Texts"), "files": message("As in files")}


def show_copy(encoding: Encoding, tokenizer: Tokenizer) -> None:
    """Draw the card with the tokens as text; the button in its corner copies it."""
    with st.container(border=True, key="copy"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("## " + _("Copy"), width="content")
            if more := _first(encoding):
                st.caption(more, width="content")
            st.space("stretch")
            segments(_("What to copy"), _KINDS, state.COPY, hidden=True)
            st.button(
                _("Decode these ids below"),
                icon=":material/arrow_downward:",
                on_click=_hand_down,
                args=(written(encoding, "ids", tokenizer),),
                disabled=not len(encoding),
            )
            show_downloads(encoding, tokenizer, state.SPECIAL.get())
        shown = written(encoding, state.COPY.get(), tokenizer)
        verbatim_view(shown, label=_("Copy"), key="tokens to copy", height=110)


def _hand_down(ids: str) -> None:
    state.DECODE_IDS.set(ids)
    state.HANDED_OVER.set(True)


def _first(encoding: Encoding) -> str:
    if len(encoding) <= LONGEST_COPY:
        return ""
    return _("the first {shown:,} of {tokens:,} tokens", shown=LONGEST_COPY, tokens=len(encoding))


def written(encoding: Encoding, kind: str, tokenizer: Tokenizer) -> str:
    """Format the tokens: as a Python list, where those that are not whole characters stay bytes, or as files do.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> written(gpt2.encode("Hello こ"), "text", gpt2)
    "['Hello', b' \\\\xe3\\\\x81', b'\\\\x93']"
    """
    ids = encoding.ids[:LONGEST_COPY].tolist()
    if kind == "ids":
        return ", ".join(map(str, ids))
    if kind == "files":
        return " ".join(_spellings(ids, tokenizer))
    tokens = {token_id: encoding.token_bytes(token_id) for token_id in set(ids)}
    if kind == "bytes":
        return " | ".join(tokens[token_id].hex(" ").upper() for token_id in ids)
    return "[" + ", ".join(_literal(tokens[token_id]) for token_id in ids) + "]"


def spelled_spans(encoding: Encoding, tokenizer: Tokenizer) -> TokenSpans:
    """The first tokens as files spell them.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> spelled_spans(gpt2.encode("Hello こ"), gpt2).texts
    ['Hello', 'Ġãģ', 'ĵ']
    """
    ids = encoding.ids[:WINDOW].tolist()
    spelled = _spellings(ids, tokenizer)
    ends = np.cumsum([len(each.encode()) for each in spelled], dtype=np.int64)
    drawn = TokenSpans.of(
        "".join(spelled),
        ids,
        np.concatenate((np.zeros(1, np.int64), ends))[:-1] if ids else ends,
        ends,
        special=encoding.special[:WINDOW],
        words=word_edges(encoding),
        means=[encoding.token_bytes(token_id) for token_id in ids],
    )
    return replace(drawn, total=len(encoding))


def _spellings(ids: list[int], tokenizer: Tokenizer) -> list[str]:
    special = set(tokenizer.special_tokens.values())
    return [tokenizer.token(i) if i in special else tokenizer.model.spelling(i) for i in ids]


def _literal(token: bytes) -> str:
    try:
        return repr(token.decode())
    except UnicodeDecodeError:
        return repr(token)


def show_downloads(encoding: Encoding, tokenizer: Tokenizer, special: Special) -> None:
    """Draw the popover with the downloads. They hold only the inputs of the encoding, which may have been evicted."""
    text = encoding.normalized.original
    download_popover(
        lambda: cache.encoding(tokenizer, text, special).table(),
        "tokens",
        key="tokens",
        about=_("One row per token: id, bytes, text, offsets, word."),
        disabled=not len(encoding),
    )
