"""Normalizers of tokenizer.json: every type of the tokenizers library, one to one with a step."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import cast

from bpe_core.errors import quoted, refuse
from bpe_core.formats.json_parts import a_pattern, typed
from bpe_core.formats.reading import Json, a_flag, a_list, a_text, an_object, at_most, from_base64, made
from bpe_core.huggingface import normalizers as steps
from bpe_core.huggingface.bert_normalizer import BertNormalizer
from bpe_core.huggingface.precompiled import Precompiled
from bpe_core.language import listed, message
from bpe_core.text.normalization import UnicodeForm
from bpe_core.text.normalizers import Chain, Lowercase, Step

MOST_STEPS = 200
"""Maximum number of steps in a normalizer, and of sequences."""

LONGEST_CONTENT = 1_000
"""Maximum number of characters that a step inserts at one place."""


def read_normalizer(value: object, place: str) -> Chain:
    """Read the normalizer of any file: one step for each of the library's, with sequences flattened.

    `place` is for messages. Raises FormatError for a type that the library lacks, and for invalid or missing keys.

    >>> llama = [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]
    >>> read_normalizer({"type": "Sequence", "normalizers": llama}, "normalizer").normalize("a b").text
    '▁a▁b'
    """
    return Chain(tuple(_read_step(step, at) for at, step in flat_steps(value, place)))


def flat_steps(value: object, place: str) -> list[tuple[str, Json]]:
    """Flatten a normalizer's nested sequences to its steps, with their places.

    >>> flat_steps({"type": "Sequence", "normalizers": [{"type": "NFC"}]}, "normalizer")
    [('normalizer.normalizers[0]', {'type': 'NFC'})]
    """
    if value is None:
        return []
    found: list[tuple[str, Json]] = []
    waiting: list[tuple[str, object]] = [(place, value)]
    sequences = 0
    while waiting:
        at, each = waiting.pop()
        kind, step = typed(at, each, _TYPES, _UNTYPED, lambda kind, given: _UNTYPED_READERS[kind](given, place))
        if kind != "Sequence":
            named = "BertNormalizer" if kind == "Bert" else kind
            found.append((at, step if named in ("", step.get("type")) else {**step, "type": named}))
            continue
        inner = a_list(f"{at}.normalizers", step.get("normalizers"), MOST_STEPS)
        waiting += reversed([(f"{at}.normalizers[{i}]", part) for i, part in enumerate(inner)])
        sequences += 1
        if len(found) + len(waiting) + sequences > 2 * MOST_STEPS:
            refuse(
                message("{place} has more than {most:,} steps.", place=place, most=MOST_STEPS),
                message("The most allowed is {most:,}.", most=MOST_STEPS),
            )
    return found


def write_step(step: Step) -> Json | None:
    """A step in the library's form; None if the library lacks it.

    >>> write_step(steps.Strip())
    {'type': 'Strip', 'strip_left': True, 'strip_right': True}
    """
    match step:
        case steps.LibraryForm(form):
            return {"type": form}
        case Lowercase(each=True):
            return {"type": "Lowercase"}
        case steps.Prepend(text):
            return {"type": "Prepend", "prepend": text}
        case steps.Replace(pattern, content, is_regex, spelling):
            given = {"Regex": spelling or pattern} if is_regex else {"String": pattern}
            return {"type": "Replace", "pattern": given, "content": content}
        case steps.Strip(left, right):
            return {"type": "Strip", "strip_left": left, "strip_right": right}
        case steps.DropMarks():
            return {"type": "StripAccents"}
        case steps.Nmt():
            return {"type": "Nmt"}
        case steps.ByteLevelNormalizer():
            return {"type": "ByteLevel"}
        case Precompiled(charsmap):
            return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()}
        case BertNormalizer():
            return {"type": "BertNormalizer", **{key: getattr(step, key) for key in _BERT}}
    return None


_BERT = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")


def _read_step(step: Json, place: str) -> Step:
    kind = an_object(place, step, ("type",))["type"]
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        refuse(
            message("{place}.type is {kind}, which is not known.", place=place, kind=quoted(kind)),
            message(
                "Normalizers of the tokenizers library are {known}.", known=listed(["Sequence", *_READERS], last="")
            ),
        )
    return read(step, place)


def _read_form(step: Json, _place: str) -> Step:
    return steps.LibraryForm(cast("UnicodeForm", step["type"]))


def _read_prepend(step: Json, place: str) -> Step:
    return steps.Prepend(_content(f"{place}.prepend", step.get("prepend")))


def _read_replace(step: Json, place: str) -> Step:
    content = _content(f"{place}.content", step.get("content"))
    at, spelling, pattern = a_pattern(f"{place}.pattern", step.get("pattern"))
    if pattern is None:
        return steps.Replace(spelling, content)
    return made(at, lambda: steps.Replace(pattern, content, True, "" if pattern == spelling else spelling))


def _read_strip(step: Json, place: str) -> Step:
    left, right = (a_flag(f"{place}.{key}", step.get(key)) for key in ("strip_left", "strip_right"))
    return steps.Strip(left, right)


def _read_bert(step: Json, place: str) -> Step:
    needed = _UNTYPED["BertNormalizer"]
    an_object(place, step, needed)
    accents = step.get("strip_accents")
    clean, apart, lower = (a_flag(f"{place}.{key}", step[key]) for key in needed)
    return BertNormalizer(clean, apart, None if accents is None else a_flag(f"{place}.strip_accents", accents), lower)


def _read_precompiled(step: Json, place: str) -> Step:
    place = f"{place}.precompiled_charsmap"
    charsmap = from_base64(place, step.get("precompiled_charsmap"))
    return made(place, lambda: Precompiled(charsmap))


def _content(place: str, value: object) -> str:
    content = a_text(place, value)
    at_most(
        len(content),
        LONGEST_CONTENT,
        message("{place} has {characters:,} characters.", place=place, characters=len(content)),
    )
    return content


_READERS: dict[str, Callable[[Json, str], Step]] = {
    "BertNormalizer": _read_bert,
    "Strip": _read_strip,
    "StripAccents": lambda _step, _place: steps.DropMarks(),
    "NFC": _read_form,
    "NFD": _read_form,
    "NFKC": _read_form,
    "NFKD": _read_form,
    "Lowercase": lambda _step, _place: Lowercase(each=True),
    "Nmt": lambda _step, _place: steps.Nmt(),
    "Precompiled": _read_precompiled,
    "Replace": _read_replace,
    "Prepend": _read_prepend,
    "ByteLevel": lambda _step, _place: steps.ByteLevelNormalizer(),
}

_UNTYPED = {
    "BertNormalizer": (*_BERT[:2], _BERT[3]),
    "Strip": ("strip_left", "strip_right"),
    "Sequence": ("normalizers",),
    "Precompiled": ("precompiled_charsmap",),
    "Replace": ("pattern", "content"),
    "Prepend": ("prepend",),
}
"""Normalizers that the library recognizes by their keys, in its order."""

_UNTYPED_READERS: dict[str, Callable[[Json, str], object]] = {
    **_READERS,
    "Sequence": lambda step, place: a_list(place, step["normalizers"], MOST_STEPS),
}

_TYPES = {*_READERS, "Bert", "Sequence"} - {"BertNormalizer"}
"""The library's own names; BertNormalizer, which is called Bert there, is recognized by its keys."""
