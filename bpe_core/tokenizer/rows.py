"""Rows of a batch: one text or pair between special tokens, divided by truncation, and padded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, overload

import numpy as np

from bpe_core import checks
from bpe_core.arrays import ReadOnlyArrays
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.offset_trims import trimmed
from bpe_core.tokenizer.post_processing import (
    Group,
    added_count,
    arranged,
    template_groups,
    text_groups,
    with_trims,
)
from bpe_core.tokenizer.stages import Passage, Pipeline
from bpe_core.tokenizer.template_tokens import LaidOut, Numbers, laid_out
from bpe_core.tokenizer.templates import NO_TEMPLATE, Template, slots
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.truncation import Side, Truncation, kept_parts


class Padding(NamedTuple):
    """Settings of padding to a common length, named as in the tokenizers library where possible.

    length              ids per row; None: the length of the longest row. Longer rows stay unchanged
    pad_to_multiple_of  the length is raised to a multiple of this
    side                end at which pad tokens are added: "right" or "left"
    pad_token           its name; None: the vocabulary's own, or a new [PAD]
    pad_type_id         type id of pad tokens

    >>> Padding(pad_to_multiple_of=8).length is None
    True
    """

    length: int | None = None
    pad_to_multiple_of: int = 1
    side: Side = "right"
    pad_token: str | None = None
    pad_type_id: int = 0


@dataclass(frozen=True, eq=False)
class InputRow(ReadOnlyArrays):
    """Input of a language model for one text or pair: read-only int64 arrays of equal length, one entry per id.

    ids, type_ids        model input
    attention_mask       0 for pad tokens, which the model ignores; 1 for all others
    special_tokens_mask  1 for special tokens of the template and for pad tokens, 0 for tokens of the texts, and for
                         special tokens that a BertProcessing or RobertaProcessing of the file surrounds
    text_of, token_of    index of an id's text, 0 or 1, and of its token there; -1 for special tokens
    word_ids             index of the word that a token belongs to, where an added token in a text is a word of its own;
                         -1 for special tokens around the texts
    sequence_ids         the library's: as text_of, but 0 for all if no processor numbers the texts, or none is A; with
                         several post-processors, as numbered by the last one
    starts, ends         characters of the original text; 0 and 0 for special tokens. Equal to the offsets of
                         the tokenizers library, trimmed if the file says so, except that every byte is in one token:
                         see FileSymbols, and Unigram's byte fallback
    overflowing          truncated tokens, as further rows of the same form

    >>> from bpe_core import Padding, batch, load_pretrained
    >>> [row] = batch(["low lower"], load_pretrained("gpt2"), padding=Padding(3)).rows
    >>> row.ids.tolist(), row.attention_mask.tolist(), row.word_ids.tolist(), row.offsets
    ([9319, 2793, 50257], [1, 1, 0], [0, 1, -1], [(0, 3), (3, 9), (0, 0)])
    """

    ids: Numbers
    type_ids: Numbers
    attention_mask: Numbers
    special_tokens_mask: Numbers
    text_of: Numbers
    token_of: Numbers
    word_ids: Numbers
    starts: Numbers
    ends: Numbers
    sequence_ids: Numbers
    overflowing: Sequence[InputRow] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """`starts` and `ends` as pairs."""
        return list(zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    def kept(self, text: int) -> range:
        """Range of the tokens of text 0 or 1 in this row.

        >>> from bpe_core import batch, load_pretrained
        >>> [row] = batch(["a b c d"], load_pretrained("gpt2"), truncation=Truncation(2, side="left")).rows
        >>> row.kept(0), [piece.kept(0) for piece in row.overflowing]
            (range(2, 4), [range(0, 2)])
        """
        found = self.token_of[self.text_of == checks.whole_number(text, "text", 0, 1)]
        return range(int(found[0]), int(found[-1]) + 1) if len(found) else range(0)


def rows_of(
    passages: Sequence[Sequence[Passage]],
    template: Template,
    truncation: Truncation | None,
    padding: Padding | None,
    special: Mapping[str, int],
    pad: str | None,
) -> list[InputRow]:
    """Rows of texts and pairs of texts; `special`: ids by name, `pad`: name of the pad token.

    >>> from bpe_core import load_pretrained, pipeline
    >>> passages = pipeline("low lower", load_pretrained("gpt2")).passages
    >>> [row.ids.tolist() for row in rows_of([passages], NO_TEMPLATE, Truncation(1), None, {}, None)]
    [[9319]]
    """
    groups = {
        count: groups_of(next(each for each in passages if len(each) == count)[0].tokenizer, template, count)
        for count in {*map(len, passages)}
    }
    made = [_truncated(each, *groups[len(each)], truncation, special) for each in passages]
    rows = [each.row([0] * len(each.parts)) for each in made]
    pads = None
    if padding is not None and pad is not None:
        pads = _Pads(_length(padding, rows), padding, special[pad])
        rows = [
            pads.added_to(row, each.pad_sequence([0] * len(each.parts))) for row, each in zip(rows, made, strict=True)
        ]
    return [replace(row, overflowing=_Overflowing(each, pads)) for row, each in zip(rows, made, strict=True)]


def row_of(done: Pipeline) -> InputRow:
    """Row of a pipeline, without padding and truncation.

    >>> from bpe_core import Message, chat_pipeline, load_pretrained
    >>> row_of(chat_pipeline([Message("user", "Hi")], load_pretrained("gpt2"))).word_ids.tolist()
    [0, 1, 2, 3, 4, 5]
    """
    laid = LaidOut(done.ids, done.type_ids, done.passage_of, done.token_of)
    return _described(laid, done.passages, done.passage_of)


def groups_of(tokenizer: Tokenizer, template: Template, texts: int) -> tuple[list[Group], int]:
    """Groups of a template, for one text or two, and the number of special tokens that truncation leaves room for.

    Offsets are trimmed as the tokenizer's file says, whatever the template.

    >>> from bpe_core import load_pretrained
    >>> groups_of(load_pretrained("gpt2"), Template("<s>:0 $A:0", "$A:0 $B:1"), 1)[1]
    1
    """
    given = tokenizer.kept.get("post_processor")
    if given is not None and template == tokenizer.template:
        return arranged(given, texts), added_count(given, texts)
    numbered = given is not None or template != NO_TEMPLATE
    groups = with_trims(given, text_groups(texts, numbered=numbered or texts == 2, overflow=numbered))
    if not numbered:
        return groups, 0
    places = slots(template, pair=texts == 2)
    return template_groups(places, groups), sum(isinstance(slot.holds, str) for slot in places)


def _length(padding: Padding, rows: Sequence[InputRow]) -> int:
    """Number of ids to which the rows are padded."""
    size = max(map(len, rows), default=0) if padding.length is None else padding.length
    return -(-size // padding.pad_to_multiple_of) * padding.pad_to_multiple_of


def _truncated(
    passages: Sequence[Passage],
    groups: Sequence[Group],
    special_count: int,
    truncation: Truncation | None,
    special: Mapping[str, int],
) -> _Truncated:
    lengths = [len(passage.encoding) for passage in passages]
    kept = kept_parts(lengths, truncation, special_count)
    parts = [kept[slot.holds] for group in groups for slot in group.slots if isinstance(slot.holds, int)]
    return _Truncated(passages, groups, parts, special)


@dataclass(frozen=True, eq=False)
class _Truncated:
    """A truncated text or pair; `parts`: per text of the groups, the kept tokens, then those of overflowing pieces."""

    passages: Sequence[Passage]
    groups: Sequence[Group]
    parts: Sequence[Sequence[range]]
    special: Mapping[str, int]

    def row(self, chosen: Sequence[int]) -> InputRow:
        """One part of each text between the special tokens of the template."""
        taken = [each[number] for each, number in zip(self.parts, chosen, strict=True)]
        places = [
            slot._replace(type_id=type_id) if overflows else slot
            for group, overflows in self._groups(chosen)
            for slot, type_id in zip(group.slots, group.overflow_type_ids, strict=True)
        ]
        laid = laid_out(places, self.special, [passage.encoding.ids for passage in self.passages], taken)
        row = _described(laid, self.passages, self._sequence_ids(len(laid.ids), chosen))
        return self._trimmed(replace(row, special_tokens_mask=self._mask(chosen)), chosen)

    def _groups(self, chosen: Sequence[int]) -> Iterator[tuple[Group, bool]]:
        """The groups, and whether each holds an overflowing piece."""
        numbers = iter(chosen)
        for group in self.groups:
            text = any(isinstance(slot.holds, int) for slot in group.slots)
            yield group, text and next(numbers) > 0

    def _sizes(self, chosen: Sequence[int]) -> list[list[int]]:
        """Number of tokens of each item of each group."""
        parts = (len(each[number]) for each, number in zip(self.parts, chosen, strict=True))
        return [[1 if isinstance(slot.holds, str) else next(parts) for slot in group.slots] for group in self.groups]

    def _mask(self, chosen: Sequence[int]) -> Numbers:
        flags = [flag for group in self.groups for flag in group.special]
        return np.repeat(np.array(flags, np.int64), [size for sizes in self._sizes(chosen) for size in sizes])

    def _trimmed(self, row: InputRow, chosen: Sequence[int]) -> InputRow:
        """A row without the white space that post-processors trim from offsets."""
        if not any(group.trims for group in self.groups):
            return row
        starts, ends = row.starts.copy(), row.ends.copy()
        at = 0
        for group, sizes in zip(self.groups, self._sizes(chosen), strict=True):
            for slot, size in zip(group.slots, sizes, strict=True):
                here = slice(at, at := at + size)
                if not isinstance(slot.holds, str):
                    spelled = _spelled(self.passages[slot.holds], row.token_of[here])
                    starts[here], ends[here] = trimmed(spelled, starts[here], ends[here], group.trims)
        return replace(row, starts=starts, ends=ends)

    def _numbered(self, chosen: Sequence[int]) -> dict[int, range]:
        """Range of tokens of each sequence id; for a repeated text, its last range."""
        found: dict[int, range] = {}
        at = 0
        for (group, overflows), sizes in zip(self._groups(chosen), self._sizes(chosen), strict=True):
            edges = [at, *(at + edge for edge in np.cumsum(sizes, dtype=np.int64).tolist())]
            for number, items in (group.overflow_numbered if overflows else group.numbered).items():
                found[number] = range(edges[items.start], edges[items.stop])
            at = edges[-1]
        return found

    def _sequence_ids(self, size: int, chosen: Sequence[int]) -> Numbers:
        """Sequence id of each token. The library uses as many ids as there are ranges; an id without a range covers the
        whole row."""
        known = self._numbered(chosen)
        found = np.full(size, -1, np.int64)
        for number in range(max(len(known), 1)):
            items = known.get(number, range(size))
            found[items.start : items.stop] = number
        return found

    def pad_sequence(self, chosen: Sequence[int]) -> int:
        """Sequence id of pad tokens: the last one that covers the whole row, else -1."""
        known = self._numbered(chosen)
        return max((number for number in range(max(len(known), 1)) if number not in known), default=-1)


def _spelled(passage: Passage, tokens: Numbers) -> list[str]:
    """Tokens of a text in the library's spelling: added tokens, with the white space that they take, and Unigram's
    unknown token are spelled like the text."""
    tokenizer, encoding = passage.tokenizer, passage.encoding
    unknown = tokenizer.unknown_id if tokenizer.model.kind == "unigram" else None
    return [
        encoding.utf8[encoding.starts[at] : encoding.ends[at]].decode("utf-8", "replace")
        if encoding.word_ids[at] < 0 or encoding.ids[at] == unknown
        else tokenizer.model.spelling(int(encoding.ids[at]))
        for at in tokens.tolist()
    ]


@dataclass(frozen=True, eq=False)
class _Overflowing(Sequence[InputRow]):
    """Truncated tokens as rows that are created lazily, because a pair may have many."""

    truncated: _Truncated
    pads: _Pads | None = None

    def __len__(self) -> int:
        return math.prod(map(len, self.truncated.parts)) - 1

    @overload
    def __getitem__(self, index: int) -> InputRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[InputRow]: ...
    def __getitem__(self, index: int | slice) -> InputRow | Sequence[InputRow]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(len(self))[index])
        chosen = self._chosen(range(len(self))[index])
        row = self.truncated.row(chosen)
        return row if self.pads is None else self.pads.added_to(row, self.truncated.pad_sequence(chosen))

    def _chosen(self, number: int) -> list[int]:
        """Index of the part of each text of the template in a piece.

        The library joins the texts from left to right: each overflowing piece of the texts joined so far is combined
        with all parts of the next text, then their kept part with its overflowing parts.
        """
        sizes = [len(each) for each in self.truncated.parts]
        chosen: list[int] = []
        at = number + 1  # 0: the kept part of all texts
        while sizes:
            size = sizes.pop()
            before = math.prod(sizes) - 1  # overflowing pieces of the texts to the left
            if 0 < at <= before * size:
                at, part = divmod(at - 1, size)
                at += 1
            else:
                at, part = 0, max(at - before * size, 0)
            chosen.insert(0, part)
        return chosen


def _described(laid: LaidOut, passages: Sequence[Passage], sequence_ids: Numbers) -> InputRow:
    """A row with the places of its tokens, before padding."""
    special = laid.text_of < 0
    word_ids = np.full(len(special), -1, np.int64)
    starts, ends = np.zeros(len(special), np.int64), np.zeros(len(special), np.int64)
    for text, passage in enumerate(passages):
        own = laid.text_of == text
        tokens = laid.token_of[own]
        word_ids[own] = _numbered_words(passage.encoding)[tokens]
        starts[own], ends[own] = passage.tokens.starts[tokens], passage.tokens.ends[tokens]
    return InputRow(
        laid.ids,
        laid.type_ids,
        np.ones(len(special), np.int64),
        special.astype(np.int64),
        laid.text_of,
        laid.token_of,
        word_ids,
        starts,
        ends,
        sequence_ids,
    )


def _numbered_words(encoding: Encoding) -> Numbers:
    """Index of the word of each token, where each added token in the text is a word too."""
    added = encoding.word_ids < 0
    before = np.searchsorted(encoding.word_starts, encoding.starts[added])  # words before each added token
    numbers = encoding.word_ids.astype(np.int64) + np.cumsum(added)
    numbers[added] = before + np.arange(len(before))
    return numbers


@dataclass(frozen=True)
class _Pads:
    """Pad tokens for rows of fewer than `size` ids."""

    size: int
    padding: Padding
    pad_id: int

    def added_to(self, row: InputRow, sequence_id: int) -> InputRow:
        """Pad a row to `size`; `sequence_id`: that of the pad tokens."""
        lacks = max(self.size - len(row), 0)
        places = (lacks, 0) if self.padding.side == "left" else (0, lacks)
        pads = {
            "ids": self.pad_id,
            "type_ids": self.padding.pad_type_id,
            "attention_mask": 0,
            "special_tokens_mask": 1,
            "text_of": -1,
            "token_of": -1,
            "word_ids": -1,
            "starts": 0,
            "ends": 0,
            "sequence_ids": sequence_id,
        }
        arrays: dict[str, Any] = {
            name: np.pad(getattr(row, name), places, constant_values=pad) for name, pad in pads.items()
        }
        return replace(row, **arrays)
