"""Drafts of the text and settings: form values before submission, and their effect on submission."""

from __future__ import annotations

from typing import Any

import streamlit as st

from bpe_core import TrainConfig
from bpe_core.bpe.config import BaseOrder, TieBreak, Unit
from bpe_core.text.normalizers import NORMALIZATIONS, Normalization
from bpe_core.text.splits import PATTERNS
from ui.session.items import Item, is_a, is_count, one_of
from ui.session.samples import all_samples
from ui.session.training import (
    CONFIG,
    FIRST_SAMPLE,
    OWN_CONFIG,
    PLAYING,
    SOURCE,
    STEP,
    TRAININGS,
    Wanted,
    choose_forks,
)

DRAFT_SAMPLE = Item("draft sample", FIRST_SAMPLE, one_of(*(s.name for s in all_samples())))
DRAFT_PASTE = Item("draft paste", "", is_a(str))
LONG_PASTES = Item("long pastes", 0, is_count)
DRAFT_UNIT: Item[Unit] = Item("draft unit", "byte", one_of("byte", "char"))
DRAFT_SPLIT = Item("draft split", "gpt2", one_of(*PATTERNS, "own"))
DRAFT_PATTERN = Item("draft pattern", r"\w+|\s+|[^\w\s]+", is_a(str))
DRAFT_VOCAB_SIZE = Item("draft vocab size", 512, is_count)
DRAFT_TIE_BREAK: Item[TieBreak] = Item("draft tie rule", "first-seen", one_of("first-seen", "lowest-ids"))
DRAFT_NORMALIZATION: Item[Normalization] = Item("draft normalization", "none", one_of(*NORMALIZATIONS))
DRAFT_LOWERCASE = Item("draft lowercase", False, is_a(bool))
DRAFT_STRIP_ACCENTS = Item("draft strip accents", False, is_a(bool))
DRAFT_END_OF_WORD = Item("draft end of word", "", is_a(str))
DRAFT_BYTE_FALLBACK = Item("draft byte fallback", False, is_a(bool))
DRAFT_BASE_ORDER: Item[BaseOrder] = Item("draft base order", "byte-value", one_of("byte-value", "gpt2"))
DRAFT_MIN_COUNT = Item("draft min count", 1, is_count)
DRAFT_SPECIAL_TOKENS = Item("draft special tokens", "", is_a(str))

_LONG_DRAFT = 100_000
"""Characters above which a pasted text is removed from its field."""


def settle(wanted: Wanted) -> None:
    """Apply a training request that succeeded: pages show it at the requested step."""
    SOURCE.set(wanted.source)
    CONFIG.set(wanted.config)
    OWN_CONFIG.set(wanted.own)
    STEP.set(wanted.step)
    choose_forks(wanted.forks)
    PLAYING.set(False)
    TRAININGS.set(TRAININGS.get() + 1)
    if wanted.source.kind == "sample":
        DRAFT_SAMPLE.set(wanted.source.label)
    if len(DRAFT_PASTE.get()) > _LONG_DRAFT:
        DRAFT_PASTE.set("")
        LONG_PASTES.set(LONG_PASTES.get() + 1)
    show_as_draft(wanted.config)


def show_as_draft(config: TrainConfig) -> None:
    """Fill the settings form with these settings."""
    named = config.split in PATTERNS
    DRAFT_UNIT.set(config.unit)
    DRAFT_SPLIT.set(config.split if named else "own")
    if not named:
        DRAFT_PATTERN.set(config.split)
    DRAFT_VOCAB_SIZE.set(config.vocab_size)
    DRAFT_TIE_BREAK.set(config.tie_break)
    DRAFT_NORMALIZATION.set(config.normalization)
    DRAFT_LOWERCASE.set(config.lowercase)
    DRAFT_STRIP_ACCENTS.set(config.strip_accents)
    DRAFT_END_OF_WORD.set(config.end_of_word)
    DRAFT_BYTE_FALLBACK.set(config.byte_fallback)
    DRAFT_BASE_ORDER.set(config.base_order)
    DRAFT_MIN_COUNT.set(config.min_count)
    DRAFT_SPECIAL_TOKENS.set(_in_lines(config.special_tokens))


def draft_config() -> TrainConfig:
    """The settings in the form. Raises ConfigError for invalid ones."""
    byte_unit = DRAFT_UNIT.get() == "byte"
    return TrainConfig(
        vocab_size=DRAFT_VOCAB_SIZE.get(),
        unit=DRAFT_UNIT.get(),
        split=DRAFT_PATTERN.get() if DRAFT_SPLIT.get() == "own" else DRAFT_SPLIT.get(),
        end_of_word="" if byte_unit else DRAFT_END_OF_WORD.get(),
        normalization=DRAFT_NORMALIZATION.get(),
        lowercase=DRAFT_LOWERCASE.get(),
        strip_accents=DRAFT_STRIP_ACCENTS.get(),
        tie_break=DRAFT_TIE_BREAK.get(),
        base_order=DRAFT_BASE_ORDER.get(),
        min_count=DRAFT_MIN_COUNT.get(),
        special_tokens=_draft_special_tokens(),
        byte_fallback=not byte_unit and DRAFT_BYTE_FALLBACK.get(),
    )


def _in_lines(special_tokens: tuple[str, ...]) -> str:
    return "\n".join(special_tokens)


def _draft_special_tokens() -> tuple[str, ...]:
    """Special tokens, one per line; if unedited, those in use, which may contain line breaks from a file or link."""
    draft, in_use = DRAFT_SPECIAL_TOKENS.get(), CONFIG.get().special_tokens
    if draft == _in_lines(in_use):
        return in_use
    return tuple(filter(None, (line.strip() for line in draft.splitlines())))


def paste_widget() -> dict[str, Any]:
    """Widget arguments that bind the paste field to its item.

    A long text changes the key, and so empties the field: browsers send the content of all fields with every click.
    """
    key = _paste_key()
    st.session_state[key] = DRAFT_PASTE.get()
    return {"key": key, "persist_state": "session"}


def take_paste() -> str:
    """The text of the paste field on submission."""
    text = st.session_state.get(_paste_key(), "")
    DRAFT_PASTE.set(text)
    return DRAFT_PASTE.get()


def _paste_key() -> str:
    return f"{DRAFT_PASTE.key} {LONG_PASTES.get()}"
