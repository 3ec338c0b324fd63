"""Shared code of byte-pair formats: byte ids, merge tables, and building a tokenizer from tokens and merges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast

import numpy as np

from bpe_core.arrays import Int32s
from bpe_core.bpe.config import TrainConfig
from bpe_core.bpe.merge_tables import PairMerges, TableMerges
from bpe_core.bpe.model import BpeModel
from bpe_core.errors import FormatError, quoted, refuse
from bpe_core.formats.reading import THE_FILE, made
from bpe_core.language import listed, message
from bpe_core.text.normalizers import IDENTITY, Normalizer
from bpe_core.text.splits import Split
from bpe_core.tokenizer.model import Merges, Row
from bpe_core.tokenizer.token_ranges import check_listed
from bpe_core.tokenizer.tokenizer import Tokenizer


def byte_ids(tokens: Sequence[bytes | None], what: str = THE_FILE) -> tuple[int, ...]:
    """Id of each of the 256 bytes; the lowest if several tokens are the same byte.

    Raises FormatError if a byte has no token; `what` names the file in the message.

    >>> byte_ids([b"ab", *(bytes([value]) for value in range(256))])[:3]
    (1, 2, 3)
    """
    ids = {token[0]: i for i, token in reversed(list(enumerate(tokens))) if token is not None and len(token) == 1}
    for value in range(256):
        if value not in ids:
            refuse(
                message("{what} has no token for the byte 0x{value:02X}.", what=what, value=value),
                message("A byte vocabulary has all 256, so that it can encode every text."),
            )
    return tuple(ids[value] for value in range(256))


def merges_of(
    rows: Sequence[Row] | Int32s,
    tokens: Sequence[bytes | None] | Mapping[bytes, int],
    *,
    wholes: bool = False,
    fallback: Collection[int] = (),
) -> Merges:
    """Merge table from (left, right, new id) rows in rank order.

    `wholes`: whether a word that is itself a token is encoded as it without merging; this needs `tokens`, as tokens by
    id or ids by token. `fallback`: byte tokens for unknown characters; no whole word becomes one of these.

    >>> merges_of([(97, 98, 256), (256, 99, 257)], []).merge_of(97, 98)
    (0, 256)
    """
    rows = np.asarray(rows, np.int32).reshape(-1, 3)
    first_id = int(rows[0, 2]) if len(rows) else len(tokens)
    if not wholes and (rows[:, 2] == first_id + np.arange(len(rows))).all():
        return PairMerges(list(zip(rows[:, 0].tolist(), rows[:, 1].tolist(), strict=True)), first_id)
    if not wholes:
        return TableMerges(rows)
    if isinstance(tokens, Mapping):
        return TableMerges(rows, tokens)
    bytes_ = frozenset(fallback)
    return TableMerges(rows, [None if token_id in bytes_ else token for token_id, token in enumerate(tokens)])


def bpe_tokenizer(
    name: str,
    model: BpeModel,
    special_tokens: Mapping[str, int],
    *,
    normalizer: Normalizer = IDENTITY,
    split: str = "gpt2",
    library: bool = False,
    config: TrainConfig | None = None,
) -> Tokenizer:
    """Build a tokenizer from a file's model and stages.

    `library`: whether the split treats text as tiktoken does, see Split. `config`: the training settings, if the file
    has them. Raises FormatError for a split that is neither a name nor a valid pattern, and for special tokens with the
    ids of other tokens.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> bpe_tokenizer("GPT-2 in words", bpe_model(gpt2), {"<s>": 60_000}, split="words").tokenize("low lower")
    ['low', 'lower']
    """
    tokenizer = Tokenizer(
        name,
        model=model,
        normalizer=normalizer,
        split=made(message("the settings of the file"), lambda: Split(split, library=library)),
        decoder=model.decoder,
        config=config,
    )
    return made(message("the special tokens"), lambda: tokenizer.with_special_tokens(special_tokens))


def one_id_each(tokenizer: Tokenizer, kind: str, *, but: Collection[int] = ()) -> dict[bytes, int]:
    """Ids of all non-special tokens by their bytes. Raises FormatError if two ids have the same bytes.

    `but`: further ids to omit.

    Merges of different pairs may spell the same bytes. Here the results have different ids, but a file that names
    tokens by spelling can hold only one of them.

    >>> from bpe_core import load_pretrained
    >>> one_id_each(load_pretrained("gpt2"), "vocab.json")[b" low"]
    1877
    """
    tokens = tokenizer.model.tokens
    check_listed(tokens, error=FormatError)
    ids: dict[bytes, int] = {}
    special = {*tokenizer.special_tokens.values(), *but}
    for token_id, token in enumerate(tokens):
        if token is None or token_id in special:
            continue
        if token in ids:
            raise FormatError(
                message(
                    "The tokens {other_id:,} and {token_id:,} both spell {token}, by different merges.",
                    other_id=ids[token],
                    token_id=token_id,
                    token=quoted(token),
                ),
                limit=message("A {kind} names tokens by their spelling, with one id for each.", kind=kind),
                remedy=message('Save it as "bpe-lab", or train to fewer tokens or with the other tie rule.'),
            )
        ids[token] = token_id
    return ids


def plain_byte_tokens(tokenizer: Tokenizer, kind: str) -> dict[bytes, int]:
    """`one_id_each` for byte-level BPE. Raises FormatError for any other tokenizer.

    >>> from bpe_core import TrainConfig, train
    >>> tokenizer = train("low low", TrainConfig(vocab_size=257)).tokenizer()
    >>> plain_byte_tokens(tokenizer, ".tiktoken file")[b"lo"]
    256
    """
    is_bpe = tokenizer.model.kind == "bpe"
    if not is_bpe or tokenizer.model.unit != "byte":
        made_of_characters = message("{tokenizer} is made of characters.", tokenizer=tokenizer.name)
        made_of_pieces = message("{tokenizer} is made of pieces.", tokenizer=tokenizer.name)
        refuse(
            made_of_characters if is_bpe else made_of_pieces,
            message("A {kind} holds byte-pair encodings over bytes.", kind=kind),
            OTHER_FORMAT,
        )
    return one_id_each(tokenizer, kind)


def bpe_model(tokenizer: Tokenizer) -> BpeModel:
    """The model of a tokenizer with the `model.kind` "bpe", cast to its type.

    >>> from bpe_core import load_pretrained
    >>> len(bpe_model(load_pretrained("gpt2")).merges.rows)
    50000
    """
    return cast("BpeModel", tokenizer.model)


def refuse_normalization(tokenizer: Tokenizer, kind: str) -> None:
    """Raise FormatError if the tokenizer normalizes text before splitting it.

    >>> from bpe_core import load_pretrained
    >>> refuse_normalization(load_pretrained("gpt2").with_stages(lowercase=True), "vocab.txt")
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: The tokenizer normalizes texts (lowercase). A vocab.txt cannot record that, and would
    give other ids. Save it as "tokenizers" or "bpe-lab".
    """
    called = {"lower case": "lowercase", "accents": "strip_accents", "clean-up": "clean"}
    used = [called.get(step.name, step.name) for step in tokenizer.normalizer.steps]
    if used:
        refuse(
            message("The tokenizer normalizes texts ({steps}).", steps=listed(used, last="")),
            message("A {kind} cannot record that, and would give other ids.", kind=kind),
            message('Save it as "tokenizers" or "bpe-lab".'),
        )


OTHER_FORMAT = message('Save it as "bpe-lab", which holds it.')
