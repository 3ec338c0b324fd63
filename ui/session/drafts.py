"""Drafts of the text and settings: form values before submission, and their effect on submission."""

from __future__ import annotations

from typing import Any, get_args

import streamlit as st

from bpe_core import ConfigError, TrainConfig
from bpe_core.bpe.config import BaseOrder, Method, TieBreak, Unit
from bpe_core.bundled.openai import OPENAI
from bpe_core.language import message
from bpe_core.text.digits import AS_SPLIT, SPLITS_WITH_DIGITS, DigitSplit, digits_of, with_digits
from bpe_core.text.digits import DIGITS as DIGIT_GROUPS
from bpe_core.text.normalizers import NORMALIZATIONS, Normalization
from bpe_core.text.splits import PATTERNS
from ui.session import compare, encode, pipeline
from ui.session.items import Item, is_a, is_count, one_of, set_value
from ui.session.limits import MOST_IDS, MOST_MIN_COUNT
from ui.session.samples import Purpose, all_samples, sample
from ui.session.tokenizer_choice import TOKENIZER_FILES, TRAINED
from ui.session.training import (
    CONFIG,
    FIRST_IN_LANGUAGE,
    FIRST_SAMPLE,
    OWN_CONFIG,
    PLAYING,
    SOURCE,
    STEP,
    TRAININGS,
    GrownConfig,
    Source,
    Wanted,
    base_name,
    choose_forks,
    source,
)

SAMPLE = Item("draft sample", FIRST_SAMPLE, one_of(*(s.name for s in all_samples())))
SAMPLE_PURPOSE: Item[Purpose | None] = Item(
    "purpose of samples", None, lambda value: value is None or value in get_args(Purpose)
)
SAMPLE_SEARCH = Item("search of samples", "", is_a(str))
PASTE = Item("draft paste", "", is_a(str))
LONG_PASTES = Item("long pastes", 0, is_count)


def bases() -> tuple[str, ...]:
    """Names of the tokenizers that a training can continue from; "" for none."""
    return ("", *OPENAI, *(file.name for file in TOKENIZER_FILES.get()))


BASE = Item("draft base", "", lambda value: value in bases())
UNIT: Item[Unit] = Item("draft unit", "byte", one_of("byte", "char"))
SPLIT = Item("draft split", "gpt2", one_of(*PATTERNS, "own"))
DIGITS = Item("draft digits", AS_SPLIT, one_of(*DIGIT_GROUPS))
PATTERN = Item("draft pattern", r"\w+|\s+|[^\w\s]+", is_a(str))
VOCAB_SIZE = Item("draft vocab size", 512, is_count)
TIE_BREAK: Item[TieBreak] = Item("draft tie rule", "first-seen", one_of(*get_args(TieBreak)))
NORMALIZATION: Item[Normalization] = Item("draft normalization", "none", one_of(*NORMALIZATIONS))
LOWERCASE = Item("draft lowercase", False, is_a(bool))
STRIP_ACCENTS = Item("draft strip accents", False, is_a(bool))
END_OF_WORD = Item("draft end of word", "", is_a(str))
BYTE_FALLBACK = Item("draft byte fallback", False, is_a(bool))
BASE_ORDER: Item[BaseOrder] = Item("draft base order", "byte-value", one_of("byte-value", "gpt2"))
METHOD: Item[Method] = Item("draft method", "bpe", one_of(*get_args(Method)))
TRANSITION = Item("draft transition", 400, is_count)
MIN_COUNT = Item("draft min count", 1, is_count)
SPECIAL_TOKENS = Item("draft special tokens", "", is_a(str))

_LONG_DRAFT = 100_000
"""Characters above which a pasted text is removed from its field."""


FIRST_TEXTS: dict[str, dict[Item[Any], str]] = {
    "ja": {
        encode.TEXT: "トークナイザーは言語を平等に扱いません。日本語は高い。 🙂",
        compare.TEXT: sample("parallel_ja").text,
        compare.SAMPLE_NAME: "parallel_ja",
        pipeline.TEXT: "ｶﾞﾗｽとガラスは同じ言葉です。 🙂",
    },
    "zh": {
        encode.TEXT: "分词器对各种语言并不平等：中文要用几个词元？ 🙂",
        compare.TEXT: sample("parallel_zh").text,
        compare.SAMPLE_NAME: "parallel_zh",
        compare.FERTILITY_WHY: "zh-Hans",
        pipeline.TEXT: "Ａ４纸和A4纸是同一种纸。 🙂",
    },
}
"""Initial values of the other pages in languages other than English, unless the URL contains a view."""


def begin(language: str, *, is_bare: bool) -> None:
    """Begin a session with initial texts in the visitor's language. `is_bare`: the URL contains no view."""
    if SOURCE.get() is None and language in FIRST_IN_LANGUAGE:
        SAMPLE.set(FIRST_IN_LANGUAGE[language])
        SOURCE.set(Source.of_sample(sample(SAMPLE.get())))
    for item, text in FIRST_TEXTS.get(language, {}).items() if is_bare else ():
        item.set(text)


def settle(wanted: Wanted) -> None:
    """Apply a training request that succeeded: pages show it at the requested step."""
    if wanted.carried:
        carry(source(), wanted.source)
    SOURCE.set(wanted.source)
    CONFIG.set(wanted.config)
    OWN_CONFIG.set(wanted.own)
    STEP.set(wanted.step)
    choose_forks(wanted.forks)
    PLAYING.set(False)
    TRAININGS.set(TRAININGS.get() + 1)
    if wanted.source.kind == "sample":
        SAMPLE.set(wanted.source.label)
    if len(PASTE.get()) > _LONG_DRAFT:
        PASTE.set("")
        LONG_PASTES.set(LONG_PASTES.get() + 1)
    show_as_draft(wanted.config)


def show_as_draft(config: TrainConfig) -> None:
    """Fill the settings form with these settings, except those that the tokenizer to continue from decides."""
    named = DigitSplit(config.split, AS_SPLIT) if config.split in PATTERNS else digits_of(config.split)
    BASE.set(base_name(config))
    VOCAB_SIZE.set(config.vocab_size)
    TIE_BREAK.set(config.tie_break)
    MIN_COUNT.set(config.min_count)
    if BASE.get():
        return
    UNIT.set(config.unit)
    SPLIT.set(named.split if named else "own")
    DIGITS.set(named.digits if named else AS_SPLIT)
    if not named:
        PATTERN.set(config.split)
    NORMALIZATION.set(config.normalization)
    LOWERCASE.set(config.lowercase)
    STRIP_ACCENTS.set(config.strip_accents)
    END_OF_WORD.set(config.end_of_word)
    BYTE_FALLBACK.set(config.byte_fallback)
    BASE_ORDER.set(config.base_order)
    SPECIAL_TOKENS.set(_in_lines(config.special_tokens))
    METHOD.set(config.method)
    if config.transition:
        TRANSITION.set(config.transition)


def draft_split() -> str:
    """Name or pattern of the form's split, its digits grouped as chosen."""
    if SPLIT.get() in SPLITS_WITH_DIGITS:
        return with_digits(SPLIT.get(), DIGITS.get())
    return PATTERN.get() if SPLIT.get() == "own" else SPLIT.get()


def draft_config() -> TrainConfig:
    """The settings in the form. Raises ConfigError for invalid ones, and for more ids than a page allows."""
    byte_unit = UNIT.get() == "byte"
    for name, value, most in (
        ("vocab_size", VOCAB_SIZE.get(), MOST_IDS),
        ("min_count", MIN_COUNT.get(), MOST_MIN_COUNT),
    ):
        if value > most and not (
            name == "vocab_size" and BASE.get()
        ):  # when continuing from a tokenizer, cache.settled checks the number of merges
            raise ConfigError(
                message("{name} is {value:,}.", name=name, value=value),
                limit=message("A page takes {most:,} at most.", most=most),
                remedy=message("Ask for fewer, or train in Python: bpe_core has no such limit."),
            )
    if BASE.get():
        return GrownConfig(
            base=BASE.get(), vocab_size=VOCAB_SIZE.get(), tie_break=TIE_BREAK.get(), min_count=MIN_COUNT.get()
        )
    return TrainConfig(
        vocab_size=VOCAB_SIZE.get(),
        unit=UNIT.get(),
        split=draft_split(),
        end_of_word="" if byte_unit else END_OF_WORD.get(),
        normalization=NORMALIZATION.get(),
        lowercase=LOWERCASE.get(),
        strip_accents=STRIP_ACCENTS.get(),
        tie_break=TIE_BREAK.get(),
        base_order=BASE_ORDER.get(),
        min_count=MIN_COUNT.get(),
        special_tokens=_draft_special_tokens(),
        method=METHOD.get(),
        transition=TRANSITION.get() if METHOD.get() == "superbpe" else 0,
        byte_fallback=not byte_unit and BYTE_FALLBACK.get(),
    )


def _in_lines(special_tokens: tuple[str, ...]) -> str:
    return "\n".join(special_tokens)


def _draft_special_tokens() -> tuple[str, ...]:
    """Special tokens, one per line; if unedited, those in use, which may contain line breaks from a file or link."""
    draft, in_use = SPECIAL_TOKENS.get(), CONFIG.get().special_tokens
    if draft == _in_lines(in_use):
        return in_use
    return tuple(filter(None, (line.strip() for line in draft.splitlines())))


def paste_widget() -> dict[str, Any]:
    """Widget arguments that bind the paste field to its item.

    A long text changes the key, and so empties the field: browsers send the content of all fields with every click.
    """
    key = _paste_key()
    set_value(key, PASTE.get())
    return {"key": key, "persist_state": "session"}


def take_paste() -> str:
    """The text of the paste field on submission."""
    text = st.session_state.get(_paste_key(), "")
    PASTE.set(text)
    return PASTE.get()


def _paste_key() -> str:
    return f"{PASTE.key} {LONG_PASTES.get()}"


_TEXTS = {encode.TEXT: 100_000, compare.TEXT: 100_000, pipeline.TEXT: 2_000}
"""Texts of the other pages, each with the maximum characters of a training text that it opens with."""

_CHOSEN_IN: dict[Item[str], tuple[Item[Any], ...]] = {
    encode.TEXT: (encode.CHOSEN, encode.CHOSEN_AT, encode.BOUNDARY, encode.LANES_AT),
    compare.TEXT: (compare.AT,),
}
"""Selections within each text, which a new text resets."""


def carry(before: Source, trained: Source) -> None:
    """Open the other pages with a training; `before`: the previous training text.

    Texts typed there and tokenizers chosen there are kept.
    """
    for with_ in (encode.WITH, pipeline.WITH):
        if with_.get() == with_.default:
            with_.set(TRAINED)
    if (compare.LEFT.get(), compare.RIGHT.get()) == (compare.LEFT.default, compare.RIGHT.default):
        compare.LEFT.set(TRAINED)
        compare.RIGHT.set("gpt2")
    for item, longest in _TEXTS.items():
        first = (item.default, *(texts[item] for texts in FIRST_TEXTS.values()))
        if item.get() in (*first, before.text) and len(trained.text) <= longest:
            item.set(trained.text)
            for chosen in _CHOSEN_IN.get(item, ()):
                chosen.set(chosen.default)
