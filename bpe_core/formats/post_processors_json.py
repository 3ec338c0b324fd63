"""Post-processors of tokenizer.json, read as templates; its truncation and padding, only preserved.

A template here corresponds to the library's add_special_tokens=True. A file's settings are checked and written back
unchanged. Their effects beyond ids and type ids apply to batches (`bpe_core/tokenizer/post_processing.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bpe_core.errors import FormatError, quoted, refuse
from bpe_core.formats.json_parts import one_of, parts_of
from bpe_core.formats.reading import Json, a_flag, a_list, a_text, an_id, an_object, wrong
from bpe_core.language import counted, listed, message
from bpe_core.tokenizer.post_processing import MOST_ITEMS, LibraryPanicsError, arranged
from bpe_core.tokenizer.special_tokens import HIGHEST_ID
from bpe_core.tokenizer.templates import HIGHEST_TYPE_ID, NO_TEMPLATE, Slot, Template

_DIRECTIONS = ("Left", "Right")
_HIGHEST_32 = 2**32 - 1
_HIGHEST_64 = 2**64 - 1


def read_post_processor(value: object, place: str = "post_processor") -> tuple[Template, Json | None]:
    """Read a post-processor as a template; also return the original, for writing it back.

    Preserves the keys that the library ignores. The type of the result is the one that the library infers from the
    other keys, so that a BertProcessing may name any type, or none. Raises FormatError, with the place, for input that
    the library rejects, or that crashes its process both for one text and for two, such as a template with an unlisted
    special token. If it crashes for only one of these, that part of the template is None.

    >>> read_post_processor({"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]})[0].single
    (Slot(holds='[CLS]', type_id=0, id=101), Slot(holds=0, type_id=0, id=None), Slot(holds='[SEP]', ...))
    >>> read_post_processor(None)
    (Template(single='$A:0', pair='$A:0 $B:1'), None)
    """
    if value is None:
        return NO_TEMPLATE, None
    kept = _checked(value, place, 0)
    parts: list[str | tuple[Slot, ...] | None] = []
    for texts in (1, 2):
        try:
            parts.append(_template_part(kept, texts, place))
        except LibraryPanicsError:
            if parts == [None]:
                raise
            parts.append(None)
    return Template(*parts), kept


def read_truncation(value: object, place: str = "truncation") -> Json | None:
    """The validated truncation of a file, or None. Raises FormatError with the place.

    >>> read_truncation({"max_length": 192, "strategy": "LongestFirst", "stride": 0})
    {'max_length': 192, 'strategy': 'LongestFirst', 'stride': 0}
    """
    if value is None:
        return None
    kept = an_object(place, value, ("max_length", "strategy", "stride"))
    one_of(f"{place}.direction", kept.get("direction", "Right"), _DIRECTIONS)
    one_of(f"{place}.strategy", kept["strategy"], ("LongestFirst", "OnlyFirst", "OnlySecond"))
    an_id(f"{place}.max_length", kept["max_length"], _HIGHEST_64)
    an_id(f"{place}.stride", kept["stride"], _HIGHEST_64)
    return kept


def read_padding(value: object, place: str = "padding") -> Json | None:
    """The validated padding of a file, or None. Raises FormatError with the place.

    >>> read_padding({"strategy": "BatchLongest"})
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: padding lacks 'direction'. ...
    """
    if value is None:
        return None
    kept = an_object(place, value, ("strategy", "direction", "pad_id", "pad_type_id", "pad_token"))
    one_of(f"{place}.direction", kept["direction"], _DIRECTIONS)
    strategy = kept["strategy"]
    if isinstance(strategy, dict):
        fixed = an_object(f"{place}.strategy", strategy, ("Fixed",), only=True)
        an_id(f"{place}.strategy.Fixed", fixed["Fixed"], _HIGHEST_64)
    else:
        one_of(f"{place}.strategy", strategy, ("BatchLongest",))
    if kept.get("pad_to_multiple_of") is not None:
        an_id(f"{place}.pad_to_multiple_of", kept["pad_to_multiple_of"], _HIGHEST_64)
    an_id(f"{place}.pad_id", kept["pad_id"], _HIGHEST_32)
    an_id(f"{place}.pad_type_id", kept["pad_type_id"], _HIGHEST_32)
    a_text(f"{place}.pad_token", kept["pad_token"])
    return kept


def describe_settings(kept: Mapping[str, Any]) -> list[str]:
    """Descriptions of a file's settings that are preserved but not applied here (`Tokenizer.kept`).

    >>> describe_settings({"dropout": 0.1})
    ['The file asks for a dropout of 0.1, for training language models; here no merge is ever left out.']
    """
    sentences = [kept[each] for each in ("dictionary", "normalization") if each in kept]
    if "truncation" in kept:
        sentences.append(describe_truncation(kept["truncation"]))
    if "padding" in kept:
        sentences.append(describe_padding(kept["padding"]))
    if "dropout" in kept:
        sentences.append(
            message(
                "The file asks for a dropout of {dropout:g}, for training language models; here no merge is ever "
                "left out.",
                dropout=kept["dropout"],
            )
        )
    return sentences


def describe_truncation(truncation: Json) -> str:
    """Description of a truncation from `read_truncation`.

    >>> describe_truncation({"max_length": 192, "strategy": "LongestFirst", "stride": 0})
    "Texts are truncated to 192 tokens when the file's own library encodes them; here they are not."
    """
    return counted(
        "Texts are truncated to {count:,} token when the file's own library encodes them; here they are not.",
        "Texts are truncated to {count:,} tokens when the file's own library encodes them; here they are not.",
        truncation["max_length"],
    )


def describe_padding(padding: Json) -> str:
    """Description of a padding from `read_padding`.

    >>> describe_padding({"strategy": {"Fixed": 192}, "pad_token": "[PAD]"})
    "Texts are padded to 192 tokens with '[PAD]' when the file's own library encodes them; here they are not."
    """
    strategy = padding["strategy"]
    multiple = padding.get("pad_to_multiple_of")
    if isinstance(strategy, dict):
        size = counted("{count:,} token", "{count:,} tokens", strategy["Fixed"])
    else:
        size = message("the longest text of a batch")
    token = quoted(padding["pad_token"])
    if not multiple:
        return message(
            "Texts are padded to {size} with {token} when the file's own library encodes them; here they are not.",
            size=size,
            token=token,
        )
    return message(
        "Texts are padded to {size}, and on to a multiple of {multiple:,}, with {token} when the file's own library "
        "encodes them; here they are not.",
        size=size,
        multiple=multiple,
        token=token,
    )


# -- post-processors -----------------------------------------------------------------------------------------------


def _template_part(kept: Json, texts: int, place: str) -> str | tuple[Slot, ...]:
    """Items around one text or two, in Template's notation if they are exactly the texts, once each."""
    found = [slot for group in arranged(kept, texts, place) for slot in group.slots]
    holds = [slot.holds for slot in found if isinstance(slot.holds, int) and slot.type_id <= HIGHEST_TYPE_ID]
    if len(holds) == len(found) and sorted(holds) == [*range(texts)]:
        return " ".join(f"{'$B' if slot.holds else '$A'}:{slot.type_id}" for slot in found)
    return tuple(found)


def _checked(value: object, place: str, depth: int) -> Json:
    """A post-processor with the type that the library reads it as: the first that its other fields allow."""
    given = an_object(place, value)
    named = given.get("type")
    problem: FormatError | None = None
    for kind, check in _CHECKS.items():
        if kind != named and (kind in ("ByteLevel", "Sequence") or not _KEYS[kind] <= given.keys()):
            continue
        try:
            checked = check(given, place, depth)
        except FormatError as error:
            problem = error if problem is None or kind == named else problem
        else:
            return checked if kind == named else {**checked, "type": kind}
    if problem is not None:
        raise problem
    named = an_object(place, given, ("type",))["type"]
    wrong(f"{place}.type", named, message("Known: {known}.", known=listed([*_CHECKS], last="")))


def _check_sequence(given: Json, place: str, depth: int) -> Json:
    steps = [*parts_of(given, place, "processors", depth)]
    checked = [_checked(part, at, depth + 1) for at, part in steps]
    return given if checked == [part for _, part in steps] else {**given, "processors": checked}


def _check_byte_level(given: Json, place: str, _depth: int) -> Json:
    an_object(place, given, ("type", "add_prefix_space", "trim_offsets"))
    for key in ("add_prefix_space", "trim_offsets", "use_regex"):
        a_flag(f"{place}.{key}", given.get(key, True))
    return given


def _check_ends(given: Json, place: str, _depth: int) -> Json:
    an_object(place, given, ("sep", "cls"))
    for key in ("sep", "cls"):
        pair = a_list(f"{place}.{key}", given[key], 2)
        if len(pair) != 2:
            refuse(
                message("{place}.{key} is {value}.", place=place, key=key, value=quoted(pair)),
                message("It is a special token and its id."),
            )
        a_text(f"{place}.{key}[0]", pair[0])
        an_id(f"{place}.{key}[1]", pair[1], HIGHEST_ID)
    return given


def _check_roberta(given: Json, place: str, depth: int) -> Json:
    """The library treats one without these flags, as in old files, as BertProcessing."""
    an_object(place, given, ("trim_offsets", "add_prefix_space"))
    for key in ("trim_offsets", "add_prefix_space"):
        a_flag(f"{place}.{key}", given[key])
    return _check_ends(given, place, depth)


def _check_template(given: Json, place: str, _depth: int) -> Json:
    an_object(place, given, ("single", "pair", "special_tokens"))
    special = given["special_tokens"]
    _check_special(special, f"{place}.special_tokens")
    for key in ("single", "pair"):
        for at, item in enumerate(a_list(f"{place}.{key}", given[key], MOST_ITEMS)):
            _check_item(item, f"{place}.{key}[{at}]", special)
    return given


_CHECKS: dict[str, Callable[[Json, str, int], Json]] = {
    "RobertaProcessing": _check_roberta,
    "BertProcessing": _check_ends,
    "ByteLevel": _check_byte_level,
    "TemplateProcessing": _check_template,
    "Sequence": _check_sequence,
}
"""Checks by type, in the order in which the library tries these; only ByteLevel and Sequence need their type."""

_KEYS = {
    "RobertaProcessing": {"sep", "cls", "trim_offsets", "add_prefix_space"},
    "BertProcessing": {"sep", "cls"},
    "TemplateProcessing": {"single", "pair", "special_tokens"},
}


def _check_special(value: object, place: str) -> None:
    for name, entry in an_object(place, value).items():
        each = f"{place}[{quoted(name)}]"
        an_object(each, entry, ("id", "ids", "tokens"))
        a_text(each, name)
        a_text(f"{each}.id", entry["id"])
        for token_id in a_list(f"{each}.ids", entry["ids"], MOST_ITEMS):
            an_id(f"{each}.ids", token_id, HIGHEST_ID)
        for text in a_list(f"{each}.tokens", entry["tokens"], MOST_ITEMS):
            a_text(f"{each}.tokens", text)


def _check_item(value: object, place: str, special: Json) -> None:
    """Check an item of a template: a text or a special token, and its type id."""
    item = an_object(place, value)
    if len(item) != 1 or not {*item} <= {"Sequence", "SpecialToken"}:
        refuse(
            message("{place} has {keys}.", place=place, keys=quoted(sorted(item))),
            message("It has Sequence or SpecialToken."),
        )
    [(kind, given)] = item.items()
    inner = an_object(f"{place}.{kind}", given, ("id", "type_id"))
    an_id(f"{place}.{kind}.type_id", inner["type_id"], _HIGHEST_32)
    name = a_text(f"{place}.{kind}.id", inner["id"])
    if kind == "Sequence":
        one_of(f"{place}.{kind}.id", name, ("A", "B"))
    elif name not in special:
        refuse(
            message("{place} is the special token {token}.", place=place, token=quoted(name)),
            message("special_tokens does not list it."),
        )
