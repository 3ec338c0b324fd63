"""Methods that show a training as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bpe_core.bpe.page_views import MOST_MERGES, ShownTraining, write_training_page
from bpe_core.page.cell import HEIGHT
from bpe_core.page.widget import cell_view

if TYPE_CHECKING:
    from bpe_core.bpe.training import Training
    from bpe_core.page.cell import CellView


class TrainingPages:
    """A training as a page: as a file, or in a notebook.

    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low lower", TrainConfig(vocab_size=258))
    >>> training.player(step=1).step
    1
    >>> training.to_html("low.html", merges=0)
    Traceback (most recent call last):
    bpe_core.errors.ConfigError: merges is 0. It takes a whole number of 1 or more. Correct it.
    """

    def player(self, *, step: int = 0, language: str = "en", height: int = HEIGHT) -> CellView:
        """Player for a notebook, with the views of `to_html`: steps by button and key, and by its `step` in Python.

        `player.step` is the step it shows; setting it moves the player, and `player.observe(function, "step")` follows
        it. The output is saved as a page that plays the merges recorded in it. Without anywidget (pip install
        'bpe-lab[notebook]') it plays by itself: `step` is the opening step, and does not follow the page.

        `language`: "en", "ja" and so on. `height`: in pixels, 200 to 4,000. Raises ConfigError for other values and for
        a step that does not exist, and CorpusError as `window` does.

        >>> from bpe_core import TrainConfig, train
        >>> player = train("low low lower", TrainConfig(vocab_size=258)).player()
        >>> player.step = 2
        """
        return cell_view(ShownTraining(cast("Training", self)), step=step, language=language, height=height)

    def to_html(
        self,
        path: str | Path,
        *,
        title: str = "",
        language: str | Sequence[str] = "en",
        merges: int = MOST_MERGES,
        step: int = 0,
    ) -> None:
        """Write a page that plays the first `merges` merges from `step` on, without a server or a network.

        `language`: "en", "ja" and so on, or a list of them: the page has a button for each, and opens in the first. It
        shows the start of `text`; its counts are of all texts. Raises ConfigError for other values, CorpusError as
        `window` does, and FormatError if the file cannot be written.
        """
        write_training_page(cast("Training", self), path, title=title, language=language, merges=merges, step=step)
