"""The cards: one step of each training."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bpe_core.language import message, translate
from ui.algorithms.shown_step import ShownStep
from ui.runs.algorithm_run import AlgorithmRun
from ui.runs.bpe import Bpe
from ui.runs.of_step import cards_at, notes_of
from ui.session import compare, encode, pipeline, vocabulary
from ui.session.items import Item
from ui.session.learned_tokenizers import LEARNED, learned_now
from ui.session.navigation import GO_TO_PAGE
from ui.session.tokenizer_choice import TRAINED
from ui.session.training import want_config
from ui.views.algorithm_cards import cards_view
from ui.widgets.messages import note


def show_cards(shown: ShownStep) -> None:
    """Draw each step's result and the next candidates, or the error of a failed training."""
    names = list(shown.found)
    usable = [at for at, name in enumerate(names) if name in shown.runs and is_usable(name)]
    cards_view(
        cards_at(shown.found, shown.step),
        step=shown.step,
        key="algorithms cards",
        places=[translate(place) for place in PLACES],
        usable=usable,
        on_use=lambda card, place: use_in(names[card], shown.runs[names[card]], list(PLACES)[place]),
    )


def show_notes(shown: ShownStep) -> None:
    """Draw notes about how the trainings differ from the request."""
    for each in notes_of(shown.runs):
        note(each)


def _choose(page: str, item: Item[str], name: str) -> None:
    item.set(name)
    GO_TO_PAGE.set(page)


def _compare(name: str) -> None:
    chosen = compare.WITH.get()
    compare.WITH.set([*chosen, *([] if name in chosen else [name])])
    compare.RIGHT.set(name)
    GO_TO_PAGE.set("compare")


def _files(name: str) -> None:
    _choose("vocabulary", vocabulary.VOCABULARY_OF, name)
    vocabulary.EXPORTS_OPEN.set(True)
    vocabulary.CHECKED_FIRST.set(name)


PLACES: dict[str, Callable[[str], None]] = {
    message("Encode"): partial(_choose, "encode", encode.WITH),
    message("Compare"): _compare,
    message("Vocabulary"): partial(_choose, "vocabulary", vocabulary.VOCABULARY_OF),
    message("Pipeline"): partial(_choose, "pipeline", pipeline.WITH),
    message("Files"): _files,
}
"""Destinations by menu title. Compare adds the tokenizer to those already compared."""


def is_usable(algorithm: str) -> bool:
    """Whether other pages can use this algorithm's tokenizer."""
    return algorithm in ("bpe", "superbpe", "boundlessbpe", *LEARNED)


def use_in(algorithm: str, run: AlgorithmRun, place: str) -> None:
    """Use this algorithm's tokenizer at a destination.

    For BPE, SuperBPE and BoundlessBPE, the training becomes that of all pages, with its settings.
    """
    if isinstance(run, Bpe):
        want_config(run.training.config)
        PLACES[place](TRAINED)
    else:
        PLACES[place](learned_now(algorithm))
