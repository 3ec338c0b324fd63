"""Normalizers of tokenizer.json: the stages of TrainConfig in the library's words, and back."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

from bpe_core.config import Normalization
from bpe_core.errors import quoted
from bpe_core.formats.reading import a_flag, a_list, an_object, refuse
from bpe_core.normalize import NORMALIZATIONS, NormalizationSettings
from bpe_core.tokenizer import Tokenizer

Json = dict[str, Any]

# Python's final Σ: behind a cased letter and before none, whatever Case_Ignorable stands between.
_CASED = r"[\p{Cased}&&[^\p{Case_Ignorable}]]"
_FINAL_SIGMA = rf"{_CASED}\p{{Case_Ignorable}}*\KΣ(?!\p{{Case_Ignorable}}*{_CASED})"
_WORD_ENDS = {"words": r"(?<=\S)(?!\S)", "none": r"(?<=[\s\S])\z"}
_PRIVATE_USE = range(0xE000, 0xF900)
READ_MARK = "</w>"
"""The end-of-word mark of a tokenizer that is read: the file holds a sign in its place, not its name."""


class Stages(NamedTuple):
    """What stands before the split, and the end-of-word mark."""

    normalization: Normalization
    lowercase: bool
    strip_accents: bool
    end_of_word: str = ""
    clean: bool = False
    lowercase_each: bool = False


class Marks(NamedTuple):
    """An end-of-word mark in a file: the one character that stands for it, what adds it, and the ids that hold it."""

    sign: str
    normalizers: list[Json]
    ids: frozenset[int]


def normalizers(config: NormalizationSettings) -> list[Json]:
    """The stages as the library's normalizers, in order.

    >>> from bpe_core import TrainConfig
    >>> [step["type"] for step in normalizers(TrainConfig(normalization="NFKC", strip_accents=True))]
    ['NFKC', 'NFD', 'Replace', 'NFC']
    """
    steps: list[Json] = []
    each = bool(getattr(config, "lowercase_each", False))
    if getattr(config, "clean", False):
        return [_bert(config, each)]
    if config.normalization != "none":
        steps.append({"type": config.normalization})
    if config.lowercase:
        steps += [*([] if each else [replace(_FINAL_SIGMA, "ς")]), {"type": "Lowercase"}]
    if config.strip_accents:
        steps += [{"type": "NFD"}, replace(r"\p{Mn}", "")]
        steps += [] if config.normalization in ("NFD", "NFKD") else [{"type": "NFC"}]
    return steps


def _bert(config: NormalizationSettings, each: bool) -> Json:
    form = "NFD" if config.strip_accents else "none"
    if config.normalization != form or (config.lowercase and not each):
        refuse(
            "The tokenizer drops control characters as BERT does, and then normalizes otherwise.",
            "BERT strips accents in the form NFD, and makes characters lower case one by one.",
            'Save it as "bpe-lab".',
        )
    return {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": False,
        "strip_accents": config.strip_accents,
        "lowercase": config.lowercase,
    }


def replace(pattern: str, content: str) -> Json:
    """A normalizer that replaces every match of a pattern.

    >>> replace("a", "b")
    {'type': 'Replace', 'pattern': {'Regex': 'a'}, 'content': 'b'}
    """
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}


def end_marks(tokenizer: Tokenizer, kind: str) -> Marks | None:
    """How the end-of-word mark is written; None where there is none. FormatError where words have no end to see."""
    base, split = tokenizer.base, tokenizer.config.split
    if base.mark_id is None:
        return None
    if split not in _WORD_ENDS or base.byte_ids is not None:
        refuse(
            f"The tokenizer ends words with {quoted(base.mark)}, and splits by {quoted(split)}"
            f"{', with byte fallback' if base.byte_ids is not None else ''}.",
            f"A {kind} can mark the ends of words of the splits {' and '.join(_WORD_ENDS)}, without byte fallback.",
            'Save it as "bpe-lab".',
        )
    # The mark is a symbol of its own; here every symbol is one character. Two that no text of the training holds:
    # one stands for the mark, the other for the first one where a text holds it, unknown both.
    sign, other = [chr(code) for code in _PRIVATE_USE if chr(code) not in base.char_ids][:2]
    ends = {base.mark_id}
    for _, right, token_id in tokenizer.merges.rows:
        if right in ends:
            ends.add(token_id)
    return Marks(sign, _mark_steps(sign, other, split), frozenset(ends))


def read_normalizers(value: object, place: str, split: str) -> tuple[Stages, str]:
    """The stages of a normalizer, and the sign of the end-of-word mark or "". FormatError for any other normalizer."""
    steps = _flat(value, place)
    sign = ""
    if len(steps) >= 2 and split in _WORD_ENDS and isinstance(steps[-1].get("content"), str):
        sign, other = steps[-1]["content"], steps[-2].get("content")
        if len(sign) == 1 and isinstance(other, str) and steps[-2:] == _mark_steps(sign, other, split):
            steps = steps[:-2]
        else:
            sign = ""
    if len(steps) == 1 and steps[0]["type"] == "BertNormalizer" and not sign:
        return _read_bert(steps[0], place), ""
    for form, lowercase, strip_accents, each in product(NORMALIZATIONS, *[(False, True)] * 3):
        mark = READ_MARK if sign else ""
        stages = Stages(form, lowercase, strip_accents, mark, False, each and lowercase)  # type: ignore[arg-type]
        if steps == normalizers(stages):
            return stages, sign
    kinds = [step["type"] for step in steps]
    refuse(
        f"{place} is {quoted(', '.join(map(str, kinds)))}, which BPE Lab cannot do as it stands.",
        "It normalizes to a Unicode form, then to lower case and without accents, as a file that it writes says.",
        "Use the file with the tokenizers library.",
    )


def _read_bert(step: Json, place: str) -> Stages:
    """BERT's normalizer; the Chinese characters that it sets apart are the split's (see chinese_apart)."""
    lowercase = a_flag(f"{place}.lowercase", step.get("lowercase", True))
    given = step.get("strip_accents")
    strip = lowercase if given is None else a_flag(f"{place}.strip_accents", given)
    clean = a_flag(f"{place}.clean_text", step.get("clean_text", True))
    return Stages("NFD" if strip else "none", lowercase, strip, "", clean, lowercase)


def chinese_apart(value: object, place: str) -> bool:
    """Whether a normalizer sets every Chinese character apart as a word.

    >>> chinese_apart({"type": "BertNormalizer", "handle_chinese_chars": True}, "normalizer")
    True
    """
    steps = _flat(value, place)
    bert = len(steps) == 1 and steps[0]["type"] == "BertNormalizer"
    return bert and a_flag(f"{place}.handle_chinese_chars", steps[0].get("handle_chinese_chars", True))


def _mark_steps(sign: str, other: str, split: str) -> list[Json]:
    hide = {"type": "Replace", "pattern": {"String": sign}, "content": other}
    return [hide, replace(_WORD_ENDS[split], sign)]


def _flat(value: object, place: str) -> list[Json]:
    if value is None:
        return []
    step = an_object(place, value, ("type",))
    if step["type"] != "Sequence":
        return [step]
    parts = a_list(f"{place}.normalizers", step.get("normalizers"), 20)
    return [an_object(f"{place}.normalizers[{at}]", part, ("type",)) for at, part in enumerate(parts)]
