"""Comparison of tokenizers on one text: counts, shared boundaries, and the causes of disagreements."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Self

import numpy as np

from bpe_core import checks
from bpe_core.arrays import read_only, sorted_place
from bpe_core.comparison.boundaries import Regions, SegmentedText, check_ranges, held_bytes
from bpe_core.comparison.causes import Cause, Reason, explain
from bpe_core.comparison.evidence import Piece, plain
from bpe_core.comparison.overlap import overlap_table, shared_tokens, spellings_table, token_texts
from bpe_core.comparison.page_views import ShownComparison, comparison_page
from bpe_core.comparison.results import Agreement, Disagreement, Row
from bpe_core.comparison.tables import agreement_table, count_table, disagreement_table
from bpe_core.comparison.views import comparison_figure, comparison_html
from bpe_core.display.library import Figure
from bpe_core.errors import ConfigError, quoted
from bpe_core.language import message
from bpe_core.page.cell import HEIGHT, CellView
from bpe_core.page.html import write_page
from bpe_core.page.widget import cell_view
from bpe_core.text.normalization import replace_surrogates
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.named_tokenizers import checked_tokenizers
from bpe_core.tokenizer.tables import DataFrame
from bpe_core.tokenizer.token_places import Offsets
from bpe_core.tokenizer.tokenizer import SPECIAL_MODES, Special, Tokenizer
from bpe_core.work import taking

_PER_BOUNDARY = 16
"""Memory in bytes of finding the regions that differ, per byte of the text."""


def compare(text: str, tokenizers: Mapping[str, Tokenizer], *, special: Special = "text") -> Comparison:
    """Encode `text` with every tokenizer and compare the segmentations.

    All offsets are bytes of the original text, even where a tokenizer normalizes it. `special`: see Tokenizer.encode.
    Raises CorpusError when `text` is not a str, ConfigError when `tokenizers` is not a mapping of names to tokenizers.

    >>> from bpe_core import load_pretrained
    >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
    >>> [row.tokens for row in comparison.rows]
    [4, 2]
    >>> comparison.disagreements("a", "b")[0].cause
    'missing token'
    """
    text = checks.given_text(text, limit=message("Only str is encoded."))
    checks.choice(special, "special", SPECIAL_MODES)
    checked = checked_tokenizers(tokenizers)
    encodings = {}
    with ExitStack() as held:
        for name, tokenizer in checked.items():
            encodings[name] = tokenizer, tokenizer.encode(text, special=special)
            held.enter_context(taking(held_bytes(encodings[name][1])))
        return Comparison(text, encodings)


class Comparison:
    """Segmentations of one text by several tokenizers, created by `compare`. Lone surrogates of `text` are replaced.

    Methods with the name of a tokenizer as argument raise ConfigError for a name that was not compared.

    >>> from bpe_core import load_pretrained
    >>> comparison = compare("x = 12345", {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
    >>> [(row.name, row.tokens) for row in comparison.rows]
    [('gpt2', 4), ('cl100k_base', 5)]
    >>> comparison.tokenizer("gpt2").name, comparison.encoding("gpt2").ids.tolist()
    ('gpt2', [87, 796, 17031, 2231])
    >>> starts, ends = comparison.offsets("gpt2")
    >>> starts.tolist(), ends.tolist(), comparison.boundaries("gpt2").tolist()
    ([0, 1, 3, 7], [1, 3, 7, 9], [1, 3, 7])
    >>> comparison.agreement("gpt2", "cl100k_base").shared, comparison.names
    (3, ('gpt2', 'cl100k_base'))
    >>> starts, ends = comparison.disagreement_ranges("gpt2", "cl100k_base")
    >>> comparison.regions("gpt2", starts, ends)[0].original
    b' 123'
    >>> [(found.start, found.end, found.cause) for found in comparison.disagreements("gpt2", "cl100k_base", most=1)]
    [(3, 7, 'split')]
    """

    def __init__(self, text: str, encodings: Mapping[str, tuple[Tokenizer, Encoding]]) -> None:
        self.text = replace_surrogates(text)[0]
        self._segmentations = {name: SegmentedText(name, *pair) for name, pair in encodings.items()}

    def complete(self) -> Self:
        """Compute every array that is cached, and return this comparison, whose size in memory then stays constant.

        >>> from bpe_core import load_pretrained
        >>> compare("low", {"GPT-2": load_pretrained("gpt2")}).complete().rows[0].tokens
        1
        """
        with taking(sum(held_bytes(each.encoding) for each in self._segmentations.values())):
            for each in self._segmentations.values():
                each.complete()
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the compared tokenizers, in order."""
        return tuple(self._segmentations)

    @property
    def rows(self) -> list[Row]:
        """Counts, in the order of the tokenizers."""
        words = len(self.text.split())
        return [_row(each, words) for each in self._segmentations.values()]

    def tokenizer(self, name: str) -> Tokenizer:
        """Tokenizer of that name."""
        return self._segmentation(name).tokenizer

    def encoding(self, name: str) -> Encoding:
        """Encoding of the text by the tokenizer of that name."""
        return self._segmentation(name).encoding

    def offsets(self, name: str) -> tuple[Offsets, Offsets]:
        """Starts and ends of the tokens of `encoding(name)`, in bytes of the original text, not the normalized one."""
        segmentation = self._segmentation(name)
        return read_only(segmentation.starts), read_only(segmentation.ends)

    def regions(self, name: str, starts: Offsets, ends: Offsets) -> Regions:
        """Segmentation of the regions starts[i] … ends[i] by the tokenizer of that name, see `disagreement_ranges`.

        Raises ConfigError unless these are byte ranges of the text.
        """
        segmentation = self._segmentation(name)
        check_ranges(starts, ends, segmentation.size)
        return segmentation.regions(starts, ends)

    def boundaries(self, name: str) -> Offsets:
        """Inner boundaries of one tokenizer: byte offsets, ascending, without the two ends of the text."""
        return read_only(np.flatnonzero(self._segmentation(name).is_boundary).astype(np.int32))

    def agreement(self, left: str, right: str) -> Agreement:
        """Shares of the boundaries that two of the tokenizers have in common."""
        a, b = self._segmentation(left).is_boundary, self._segmentation(right).is_boundary
        mine, other, shared = (int(np.count_nonzero(each)) for each in (a, b, a & b))
        precision = shared / other if other else float(not mine)
        recall = shared / mine if mine else float(not other)
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return Agreement(precision, recall, f1, shared, mine - shared, other - shared)

    def disagreement_ranges(self, left: str, right: str) -> tuple[Offsets, Offsets]:
        """Starts and ends of the `disagreements` of two of the tokenizers, in bytes. Faster: no causes."""
        return _unshared_regions(self._segmentation(left), self._segmentation(right))

    def disagreements(self, left: str, right: str, *, most: int | None = None) -> list[Disagreement]:
        """Every region that two of the tokenizers segment differently, in text order, with its cause.

        `most`: limit on their number, from the start of the text; a long text may have a million.
        """
        a, b = self._segmentation(left), self._segmentation(right)
        most = checks.how_many(most, "most")
        with taking(_PER_BOUNDARY * a.size):
            starts, ends = (offsets[:most] for offsets in _unshared_regions(a, b))
        mine, other = a.regions(starts, ends), b.regions(starts, ends)
        with taking(mine.size() + other.size()):
            return _explained(a, mine, b, other, starts, ends)

    def reason(self, left: str, right: str, start: int, end: int) -> Reason:
        """Reason why two of the tokenizers segment the bytes start … end differently, with the evidence in pieces.

        `start` and `end` must be those of one of `disagreements(left, right)`. Raises ConfigError for any others.

        >>> from bpe_core import load_pretrained
        >>> comparison = compare("x = 12345", {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")})
        >>> found = comparison.disagreements("gpt2", "cl100k_base")[0]
        >>> comparison.reason("gpt2", "cl100k_base", found.start, found.end).right.split_boundaries
        (1,)
        """
        a, b = self._segmentation(left), self._segmentation(right)
        start = checks.whole_number(start, "start", 0, a.size)
        end = checks.whole_number(end, "end", 0, a.size)
        starts, ends = _unshared_regions(a, b)
        at = sorted_place(starts, start)
        if at == len(starts) or (starts[at], ends[at]) != (start, end):
            raise ConfigError(
                message(
                    "Bytes {start} to {end} are not a disagreement of {left} and {right}.",
                    start=start,
                    end=end,
                    left=quoted(left),
                    right=quoted(right),
                ),
                limit=message("A disagreement lies between two boundaries that both share."),
                remedy=message("Take the start and end of a disagreement that `disagreements` returns."),
            )
        mine, other = (each.regions(starts[at : at + 1], ends[at : at + 1]) for each in (a, b))
        return _reason(a, mine, b, other, 0)

    def table(self) -> DataFrame:
        """Counts as a pandas DataFrame: one row per tokenizer, by name (index `tokenizer`).

        tokens           int64
        bytes_per_token  float64: bytes of the text's UTF-8
        chars_per_token  float64: characters of the text
        tokens_per_word  float64: words are separated by white space; 0.0 for a text without words

        >>> from bpe_core import load_pretrained
        >>> compare("hello world", {"GPT-2": load_pretrained("gpt2")}).table().loc["GPT-2"].tolist()
        [2.0, 5.5, 5.5, 1.0]
        """
        return count_table(self.rows)

    def agreement_table(self) -> DataFrame:
        """Pairwise agreement of the tokenizers as a pandas DataFrame: one row per ordered pair.

        left, right                    str: names; each pair occurs in both orders
        precision, recall, f1          float64, from 0 to 1
        shared, only_left, only_right  int64: inner boundaries; see Agreement

        `agreement_table().pivot(index="left", columns="right", values="f1")` gives the matrix.

        >>> from bpe_core import load_pretrained
        >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
        >>> comparison.agreement_table()[["left", "right", "recall", "only_left"]].values.tolist()
        [['a', 'b', 0.3333333333333333, 2], ['b', 'a', 1.0, 0]]
        """
        return agreement_table(self, self._segmentations)

    def disagreement_table(self, left: str, right: str, *, most: int | None = None) -> DataFrame:
        """The `disagreements` of two of the tokenizers as a pandas DataFrame: one row each (index `disagreement`).

        start, end                 int64: byte range in the UTF-8 of the text
        text                       str: that part of the text; missing (NaN) if it is not whole characters
        left_ids, right_ids        object: lists of ids
        left_tokens, right_tokens  str: the tokens in readable form, each in quotation marks or in hex
        cause, explanation         str

        `most`: limit on their number, from the start of the text.

        >>> from bpe_core import load_pretrained
        >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
        >>> comparison.disagreement_table("a", "b")[["text", "left_ids", "right_tokens", "cause"]].values.tolist()
        [['   ', [220, 220, 220], '“···”', 'missing token']]
        """
        found = self.disagreements(left, right, most=most)
        return disagreement_table(self.text, self.tokenizer(left), self.tokenizer(right), found)

    def overlap_table(self) -> DataFrame:
        """Tokens shared by exactly these vocabularies, as a pandas DataFrame, largest number first.

        tokenizers  object: list of the names of the tokenizers that have the tokens
        tokens      int64: number of tokens without special ones, compared by text without ▁, ## and similar marks
        share       float64: share of all distinct tokens

        >>> from bpe_core import load_pretrained
        >>> comparison = compare("", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
        >>> comparison.overlap_table()[["tokenizers", "tokens"]].values.tolist()
        [[['b'], 57190], [['a', 'b'], 43066], [['a'], 7190]]
        """
        return overlap_table(shared_tokens({name: self.tokenizer(name) for name in self.names}))

    def spellings_table(self, word: str) -> DataFrame:
        """Tokens equal to a word except for case and surrounding spaces or punctuation, as a pandas DataFrame.

        One row per spelling (index `spelling`), one column per tokenizer: Int64, the id, missing where it has no such
        token. Raises ConfigError for a word without a letter or digit.

        >>> from bpe_core import load_pretrained
        >>> comparison = compare("", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
        >>> comparison.spellings_table("low").loc[" low"].tolist()
        [1877, 3428]
        """
        return spellings_table(self.names, [token_texts(self.tokenizer(name)) for name in self.names], word)

    def figure(
        self, name: str = "tokens", *, theme: str = "light", left: str | None = None, right: str | None = None
    ) -> Figure:
        """Plotly figure: "tokens" of each tokenizer as bars, or their pairwise "agreement" as a heat map of F1.

        "overlap" draws `overlap_table`, "lines" the tokens per line of the text under `left` and `right`, by default
        the first two tokenizers. `theme`: see `Encoding.svg`. Raises ConfigError for another name or theme.

        >>> from bpe_core import load_pretrained
        >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
        >>> comparison.figure().data[0].x, comparison.figure("agreement").data[0].z[0]
        ((4, 2), [None, 0.5])
        """
        return comparison_figure(self, name, theme, left, right)

    def to_html(self, path: str | Path, *, title: str = "", language: str | Sequence[str] = "en") -> None:
        """Write a page that shows the text under all tokenizers, and why each pair differs, without a server.

        The page shows the first 20,000 bytes; counts are of the whole text. `language`: "en", "ja" and so on, or a
        list of them, as for a training's page. Raises ConfigError for other values and for more than six tokenizers,
        and FormatError if the file cannot be written.

        >>> compare("low", {}).to_html("low.html", language="fr")
        Traceback (most recent call last):
        bpe_core.errors.ConfigError: ...
        """
        write_page(path, partial(comparison_page, self), title=title, language=language)

    def view(self, *, language: str = "en", height: int = HEIGHT) -> CellView:
        """View for a notebook, with what `to_html` writes: lines, marks, and each difference with its reason.

        `language`: "en", "ja" and so on. `height`: in pixels, 200 to 4,000. Raises ConfigError for other values and for
        more than six tokenizers.

        >>> from bpe_core import load_pretrained
        >>> compare("low 123", {"GPT-2": load_pretrained("gpt2")}).view(height=100)
        Traceback (most recent call last):
        bpe_core.errors.ConfigError: height is 100. It takes a whole number from 200 to 4,000. Correct it.
        """
        return cell_view(ShownComparison(self), language=language, height=height)

    def _repr_html_(self) -> str:
        """Notebook view: counts, pairwise agreement, and the start of the text in tokens."""
        return comparison_html(self, list(self._segmentations))

    def _segmentation(self, name: str) -> SegmentedText:
        if not isinstance(name, str) or name not in self._segmentations:
            raise ConfigError(
                message("{name} is not among the compared tokenizers.", name=quoted(name)),
                limit=message("Known: {names}.", names=", ".join(map(quoted, self._segmentations)))
                if self._segmentations
                else message("Known: none."),
                remedy=message("Choose one of these."),
            )
        return self._segmentations[name]


def _unshared_regions(a: SegmentedText, b: SegmentedText) -> tuple[Offsets, Offsets]:
    """Starts and ends of the regions that are bounded by shared boundaries and contain unshared ones."""
    is_either, is_shared = a.is_boundary | b.is_boundary, a.is_boundary & b.is_boundary
    for each in (is_either, is_shared):
        each[0] = each[-1] = True
    boundaries = np.flatnonzero(is_either)
    shared = np.flatnonzero(is_shared[boundaries])
    regions = np.flatnonzero(np.diff(shared) > 1)  # with boundaries between two shared ones
    return read_only(boundaries[shared[regions]]), read_only(boundaries[shared[regions + 1]])


def _explained(
    a: SegmentedText, mine: Regions, b: SegmentedText, other: Regions, starts: Offsets, ends: Offsets
) -> list[Disagreement]:
    # The same words cause the same disagreement repeatedly: each is explained once.
    known: dict[Hashable, tuple[tuple[int, ...], tuple[int, ...], Cause, str]] = {}
    written: dict[Piece, str] = {}
    found = []
    ways = zip(mine.keys(), other.keys(), strict=True)
    for i, (start, end, way) in enumerate(zip(starts.tolist(), ends.tolist(), ways, strict=True)):
        same = known.get(way)
        if same is None:
            reason = _reason(a, mine, b, other, i)
            explanation = plain(reason.sentence, known=written)
            same = known[way] = reason.left.ids, reason.right.ids, reason.cause, explanation
        found.append(Disagreement(start, end, *same))
    return found


def _reason(a: SegmentedText, mine: Regions, b: SegmentedText, other: Regions, i: int) -> Reason:
    with taking(mine.size_of(i) + other.size_of(i)):
        return explain(a, mine[i], b, other[i])


def _row(segmentation: SegmentedText, words: int) -> Row:
    name, tokens = segmentation.name, len(segmentation.encoding)
    if not tokens:
        return Row(name, 0, 0.0, 0.0, 0.0)
    chars = len(segmentation.encoding.normalized.original)
    return Row(name, tokens, segmentation.size / tokens, chars / tokens, tokens / words if words else 0.0)
