"""Special tokens of a template: their ids, and the layout of texts between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_core.errors import TokenIdError
from bpe_core.tokenizer.templates import Slot
from bpe_core.tokenizer.tokenizer import Tokenizer

Numbers = npt.NDArray[np.int64]


class LaidOut(NamedTuple):
    """Ids in the order of a template: four int64 arrays of equal length.

    `text_of` is the index of an id's text, 0 or 1, `token_of` its index among the tokens of that text; both are -1 for
    a special token of the template.

    >>> LaidOut(*np.array([[1, 7], [0, 0], [-1, 0], [-1, 0]])).text_of.tolist()
    [-1, 0]
    """

    ids: Numbers
    type_ids: Numbers
    text_of: Numbers
    token_of: Numbers


def laid_out(
    places: Sequence[Slot],
    special: Mapping[str, int],
    texts: Sequence[npt.NDArray[np.integer[Any]]],
    parts: Sequence[range] | None = None,
) -> LaidOut:
    """Lay out the ids of one text or two between the special tokens of a template.

    places: the result of `slots`. special: id of each special token. texts: ids of each text; `parts`: the tokens to
    use for each text of `places`, in order; all of them by default.

    >>> from bpe_core.tokenizer.templates import TEMPLATES, slots
    >>> places = slots(TEMPLATES["bert"], pair=False)
    >>> laid = laid_out(places, {"[CLS]": 1, "[SEP]": 2}, [np.array([7, 8, 9])], [range(2)])
    >>> laid.ids.tolist(), laid.token_of.tolist()
    ([1, 7, 8, 2], [-1, 0, 1, -1])
    """
    wanted = [slot.holds for slot in places if isinstance(slot.holds, int)]
    taken = iter([range(len(texts[holds])) for holds in wanted] if parts is None else parts)
    columns: list[tuple[Any, ...]] = [(np.zeros(0, np.int64),) * 4]
    for holds, type_id, own_id in places:
        if isinstance(holds, str):
            columns.append((special[holds] if own_id is None else own_id, type_id, -1, -1))
        else:
            part = next(taken)
            numbers = np.arange(part.start, part.stop)
            columns.append((texts[holds][numbers], type_id, holds, numbers))
    laid = (np.broadcast_arrays(*map(np.atleast_1d, column)) for column in columns)
    return LaidOut(*(np.concatenate(each).astype(np.int64) for each in zip(*laid, strict=True)))


def with_names(tokenizer: Tokenizer, names: Sequence[str]) -> tuple[Tokenizer, dict[str, int]]:
    """Add these special tokens to the tokenizer; also return the missing ones, with their ids after its end.

    A name that is an ordinary token of the vocabulary keeps its id, and is not new.

    >>> from bpe_core import load_pretrained
    >>> with_names(load_pretrained("gpt2"), ["<|endoftext|>", "[PAD]"])[1]
    {'[PAD]': 50257}
    """
    own = {}
    for name in dict.fromkeys(names):
        found = None if name in tokenizer.special_tokens else tokenizer.token_id(name.encode())
        if found is not None:
            own[name] = found
    tokenizer = tokenizer.with_special_tokens(own) if own else tokenizer
    missing = [name for name in dict.fromkeys(names) if name not in tokenizer.special_tokens]
    added = {name: tokenizer.vocab_size + i for i, name in enumerate(missing)}
    return (tokenizer.with_special_tokens(added) if added else tokenizer), added


def with_slots(tokenizer: Tokenizer, places: Sequence[Slot]) -> tuple[Tokenizer, dict[str, int]]:
    """Add the special tokens of a template to the tokenizer, as `with_names` does; ids in the template are kept.

    >>> from bpe_core import load_pretrained
    >>> with_slots(load_pretrained("gpt2"), [Slot("<s>", 0, 60_000), Slot(0, 0)])[1]
    {'<s>': 60000}
    """
    special = [slot for slot in places if isinstance(slot.holds, str)]
    lacking = {str(slot.holds): slot.id for slot in special if slot.id is not None and not _has(tokenizer, slot.id)}
    tokenizer = tokenizer.with_special_tokens(lacking) if lacking else tokenizer
    tokenizer, added = with_names(tokenizer, [str(slot.holds) for slot in special if slot.id is None])
    return tokenizer, lacking | added


def _has(tokenizer: Tokenizer, token_id: int) -> bool:
    try:
        tokenizer.token_bytes(token_id)
    except TokenIdError:
        return False
    return True
