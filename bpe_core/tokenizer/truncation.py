"""Truncation: the kept tokens of one text or two, and the overflowing pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from bpe_core import checks
from bpe_core.errors import ConfigError
from bpe_core.language import counted, message

Side = Literal["left", "right"]
SIDES = ("right", "left")

Strategy = Literal["longest_first", "only_first", "only_second"]
STRATEGIES = ("longest_first", "only_first", "only_second")

HIGHEST_LENGTH = 1_000_000
"""Largest length to truncate or pad to, in ids."""


class Truncation(NamedTuple):
    """Settings of truncation, with the names of the tokenizers library.

    max_length  limit on the ids of a text or a pair, special tokens of the template included
    side        end at which tokens are removed: "right" or "left"
    strategy    text of a pair to shorten: the longer ("longest_first", until equal), "only_first" or "only_second"
    stride      number of tokens that each overflowing piece shares with the previous piece

    >>> Truncation(4).side
    'right'
    """

    max_length: int
    side: Side = "right"
    strategy: Strategy = "longest_first"
    stride: int = 0


def kept_parts(lengths: Sequence[int], truncation: Truncation | None, special: int) -> list[list[range]]:
    """For each text the kept tokens, then those of every overflowing piece, in order.

    lengths: number of tokens of each text, one or two. special: number of ids that the template adds.

    Raises ConfigError for an impossible length, side, strategy or stride, and if the only text that the strategy
    shortens is too short.

    >>> kept_parts([5], Truncation(4, stride=1), special=1)
    [[range(0, 3), range(2, 5)]]
    >>> kept_parts([5, 1], Truncation(4), special=0)
    [[range(0, 3), range(3, 5)], [range(0, 1)]]
    """
    if truncation is None:
        return [[range(length)] for length in lengths]
    room = _room(truncation, special)
    sizes = _sizes(lengths, room, truncation.strategy)
    return [_parts(length, size, truncation) for length, size in zip(lengths, sizes, strict=True)]


def _room(truncation: Truncation, special: int) -> int:
    """Number of ids left for texts. Raises ConfigError for settings that cannot truncate any text."""
    checks.instance(truncation, "truncation", Truncation, message("a Truncation, or None"))
    most = checks.whole_number(truncation.max_length, "max_length", 1, HIGHEST_LENGTH)
    checks.choice(truncation.side, "side", SIDES)
    checks.choice(truncation.strategy, "strategy", STRATEGIES)
    stride = checks.whole_number(truncation.stride, "stride", 0, HIGHEST_LENGTH)
    if most < special:
        raise ConfigError(
            message("max_length is {most:,}.", most=most),
            limit=message("The template alone adds {special:,} special tokens.", special=special),
            remedy=message("Ask for at least {least:,}.", least=special + 1),
        )
    if stride and stride >= most - special:
        raise _stride_error(stride, most - special)
    return most - special


def _stride_error(stride: int, room: int) -> ConfigError:
    return ConfigError(
        message("stride is {stride:,}.", stride=stride),
        limit=counted(
            "A piece has room for {count:,} token of a text, and shares fewer than that.",
            "A piece has room for {count:,} tokens of a text, and shares fewer than that.",
            room,
        ),
        remedy=message("Ask for a smaller stride, or a larger max_length."),
    )


def _sizes(lengths: Sequence[int], room: int, strategy: Strategy) -> list[int]:
    """Number of tokens to keep of each text."""
    removed = max(sum(lengths) - room, 0)
    if not removed or not room:
        return [length if not removed else 0 for length in lengths]
    if strategy != "longest_first":
        at = ("only_first", "only_second").index(strategy)
        if at >= len(lengths):
            raise ConfigError(
                message("{name} is {value}.", name="strategy", value=repr(strategy)),
                limit=message("There is one text, and it is too long."),
                remedy=message("Choose 'longest_first', or give a pair."),
            )
        if lengths[at] <= removed:
            raise ConfigError(
                message(
                    "{strategy!r} has to remove {removed:,} tokens from a text of {length:,}.",
                    strategy=strategy,
                    removed=removed,
                    length=lengths[at],
                ),
                limit=message("It leaves the other text whole, and at least one token of this one."),
                remedy=message("Choose 'longest_first', or a larger max_length."),
            )
        return [length - removed if i == at else length for i, length in enumerate(lengths)]
    if len(lengths) == 1:
        return [room]
    short, long = sorted(lengths)
    long = max(short, room - short) if short <= room else short
    if short + long > room:
        short, long = room // 2, room // 2 + room % 2
    return [short, long] if lengths[0] <= lengths[1] else [long, short]


def _parts(length: int, size: int, truncation: Truncation) -> list[range]:
    """Kept tokens of one text, then those of each overflowing piece."""
    if size >= length:
        return [range(length)]
    if not size:
        return [range(0), range(length)]
    if truncation.stride >= size:
        raise _stride_error(truncation.stride, size)
    found: list[range] = []
    for at in range(0, length, size - truncation.stride):
        end = min(at + size, length)
        found.append(range(at, end) if truncation.side == "right" else range(length - end, length - at))
        if end == length:
            break
    return found
