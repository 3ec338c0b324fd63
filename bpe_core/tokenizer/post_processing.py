"""Post-processors of the tokenizers library: groups of tokens, which each step surrounds, numbers or trims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from bpe_core.errors import GET_AGAIN, FormatError, refuse
from bpe_core.language import message
from bpe_core.tokenizer.templates import Slot

MOST_ITEMS = 1_000
"""Maximum number of items in a template, and of ids around a text."""

Json: TypeAlias = Mapping[str, Any]


class LibraryPanicsError(FormatError):
    """A post-processor that makes the library panic instead of encoding.

    >>> template = {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}
    >>> arranged({"type": "Sequence", "processors": [template, template]}, 1)
    Traceback (most recent call last):
        ...
    bpe_core.tokenizer.post_processing.LibraryPanicsError: post_processor.processors[1] gets 0 lists of tokens. ...
    """


class Group(NamedTuple):
    """Special tokens with at most one text among them; the groups of a row are joined in the end.

    slots              its items
    overflow_type_ids  their type ids if the text is an overflowing piece
    special            per item, whether the mask of special tokens shows it
    numbered           items that have a sequence id, by id
    overflow_numbered  the same if the text is an overflowing piece
    trims              per trimming step: whether it leaves an added space, and whether the text starts the group

    >>> text_groups(1)[0].numbered
    {0: range(0, 1)}
    """

    slots: tuple[Slot, ...]
    overflow_type_ids: tuple[int, ...]
    special: tuple[bool, ...]
    numbered: Mapping[int, range]
    overflow_numbered: Mapping[int, range]
    trims: tuple[tuple[bool, bool], ...] = ()


def text_groups(texts: int, *, numbered: bool = True, overflow: bool = True) -> list[Group]:
    """A group per text, before any step. Without a post-processor the library numbers only kept tokens of a pair.

    >>> [group.slots[0].holds for group in text_groups(2)]
    [0, 1]
    """
    found = []
    for at in range(texts):
        own = {at: range(1)}
        found.append(
            Group((Slot(at, at),), (at,), (False,), own if numbered else {}, own if numbered and overflow else {})
        )
    return found


def template_groups(places: Sequence[Slot], texts: Sequence[Group]) -> list[Group]:
    """Groups of a template's items; a text of the template takes the group of that text.

    >>> [len(group.slots) for group in template_groups([Slot("<s>", 0), Slot(0, 0)], text_groups(1))]
    [1, 1]
    """
    found = []
    for slot in places:
        if isinstance(slot.holds, str):
            found.append(Group((slot,), (slot.type_id,), (True,), {}, {}))
        else:
            group = texts[slot.holds]
            typed = tuple(each._replace(type_id=slot.type_id) for each in group.slots)
            own = {**group.numbered, slot.holds: range(len(typed))}
            found.append(group._replace(slots=typed, numbered=own))
    return found


def arranged(post_processor: Json, texts: int, place: str = "post_processor") -> list[Group]:
    """Groups that a post-processor makes of one text or two; its `type` is the one that the library infers.

    Raises LibraryPanicsError, with the place, if a template gets no or more than two lists of tokens, or refers to a
    second text that is missing; FormatError for more than MOST_ITEMS items.

    >>> bert = {"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}
    >>> [slot.holds for group in arranged(bert, 2) for slot in group.slots]
    ['[CLS]', 0, '[SEP]', 1, '[SEP]']
    """
    return _processed(text_groups(texts), post_processor, place)


def added_count(post_processor: Json, texts: int) -> int:
    """Number of special tokens for which truncation leaves room. A step after a template may add more.

    >>> added_count({"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101]}, 2)
    3
    """
    match post_processor["type"]:
        case "Sequence":
            return sum(added_count(each, texts) for each in post_processor["processors"])
        case "TemplateProcessing":
            items = post_processor["pair" if texts == 2 else "single"]
            special = post_processor["special_tokens"]
            return sum(len(special[item["SpecialToken"]["id"]]["ids"]) for item in items if "SpecialToken" in item)
        case "BertProcessing":
            return 1 + texts
        case "RobertaProcessing":
            return 2 * texts
    return 0


def with_trims(post_processor: Json | None, groups: Sequence[Group]) -> list[Group]:
    """Groups with the trimming steps of a post-processor, and no others.

    >>> trimming = {"type": "ByteLevel", "trim_offsets": True, "add_prefix_space": False}
    >>> with_trims(trimming, text_groups(1))[0].trims
    ((False, True),)
    """
    found = list(groups)
    if post_processor is None:
        return found
    if post_processor["type"] == "Sequence":
        for each in post_processor["processors"]:
            found = with_trims(each, found)
    elif post_processor["type"] in ("ByteLevel", "RobertaProcessing") and post_processor["trim_offsets"]:
        adds = post_processor["add_prefix_space"]
        return [
            group._replace(trims=(*group.trims, (adds, bool(group.slots) and isinstance(group.slots[0].holds, int))))
            for group in found
        ]
    return found


def _processed(groups: list[Group], given: Json, place: str) -> list[Group]:
    match given["type"]:
        case "Sequence":
            for at, each in enumerate(given["processors"]):
                groups = _processed(groups, each, f"{place}.processors[{at}]")
        case "TemplateProcessing":
            groups = _templated(groups, given, place)
        case "BertProcessing":
            groups = [_surrounded(group, given, at, roberta=False) for at, group in enumerate(groups)]
        case "RobertaProcessing":
            groups = [_surrounded(group, given, at, roberta=True) for at, group in enumerate(with_trims(given, groups))]
        case "ByteLevel":
            groups = [
                group._replace(numbered={**group.numbered, at: range(len(group.slots))})
                for at, group in enumerate(with_trims(given, groups))
            ]
    if sum(len(group.slots) for group in groups) > MOST_ITEMS:
        refuse(
            message("{place} makes more than {most:,} items.", place=place, most=MOST_ITEMS),
            message("The most allowed is {most:,}.", most=MOST_ITEMS),
        )
    return groups


def _surrounded(group: Group, given: Json, at: int, *, roberta: bool) -> Group:
    """A group between special tokens; its previous content counts as text."""
    sep, cls = (Slot(name, 0, token_id) for name, token_id in (given["sep"], given["cls"]))
    before = () if at and not roberta else (sep if at else cls,)
    after = sep._replace(type_id=0 if roberta else min(at, 1))
    inner = tuple(slot._replace(type_id=0) for slot in group.slots) if roberta else group.slots
    overflow = (0,) * len(inner) if roberta else group.overflow_type_ids
    numbered = {min(at, 1): range(len(before), len(before) + len(inner))}
    return Group(
        (*before, *inner, after),
        (*[0] * len(before), *overflow, after.type_id),
        (*[True] * len(before), *[False] * len(inner), True),
        numbered,
        numbered,
        group.trims,
    )


def _templated(groups: list[Group], given: Json, place: str) -> list[Group]:
    if len(groups) not in (1, 2):
        raise LibraryPanicsError(
            message("{place} gets {lists:,} lists of tokens.", place=place, lists=len(groups)),
            limit=message("A template is for one text or for two."),
            remedy=GET_AGAIN,
        )
    found: list[Group] = []
    for at, item in enumerate(given["pair" if len(groups) == 2 else "single"]):
        [(kind, inner)] = item.items()
        if kind == "SpecialToken":
            token = given["special_tokens"][inner["id"]]
            names = [*token["tokens"], *[inner["id"]] * len(token["ids"])]
            slots = tuple(
                Slot(name, inner["type_id"], token_id) for name, token_id in zip(names, token["ids"], strict=False)
            )
            count = len(slots)
            found.append(Group(slots, (inner["type_id"],) * count, (True,) * count, {}, {}))
            continue
        holds = "AB".index(inner["id"])
        if holds == len(groups):
            raise LibraryPanicsError(
                message("{place}.single[{entry}] is the second text.", place=place, entry=at),
                limit=message("Here there is one text."),
                remedy=GET_AGAIN,
            )
        found += template_groups([Slot(holds, inner["type_id"])], groups)
    return found
