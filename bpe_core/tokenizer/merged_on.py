"""Intermediate tokens: the very next merge of the training joined them into a longer one.

The count of the next merge is hardly lower, except among the first merges. If that merge uses the token just created,
the token nearly always had the same neighbour, and hardly occurs on its own in the training text. A model with this
vocabulary hardly ever sees it.
"""

from __future__ import annotations

from itertools import pairwise

from bpe_core import checks
from bpe_core.language import message
from bpe_core.tokenizer.tokenizer import Tokenizer

FIRST = 100
"""Merges after which the counts of a merge and of the next are nearly equal: by Zipf's law they differ by 1 % here."""


def merged_at_once(tokenizer: Tokenizer, *, first: int = FIRST) -> dict[int, int]:
    """Tokens that the very next merge joins into a longer one, by id, each with the longer one.

    `first`: number of first merges to skip; their counts fall so steeply that many occurrences of a token may remain.
    Empty for a model without merges. Raises ConfigError for an invalid `first`. Source of the idea: S. Land and
    M. Bartolo 2024, arXiv 2405.05417, who find such fragments under-trained; here they are found by rank alone.

    >>> from bpe_core import load_pretrained
    >>> gpt2 = load_pretrained("gpt2")
    >>> found = merged_at_once(gpt2)
    >>> len(found), [(gpt2.token(short), gpt2.token(long)) for short, long in found.items()][:2]
    (12, [(' toget', ' together'), (' externalToEVA', ' externalToEVAOnly')])
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    left_out = checks.whole_number(first, "first", 0)
    merges = tokenizer.model.merges
    if merges is None:
        return {}
    by_rank = sorted((merges.rank_of(row[2]) or 0, row) for row in merges.rows)
    found: dict[int, int] = {}
    for (_, (_, _, token_id)), (_, (left, right, made)) in pairwise(by_rank[left_out:]):
        if token_id in (left, right):
            found[token_id] = made
    return dict(sorted(found.items()))
