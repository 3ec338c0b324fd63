"""Batches as input of a language model: with special tokens, truncated and padded, and with their masks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bpe_core import checks
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.tokenizer.rows import InputRow, Padding, groups_of, rows_of
from bpe_core.tokenizer.stages import Passage, Pipeline, encoded_passage
from bpe_core.tokenizer.template_tokens import Numbers, with_names, with_slots
from bpe_core.tokenizer.templates import Template, slots, template_for
from bpe_core.tokenizer.tokenizer import Tokenizer
from bpe_core.tokenizer.truncation import HIGHEST_LENGTH, SIDES, Truncation, kept_parts

RowArray = Literal[
    "ids", "type_ids", "attention_mask", "special_tokens_mask", "text_of", "token_of", "word_ids", "sequence_ids"
]

_PAD_NAMES = ("[PAD]", "<pad>", "<PAD>", "<|pad|>", "<|padding|>", "[pad]")


def pad_token_of(tokenizer: Tokenizer) -> str | None:
    """Name of the vocabulary's pad token, or None.

    >>> from bpe_core import load_pretrained
    >>> pad_token_of(load_pretrained("bert-base-uncased")), pad_token_of(load_pretrained("gpt2"))
    ('[PAD]', None)
    """
    return next((name for name in _PAD_NAMES if name in tokenizer.special_tokens), None)


@dataclass(frozen=True, eq=False)
class Batch:
    """Texts and pairs of texts, encoded together.

    rows       one per text or pair, in input order
    passages   for each row its text or two texts, stage by stage
    added      special tokens missing from the vocabulary, with their new ids
    pad_token  name of the pad token, None without padding
    tokenizer  the tokenizer including the added tokens

    >>> from bpe_core import load_pretrained
    >>> made = batch(["low", ("low", "lower")], load_pretrained("gpt2"), padding=Padding())
    >>> made.array("ids").tolist(), made.array("attention_mask").tolist()
    ([[9319, 50257], [9319, 21037]], [[1, 0], [1, 1]])
    >>> made.added, made.pad_token, len(made), [len(row) for row in made]
    ({'[PAD]': 50257}, '[PAD]', 2, [2, 2])
    """

    rows: tuple[InputRow, ...]
    passages: tuple[tuple[Passage, ...], ...]
    added: dict[str, int]
    pad_token: str | None
    tokenizer: Tokenizer

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[InputRow]:
        return iter(self.rows)

    def array(self, name: RowArray) -> Numbers:
        """One array of all rows as a matrix. Raises ConfigError if the rows differ in length.

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
                limit=message("All rows of a matrix must have the same length."),
                remedy=message("Encode the texts with padding."),
            )
        return np.array([getattr(row, name) for row in self.rows], np.int64).reshape(len(self.rows), sizes[0])

    def pipeline(self, number: int) -> Pipeline:
        """A row with its texts in every stage; a pad token appears like a special token added by the template.

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
    """Encode texts and pairs with special tokens, truncated and padded, as `encode_batch` of the tokenizers library.

    template, and special tokens missing from the vocabulary: as in `pipeline`. A missing pad token gets an id, too.
    Names of special tokens in the texts are plain text. Without truncation no text is shortened.

    As in that library, the overflow of a pair combines each piece of the first text with each of the second, and the
    overflow of a text has the type id 0 or 1 of that text, whatever the template says (with RobertaProcessing: 0). If
    `max_length` is below the number of special tokens, the library truncates nothing; here it is an error.

    Raises ConfigError for an impossible template, truncation or padding, VocabularyError for an id that a special token
    cannot get, CorpusError for anything that is not text.

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
    counts = dict.fromkeys(map(len, given or [("",)]))  # without texts, check the settings as for one text
    places = {count: slots(template, pair=count == 2) for count in counts}
    for count in counts:
        kept_parts([0], truncation, groups_of(tokenizer, template, count)[1])
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
    rows = rows_of(passages, template, truncation, padding, tokenizer.special_tokens, pad)
    return Batch(tuple(rows), passages, added, pad, tokenizer)


def _texts(given: object) -> tuple[str, ...]:
    texts = given if isinstance(given, tuple) else (given,)
    if len(texts) not in (1, 2):
        raise ConfigError(
            message("texts holds a tuple of {number:,}.", number=len(texts)),
            limit=message("A tuple is a pair of two texts."),
            remedy=message("Give longer lists as rows of their own."),
        )
    return tuple(checks.given_text(text) for text in texts)


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
