"""tiktoken's rank files: a line a token, its bytes in base64 and its rank, which is its id.

The file holds neither the split nor the special tokens, and where training wrote down pairs, it writes down what they
spell: any two neighbours that spell a token merge. That can come to other merges than the pairs do. `first_doubt`
proves for a whole vocabulary that it does not, `rank_order_differs` for one text.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bpe_core.errors import FormatError, quoted
from bpe_core.formats.bpe import bpe_tokenizer, byte_ids, plain_byte_tokens, refuse_normalization, tokenizer_config
from bpe_core.formats.reading import HIGHEST_ID, check_joins, check_lines, refuse, tokens_by_id
from bpe_core.merges import ByteRanks, last_pair
from bpe_core.pretrained import carried_name, load_pretrained
from bpe_core.tokenizer import Tokenizer
from bpe_core.vocabulary import BaseVocabulary

KIND = ".tiktoken file"
DEFAULT_SPLIT = "gpt2"
_LINE = re.compile(rb"([A-Za-z0-9+/]+={0,2})[ \t]+([0-9]{1,12})[ \t\r]*")


class RankDifference(NamedTuple):
    """The first word of a text that pairs and ranks encode differently: where it stands, and both encodings."""

    word: str
    char_start: int
    by_pairs: tuple[int, ...]
    by_ranks: tuple[int, ...]


def write(tokenizer: Tokenizer, *, proven_on: str | None = None) -> bytes:
    """The rank file of a byte-pair encoding over bytes. FormatError where ranks could not stand for its merges.

    `proven_on`: a text; merges that ranks could apply in another order are written all the same when they do not on it.
    """
    tokens = plain_byte_tokens(tokenizer, KIND)
    refuse_normalization(tokenizer, KIND)
    doubt = first_doubt(tokenizer)
    if doubt is not None and (proven_on is None or rank_order_differs(tokenizer, proven_on)):
        raise FormatError(
            f"By rank, the token {doubt:,} ({quoted(tokenizer.token_bytes(doubt))}) could come about otherwise than "
            "by its merge, so that a text could get other ids.",
            limit=f"A {KIND} holds the ranks of tokens, not the pairs that they are merged from.",
            remedy='Save it as "tokenizers" or "bpe-lab", or show with proven_on that your text gets the same ids.',
        )
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in _by_rank(tokens))


def read(
    data: bytes, name: str = "", *, split: str | None = None, special_tokens: Mapping[str, int] | None = None
) -> Tokenizer:
    """The tokenizer of a rank file. Split and special tokens are those given; or OpenAI's, for one of its files."""
    carried = carried_name(data)
    if carried is not None:
        known = load_pretrained(carried)
        split = known.config.split if split is None else split
        special_tokens = known.special_tokens if special_tokens is None else special_tokens
    tokens = tokens_by_id(_lines(data))
    check_joins("the file", tokens)
    ranks = {token: rank for rank, token in enumerate(tokens) if token is not None}
    if len(ranks) < sum(token is not None for token in tokens):
        twice = next(token for rank, token in enumerate(tokens) if token is not None and ranks[token] != rank)
        refuse(f"The file holds the token {quoted(twice)} twice.", "A token has one rank.")
    return bpe_tokenizer(
        carried or name,
        tokenizer_config(vocab_size=len(tokens), split=DEFAULT_SPLIT if split is None else split),
        BaseVocabulary(tokens=(), special_tokens={}, byte_ids=byte_ids(tokens)),
        tokens,
        ByteRanks(ranks, tokens),
        special_tokens or {},
    )


def is_like(data: bytes) -> bool:
    """Whether the first line that is not empty is one of a rank file.

    >>> is_like(b"IQ== 0\\nIg== 1\\n"), is_like(b"[PAD]\\n[UNK]\\n")
    (True, False)
    """
    return _LINE.fullmatch(data.lstrip(b"\r\n").split(b"\n", 1)[0]) is not None


def first_doubt(tokenizer: Tokenizer) -> int | None:
    """The first token that ranks could make of other parts than its merges do; None proves that no text differs.

    Ranks merge two neighbours only where the token's own bytes, alone, end in these two (see ByteRanks.rows). So when
    these are the token's pair for every token, ranks and pairs merge the same, whatever the text.

    >>> from bpe_core import load_pretrained
    >>> first_doubt(load_pretrained("gpt2"))
    """
    merges = tokenizer.merges
    if isinstance(merges, ByteRanks):
        return None
    ids = plain_byte_tokens(tokenizer, KIND)
    tokens: list[bytes | None] = [None] * tokenizer.vocab_size
    for token, token_id in ids.items():
        tokens[token_id] = token
    pairs: dict[int, set[tuple[int, int]]] = {}
    before = -1
    for left, right, token_id in merges.rows:
        if token_id < before:
            return token_id  # a lower rank that merges later
        before = token_id
        pairs.setdefault(token_id, set()).add((left, right))
    for token, token_id in _by_rank(ids):
        last = last_pair(token, ids, tokens)
        reached = last in pairs.get(token_id, ())
        if len(token) > 1 and not reached and (last is not None or not merges.takes_wholes):
            return token_id
    return None


def rank_order_differs(tokenizer: Tokenizer, text: str) -> RankDifference | None:
    """The first word of a text that gets other ids when merges are looked up by what they spell; None where none does.

    Raises FormatError for a tokenizer that is no byte-pair encoding over bytes or has two ids for the same bytes.

    >>> from bpe_core import TrainConfig, train
    >>> tokenizer = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer()
    >>> rank_order_differs(tokenizer, "aaabdaaabac")
    """
    ids = plain_byte_tokens(tokenizer, KIND)
    tokens: list[bytes | None] = [None] * tokenizer.vocab_size
    for token, token_id in ids.items():
        tokens[token_id] = token
    by_ranks = Tokenizer(
        tokenizer.name,
        config=tokenizer.config,
        base=tokenizer.base,
        tokens=tokens,
        merges=ByteRanks(ids, tokens),
        special_tokens={},
    )
    pairs, ranks = tokenizer.encode(text), by_ranks.encode(text)
    if pairs.ids.tolist() == ranks.ids.tolist():
        return None
    for word in range(int(pairs.word_ids[-1]) + 1):
        mine, theirs = pairs.word_ids == word, ranks.word_ids == word
        if pairs.ids[mine].tolist() != ranks.ids[theirs].tolist():
            start, end = int(pairs.char_starts[mine][0]), int(pairs.char_ends[mine][-1])
            return RankDifference(
                pairs.text[start:end], start, tuple(pairs.ids[mine].tolist()), tuple(ranks.ids[theirs].tolist())
            )
    return None


def _by_rank(tokens: Mapping[bytes, int]) -> list[tuple[bytes, int]]:
    return sorted(tokens.items(), key=lambda item: item[1])


def _lines(data: bytes) -> Iterator[tuple[str, bytes, int]]:
    check_lines(data)
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            refuse(f"Line {number:,} is {quoted(line)}.", "A line is the token in base64, a space, and its rank.")
        try:
            token = base64.b64decode(found[1], validate=True)
        except binascii.Error as error:
            refuse(f"Line {number:,}: {quoted(found[1])} is no base64: {error}.", "Tokens are written in base64.")
        rank = int(found[2])
        if rank > HIGHEST_ID:
            refuse(f"Line {number:,} has the rank {rank:,}.", f"The highest allowed is {HIGHEST_ID:,}.")
        yield f"Line {number:,}", token, rank
