"""Use a card's finished tokenizer on another page: select it there and open the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bpe_core.language import message
from ui.session import state
from ui.session.learned_tokenizers import learned_now


def _choose(page: str, item: state.Item[str], name: str) -> None:
    item.set(name)
    state.GO_TO_PAGE.set(page)


def _compare(name: str) -> None:
    chosen = state.COMPARE_WITH.get()
    state.COMPARE_WITH.set([*chosen, *([] if name in chosen else [name])])
    state.COMPARE_RIGHT.set(name)
    state.GO_TO_PAGE.set("compare")


def _files(name: str) -> None:
    _choose("vocabulary", state.VOCABULARY_OF, name)
    state.EXPORTS_OPEN.set(True)
    state.CHECKED_FIRST.set(name)


PLACES: dict[str, Callable[[str], None]] = {
    message("Encode"): partial(_choose, "encode", state.ENCODE_WITH),
    message("Compare"): _compare,
    message("Vocabulary"): partial(_choose, "vocabulary", state.VOCABULARY_OF),
    message("Pipeline"): partial(_choose, "pipeline", state.PIPELINE_WITH),
    message("Files"): _files,
}
"""Destinations by menu title. Compare adds the tokenizer to those already compared."""


def use_in(algorithm: str, place: str) -> None:
    """Use this algorithm's tokenizer, with the page's current settings, at a destination."""
    PLACES[place](learned_now(algorithm))
