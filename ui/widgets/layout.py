"""Layout elements used on every page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bpe_core.language import current_language
from ui.session import training


def heading(title: str, rest: str = "", *, by_touch: str = "") -> None:
    """Draw a card's title with a caption beside it, and explain their terms.

    by_touch: the caption on a touch screen, if different. No argument may contain user text, since all are markdown.
    """
    title, _, rest = with_terms(f"{title}\n{rest}").partition("\n")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.markdown(f"## {title}", width="content")
        if by_touch:
            with st.container(key=f"by mouse {title}", width="content"):
                st.caption(rest, width="content")
            with st.container(key=f"by touch {title}", width="content"):
                st.caption(by_touch, width="content")
        elif rest:
            st.caption(rest, width="content")


def with_terms(markdown: str) -> str:
    """Make the first occurrence of each term a link, which shows its definition on hover, focus and tap.

    >>> with_terms("A merge takes a pair; the next merge, another.")
    'A [merge](#term-merge) takes a [pair](#term-pair); the next merge, another.'
    """
    language = current_language() if current_language() in FORMS else "en"
    names = list(FORMS[language])
    marked: set[int] = set()
    parts: list[str] = []
    end = 0
    for found in PATTERNS[language].finditer(markdown):
        number = found.lastindex
        if number is None or number in marked:
            continue
        marked.add(number)
        parts += markdown[end : found.start()], f"[{found[0]}](#term-{names[number - 1]})"
        end = found.end()
    return "".join((*parts, markdown[end:]))


def side_by_side(left: int, right: int, *, key: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two columns in these proportions; stacked in windows narrower than 960 pixels, or wide ones at 200 % zoom."""
    with st.container(key=key):
        st.html(
            "<style>@media (max-width: 960px) { "
            f".st-key-{key} > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] > [data-testid=stColumn]"
            " { min-width: 100% } }</style>"
        )
        first, second = st.columns([left, right])
    return first, second


def popover_key(name: str) -> str:
    """Key of a popover; it changes, which closes the popover, after each training and each reported problem.

    So a popover closes once its training is done, and does not cover the reason for a failure.
    """
    return f"{name} {training.TRAININGS.get()}.{training.PROBLEMS.get()}"


FORMS: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "terms.json").read_text("utf-8"))
"""Written forms of each term, by language and by the term's name."""


def _pattern(language: str) -> re.Pattern[str]:
    forms = "|".join(rf"\b({form})\b" if re.match("[a-z]", form) else f"({form})" for form in FORMS[language].values())
    return re.compile(rf"\[[^\]]*\]\([^)]*\)|`[^`]*`|\*\*[^*]*\*\*|{forms}", re.IGNORECASE)


PATTERNS = {language: _pattern(language) for language in FORMS}
"""Patterns of all terms by language, each a group; matches without a group are links, code and bold type."""
