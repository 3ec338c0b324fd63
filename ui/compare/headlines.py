"""The difference of two token counts in one sentence: which of the two takes more tokens, and where they come from."""

from __future__ import annotations

import streamlit as st

from bpe_core.comparison.totals import WHITE_SPACE, Difference, difference
from ui.compare.chosen import Chosen
from ui.compare.listing import MOST_LISTED
from ui.shared.display import counted, title_of

_FROM = {
    WHITE_SPACE: "white space",
    "special token": "special tokens",
    "normalization": "normalization",
    "split": "where the splits cut",
    "missing token": "missing tokens",
    "earlier merge": "the order of merges",
    "choice": "other choices",
}
_STYLE = "<style>.st-key-headline [data-testid=stText] { font-size: 1.15rem; font-weight: 600 }</style>"


def show_headline(chosen: Chosen, pair: tuple[str, str]) -> None:
    """The sentence, above all else on the page."""
    left, right = (title_of(name) for name in pair)
    found = difference(chosen.comparison(), left, right, chosen.alike(pair))
    is_whole = len(chosen.disagreements(pair)) < MOST_LISTED
    with st.container(key="headline"):
        st.html(_STYLE)
        st.text(headline(left, right, found, len(chosen.comparison().encoding(right)), is_whole=is_whole))


def headline(left: str, right: str, found: Difference, tokens: int, *, is_whole: bool) -> str:
    """The sentence. `tokens`: how many the right one takes; `is_whole`: whether every disagreement was explained.

    >>> from bpe_core.comparison.totals import Share
    >>> shares = (Share("white space", 231, 80), Share("split", -20, 20))
    >>> headline("GPT-2", "cl100k", Difference(211, shares, 0), 400, is_whole=True)
    'GPT-2 takes 211 more tokens than cl100k (53 %): 231 from white space, −20 from where the splits cut.'
    >>> headline("cl100k", "GPT-2", Difference(-1, (Share("split", -1, 2),), 0), 4, is_whole=True)
    'GPT-2 takes 1 more token than cl100k (33 %): 1 from where the splits cut.'
    """
    if found.tokens < 0:
        turned = tuple(share._replace(tokens=-share.tokens) for share in found.shares)
        more = Difference(-found.tokens, turned, -found.elsewhere)
        return headline(right, left, more, tokens + found.tokens, is_whole=is_whole)
    sums = [f"{_signed(share.tokens)} from {_FROM[share.source]}" for share in found.shares if share.tokens]
    if found.elsewhere:
        sums.append(
            f"{_signed(found.elsewhere)} from {'tokens that hold no text' if is_whole else 'the rest of the text'}"
        )
    if not found.shares and not found.tokens:
        return f"{left} and {right} segment this text alike: {counted(tokens, 'token')}."
    if not found.tokens:
        even = "but not the same ones" if not sums else "what one saves the other saves elsewhere"
        return f"{left} and {right} take {counted(tokens, 'token')} each, {even}{': ' * bool(sums)}{', '.join(sums)}."
    percent = f" ({100 * found.tokens / tokens:.0f} %)" if tokens else ""
    noun = "token" if found.tokens == 1 else "tokens"
    return f"{left} takes {found.tokens:,} more {noun} than {right}{percent}: {', '.join(sums)}."


def _signed(number: int) -> str:
    return f"{number:,}".replace("-", "−")
