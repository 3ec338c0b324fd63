"""Convert a batch for its grid: parallel lists for a window of each row. Pure data, no Streamlit."""

from __future__ import annotations

from typing import Any

from bpe_core.language import _
from bpe_core.payloads.frames import Body, encode_body
from bpe_core.tokenizer.batches import Batch
from bpe_core.tokenizer.chips import chip
from bpe_core.tokenizer.rows import InputRow

IDS_DRAWN = 64
"""Maximum number of ids drawn per row; the rest are counted."""

PIECES_DRAWN = 3
"""Maximum number of overflowing pieces drawn per text."""

REMOVED_DRAWN = 60
"""Maximum number of characters drawn per removed text."""


def rows_drawn(made: Batch) -> dict[str, tuple[int, InputRow]]:
    """The drawn rows by name, each with the index of its text: "2.1" is the first overflowing piece of text 2."""
    found: dict[str, tuple[int, InputRow]] = {}
    for at, row in enumerate(made.rows):
        found[f"{at + 1}"] = (at, row)
        found |= {f"{at + 1}.{nth + 1}": (at, piece) for nth, piece in enumerate(row.overflowing[:PIECES_DRAWN])}
    return found


def called(name: str, kind: str) -> tuple[str, str]:
    """Title of a row: its text, and the piece of it.

    >>> called("2.1", "batch"), called("1", "pair")
    (('Text 2', 'piece 2'), ('The pair', ''))
    """
    text, _dot, piece = name.partition(".")
    first = {"batch": _("Text {number}", number=text), "pair": _("The pair"), "chat": _("The chat")}
    return first.get(kind, _("The text")), _("piece {number}", number=int(piece) + 1) if piece else ""


def grid_body(made: Batch, kind: str) -> Body:
    """Data for drawing a batch, encoded for the browser."""
    rows = [_row(made, at, row, called(name, kind)) for name, (at, row) in rows_drawn(made).items()]
    return encode_body({"rows": rows, "added": sorted(made.added.values())})


def _row(made: Batch, at: int, row: InputRow, name: tuple[str, str]) -> dict[str, Any]:
    window = slice(0, IDS_DRAWN)
    passages = made.passages[at]
    ids = row.ids[window].tolist()
    texts = [passage.normalized.text.encode() for passage in passages]
    text_of, attention = row.text_of[window].tolist(), row.attention_mask[window].tolist()
    is_piece = bool(name[1])
    return {
        "name": name[0],
        "piece": name[1],
        "chips": [
            chip(made.tokenizer, token_id, texts[text] if text >= 0 else b"").wire()
            for token_id, text in zip(ids, text_of, strict=True)
        ],
        "kinds": [
            "text" if text >= 0 else "special" if attends else "pad"
            for text, attends in zip(text_of, attention, strict=True)
        ],
        "ids": ids,
        "types": row.type_ids[window].tolist(),
        "attention": attention,
        "special": row.special_tokens_mask[window].tolist(),
        "rest": max(len(row) - IDS_DRAWN, 0),
        "removed": [] if is_piece else _removed(made, at),
        "pieces": 0 if is_piece else len(row.overflowing),
        "hidden": 0 if is_piece else max(len(row.overflowing) - PIECES_DRAWN, 0),
    }


def _removed(made: Batch, at: int) -> list[tuple[str, int, str]]:
    """Text removed from each passage by truncation: its name, the number of tokens, and its start."""
    found = []
    passages = made.passages[at]
    for number, passage in enumerate(passages):
        kept, count = made.rows[at].kept(number), len(passage.encoding)
        gone = range(kept.stop, count) if kept.start == 0 else range(kept.start)
        if gone:
            start, end = passage.tokens.starts[gone.start], passage.tokens.ends[gone.stop - 1]
            text = passage.normalized.original[start:end]
            shown = text if len(text) <= REMOVED_DRAWN else f"{text[:REMOVED_DRAWN]}…"
            found.append((passage.name if len(passages) > 1 else "", len(gone), shown))
    return found
