"""Normalizers of tokenizer.json: conversion of chains of steps to and from the tokenizers library's form."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from bpe_core.errors import quoted, refuse
from bpe_core.formats.bpe import bpe_model
from bpe_core.formats.library_normalizers import flat_steps, read_normalizer, write_step
from bpe_core.formats.reading import Json
from bpe_core.huggingface.normalizers import LibraryForm
from bpe_core.language import listed, message
from bpe_core.text.normalizer_settings import standard_chain
from bpe_core.text.normalizers import NORMALIZATIONS, CleanText, Form, Lowercase, Normalizer, StripAccents
from bpe_core.tokenizer.tokenizer import Tokenizer

__all__ = [
    "READ_MARK",
    "EndMark",
    "end_mark",
    "library_steps",
    "read_normalizer",
    "read_normalizers",
    "replace",
]


# Where Python lowercases Σ to ς: after a cased character and not before one, skipping Case_Ignorable characters.
_CASED = r"[\p{Cased}&&[^\p{Case_Ignorable}]]"
_FINAL_SIGMA = rf"{_CASED}\p{{Case_Ignorable}}*\KΣ(?!\p{{Case_Ignorable}}*{_CASED})"
_WORD_ENDS = {"words": r"(?<=\S)(?!\S)", "none": r"(?<=[\s\S])\z"}
_PRIVATE_USE = range(0xE000, 0xF900)
READ_MARK = "</w>"
"""End-of-word mark of a tokenizer read from a file, which has one character for it but no spelling."""


class EndMark(NamedTuple):
    """End-of-word mark in a file: its character, the normalizers that add it, and the ids of tokens with it.

    >>> from bpe_core import TrainConfig, train
    >>> config = TrainConfig(unit="char", split="words", end_of_word="</w>", vocab_size=9)
    >>> mark = end_mark(train("low low", config).tokenizer(), "tokenizer.json")
    >>> mark.char, [step["content"] for step in mark.normalizers], sorted(mark.ids)
    ('\\ue000', ['\\ue001', '\\ue000'], [4, 7])
    """

    char: str
    normalizers: list[Json]
    ids: frozenset[int]


def library_steps(normalizer: Normalizer) -> list[Json]:
    """Steps of a normalizer in the library's form. Raises FormatError for a step that the library lacks.

    >>> from bpe_core import TrainConfig
    >>> config = TrainConfig(normalization="NFKC", strip_accents=True)
    >>> [step["type"] for step in library_steps(config.normalizer)]
    ['NFKC', 'NFD', 'Replace', 'NFC']
    """
    if any(isinstance(step, CleanText) for step in normalizer.steps):
        return [_bert(normalizer)]
    steps: list[Json] = []
    for step in normalizer.steps:
        match step:
            case Form(form):
                steps.append({"type": form})
            case Lowercase(each):
                steps += [*([] if each else [replace(_FINAL_SIGMA, "ς")]), {"type": "Lowercase"}]
            case StripAccents(compose):
                steps += [{"type": "NFD"}, replace(r"\p{Mn}", ""), *([{"type": "NFC"}] if compose else [])]
            case LibraryForm(form):
                steps.append({"type": form})
            case _ if (written := write_step(step)) is not None:
                steps.append(written)
            case _:
                refuse(
                    message("The tokenizer normalizes texts by {step}.", step=quoted(step.name)),
                    message(
                        "Only Unicode forms, lower case and accent stripping can be written as the library's "
                        "normalizers."
                    ),
                    message('Save it as "bpe-lab".'),
                )
    return steps


def _bert(normalizer: Normalizer) -> Json:
    names = [step.name for step in normalizer.steps]
    strips, lowers = "accents" in names, "lower case" in names
    if normalizer != standard_chain(
        "NFD" if strips else "none", lowercase=lowers, strip_accents=strips, clean=True, each=lowers
    ):
        refuse(
            message("The tokenizer drops control characters as BERT does, but its other steps are not BERT's."),
            message("BERT strips accents in the form NFD, and lowercases characters one by one."),
            message('Save it as "bpe-lab".'),
        )
    return {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": False,
        "strip_accents": strips,
        "lowercase": lowers,
    }


def replace(pattern: str, content: str) -> Json:
    """A Replace normalizer for every match of a pattern.

    >>> replace("a", "b")
    {'type': 'Replace', 'pattern': {'Regex': 'a'}, 'content': 'b'}
    """
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def end_mark(tokenizer: Tokenizer, kind: str) -> EndMark | None:
    """Form of the end-of-word mark in a file; None if the tokenizer has none.

    Raises FormatError for byte fallback and for a split whose word ends cannot be written; `kind` names the file.

    >>> from bpe_core import TrainConfig, train
    >>> end_mark(train("low low", TrainConfig(unit="char", split="words")).tokenizer(), "tokenizer.json") is None
    True
    """
    model, split = bpe_model(tokenizer), tokenizer.split.pattern
    base = model.base
    if base.mark_id is None:
        return None
    if split not in _WORD_ENDS or base.byte_ids is not None:
        refuse(
            message(
                "The tokenizer ends words with {mark}, and splits by {split}, with byte fallback.",
                mark=quoted(base.mark),
                split=quoted(split),
            )
            if base.byte_ids is not None
            else message(
                "The tokenizer ends words with {mark}, and splits by {split}.",
                mark=quoted(base.mark),
                split=quoted(split),
            ),
            message(
                "A {kind} marks word ends only for the splits {splits}, and not with byte fallback.",
                kind=kind,
                splits=listed(tuple(_WORD_ENDS)),
            ),
            message('Save it as "bpe-lab".'),
        )
    # The mark is one symbol, and a symbol of the file is one character. Take two characters outside the vocabulary: the
    # first represents the mark; the second replaces the first in texts, where it must stay unknown.
    char, other = [chr(code) for code in _PRIVATE_USE if chr(code) not in base.char_ids][:2]
    ends = {base.mark_id}
    for _, right, token_id in model.merges.rows:
        if right in ends:
            ends.add(token_id)
    return EndMark(char, _mark_steps(char, other, split), frozenset(ends))


def read_normalizers(value: object, place: str, split: str) -> tuple[Normalizer, str]:
    """Read a file's normalizer, and the character of its end-of-word mark or "".

    `split`: the tokenizer's; `place`: for messages. Raises FormatError for an unknown normalizer.

    Normalizers written by BPE Lab become the original chain, all others one step each.

    >>> read_normalizers({"type": "NFKC"}, "normalizer", "gpt2")[0].normalize("ﬁ").text
    'fi'
    """
    steps = [step for _, step in flat_steps(value, place)]
    char = ""
    if len(steps) >= 2 and split in _WORD_ENDS and isinstance(steps[-1].get("content"), str):
        char, other = steps[-1]["content"], steps[-2].get("content")
        if len(char) == 1 and isinstance(other, str) and steps[-2:] == _mark_steps(char, other, split):
            steps = steps[:-2]
        else:
            char = ""
    for form, (lowercase, strip_accents, each) in product(NORMALIZATIONS, product((False, True), repeat=3)):
        known = standard_chain(form, lowercase=lowercase, strip_accents=strip_accents, each=each)
        if steps == library_steps(known):
            return known, char
    return (
        read_normalizer({"type": "Sequence", "normalizers": steps}, place) if char else read_normalizer(value, place)
    ), char


def _mark_steps(char: str, other: str, split: str) -> list[Json]:
    hide = {"type": "Replace", "pattern": {"String": char}, "content": other}
    return [hide, replace(_WORD_ENDS[split], char)]
