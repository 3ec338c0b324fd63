"""Post-processors of tokenizer.json, read as templates; its truncation and padding, only preserved.

A template here corresponds to the library's add_special_tokens=True. A file's settings are checked and written back
unchanged: `trim_offsets` and `add_prefix_space` change the offsets of a batch's rows (`offset_trims.py`), never ids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from bpe_core.errors import quoted, refuse
from bpe_core.formats.json_parts import one_of, parts_of
from bpe_core.formats.reading import Json, a_flag, a_list, a_text, an_id, an_object, at_most, wrong
from bpe_core.language import counted, message
from bpe_core.tokenizer.special_tokens import HIGHEST_ID
from bpe_core.tokenizer.templates import HIGHEST_TYPE_ID, NO_TEMPLATE, Slot, Template

Groups: TypeAlias = list[list[Slot]]
"""Data passed between post-processors: first a list per text, then one per item of a template."""

Processor: TypeAlias = Callable[[Groups], Groups]

MOST_ITEMS = 1_000
"""Maximum number of items in a template, and of ids around a text."""

_DIRECTIONS = ("Left", "Right")
_HIGHEST_32 = 2**32 - 1
_HIGHEST_64 = 2**64 - 1


def read_post_processor(value: object, place: str = "post_processor") -> tuple[Template, Json | None]:
    """Read a post-processor as a template; also return the original, for writing it back.

    Preserves the keys that the library ignores. Raises FormatError, with the place, for input that the library rejects
    or that crashes its process, such as a template with an unlisted special token.

    >>> read_post_processor({"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]})[0].single
    (Slot(holds='[CLS]', type_id=0, id=101, ...), Slot(holds=0, type_id=0, ...), Slot(holds='[SEP]', type_id=0, ...))
    >>> read_post_processor(None)
    (Template(single='$A:0', pair='$A:0 $B:1'), None)
    """
    if value is None:
        return NO_TEMPLATE, None
    kept = an_object(place, value)
    process = _processor(kept, place, 0)
    single, pair = ([slot for group in process(texts) for slot in group] for texts in (_texts(1), _texts(2)))
    return Template(_written(single, pair=False), _written(pair, pair=True)), kept


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


def _texts(count: int) -> Groups:
    """Initial groups: one slot per text, the second with type id 1."""
    return [[Slot(at, at)] for at in range(count)]


def _written(found: list[Slot], *, pair: bool) -> str | tuple[Slot, ...]:
    """Slots in Template's notation if they are exactly the texts, once each; otherwise the slots."""
    texts = [slot.holds for slot in found]
    known = all(slot.type_id <= HIGHEST_TYPE_ID and slot.overflow_type_id is None for slot in found)
    if known and set(texts) == set(range(1 + pair)) and len(texts) == 1 + pair:
        return " ".join(f"{'$B' if slot.holds else '$A'}:{slot.type_id}" for slot in found)
    return tuple(found)


def _processor(value: object, place: str, depth: int) -> Processor:
    given = an_object(place, value, ("type",))
    match one_of(f"{place}.type", given["type"], _KINDS):
        case "TemplateProcessing":
            return _template(given, place)
        case "BertProcessing":
            return _bert(given, place)
        case "RobertaProcessing":
            # The library treats one without these flags, as in old files, as BertProcessing.
            flags = [key in given for key in ("trim_offsets", "add_prefix_space")]
            return _roberta(given, place) if all(flags) else _bert(given, place)
        case "ByteLevel":
            an_object(place, given, ("type", "add_prefix_space", "trim_offsets"))
            for key in ("add_prefix_space", "trim_offsets", "use_regex"):
                a_flag(f"{place}.{key}", given.get(key, True))
            return lambda groups: groups
        case _:
            return _sequence(given, place, depth)


_KINDS = ("TemplateProcessing", "BertProcessing", "RobertaProcessing", "ByteLevel", "Sequence")


def _sequence(given: Json, place: str, depth: int) -> Processor:
    steps = [_processor(part, at, depth + 1) for at, part in parts_of(given, place, "processors", depth)]

    def process(groups: Groups) -> Groups:
        for step in steps:
            groups = step(groups)
            _check_size(place, groups)
        return groups

    return process


def _bert(given: Json, place: str) -> Processor:
    sep, cls = _ends(given, place)

    def process(groups: Groups) -> Groups:
        return [[*([] if at else [cls]), *group, sep._replace(type_id=min(at, 1))] for at, group in enumerate(groups)]

    return process


def _roberta(given: Json, place: str) -> Processor:
    sep, cls = _ends(given, place)
    for key in ("trim_offsets", "add_prefix_space"):
        a_flag(f"{place}.{key}", given[key])

    def process(groups: Groups) -> Groups:
        texts = [[slot._replace(type_id=0, overflow_type_id=0) for slot in group] for group in groups]
        return [[sep if at else cls, *text, sep] for at, text in enumerate(texts)]

    return process


def _ends(given: Json, place: str) -> tuple[Slot, Slot]:
    """The special tokens `sep` and `cls`, with type id 0."""
    an_object(place, given, ("type", "sep", "cls"))
    found = []
    for key in ("sep", "cls"):
        pair = a_list(f"{place}.{key}", given[key], 2)
        if len(pair) != 2:
            wrong(f"{place}.{key}", pair, message("It is a special token and its id."))
        found.append(Slot(a_text(f"{place}.{key}[0]", pair[0]), 0, an_id(f"{place}.{key}[1]", pair[1], HIGHEST_ID)))
    return found[0], found[1]


def _template(given: Json, place: str) -> Processor:
    an_object(place, given, ("type", "single", "pair", "special_tokens"))
    special = _special(given["special_tokens"], f"{place}.special_tokens")
    single, pair = (
        [
            _item(item, f"{place}.{key}[{at}]", special)
            for at, item in enumerate(a_list(f"{place}.{key}", given[key], MOST_ITEMS))
        ]
        for key in ("single", "pair")
    )

    def process(groups: Groups) -> Groups:
        if len(groups) not in (1, 2):
            refuse(
                message("{place} gets {lists:,} lists of tokens.", place=place, lists=len(groups)),
                message("A template is for one text or for two."),
            )
        found: Groups = []
        for at, (holds, type_id) in enumerate(pair if len(groups) == 2 else single):
            if isinstance(holds, list):
                found.append([slot._replace(type_id=type_id) for slot in holds])
                continue
            if holds == len(groups):
                refuse(
                    message("{place}.single[{entry}] is the second text.", place=place, entry=at),
                    message("Here there is one text."),
                )
            found.append([slot._replace(type_id=type_id) for slot in groups[holds]])
        _check_size(place, found)
        return found

    return process


def _special(value: object, place: str) -> dict[str, list[Slot]]:
    """Special tokens of a template by name: one Slot per id, with the file's token for it."""
    found: dict[str, list[Slot]] = {}
    for name, entry in an_object(place, value).items():
        each = f"{place}[{quoted(name)}]"
        an_object(each, entry, ("id", "ids", "tokens"))
        a_text(f"{each}.id", entry["id"])
        ids = a_list(f"{each}.ids", entry["ids"], MOST_ITEMS)
        texts = [a_text(f"{each}.tokens", text) for text in a_list(f"{each}.tokens", entry["tokens"], MOST_ITEMS)]
        texts += [a_text(each, name)] * (len(ids) - len(texts))
        found[name] = [
            Slot(text, 0, an_id(f"{each}.ids", token_id, HIGHEST_ID))
            for text, token_id in zip(texts, ids, strict=False)
        ]
    return found


def _item(value: object, place: str, special: dict[str, list[Slot]]) -> tuple[int | list[Slot], int]:
    """Read an item of a template: the number of a text or the slots of a special token, and the type id."""
    item = an_object(place, value)
    if len(item) != 1 or not {*item} <= {"Sequence", "SpecialToken"}:
        refuse(
            message("{place} has {keys}.", place=place, keys=quoted(sorted(item))),
            message("It has Sequence or SpecialToken."),
        )
    [(kind, given)] = item.items()
    inner = an_object(f"{place}.{kind}", given, ("id", "type_id"))
    type_id = an_id(f"{place}.{kind}.type_id", inner["type_id"], _HIGHEST_32)
    name = a_text(f"{place}.{kind}.id", inner["id"])
    if kind == "Sequence":
        one_of(f"{place}.{kind}.id", name, ("A", "B"))
        return "AB".index(name), type_id
    if name not in special:
        refuse(
            message("{place} is the special token {token}.", place=place, token=quoted(name)),
            message("special_tokens does not list it."),
        )
    return special[name], type_id


def _check_size(place: str, groups: Groups) -> None:
    at_most(
        sum(map(len, groups)),
        MOST_ITEMS,
        message("{place} makes more than {most:,} items.", place=place, most=MOST_ITEMS),
    )
