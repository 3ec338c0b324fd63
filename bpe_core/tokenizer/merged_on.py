"""Tokens that were only steps: the very next merge of the training joined them into a longer one.

The next merge has the largest count that is left. If it takes the token made just before, that token was nearly always
followed, or preceded, by the same neighbour: on its own it is left in the training text almost nowhere, and so it is
in any text. A model with this vocabulary hardly ever sees it.
"""

from __future__ import annotations

from bpe_core import checks
from bpe_core.language import message
from bpe_core.tokenizer.tokenizer import Tokenizer


def merged_at_once(tokenizer: Tokenizer) -> dict[int, int]:
    """Tokens that the merge of the next rank joins into a longer one, by id, each with the longer one.

    Empty for a model without merges. Source of the idea: S. Land and M. Bartolo 2024, arXiv 2405.05417, who find such
    fragments under-trained; here they are found by rank alone.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = merged_at_once(gpt2)
    >>> len(found), [(gpt2.token(short), gpt2.token(long)) for short, long in found.items()][:2]
    (12, [(' toget', ' together'), (' externalToEVA', ' externalToEVAOnly')])
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    merges = tokenizer.model.merges
    if merges is None:
        return {}
    ranks = {made: merges.rank_of(made) for _, _, made in merges.rows}
    found: dict[int, int] = {}
    for left, right, made in merges.rows:
        rank = ranks[made]
        for part in (left, right):
            if rank is not None and ranks.get(part) == rank - 1:
                found[part] = made
    return dict(sorted(found.items()))
