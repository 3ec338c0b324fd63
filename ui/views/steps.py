"""Steps of a word's encoding as parallel lists."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from bpe_core import Tokenizer
from bpe_core.language import _
from bpe_core.payloads.chips import Chip
from bpe_core.payloads.frames import Body, encode_body, frame
from bpe_core.tokenizer.chips import chips_of
from ui.views.component import View

_STEPS_VIEW = View("steps")


class StepRow(NamedTuple):
    """The word at one step. `joints`: rank of the merge for each pair of neighbours, None without one.

    `next`: joints that merge now (several if the pair occurs several times); `fresh`: tokens made by the previous
    step.
    """

    chips: tuple[Chip, ...]
    joints: tuple[int | None, ...]
    next: tuple[int, ...]
    fresh: tuple[int, ...]


@dataclass(frozen=True)
class WordSteps:
    """All steps of a word, from its base symbols to its tokens."""

    rows: tuple[StepRow, ...]

    @classmethod
    def of(cls, tokenizer: Tokenizer, word: str) -> WordSteps:
        """Trace the encoding of `word` (one piece of the split, normalized).

        >>> from bpe_core import load_pretrained
        >>> steps = WordSteps.of(load_pretrained("gpt2"), "the")
        >>> [(row.joints, row.next) for row in steps.rows]
        [((400, 258), (1,)), ((1169,), (0,)), ((), ())]
        """
        data = word.encode()
        steps = tokenizer.trace(word)
        rows = []
        for now, after in pairwise([*steps, None]):
            assert now is not None
            joints: list[int | None] = [None] * (len(now.ids) - 1)
            for merge in tokenizer.possible_merges(now.ids):
                joints[merge.at] = merge.rank
            merging = after.merged if after is not None else None
            made = None if now.merged is None else tokenizer.merge_of(*now.merged)
            rows.append(
                StepRow(
                    chips=chips_of(tokenizer, now.ids, data),
                    joints=tuple(joints),
                    next=_places(now.ids, merging),
                    fresh=tuple(i for i, token_id in enumerate(now.ids) if made and token_id == made[1]),
                )
            )
        return cls(tuple(rows))

    @cached_property
    def body(self) -> Body:
        """Payload for the browser, with its content hash; each distinct chip is sent once."""
        numbers: dict[Chip, int] = {}
        rows: list[list[Any]] = [
            [[numbers.setdefault(chip, len(numbers)) for chip in row.chips], row.joints, row.next, row.fresh]
            for row in self.rows
        ]
        return encode_body({"chips": [chip.wire() for chip in numbers], "rows": rows})


def _places(ids: tuple[int, ...], pair: tuple[int, int] | None) -> tuple[int, ...]:
    """Positions of a pair, left to right, without overlap."""
    places: list[int] = []
    for at, neighbours in enumerate(pairwise(ids)):
        if neighbours == pair and (not places or at > places[-1] + 1):
            places.append(at)
    return tuple(places)


def steps_view(steps: WordSteps, *, key: str, first: int = 0, height: int | None = 460, label: str = "") -> None:
    """Draw the steps of a word below each other; a button shows them one at a time. `first`: see `steps_frame`."""
    _STEPS_VIEW(key=key, data=steps_frame(steps, first=first, height=height, label=label))


def steps_frame(steps: WordSteps, *, first: int = 0, height: int | None = 460, label: str = "") -> bytes:
    """Frame of the steps. `first`: number of the first rank: 0, or 1 if merges are counted as steps of a training."""
    return frame({"label": label or _("Steps"), "height": height, "first": first}, steps.body)
