"""Figure of a merge forest: from base symbols to the long tokens merged from them, the largest trees first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from bpe_core.arrays import Int32s, Int64s
from bpe_core.display.figures import HoverLine, empty_figure, hover_template, titled_figure
from bpe_core.display.library import Figure
from bpe_core.display.plain_text import literal_token
from bpe_core.display.template import soft_sequential
from bpe_core.drawing.themes import THEMES
from bpe_core.language import _

MOST_TREES = 800
"""Maximum number of tokens in a figure."""
_LEVELS = 6
"""Number of levels drawn at once; a click on a token shows the levels below it."""


class Trees(NamedTuple):
    """Trees of tokens, one entry per token, parents before their children.

    ids      ids of the tokens
    parents  index of the entry of the left part; -1 for a base symbol
    lefts    id of the left part, -1 for a base symbol
    rights   id of the right part
    merges   number of the merge that made it, 0 for a base symbol
    totals   size of the tree: its number of tokens, or their occurrences in a text
    uses     occurrences of the token itself in the text; None without a text
    is_one   whether it is the tree of one token

    >>> Trees(*np.zeros((6, 1), np.int64)).uses is None
    True
    """

    ids: Int32s
    parents: Int32s
    lefts: Int32s
    rights: Int32s
    merges: Int32s
    totals: Int64s
    uses: Int64s | None = None
    is_one: bool = False


def forest_figure(trees: Trees, token_bytes: Callable[[int], bytes], theme: str) -> Figure:
    """Trees of tokens as a treemap: each token inside its left part, limited to the 800 largest trees.

    The colour is the number of the merge, or the occurrences of the token itself, on a log scale. The first customdata
    of each box is a token and its id; the id is None for the box around several trees.

    >>> trees = Trees(*np.array([[0, 1, 2], [-1, -1, 0], [-1, -1, 0], [-1, -1, 1], [0, 0, 1], [2, 1, 1]]))
    >>> [boxes] = forest_figure(trees, [b"a", b"b", b"ab"].__getitem__, "light").data
    >>> boxes.labels, boxes.parents, boxes.values
    (('all tokens', 'a', 'b', 'ab'), ('', 'all', 'all', '0'), (3, 2, 1, 1))
    """
    title = _("Tokens and what they are made of")
    if trees.is_one and len(trees.ids) < 2:
        return empty_figure(theme, title, _("No merge begins with this token."), "", "")
    if not trees.merges.any():
        return empty_figure(theme, title, _("This vocabulary has no merges."), "", "")
    if not trees.totals.any():
        return empty_figure(theme, title, _("The text has none of these tokens."), "", "")
    shown = _largest(trees.totals)
    figure = titled_figure(theme, title, _subtitle(len(shown), len(trees.ids), trees.uses is not None), "", "")
    figure.add_treemap(**_boxes(trees, shown, token_bytes, theme))
    figure.update_layout(height=640, margin={"l": 16, "r": 16, "b": 16})
    return figure


def _largest(totals: Int64s) -> list[int]:
    """Entries of the largest non-empty trees, each after its parent."""
    # A tree is never larger than the tree that contains it, which comes first: the parent of a drawn tree is drawn.
    order = np.argsort(-totals, kind="stable")[:MOST_TREES]
    found: list[int] = np.sort(order[totals[order] > 0]).tolist()
    return found


def _subtitle(shown: int, all_tokens: int, by_use: bool) -> str:
    size = _("size: occurrences in the text") if by_use else _("size: tokens that begin with it")
    colour = _("colour: occurrences of the token itself") if by_use else _("colour: when it was made")
    if shown == all_tokens:
        return f"{size} · {colour}"
    bound = _("{shown:,} of {tokens:,} tokens, those of the largest trees", shown=shown, tokens=all_tokens)
    return f"{size} · {colour} · {bound}"


def _boxes(trees: Trees, shown: Sequence[int], token_bytes: Callable[[int], bytes], theme: str) -> dict[str, Any]:
    """Treemap of these entries, inside one common box if there is more than one tree."""
    uses, places = trees.uses, set(shown)
    parents: list[int] = trees.parents[shown].tolist()
    ids: list[int] = trees.ids[shown].tolist()
    labels = [literal_token(token_bytes(token_id)) for token_id in ids]
    colours = (trees.merges if uses is None else uses)[shown]
    several = sum(parent not in places for parent in parents) > 1
    head = [(_("all tokens"), int(trees.totals[trees.parents < 0].sum()))] * several
    highest = int(colours.max())
    shares = [*(0.0 for _head in head), *(np.log1p(colours) / np.log1p(max(highest, 1))).tolist()]
    hover = [HoverLine(""), HoverLine(_("Id"), "d"), HoverLine(_("Made of")), HoverLine(_("Merge"))]
    if uses is None:
        hover.append(HoverLine(_("Tokens that begin so"), ",d"))
    else:
        hover += [HoverLine(_("Occurrences"), ",d"), HoverLine(_("With all that begin so"), ",d")]
    rows = [
        [label, token_id, *made, *([] if uses is None else [int(uses[at])]), int(trees.totals[at])]
        for at, label, token_id, made in zip(shown, labels, ids, _made(trees, shown, token_bytes), strict=True)
    ]
    return {
        "ids": [*("all" for _head in head), *map(str, shown)],
        "labels": [*(label for label, _total in head), *labels],
        "parents": [
            *("" for _head in head),
            *(str(parent) if parent in places else "all" * len(head) for parent in parents),
        ],
        "values": [*(total for _label, total in head), *trees.totals[shown].tolist()],
        "meta": [_("Token"), hover[-1].label],
        "branchvalues": "total",
        "maxdepth": _LEVELS,
        "tiling": {"pad": 1},
        "pathbar": {"side": "top", "thickness": 26},
        "marker": {
            "colors": shares,
            "colorscale": soft_sequential(theme),
            "line": {"color": THEMES[theme].ground, "width": 1},
            "pad": {"t": 20, "l": 3, "r": 3, "b": 3},
            "cornerradius": 3,
            **_scale(highest, _("occurrences") if uses is not None else _("merge")),
        },
        "customdata": [*([label, None, "", "", *[total] * (len(hover) - 4)] for label, total in head), *rows],
        "hovertemplate": hover_template(*hover),
        "textinfo": "label",
        "textfont": {"color": THEMES[theme].ink},
        "textposition": "top left",
    }


def _made(trees: Trees, shown: Sequence[int], token_bytes: Callable[[int], bytes]) -> list[tuple[str, str]]:
    """For each entry, its two parts and the number of its merge; placeholders for a base symbol."""
    found = []
    columns = (trees.lefts[shown].tolist(), trees.rights[shown].tolist(), trees.merges[shown].tolist())
    for left, right, merge in zip(*columns, strict=True):
        parts = (left, right) if merge else ()
        joined = " + ".join(literal_token(token_bytes(part), 30) for part in parts)
        found.append((joined, f"{merge:,}") if merge else (_("base symbol"), "–"))
    return found


def _scale(highest: int, title: str) -> dict[str, Any]:
    """Log scale of colours from 0 to `highest`, with its colour bar."""
    ticks = [0, *(10**power for power in range(10) if 10**power <= highest)]
    return {
        "cmin": 0,
        "cmax": 1,
        "showscale": True,
        "colorbar": {
            "title": {"text": title},
            "tickvals": (np.log1p(ticks) / np.log1p(max(highest, 1))).tolist(),
            "ticktext": [f"{tick:,}" for tick in ticks],
            "thickness": 14,
        },
    }
