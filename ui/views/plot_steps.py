"""Figures over the steps of a training, with a mark at one of them.

A click is a move of the player that is on the same page: these charts send nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bpe_core.language import said
from ui.views.captions import NO_CAPTIONS, Captions
from ui.views.chips import Chip
from ui.views.plot import PLOT
from ui.views.plot_figures import figures_body
from ui.views.plotly_library import PLOTLY_PATH
from ui.views.protocol import EMPTY_BODY, Body, SpokenBody, frame, relayed

if TYPE_CHECKING:
    import plotly.graph_objects as go


class StepWords(NamedTuple):
    """What is said at each step of a curve.

    title: the name for screen readers; caption: the line above it; digits: decimal places of the values.
    saves: whether it is said how much the value saves of that of step 0: 1 where it falls, -1 where it rises, 0 not.
    ids: the ids before any merge and the numbers for each id, where parameters are said instead of merges.
    """

    title: str
    caption: str
    unit: str
    digits: int
    saves: int = 0
    ids: tuple[int, int] | None = None


class StepFigure(Protocol):
    """A figure whose first trace is a curve with a point for each of some steps."""

    @property
    def words(self) -> StepWords:
        """What is said at each step."""

    def figure(self) -> go.Figure:
        """The figure in the language that is spoken, for the theme "light"."""


@dataclass(frozen=True)
class StepFigures:
    """Figures over the same rising steps. Make it once and keep it: its encoding for the browser is kept with it.

    chips: for each step the tokens that its tooltips draw; none at all if they draw none.
    """

    steps: Sequence[int]
    figures: tuple[StepFigure, ...]
    chips: Sequence[Sequence[Chip]] = ()

    @SpokenBody
    def body(self) -> Body:
        """What the browser gets, with its content hash."""
        words = [[said(each) if isinstance(each, str) else each for each in figure.words] for figure in self.figures]
        chips = [[chip.wire() for chip in tokens] for tokens in self.chips]
        more = {"steps": list(self.steps), "words": words, "chips": chips}
        return figures_body((figure.figure() for figure in self.figures), more)


class OtherMark(NamedTuple):
    """The mark of other figures over the same steps: their key, they, and which of its values is the first one here."""

    name: str
    figures: StepFigures
    value: int


def steps_view(
    figures: StepFigures, *, key: str, captions: Captions = NO_CAPTIONS, marked_with: OtherMark | None = None
) -> None:
    """Draw figures side by side; each says its value at the step that `mark_frame` names, and marks it.

    marked_with: the mark is not its own, but that of other figures on the page.
    """
    mark = marked_with or OtherMark(key, figures, 0)
    head = {
        **asdict(captions),
        "kind": "steps",
        "name": key,
        "library": PLOTLY_PATH,
        "mark": {"name": mark.name, "of": mark.figures.body.rev, "value": mark.value},
    }
    PLOT(key=key, data=frame(head, figures.body))


def mark_frame(name: str, figures: StepFigures, step: int, values: Sequence[float]) -> bytes:
    """A mark at a step, with the value of each curve there, on the figures whose key is `name`.

    Values after those are for figures that are marked with these.
    """
    head = {"kind": "mark", "name": name, "of": figures.body.rev, "step": step, "values": list(values)}
    return frame(head, EMPTY_BODY)


def relayed_mark(key: str) -> None:
    """Where a relay marks figures: `mark_frame` under this key. They stay as they are when the mark moves."""
    PLOT(key=key, data=relayed(key))
