"""Button that opens the stage, without a rerun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.views.component import View

_STAGE = View("stage")


@dataclass(frozen=True)
class StageCards:
    """Content of a page that the stage shows.

    cards   (key of the container, title of its tab), in the order of their digits; a missing card has no tab
    beside  key of the container that stays visible with every card: a player or an input; None for nothing
    fits    keys of cards that are enlarged if they are short
    """

    cards: Sequence[tuple[str, str]]
    beside: str | None = None
    fits: Sequence[str] = ()


def stage_button(page: str, shown: StageCards) -> None:
    """Draw the button. page: name under which the tab remembers the chosen card."""
    cards = [list(each) for each in shown.cards]
    data = {"page": page, "cards": cards, "beside": shown.beside, "fits": list(shown.fits)}
    _STAGE(key="stage button", data=data, width="content")
