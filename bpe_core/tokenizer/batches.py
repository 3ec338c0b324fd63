"""Texts as a language model gets them: with special tokens, truncated and padded, and the masks that say so."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from bpe_core import checks
from bpe_core.arrays import ReadOnlyArrays
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.tokenizer.stages import Passage, Pipeline, encoded_passage
from bpe_core.tokenizer.template_tokens import LaidOut, Numbers, laid_out, with_names, with_slots
from bpe_core.tokenizer.templates import Slot, Template, slots, template_for
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.truncation import HIGHEST_LENGTH, SIDES, Side, Truncation, kept_parts

RowArray = Literal["ids", "type_ids", "attention_mask", "special_tokens_mask", "text_of", "token_of", "word_ids"]

_PAD_NAMES = ("[PAD]", "<pad>", "<PAD>", "<|pad|>", "<|padding|>", "[pad]")


class Padding(NamedTuple):
    """How texts are padded to one length, named as in the tokenizers library where it has a name.

    length              ids of each row; None: as many as the longest row has. Longer rows stay as they are
    pad_to_multiple_of  the length is raised to a multiple of this
    side                where pad tokens go: at the "right" end or at the "left" one
    pad_token           its name; None: the one that the vocabulary has, or a new [PAD]
    pad_type_id         the type id of pad tokens

    >>> Padding(pad_to_multiple_of=8).length is None
    True
    """

    length: int | None = None
    pad_to_multiple_of: int = 1
    side: Side = "right"
    pad_token: str | None = None
    pad_type_id: int = 0


def pad_token_of(tokenizer: Tokenizer) -> str | None:
    """The name of the vocabulary's own pad token, None where it has none.

    >>> from bpe_core import load_pretrained
    >>> pad_token_of(load_pretrained("bert-base-uncased")), pad_token_of(load_pretrained("gpt2"))
    ('[PAD]', None)
    """
    return next((name for name in _PAD_NAMES if name in tokenizer.special_tokens), None)


@dataclass(frozen=True, eq=False)
class Row(ReadOnlyArrays):
    """What a language model gets for one text or pair: read-only int64 arrays of equal length, one entry an id.

    ids, type_ids        what it reads
    attention_mask       0 for pad tokens, which it must not read; 1 for all others
    special_tokens_mask  1 for special tokens of the template and for pad tokens, 0 for tokens of the texts
    text_of, token_of    0 or 1 for the text of an id, and the number of its token there; -1 where the mask says special
    word_ids             the word of the text that a token belongs to; -1 for special tokens
    starts, ends         characters of the original text; 0 and 0 where the mask says special. The tokenizers library's
                         offsets, but that every byte is in one token: see FileSymbols, and Unigram's byte fallback
    overflowing          what truncation removed, as further rows of the same form

    >>> from bpe_core import load_pretrained
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
    overflowing: Sequence[Row] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """`starts` and `ends` as pairs."""
        return list(zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    def kept(self, text: int) -> range:
        """Which tokens of the text 0 or 1 are in this row.

        >>> from bpe_core import load_pretrained
        >>> [row] = batch(["a b c d"], load_pretrained("gpt2"), truncation=Truncation(2, side="left")).rows
        >>> row.kept(0), [piece.kept(0) for piece in row.overflowing]
        (range(2, 4), [range(0, 2)])
        """
        found = self.token_of[self.text_of == checks.whole_number(text, "text", 0, 1)]
        return range(int(found[0]), int(found[-1]) + 1) if len(found) else range(0)


@dataclass(frozen=True, eq=False)
class Batch:
    """Texts and pairs of texts, encoded together.

    rows       one for each text or pair, in their order
    passages   of each row its text or its two texts, stage by stage
    added      special tokens that the vocabulary lacked, and the ids that they got
    pad_token  the name of the pad token, None without padding
    tokenizer  with those

    >>> from bpe_core import load_pretrained
    >>> made = batch(["low", ("low", "lower")], load_pretrained("gpt2"), padding=Padding())
    >>> made.array("ids").tolist(), made.array("attention_mask").tolist()
    ([[9319, 50257], [9319, 21037]], [[1, 0], [1, 1]])
    >>> made.added, made.pad_token, len(made), [len(row) for row in made]
    ({'[PAD]': 50257}, '[PAD]', 2, [2, 2])
    """

    rows: tuple[Row, ...]
    passages: tuple[tuple[Passage, ...], ...]
    added: dict[str, int]
    pad_token: str | None
    tokenizer: Tokenizer

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def array(self, name: RowArray) -> Numbers:
        """One array of all rows as a matrix, a row each. Raises ConfigError where they differ in length.

        >>> from bpe_core import load_pretrained
        >>> batch(["low", "low lower"], load_pretrained("gpt2")).array("ids")
        Traceback (most recent call last):
            ...
        bpe_core.errors.ConfigError: The rows have 1 to 2 ids. ...
        """
        checks.choice(name, "name", RowArray.__args__)  # type: ignore[attr-defined]
        sizes = [len(row) for row in self.rows] or [0]
        if min(sizes) < max(sizes):
            raise ConfigError(
                message("The rows have {least:,} to {most:,} ids.", least=min(sizes), most=max(sizes)),
                limit=message("The rows of a matrix are of one length."),
                remedy=message("Encode the texts with padding."),
            )
        return np.array([getattr(row, name) for row in self.rows], np.int64).reshape(len(self.rows), sizes[0])

    def pipeline(self, number: int) -> Pipeline:
        """A row with its texts in every stage; a pad token is there like a special token that the template added.

        >>> from bpe_core import load_pretrained
        >>> batch(["low"], load_pretrained("gpt2")).pipeline(0).ids.tolist()
        [9319]
        """
        at = checks.whole_number(number, "number", 0, len(self.rows) - 1)
        row = self.rows[at]
        return Pipeline(self.passages[at], row.ids, row.type_ids, row.text_of, row.token_of, self.added, self.tokenizer)


def batch(
    texts: Sequence[str | tuple[str, str]],
    tokenizer: Tokenizer,
    *,
    template: str | Template = "none",
    truncation: Truncation | None = None,
    padding: Padding | None = None,
) -> Batch:
    """Texts and pairs of texts with special tokens, truncated and padded, as `encode_batch` of the tokenizers library.

    template, and special tokens that the vocabulary lacks: as in `pipeline`. A pad token that it lacks gets an id, too.
    Names of special tokens in the texts stay plain. Without truncation no text is shortened.

    As in that library, overflowing pieces are each piece of the first text with each of the second, and what overflows
    of a text has the type id 0 or 1 of that text, whatever the template says. Other than there, a `max_length` below
    the number of special tokens is refused; there it truncates nothing.

    Raises ConfigError for a template, truncation or padding that is not possible, VocabularyError for an id that a
    special token cannot get, CorpusError for what is not text.

    >>> from bpe_core import load_pretrained
    >>> bert = load_pretrained("bert-base-uncased")
    >>> made = batch(["low lower lowest", "low"], bert, template="bert", truncation=Truncation(4), padding=Padding())
    >>> for row in made:
    ...     print(row.ids.tolist(), row.attention_mask.tolist(), row.special_tokens_mask.tolist())
    [101, 2659, 2896, 102] [1, 1, 1, 1] [1, 0, 0, 1]
    [101, 2659, 102, 0] [1, 1, 1, 0] [1, 0, 1, 1]
    >>> [piece.ids.tolist() for piece in made.rows[0].overflowing]
    [[101, 7290, 102, 0]]
    """
    given = [_texts(each) for each in checks.sequence(texts, "texts", message("texts and pairs of texts"))]
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    if not isinstance(template, Template):
        template = template_for(template, tokenizer.special_tokens)
    counts = dict.fromkeys(map(len, given or [("",)]))  # without texts, the settings are checked as for one
    places = {count: slots(template, pair=count == 2) for count in counts}
    for each in places.values():
        kept_parts([0], truncation, _special(each))
    tokenizer, added = with_slots(tokenizer, [slot for each in given for slot in places[len(each)]])
    pad = None
    if padding is not None:
        given_name = _checked(padding).pad_token
        pad = (pad_token_of(tokenizer) or "[PAD]") if given_name is None else given_name
        tokenizer, padded = with_names(tokenizer, [pad])
        added = added | padded
    passages = tuple(
        tuple(encoded_passage(name, tokenizer, [(text, None)]) for name, text in zip("AB", each, strict=False))
        for each in given
    )
    truncated = [_truncated(each, places[len(each)], truncation, tokenizer.special_tokens) for each in passages]
    rows = [each.row([0] * len(each.parts)) for each in truncated]
    pads = None
    if padding is not None and pad is not None:
        pads = _Pads(_length(padding, rows), padding, tokenizer.special_tokens[pad])
        rows = [pads.added_to(row) for row in rows]
    whole = (replace(row, overflowing=_Overflowing(each, pads)) for row, each in zip(rows, truncated, strict=True))
    return Batch(tuple(whole), passages, added, pad, tokenizer)


def _texts(given: object) -> tuple[str, ...]:
    texts = given if isinstance(given, tuple) else (given,)
    if len(texts) not in (1, 2):
        raise ConfigError(
            message("texts holds a tuple of {number:,}.", number=len(texts)),
            limit=message("A tuple is a pair of two texts."),
            remedy=message("Give longer lists as rows of their own."),
        )
    return tuple(checks.given_text(text) for text in texts)


def row_of(done: Pipeline) -> Row:
    """The row of a pipeline: without padding, and nothing of it truncated.

    >>> from bpe_core import Message, chat_pipeline, load_pretrained
    >>> row_of(chat_pipeline([Message("user", "Hi")], load_pretrained("gpt2"))).word_ids.tolist()
    [-1, 0, 1, 2, -1, 3]
    """
    return _described(LaidOut(done.ids, done.type_ids, done.passage_of, done.token_of), done.passages)


# -- one row -----------------------------------------------------------------------------------------------------


def _truncated(
    passages: Sequence[Passage], places: Sequence[Slot], truncation: Truncation | None, special: Mapping[str, int]
) -> _Truncated:
    lengths = [len(passage.encoding) for passage in passages]
    return _Truncated(passages, places, kept_parts(lengths, truncation, _special(places)), special)


def _special(places: Sequence[Slot]) -> int:
    return sum(isinstance(slot.holds, str) for slot in places)


@dataclass(frozen=True, eq=False)
class _Truncated:
    """A text or a pair in parts: the tokens of each text that are kept, then those of its overflowing pieces."""

    passages: Sequence[Passage]
    places: Sequence[Slot]
    parts: Sequence[Sequence[range]]
    special: Mapping[str, int]

    def row(self, chosen: Sequence[int]) -> Row:
        """One part of each text between the special tokens of the template."""
        places = [
            slot if isinstance(slot.holds, str) or not chosen[slot.holds] else slot._replace(type_id=slot.holds)
            for slot in self.places
        ]
        taken = [each[number] for each, number in zip(self.parts, chosen, strict=True)]
        return _described(
            laid_out(places, self.special, [passage.encoding.ids for passage in self.passages], taken), self.passages
        )


@dataclass(frozen=True, eq=False)
class _Overflowing(Sequence[Row]):
    """What truncation removed: rows that are made when they are asked for, since a pair may have many."""

    truncated: _Truncated
    pads: _Pads | None = None

    def __len__(self) -> int:
        return math.prod(map(len, self.truncated.parts)) - 1

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(len(self))[index])
        row = self.truncated.row(self._chosen(range(len(self))[index]))
        return row if self.pads is None else self.pads.added_to(row)

    def _chosen(self, number: int) -> list[int]:
        """The part of each text that a piece has."""
        parts = self.truncated.parts
        if len(parts) == 1:
            return [number + 1]
        first = next(slot.holds for slot in self.truncated.places if isinstance(slot.holds, int))
        others = len(parts[1 - first])
        of_first, of_other = divmod(number, others)
        # As in the library: what the template has first overflows with all of the other, and is kept with the rest.
        chosen = (of_first + 1, of_other) if of_first + 1 < len(parts[first]) else (0, of_other + 1)
        return [chosen[0], chosen[1]] if first == 0 else [chosen[1], chosen[0]]


def _described(laid: LaidOut, passages: Sequence[Passage]) -> Row:
    """A row with the places of its tokens, before padding."""
    special = laid.text_of < 0
    word_ids = np.full(len(special), -1, np.int64)
    starts, ends = np.zeros(len(special), np.int64), np.zeros(len(special), np.int64)
    for text, passage in enumerate(passages):
        own = laid.text_of == text
        tokens = laid.token_of[own]
        word_ids[own] = passage.encoding.word_ids[tokens]
        starts[own], ends[own] = passage.tokens.starts[tokens], passage.tokens.ends[tokens]
    return Row(
        laid.ids,
        laid.type_ids,
        np.ones(len(special), np.int64),
        special.astype(np.int64),
        laid.text_of,
        laid.token_of,
        word_ids,
        starts,
        ends,
    )


# -- padding -----------------------------------------------------------------------------------------------------


def _checked(padding: Padding) -> Padding:
    checks.instance(padding, "padding", Padding, message("a Padding, or None"))
    if padding.length is not None:
        checks.whole_number(padding.length, "length", 0, HIGHEST_LENGTH)
    checks.whole_number(padding.pad_to_multiple_of, "pad_to_multiple_of", 1, HIGHEST_LENGTH)
    checks.choice(padding.side, "side", SIDES)
    checks.whole_number(padding.pad_type_id, "pad_type_id", 0, (1 << 32) - 1)
    if padding.pad_token is not None:
        checks.utf8_text(padding.pad_token, "pad_token")
    return padding


def _length(padding: Padding, rows: Sequence[Row]) -> int:
    """To how many ids the rows are padded."""
    size = max(map(len, rows), default=0) if padding.length is None else padding.length
    return -(-size // padding.pad_to_multiple_of) * padding.pad_to_multiple_of


@dataclass(frozen=True)
class _Pads:
    """The pad tokens that rows of less than `size` ids get."""

    size: int
    padding: Padding
    pad_id: int

    def added_to(self, row: Row) -> Row:
        """A row with as many pad tokens as it lacks."""
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
        }
        arrays: dict[str, Any] = {
            name: np.pad(getattr(row, name), places, constant_values=pad) for name, pad in pads.items()
        }
        return replace(row, **arrays)
