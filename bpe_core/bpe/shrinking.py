"""Smaller tokenizers: the first merges only, or the tokens that a text uses. Ids become consecutive, as rows of
embeddings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bpe_core import checks
from bpe_core.arrays import Int32s, ReadOnlyArrays
from bpe_core.bpe.file_symbols import FileSymbols
from bpe_core.bpe.growth import check_grows
from bpe_core.bpe.merge_tables import TableMerges
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import BaseVocabulary
from bpe_core.language import message
from bpe_core.tokenizer.tables import DataFrame
from bpe_core.tokenizer.templates import Slot, Template
from bpe_core.tokenizer.tokenizer import Tokenizer


@dataclass(frozen=True, eq=False)
class Shrunk(ReadOnlyArrays):
    """A tokenizer with some of the tokens of another.

    kept  int32: the old id of each new one, ascending: `embedding[kept]` are the rows of the smaller model
    lost  int32: the old ids that were removed, ascending
    before: the tokenizer with all tokens

    >>> from bpe_core import load_pretrained
    >>> small = with_used_tokens(load_pretrained("gpt2"), "low lower lowest")
    >>> small.tokenizer.vocab_size, len(small.lost), small.kept[-3:].tolist()
    (267, 49990, [9016, 9319, 50256])
    """

    tokenizer: Tokenizer
    kept: Int32s
    lost: Int32s
    before: Tokenizer = field(repr=False)

    def table(self) -> DataFrame:
        """The ids as a pandas DataFrame, one row per old id (index `old_id`).

        new_id  Int32: missing if the token is gone
        bytes   object: bytes of the token

        >>> from bpe_core import load_pretrained
        >>> with_used_tokens(load_pretrained("gpt2"), "low").table()["new_id"].tolist()[-2:]
        [<NA>, 258]
        """
        import pandas as pd

        new = np.full(self.before.vocab_size, -1, np.int32)
        new[self.kept] = np.arange(len(self.kept))
        ids = np.sort(np.concatenate((self.kept, self.lost)))
        numbers = pd.array(new[ids], "Int32")
        numbers[new[ids] < 0] = pd.NA
        tokens = [self.before.token_bytes(old) for old in ids.tolist()]
        return pd.DataFrame({"new_id": numbers, "bytes": tokens}, index=pd.Index(ids, name="old_id"))


def with_first_merges_only(tokenizer: Tokenizer, count: int) -> Shrunk:
    """The first `count` merges and the tokens that they make, with the base symbols and the added tokens.

    It segments texts as `with_first_merges` does. Raises ConfigError for a tokenizer that is not BPE, and for anything
    but a whole number from 0.

    >>> from bpe_core import load_pretrained
    >>> small = with_first_merges_only(load_pretrained("gpt2"), 1_000)
    >>> small.tokenizer.vocab_size, small.tokenizer.tokenize(" lower")
    (1257, [' l', 'ower'])
    """
    most = checks.whole_number(count, "count", 0)
    model, keep = _model(tokenizer), _all(tokenizer)
    first = model.merges.first(most)
    keep[model.merges.table[:, 2]] = False
    keep[first.table[:, 2]] = True
    if model.merges.takes_wholes:
        for token_id, token in enumerate(model.tokens):
            if token is not None and model.merges.whole(token) == token_id:
                keep[token_id] = first.whole(token) is not None
    return _shrunk(tokenizer, model, keep)


def with_used_tokens(tokenizer: Tokenizer, text: str) -> Shrunk:
    """The tokens that `text` uses and those that these are merged from, with the base symbols and the added tokens.

    The text keeps its tokens, and base symbols spell every other text. Raises ConfigError for a tokenizer that is not
    BPE, and as `encode` does.

    >>> from bpe_core import load_pretrained
    >>> small = with_used_tokens(load_pretrained("gpt2"), "the lantern").tokenizer
    >>> small.tokenize("the lantern"), small.tokenize("the lamp")
    (['the', ' lantern'], ['the', ' l', 'a', 'm', 'p'])
    """
    model = _model(tokenizer)
    keep, rows = np.zeros(tokenizer.vocab_size, np.bool_), model.merges.table
    keep[tokenizer.encode(text).ids] = True
    reached = 0
    while reached < (reached := int(keep.sum())):
        keep[rows[keep[rows[:, 2]], :2]] = True
    return _shrunk(tokenizer, model, keep)


def _model(tokenizer: Tokenizer) -> BpeModel:
    checks.instance(tokenizer, "tokenizer", Tokenizer, message("a Tokenizer"))
    check_grows(tokenizer)
    return cast("BpeModel", tokenizer.model)


def _all(tokenizer: Tokenizer) -> npt.NDArray[np.bool_]:
    keep = np.zeros(tokenizer.vocab_size, np.bool_)
    keep[tokenizer.ids] = True
    return keep


def _shrunk(tokenizer: Tokenizer, model: BpeModel, keep: npt.NDArray[np.bool_]) -> Shrunk:
    """The tokenizer with the chosen ids, the base symbols and the added tokens."""
    keep[[*model.base.symbol_ids, *(token.id for token in tokenizer.special_token_flags)]] = True
    kept = np.flatnonzero(keep).astype(np.int32)
    lost = np.flatnonzero(_all(tokenizer) & ~keep).astype(np.int32)
    new = np.full(len(keep), -1, np.int32)
    new[kept] = np.arange(len(kept), dtype=np.int32)
    rows, olds = model.merges.table, kept.tolist()
    tokens = [model.tokens[old] if old < len(model.tokens) else None for old in olds]
    wholes = None
    if model.merges.takes_wholes:
        named = ((token, at) for at, token in enumerate(tokens) if token is not None)
        wholes = {token: at for token, at in named if model.merges.whole(token) == olds[at]}
    smaller = BpeModel(
        _base(model, new),
        tokens,
        TableMerges(new[rows[keep[rows].all(axis=1)]], wholes),
        unit=model.unit,
        aliases={token: int(new[old]) for token, old in model.aliases.items() if keep[old]},
    )
    special = [token._replace(id=int(new[token.id])) for token in tokenizer.special_token_flags]
    made = Tokenizer(
        tokenizer.name,
        model=smaller,
        normalizer=tokenizer.normalizer,
        split=tokenizer.split,
        template=_renumbered_template(tokenizer.template, new),
        decoder=tokenizer.decoder,
        special_tokens=special,
        kept=_renumbered(tokenizer.kept, new),
    )
    return Shrunk(made, kept, lost, tokenizer)


def _base(model: BpeModel, new: Int32s) -> FileSymbols | BaseVocabulary:
    base = model.base
    if isinstance(base, FileSymbols):
        ids = {token: int(new[old]) for token, old in base.ids.items() if new[old] >= 0}
        unknown = base.unknown_id
        return replace(base, ids=ids, unknown_id=None if unknown is None or new[unknown] < 0 else int(new[unknown]))
    assert isinstance(base, BaseVocabulary)
    unknown_id, mark_id = (None if old is None else int(new[old]) for old in (base.unknown_id, base.mark_id))
    return replace(
        base,
        tokens=(),
        special_tokens={},
        byte_ids=None if base.byte_ids is None else tuple(new[[*base.byte_ids]].tolist()),
        char_ids={char: int(new[old]) for char, old in base.char_ids.items()},
        unknown_id=unknown_id,
        mark_id=mark_id,
    )


def _renumbered_template(template: Template, new: Int32s) -> Template:
    def of(part: str | tuple[Slot, ...] | None) -> str | tuple[Slot, ...] | None:
        if not isinstance(part, tuple):
            return part
        return tuple(slot if slot.id is None else slot._replace(id=_new(new, slot.id)) for slot in part)

    return Template(of(template.single), of(template.pair))


def _new(new: Int32s, old: int) -> int:
    """New number of an id; an id outside the vocabulary is unchanged."""
    return int(new[old]) if old < len(new) and new[old] >= 0 else old


def _renumbered(kept: Mapping[str, Any], new: Int32s) -> dict[str, Any]:
    """Parts of a file with new ids for the special tokens in its post-processor, and for its padding."""

    def walk(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: walk(each, name) for name, each in value.items()}
        if key in ("sep", "cls"):
            return [value[0], _new(new, value[1])]
        if key == "ids":
            return [_new(new, each) for each in value]
        if isinstance(value, list):
            return [walk(each) for each in value]
        return _new(new, value) if key == "pad_id" else value

    return {name: walk(value, name) for name, value in kept.items()}
