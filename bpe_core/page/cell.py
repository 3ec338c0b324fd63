"""A page in the output of a notebook's cell: the HTML that a saved notebook keeps, and its step in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from html import escape
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol

from bpe_core import checks
from bpe_core.language import LANGUAGES, using_language

MOST_BYTES = 1_000_000
"""Limit on a page that is saved in a notebook; a larger one is replaced by its card."""

HEIGHT = 640
"""Height of a page in pixels."""

_LEAST_HEIGHT, _MOST_HEIGHT = 200, 4_000

SCRIPT = Path(__file__).parent / "widget.js"
"""Script that connects the pages of a notebook with the kernel; built from frontend/src/recorded/widget.ts."""

# A sandboxed frame has an origin of its own, without access to the notebook's storage and kernel. Front ends that
# remove frames, and the style with them, show the card.
_OUTPUT = """<div class="bpe-lab-cell"><style>.bpe-lab-cell:has(>iframe)>.bpe-lab{{display:none}}
.bpe-lab-cell>iframe{{display:block;width:100%;border:0;resize:vertical}}</style>\
<iframe name="{place}" sandbox="allow-scripts" height="{height}" srcdoc="{page}"></iframe>{card}</div>"""


class CellValue(ABC):
    """Value shown by a cell: an encoding or a comparison, complete in its page; or a training, step by step.

    >>> class Greeting(CellValue):
    ...     page = card = lambda *_: "<p>Hi</p>"
    >>> greeting = Greeting()
    >>> greeting.last, greeting.answer("step", 1), greeting.page(0) == greeting.card()
    (0, None, True)
    """

    @property
    def last(self) -> int:
        """The last step; 0 for a value without steps."""
        return 0

    @abstractmethod
    def page(self, step: int) -> str:
        """HTML of the page in the current language, opened at a step."""

    @abstractmethod
    def card(self) -> str:
        """HTML of the value, without a script."""

    def answer(self, want: str, of: int) -> dict[str, Any] | None:
        """Response to a request of the page, in the form of wire.ts; None if there is nothing to send."""
        return None


class CellView(Protocol):
    """A view in the output of a cell, connected to the kernel or not."""

    step: int
    """The step it shows: can be read and set. Raises ConfigError for a step that does not exist."""


class CellPage:
    """A view without a connection: it plays by itself, and its `step` is the one it opens at.

    Raises ConfigError for a step that does not exist, another language, and a height below 200 or above 4,000 pixels.

    >>> from bpe_core import TrainConfig, train
    >>> from bpe_core.bpe.page_views import ShownTraining
    >>> page = CellPage(ShownTraining(train("low low lower", TrainConfig(vocab_size=258))), step=1)
    >>> page.step = page.last
    >>> page.answer("step", 1)["frames"][0], page.answer("step", 3)
    (1, None)
    >>> html, has_page = page.output()
    >>> '<iframe name="bpe-lab-' in html, has_page, page.page()[:9]
    (True, True, '<!doctype')
    """

    def __init__(self, shown: CellValue, *, step: int = 0, language: str = "en", height: int = HEIGHT) -> None:
        self._shown = shown
        self._language = checks.choice(language, "language", LANGUAGES)
        self.height = checks.whole_number(height, "height", _LEAST_HEIGHT, _MOST_HEIGHT)
        self.place = f"bpe-lab-{token_hex(8)}"
        self.step = step

    def __repr__(self) -> str:
        return f"<step {self.step:,} of {self.last:,}>" if self.last else "<view>"

    @property
    def last(self) -> int:
        """The last step."""
        return self._shown.last

    @property
    def step(self) -> int:
        """The step that the page opens at."""
        return self._step

    @step.setter
    def step(self, step: int) -> None:
        """Raises ConfigError for a step that does not exist."""
        self._step = checks.step_number(step, self.last)

    def page(self) -> str:
        """HTML of the page, opened at the step."""
        with using_language(self._language):
            return self._shown.page(self.step)

    def output(self) -> tuple[str, bool]:
        """HTML of the output, and whether it has the page: in a frame, with the card as a fallback."""
        page, card = self.page(), self._shown.card()
        if len(page) > MOST_BYTES:
            return card, False
        return _OUTPUT.format(place=self.place, height=self.height, page=escape(page), card=card), True

    def answer(self, want: object, of: object) -> dict[str, Any] | None:
        """Answer a request of a page in a browser, which is not validated yet."""
        if want == "page":
            return {"page": self.page()}
        if not isinstance(want, str) or not checks.is_whole_number(of):
            return None
        with using_language(self._language):
            return self._shown.answer(want, of)

    def _repr_html_(self) -> str:
        return self.output()[0]
