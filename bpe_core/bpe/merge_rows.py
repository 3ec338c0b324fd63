"""Merges of a training as the rows of a table for the browser."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING

from bpe_core.bpe.snapshot import Merge
from bpe_core.language import _, message, term
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import Cell, Chip, Column, Drawn, Table
from bpe_core.payloads.tables import TableOptions
from bpe_core.tokenizer.chips import chip, chip_in_pair, pair_chips
from bpe_core.tokenizer.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_core.bpe.training import Training


def merges_table(
    training: Training, tokenizer: Tokenizer, ranks: Sequence[int], text: bytes = b"", chosen: Container[int] = ()
) -> Table:
    """Table of merges: the pair, the new token, its bytes, its count, and the remaining tokens.

    `chosen`: ranks of the merges chosen by hand instead of by the rule; they are marked.

    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low", TrainConfig(vocab_size=258))
    >>> merges_table(training, training.tokenizer(), range(2)).rows
    2
    """
    merges = training.merges

    def drawn(cell: Callable[[Merge], Cell]) -> Drawn:
        return Drawn(ranks, lambda rank: cell(merges[rank]))

    def pair(side: int) -> Drawn:
        return drawn(lambda merge: chip_in_pair(tokenizer, merge.left, merge.right, side, text))

    return Table(
        Column(message("Merge"), drawn(lambda merge: merge.rank + 1), "number"),
        Column(message("Left"), pair(0), "chip"),
        Column(message("Right"), pair(1), "chip"),
        Column(message("New token"), drawn(lambda merge: chip(tokenizer, merge.token_id, text)), "chip"),
        Column(message("Bytes"), drawn(lambda merge: _hex(tokenizer.token_bytes(merge.token_id)))),
        Column(message("Id"), drawn(lambda merge: merge.token_id), "number"),
        Column(message("Count"), drawn(lambda merge: merge.count), "number"),
        Column(term("number", "Tokens"), drawn(lambda merge: training.token_count(merge.rank + 1)), "number"),
        *([Column(term("crossed", "Words"), drawn(_crosses(training)))] if training.config.method != "bpe" else []),
        *([Column("", [message("chosen") if rank in chosen else "" for rank in ranks])] if chosen else []),
    )


def _crosses(training: Training) -> Callable[[Merge], Cell]:
    crosses, across = training.crossing, message("crosses")
    return lambda merge: across if crosses[merge.rank] else ""


def merges_options(of: str) -> TableOptions:
    """Display options of a training's merge table. `of`: name of the training; a click on a row moves its player.

    >>> merges_options("lesson")["of"]
    'lesson'
    """
    captions = Captions(_("Merge table"), "\n" + _("click a row to go there"))
    none = _("No merge makes such a token.")
    return TableOptions(height=350, label=_("Merges"), captions=captions, of=of, none=none)


def merged_pairs(
    training: Training, tokenizer: Tokenizer, ranks: Iterable[int], text: bytes = b""
) -> list[tuple[Chip, Chip]]:
    """The pair of each of these merges.

    >>> from bpe_core import TrainConfig, train
    >>> training = train("low low", TrainConfig(vocab_size=258))
    >>> [[each.id for each in pair] for pair in merged_pairs(training, training.tokenizer(), [1])]
    [[256, 119]]
    """
    merges = (training.merges[rank] for rank in ranks)
    return [pair_chips(tokenizer, merge.left, merge.right, text) for merge in merges]


def _hex(data: bytes, longest: int = 8) -> str:
    return data[:longest].hex(" ").upper() + (" …" if len(data) > longest else "")
