"""Overlap of vocabularies: tokens that all, some or only one of them has; and the spellings of a word."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bpe_core import checks
from bpe_core.errors import ConfigError
from bpe_core.language import message
from bpe_core.tokenizer.tables import DataFrame
from bpe_core.tokenizer.token_ranges import used_ids
from bpe_core.tokenizer.tokenizer import Tokenizer

_EXAMPLES = 5


class Shared(NamedTuple):
    """Tokens that exactly these vocabularies have: names in order, the number of tokens, and evenly spread examples.

    >>> Shared(("a", "b"), 3, (b" low",)).tokens
    3
    """

    names: tuple[str, ...]
    tokens: int
    examples: tuple[bytes, ...]


def token_texts(tokenizer: Tokenizer) -> dict[bytes, int]:
    """Texts of a vocabulary's tokens, each with its lowest id; special tokens are omitted.

    Texts have spaces for ▁, and no ## or end-of-word marks, so that tokens of different models can be equal.

    >>> from bpe_core import load_pretrained
    >>> token_texts(load_pretrained("t5-small"))[b" the"], token_texts(load_pretrained("bert-base-uncased"))[b"the"]
    (8, 1996)
    """
    model = tokenizer.model
    special = {token.id for token in tokenizer.special_token_flags}
    texts: dict[bytes, int] = {}
    for token_id in used_ids(model.tokens):
        token = model.tokens[token_id]
        if token_id not in special and token is not None:
            texts.setdefault(model.text_of(token, ends=model.ends_word(token_id), with_space=True), token_id)
    return texts


def shared_tokens(tokenizers: Mapping[str, Tokenizer]) -> list[Shared]:
    """Count the tokens that exactly these vocabularies have, for each group that has any; largest count first.

    Tokens are equal if their `token_texts` are.

    >>> from bpe_core import load_pretrained
    >>> names = ("gpt2", "cl100k_base")
    >>> [each[:2] for each in shared_tokens({name: load_pretrained(name) for name in names})]
    [(('cl100k_base',), 57190), (('gpt2', 'cl100k_base'), 43066), (('gpt2',), 7190)]
    """
    masks: dict[bytes, int] = {}
    for bit, tokenizer in enumerate(tokenizers.values()):
        for text in token_texts(tokenizer):
            masks[text] = masks.get(text, 0) | 1 << bit
    texts = list(masks)
    found: dict[int, list[int]] = {}
    for at, mask in enumerate(masks.values()):
        found.setdefault(mask, []).append(at)
    names = list(tokenizers)
    groups = []
    for mask, members in found.items():
        places = np.linspace(0, len(members) - 1, min(_EXAMPLES, len(members))).round().astype(int).tolist()
        having = tuple(name for bit, name in enumerate(names) if mask >> bit & 1)
        groups.append(Shared(having, len(members), tuple(texts[members[place]] for place in places)))
    return sorted(groups, key=lambda group: -group.tokens)


def overlap_table(groups: Sequence[Shared]) -> DataFrame:
    """Return the table documented by `Comparison.overlap_table`.

    >>> overlap_table([Shared(("a", "b"), 3, (b" low",)), Shared(("a",), 1, (b"x",))])["share"].tolist()
    [0.75, 0.25]
    """
    import pandas as pd

    total = sum(group.tokens for group in groups)
    return pd.DataFrame(
        {
            "tokenizers": pd.Series([list(group.names) for group in groups], dtype=object),
            "tokens": np.array([group.tokens for group in groups], np.int64),
            "share": np.array([group.tokens / total for group in groups], np.float64),
        }
    )


def spelling_key(text: str) -> str:
    """Key shared by all spellings of a word: its text in lower case, from its first letter or digit to its last.

    "" for a text without any letter or digit.

    >>> spelling_key(" Low,"), spelling_key("_LOW"), spelling_key("don't"), spelling_key(" ...")
    ('low', 'low', "don't", '')
    """
    first, last = 0, len(text)
    while first < last and unicodedata.category(text[first])[0] not in "LNM":
        first += 1
    while last > first and unicodedata.category(text[last - 1])[0] not in "LNM":
        last -= 1
    return text[first:last].casefold()


def spellings(texts: Sequence[Mapping[bytes, int]], word: str) -> list[tuple[bytes, list[int | None]]]:
    """Tokens equal to a word except for case and surrounding spaces or punctuation, with their id in each vocabulary.

    `texts`: the `token_texts` of each. Tokens in the most vocabularies come first; among these, the shortest.

    >>> spellings([{b"low": 5, b" Low": 7, b"lower": 8}, {b" Low": 3}], "LOW")
    [(b' Low', [7, 3]), (b'low', [5, None])]
    """
    wanted = spelling_key(checks.utf8_text(word, "word"))
    if not wanted:
        raise ConfigError(
            message("The word has no letter and no digit."),
            limit=message("Spellings are those of a word."),
            remedy=message("Give a word."),
        )
    part = wanted.encode()
    found: dict[bytes, None] = {}
    for vocabulary in texts:
        for text in vocabulary:
            if text.isascii() and part not in text.lower():
                continue
            if spelling_key(text.decode("utf-8", "replace")) == wanted:
                found[text] = None
    rows = [(text, [vocabulary.get(text) for vocabulary in texts]) for text in found]
    return sorted(rows, key=lambda row: (row[1].count(None), len(row[0]), row[0]))


def spellings_table(names: Sequence[str], texts: Sequence[Mapping[bytes, int]], word: str) -> DataFrame:
    """Return the table documented by `Comparison.spellings_table`.

    >>> spellings_table(["a", "b"], [{b"low": 5}, {b" Low": 3}], "low").loc[" Low"].tolist()
    [<NA>, 3]
    """
    import pandas as pd

    rows = spellings(texts, word)
    columns = {name: pd.array([ids[at] for _, ids in rows], dtype="Int64") for at, name in enumerate(names)}
    spelled = pd.array([text.decode("utf-8", "replace") for text, _ in rows], dtype="str")
    return pd.DataFrame(columns, index=pd.Index(spelled, name="spelling"))
