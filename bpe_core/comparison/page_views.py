"""A comparison as a page that works by itself: lines, differences and reasons, recorded as frames of the views."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from bpe_core import checks
from bpe_core.comparison.count_sentence import headline
from bpe_core.comparison.reason_views import drawn_reason
from bpe_core.comparison.results import count_columns
from bpe_core.comparison.totals import MOST_LISTED, difference, group_equal
from bpe_core.language import _, message, n_, translate
from bpe_core.page.cell import CellValue
from bpe_core.page.html import Page, page_html
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import Table
from bpe_core.payloads.lines import Interlinear, lines_frame, note_frame
from bpe_core.payloads.reasons import reason_frame
from bpe_core.payloads.tables import table_frame
from bpe_core.tokenizer.lanes import lane

if TYPE_CHECKING:
    from bpe_core.comparison.comparison import Comparison

MOST_TOKENIZERS = 6
MOST_DIFFERENCES = 300
"""Limits on the tokenizers of a page, and on the explained differences of each pair of them."""

LONGEST_TEXT = 20_000
"""Limit in bytes of the lines that the page shows; its counts are of the whole text."""

TITLE = message("A text in the tokens of several tokenizers")
_NOTE = "reason below the line"


def comparison_page(comparison: Comparison, title: str, *, cell: bool = False) -> Page:
    """A page of a comparison in the current language. Raises ConfigError for more than six tokenizers.

    `cell`: whether it is the output of a notebook's cell.

    >>> from bpe_core import compare, load_pretrained
    >>> page = comparison_page(compare("low", {"GPT-2": load_pretrained("gpt2")}), "Low")
    >>> page.title, page.facts
    ('Low', '3 characters')
    """
    view = _lines(comparison)
    characters = len(comparison.text)
    facts = n_("{count:,} character", "{count:,} characters", characters)
    if view.after:
        facts = _("the first {shown:,} of {all:,} characters", shown=len(view.text), all=characters)
    return Page(title or translate(TITLE), facts, {**comparison_recording(comparison), "cell": cell})


def comparison_recording(comparison: Comparison, pair: tuple[str, str] | None = None) -> dict[str, Any]:
    """Recording of a comparison for its page, see recording.ts. Raises ConfigError for more than six tokenizers.

    `pair`: names of the tokenizers that are selected initially; the first two if None.

    >>> from bpe_core import compare, load_pretrained
    >>> recording = comparison_recording(compare("low", {"GPT-2": load_pretrained("gpt2")}))
    >>> recording["names"], recording["pair"]
    (['GPT-2'], [0, 1])
    """
    names = comparison.names
    _check_number(names)
    view = _lines(comparison)
    shown = len(view.text.encode("utf-8", "surrogatepass"))
    pairs = combinations(range(len(names)), 2)
    return {
        "kind": "comparison",
        "pair": [0, 1] if pair is None else [names.index(name) for name in pair],
        "names": [translate(name) for name in names],
        "lines": lines_frame(view, "lines view", height=420, note=_NOTE, tells=len(names) > 1),
        "counts": _counts(comparison),
        "pairs": {f"{a} {b}": _pair(comparison, names[a], names[b], shown) for a, b in pairs},
    }


class ShownComparison(CellValue):
    """Content of `Comparison.view`, complete in its page. Raises ConfigError for more than six tokenizers.

    >>> from bpe_core import compare, load_pretrained
    >>> shown = ShownComparison(compare("low", {"GPT-2": load_pretrained("gpt2")}))
    >>> shown.last, shown.page(0)[:9], shown.card()[:22], shown.answer("step", 1)
    (0, '<!doctype', '<div class="bpe-lab"><', None)
    """

    def __init__(self, comparison: Comparison) -> None:
        _check_number(comparison.names)
        self._comparison = comparison

    def page(self, step: int) -> str:
        """HTML of the page."""
        return page_html(lambda: comparison_page(self._comparison, "", cell=True))

    def card(self) -> str:
        """HTML of the counts, and of the start of the text in tokens."""
        return self._comparison._repr_html_()


def _lines(comparison: Comparison) -> Interlinear:
    """The shown part of the text, under all tokenizers."""
    lanes = [lane(translate(name), comparison.encoding(name), comparison.offsets(name)) for name in comparison.names]
    return Interlinear.of(comparison.text, lanes, limit=LONGEST_TEXT)


def _check_number(names: Sequence[str]) -> None:
    if len(names) > MOST_TOKENIZERS:
        limit = message("A page takes at most {most} tokenizers.", most=MOST_TOKENIZERS)
        raise checks.wrong(len(names), "tokenizers", limit, message("Compare fewer of them."))


def _counts(comparison: Comparison) -> bytes:
    label, captions = _("Counts by tokenizer"), Captions(_("Counts"))
    table = Table(*count_columns(comparison.rows))
    return table_frame(table, key="counts table", height=None, label=label, captions=captions, pickable=False)


def _pair(comparison: Comparison, left: str, right: str, shown: int) -> dict[str, Any]:
    """The sentence about two tokenizers, and their differences in the shown part of the text, each with its reason."""
    found = comparison.disagreements(left, right, most=MOST_LISTED)
    both = difference(comparison, left, right, group_equal(comparison, found))
    names = _("{tokenizer} against {other}", tokenizer=translate(left), other=translate(right))
    differences = []
    for each in [each for each in found if each.end <= shown][:MOST_DIFFERENCES]:
        at = each.start, each.end
        reason = drawn_reason(comparison, left, right, *at)
        note = note_frame(reason.title, names, reason.sentence, at=at, highlight=at)
        differences.append({"at": at, "reason": reason_frame(*reason), "note": note})
    tokens = len(comparison.encoding(right))
    says = headline(translate(left), translate(right), both, tokens, is_whole=len(found) < MOST_LISTED)
    return {"says": says, "all": len(found), "differences": differences}
