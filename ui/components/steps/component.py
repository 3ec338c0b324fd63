"""Mount the steps: Python's side of steps.js."""

from __future__ import annotations

from pathlib import Path

from bpe_core.language import _
from ui.components.exchange import frame
from ui.components.steps.steps import WordSteps
from ui.components.tokens.registration import view_component

_STEPS_VIEW = view_component(
    Path(__file__).parent,
    '<div class="bar"><button type="button" class="one"></button><button type="button" class="all"></button></div>'
    '<ol class="rows" tabindex="0"></ol>',
)


def steps_view(steps: WordSteps, *, key: str, first: int = 0, height: int | None = 460, label: str = "") -> None:
    """Draw the steps of a word below each other; a button shows them one at a time.

    first: number of the first rank: 0, or 1 if merges are counted as steps of a training.
    """
    head = {"label": label or _("Steps"), "height": height, "first": first}
    _STEPS_VIEW(key=key, data=frame(head, steps.body))
