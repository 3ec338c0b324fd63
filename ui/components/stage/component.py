"""Mounts the button that opens the stage: Python's side of stage.js, which runs nothing on the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ui.components.defined import QUIET_BUTTON, Component

_HERE = Path(__file__).parent
_STAGE = Component(
    "bpe_lab_stage",
    _HERE / "stage.js",
    html=(_HERE / "stage.html").read_text("utf-8"),
    css=QUIET_BUTTON + (_HERE / "stage.css").read_text("utf-8"),
)


@dataclass(frozen=True)
class StageCards:
    """What of a page the stage shows.

    cards   (key of the container, name of its tab), in the order of their digits; one that is not there has no tab
    beside  key of what stays in sight with each of them: a player, or what is typed into; None for nothing
    fits    keys of cards that are drawn larger where they are short
    """

    cards: Sequence[tuple[str, str]]
    beside: str | None = None
    fits: Sequence[str] = ()


def stage_button(page: str, shown: StageCards) -> None:
    """Draw the button. page: what the tab remembers the chosen card by."""
    cards = [list(each) for each in shown.cards]
    data = {"page": page, "cards": cards, "beside": shown.beside, "fits": list(shown.fits)}
    _STAGE(key="stage button", data=data, width="content")
