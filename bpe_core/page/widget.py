"""The page of a cell, connected to the kernel by anywidget; without anywidget, the page alone."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

from bpe_core.checks import is_whole_number
from bpe_core.page.cell import HEIGHT, SCRIPT, CellPage, CellValue, CellView

_VIEW = "application/vnd.jupyter.widget-view+json"


def cell_view(shown: CellValue, *, step: int = 0, language: str = "en", height: int = HEIGHT) -> CellView:
    """View of a value in a notebook; the parameters and errors are those of CellPage.

    >>> from bpe_core import TrainConfig, train
    >>> from bpe_core.bpe.page_views import ShownTraining
    >>> view = cell_view(ShownTraining(train("low low lower", TrainConfig(vocab_size=258))), step=1)
    >>> view.step = 3
    Traceback (most recent call last):
    bpe_core.errors.ConfigError: The step is 3. This training has the steps 0 to 2. Choose one of them.
    """
    page = CellPage(shown, step=step, language=language, height=height)
    try:
        made: CellView = _connected()(page)
    except ImportError:
        return page
    return made


@cache
def _connected() -> Any:
    """The class of a connected view. Raises ImportError without anywidget."""
    import anywidget
    import traitlets

    class _Step(traitlets.Int[int, int]):
        """A step of the page."""

        def validate(self, obj: Any, value: Any) -> int:
            obj._page.step = value
            step: int = obj._page.step
            return step

    class ConnectedView(anywidget.AnyWidget):
        """View whose `step` is synchronized with the browser."""

        _esm = SCRIPT.read_text("utf-8")
        _place = traitlets.Unicode().tag(sync=True)
        _last = traitlets.Int().tag(sync=True)
        _height = traitlets.Int().tag(sync=True)
        step = _Step().tag(sync=True)

        def __init__(self, page: CellPage) -> None:
            self._page = page
            super().__init__(step=page.step, _place=page.place, _last=page.last, _height=page.height)
            self.on_msg(self._answer)

        def __repr__(self) -> str:
            return repr(self._page)

        def set_state(self, sync_data: dict[str, Any]) -> None:
            """Accept only a step that exists from the browser."""
            step = sync_data.get("step")
            if is_whole_number(step) and 0 <= step <= self._last:
                super().set_state({"step": step})
            else:
                self.send_state("step")

        def _answer(self, _view: object, content: object, _buffers: object) -> None:
            asked = content if isinstance(content, dict) else {}
            answer = self._page.answer(asked.get("want"), asked.get("of"))
            if answer is not None:
                self.send(answer)

        def _repr_html_(self) -> str:
            return self._page.output()[0]

        def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
            bundle: Any = super()._repr_mimebundle_(**options)
            data, metadata = bundle
            data["text/html"], has_page = self._page.output()
            if has_page and _connects_outputs():
                del data[_VIEW]  # the script connects the HTML, which a saved notebook shows without a kernel
            return data, metadata

    return ConnectedView


def _connects_outputs() -> bool:
    """Whether a widget's script runs in the notebook's page: in JupyterLab and Notebook, detected by their server.

    VS Code and Colab run it in an isolated output of the widget.
    """
    return "JPY_SESSION_NAME" in os.environ and "VSCODE_PID" not in os.environ and "google.colab" not in sys.modules
