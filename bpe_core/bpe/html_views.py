"""Notebook display of a training and of one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bpe_core.notebook.cards import MOST_ROWS, bar, card, counted, label, side_by_side, table
from bpe_core.notebook.spans import chip, word

if TYPE_CHECKING:
    from bpe_core.bpe.snapshot import Snapshot

_LAST_ROWS = 10
_MOST_CANDIDATES = 10
_MOST_WORDS = 12


def training_html(
    pairs: npt.NDArray[np.integer[Any]],
    tokens: Sequence[bytes],
    token_counts: npt.NDArray[np.int64],
    totals: tuple[int, int, float],
    stop_reason: str,
) -> str:
    """First and last merges of a training as a table, with the number of merges between them.

    `pairs`: left id, right id and count of each merge. `tokens`: the bytes of every id, those of merges last.
    `token_counts`: tokens of the training text after each merge. `totals`: tokens before the first merge and after
    the last, and the compression at the end.

    >>> html = training_html(np.array([[0, 1, 7]]), [b"a", b"b", b"ab"], np.array([9]), (16, 9, 1.78), "no pairs left")
    >>> "1 merge · 3 ids · no pairs left" in html
    True
    """
    total, first_id = len(pairs), len(tokens) - len(pairs)
    before, after, compression = totals
    facts = [counted(total, "merge"), counted(len(tokens), "id"), stop_reason]
    note = f"The training text: {before:,} tokens before, {after:,} after; compression {compression:.2f}."
    if not total:
        return card("Training", facts, note=note)
    shown: Sequence[int] = range(total)
    if total > MOST_ROWS:
        shown = [*range(MOST_ROWS - _LAST_ROWS), -1, *range(total - _LAST_ROWS, total)]
    most = int(pairs[:, 2].max(initial=1)) or 1
    rows: list[list[str]] = []
    for rank in shown:
        if rank < 0:
            rows.append([])
            continue
        left, right, count = pairs[rank].tolist()
        made = first_id + rank
        rows.append(
            [
                f"{rank:,}",
                _pair(left, right, tokens.__getitem__),
                chip(made, tokens[made]),
                f"{made:,}",
                f"{count:,}",
                bar(count / most),
                f"{int(token_counts[rank]):,}",
            ]
        )
    head = ["Rank", "Pair", "New token", "Id", "Count", "", "Tokens after"]
    rest = f"{counted(total - MOST_ROWS, 'more merge')} between"
    return card("Training", facts, table(head, rows, numbers=(0, 3, 4, 6), rest=rest), note=note)


def snapshot_html(snapshot: Snapshot) -> str:
    """The merge of a step, the candidates for the next one, and the first words in tokens.

    >>> from bpe_core import TrainConfig, train
    >>> html = snapshot_html(train("low low lower", TrainConfig(vocab_size=259)).at(1))
    >>> "Step 1" in html, "chosen" in html
    (True, True)
    """
    corpus, token_bytes = snapshot.corpus, snapshot.token_bytes
    facts = [counted(corpus.token_count, "token"), counted(len(corpus.counts), "distinct word")]
    body = []
    if snapshot.merge is not None:
        merge = snapshot.merge
        made = f"{_pair(merge.left, merge.right, token_bytes)} → {chip(merge.token_id, token_bytes(merge.token_id))}"
        body.append(f"<div>{made} <span>{merge.count:,}×, id {merge.token_id:,}</span></div>")
    tables = []
    total = len(snapshot.pairs.count)
    candidates = snapshot.candidates(_MOST_CANDIDATES)
    if candidates:
        most = max(candidate.count for candidate in candidates) or 1
        rows = []
        for each in candidates:
            marks = ", ".join(name for name, holds in (("chosen", each.chosen), ("tied", each.tied)) if holds)
            pair = _pair(each.left, each.right, token_bytes)
            rows.append([pair, f"{each.count:,}", bar(each.count / most), f'<span class="win">{marks}</span>'])
        more = f", the first {len(candidates)} of {total:,}" if total > len(candidates) else ""
        tables.append(
            label(f"Candidates of the next merge{more}") + table(["Pair", "Count", "", ""], rows, numbers=(1,))
        )
    words = snapshot.words(_MOST_WORDS)
    if words:
        more = f", the first {len(words)} of {len(corpus.counts):,}" if len(corpus.counts) > len(words) else ""
        cells = [[word(token_bytes, ids), f"{count:,}", f"{len(ids):,}"] for ids, count in words]
        tables.append(label(f"Words{more}") + table(["Word in tokens", "Count", "Tokens"], cells, numbers=(1, 2)))
    body.append(side_by_side(tables))
    return card(f"Step {snapshot.step:,}", facts, *body, note="" if total else "No pairs are left.")


def _pair(left: int, right: int, token_bytes: Callable[[int], bytes]) -> str:
    return f"{chip(left, token_bytes(left))} + {chip(right, token_bytes(right))}"
