"""Button that opens the stage, without a rerun; in an embedded page, the choice of what is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from ui.views.component import View

_STAGE = View("stage")


@dataclass(frozen=True)
class Scene:
    """Containers that share the screen, by key.

    key     of the tab
    over    across the whole width
    main    large, below it
    beside  next to that: the first one present on the page
    """

    key: str
    over: str
    main: str
    beside: Sequence[str]


@dataclass(frozen=True)
class SpeakerNotes:
    """A lesson for the stage and the speaker's window.

    question, notes  of the lesson
    next             the next lesson's question, "" without one
    begins           step of the player that it opens at
    """

    question: str
    notes: str
    next: str
    begins: int


@dataclass(frozen=True)
class StageCards:
    """Content of a page that the stage shows, and that other pages can show in a frame.

    cards   (key of the container, title of its tab), in the order of their digit keys; a missing card has no tab
    beside  key of the container that stays visible with every card: a player or an input; None for nothing
    fits    keys of cards that are enlarged if they are short
    scene   several containers at once, as a separate card
    alone   keys of cards that a frame shows without the container `beside`; None for all
    joined  several containers in a frame, the first of which must be on the page: title and keys by name
    """

    cards: Sequence[tuple[str, str]]
    beside: str | None = None
    fits: Sequence[str] = ()
    scene: Scene | None = None
    alone: Sequence[str] | None = None
    joined: Mapping[str, tuple[str, Sequence[str]]] = field(default_factory=dict)


def stage_button(page: str, shown: StageCards, speaker: SpeakerNotes | None) -> None:
    """Draw the button; `page`: name under which the tab remembers the chosen card."""
    data = {
        "page": page,
        "cards": [list(each) for each in shown.cards],
        "beside": shown.beside,
        "fits": list(shown.fits),
        "scene": shown.scene and asdict(shown.scene),
        "alone": None if shown.alone is None else list(shown.alone),
        "joined": [[name, title, list(keys)] for name, (title, keys) in shown.joined.items()],
        "speaker": speaker and asdict(speaker),
    }
    _STAGE(key="stage button", data=data, width="content")
