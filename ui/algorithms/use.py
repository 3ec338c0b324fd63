"""Use a card's finished tokenizer on another page: select it there and open the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bpe_core.language import message
from ui.runs.algorithm_run import AlgorithmRun
from ui.runs.bpe import Bpe
from ui.session import compare, encode, pipeline, vocabulary
from ui.session.items import Item
from ui.session.learned_tokenizers import LEARNED, learned_now
from ui.session.navigation import GO_TO_PAGE
from ui.session.tokenizer_choice import TRAINED
from ui.session.training import want_config


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
    """Whether other pages can have this algorithm's tokenizer."""
    return algorithm in ("bpe", "superbpe", "boundlessbpe", *LEARNED)


def use_in(algorithm: str, run: AlgorithmRun, place: str) -> None:
    """Use this algorithm's tokenizer at a destination.

    That of BPE, or of a variant by its config, becomes the training of all pages, with its settings.
    """
    if isinstance(run, Bpe):
        want_config(run.training.config)
        PLACES[place](TRAINED)
    else:
        PLACES[place](learned_now(algorithm))
