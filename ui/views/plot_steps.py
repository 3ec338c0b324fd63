"""Figures over the steps of a training, with a mark at one of them.

A click moves the player on the same page: these charts send nothing themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple, Protocol

from bpe_core.bpe.curve_texts import Unit
from bpe_core.display.library import Figure
from bpe_core.language import translate
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import EMPTY_BODY, Body, TranslatedBody, frame, relayed
from ui.views.plot import PLOT
from ui.views.plot_figures import figures_body
from ui.views.plotly_library import PLOTLY_PATH


class StepWords(NamedTuple):
    """Text of a curve at each step.

    title: accessible name; caption: the line above it; unit: of the values; digits: their decimal places.
    saves: whether to add the share saved since step 0: 1 for falling values, -1 for rising ones, 0 for no.
    ids: number of ids before any merge, and parameters per id, if the text shows parameters instead of merges.
    """

    title: str
    caption: str
    unit: Unit
    digits: int
    saves: int = 0
    ids: tuple[int, int] | None = None


class StepFigure(Protocol):
    """Figure whose first trace is a curve with points at some steps."""

    @property
    def words(self) -> StepWords:
        """Text at each step."""

    def figure(self) -> Figure:
        """The figure in the current language, for the theme "light"."""


@dataclass(frozen=True)
class StepFigures:
    """Figures over the same ascending steps. Reuse the object: it caches its encoding for the browser.

    chips: tokens that the tooltip of each step draws; empty if none do.
    """

    steps: Sequence[int]
    figures: tuple[StepFigure, ...]
    chips: Sequence[Sequence[Chip]] = ()

    @TranslatedBody
    def body(self) -> Body:
        """Payload for the browser, with its content hash."""
        words = [
            [translate(each) if isinstance(each, str) else each for each in figure.words] for figure in self.figures
        ]
        chips = [[chip.wire() for chip in tokens] for tokens in self.chips]
        more = {"steps": list(self.steps), "words": words, "chips": chips}
        return figures_body((figure.figure() for figure in self.figures), more)


class OtherMark(NamedTuple):
    """Mark of other figures over the same steps: their key, the figures, and the index of the first value used here."""

    name: str
    figures: StepFigures
    value: int


def steps_view(
    figures: StepFigures, *, key: str, captions: Captions = NO_CAPTIONS, marked_with: OtherMark | None = None
) -> None:
    """Draw figures side by side; each marks the step of `mark_frame` and shows its value there.

    marked_with: use the mark of other figures on the page.
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
    """Frame of a mark at a step, with the value of each curve there, for the figures with the key `name`.

    Further values are for figures that use this mark.
    """
    head = {"kind": "mark", "name": name, "of": figures.body.rev, "step": step, "values": list(values)}
    return frame(head, EMPTY_BODY)


def relayed_mark(key: str) -> None:
    """Mount point for a relayed mark: `mark_frame` under this key. A moving mark does not redraw the figures."""
    PLOT(key=key, data=relayed(key))
