"""tiktoken's rank files: one line per token, with its bytes in base64 and its rank, which is its id.

The file holds neither the split nor the special tokens. Training records pairs, but the file holds only their
spellings: any two adjacent tokens that together spell a token merge. This can differ from merging by pairs.
`unproven_token` rules that out for a whole vocabulary, `rank_order_differs` for one text.
"""

from __future__ import annotations

import base64
import binascii
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from bpe_core.bpe.merge_tables import ByteRanks, last_pair
from bpe_core.bpe.model import BpeModel
from bpe_core.bpe.vocabulary import BaseVocabulary
from bpe_core.errors import FormatError, quoted, refuse
from bpe_core.formats.bpe import (
    OTHER_FORMAT,
    bpe_model,
    bpe_tokenizer,
    byte_ids,
    plain_byte_tokens,
    refuse_normalization,
)
from bpe_core.formats.problems import Problems
from bpe_core.formats.progress import NO_PROGRESS, Share
from bpe_core.formats.published_ranks import recognized
from bpe_core.formats.rank_proof import ShownPairs
from bpe_core.formats.reading import FEWER_TOKENS, HIGHEST_ID, check_joins, check_lines, tokens_by_id
from bpe_core.language import message
from bpe_core.tokenizer.tokenizer import Tokenizer

KIND = message(".tiktoken file")
DEFAULT_SPLIT = "gpt2"
_LINE = re.compile(rb"[ \t]*([A-Za-z0-9+/]+={0,2}|=)[ \t]+([0-9]{1,12})[ \t\r]*")
_EMPTY = b"="
"""An empty token in Whisper's file: it takes up a rank, and no text produces it."""


class RankDifference(NamedTuple):
    """First word of a text that pairs and ranks encode differently: its character offset and both encodings.

    >>> from bpe_core import train, TrainConfig
    >>> pairs = [(97, 98), (98, 99), (97, 257)]  # ab, bc, and abc of a and bc; by rank, abc is ab and c as well
    >>> tokenizer = train("", TrainConfig(split="words", vocab_size=259), forced=pairs).tokenizer()
    >>> rank_order_differs(tokenizer, "an abc")
    RankDifference(word='abc', char_start=3, by_pairs=(256, 99), by_ranks=(258,))
    """

    word: str
    char_start: int
    by_pairs: tuple[int, ...]
    by_ranks: tuple[int, ...]


_UNPROVEN: WeakKeyDictionary[Tokenizer, int | None] = WeakKeyDictionary()
"""Cached results of `unproven_token`, shared by export and display."""


def write(tokenizer: Tokenizer, *, proven_on: str | None = None) -> bytes:
    """The rank file of a byte-level BPE. Raises FormatError if its ranks could merge differently.

    `proven_on`: a text; if ranks and pairs give the same ids on it, the file is written anyway.

    >>> from bpe_core import TrainConfig, train
    >>> write(train("low low", TrainConfig(vocab_size=257)).tokenizer()).splitlines()[-1]
    b'bG8= 256'
    """
    tokens = plain_byte_tokens(tokenizer, KIND)
    refuse_normalization(tokenizer, KIND)
    missing = next((value for value in range(256) if bytes([value]) not in tokens), None)
    if missing is not None:
        refuse(
            message("There is no token for the byte 0x{value:02X}.", value=missing),
            message("A {kind} has all 256 bytes.", kind=KIND),
            OTHER_FORMAT,
        )
    unproven = unproven_token(tokenizer)
    if unproven is not None and (proven_on is None or rank_order_differs(tokenizer, proven_on)):
        raise FormatError(
            message(
                "By rank, the token {token_id:,} ({token}) could be made of other parts than by its merge, "
                "so that a text could get other ids.",
                token_id=unproven,
                token=quoted(tokenizer.token_bytes(unproven)),
            ),
            limit=message("A {kind} holds the ranks of tokens, not the pairs that they are merged from.", kind=KIND),
            remedy=message(
                'Save it as "tokenizers" or "bpe-lab", or show with proven_on that your text gets the same ids.'
            ),
        )
    return b"".join(b"%s %d\n" % (base64.b64encode(token) or _EMPTY, rank) for token, rank in _by_rank(tokens))


def read(
    data: bytes,
    name: str = "",
    share: Share = NO_PROGRESS,
    *,
    split: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Tokenizer:
    """Read a rank file. Raises FormatError with the invalid lines.

    `split`, `special_tokens`: by default those of the published file with this content (see published_ranks.py), else
    GPT-2's split and none.

    >>> from bpe_core import TrainConfig, train
    >>> data = write(train("low low", TrainConfig(vocab_size=257)).tokenizer())
    >>> read(data, special_tokens={"<s>": 257}).encode("low<s>", special="parse").ids.tolist()
    [256, 119, 257]
    """
    data = data.removeprefix(BOM_UTF8)
    known = recognized(data)
    if known is not None:
        split = known.split if split is None else split
        special_tokens = known.special_tokens if special_tokens is None else special_tokens
    problems = Problems()
    lines = _lines(data, problems)
    tokens = problems.of(lambda: tokens_by_id(lines, share.part(0.0, 0.9), data.count(b"\n")))
    for _ in lines:  # after an error: find the problems of the other lines
        pass
    problems.refuse_if_any()
    return ranks_tokenizer(
        tokens or [],
        (known.name if known else "") or name,
        split=DEFAULT_SPLIT if split is None else split,
        special_tokens=special_tokens or {},
    )


def ranks_tokenizer(
    tokens: list[bytes | None], name: str = "", *, split: str, special_tokens: Mapping[str, int]
) -> Tokenizer:
    """Build a tokenizer from tokens by rank, which is their id; None for an unused rank.

    Raises FormatError for duplicate tokens, for a byte without a token, and for tokens whose parts would take too long
    to find.

    >>> bytes_ = [bytes([value]) for value in range(256)]
    >>> ranks_tokenizer([*bytes_, b"lo"], split="gpt2", special_tokens={}).tokenize("low")
    ['lo', 'w']
    """
    ranks = {token: rank for rank, token in enumerate(tokens) if token is not None}
    problems = Problems()
    problems.of(lambda: check_joins(message("the file"), tokens))
    problems.of(lambda: _check_unique(tokens, ranks))
    of_bytes = problems.of(lambda: byte_ids(tokens))
    problems.refuse_if_any()
    base = BaseVocabulary(tokens=(), special_tokens={}, byte_ids=of_bytes)
    model = BpeModel(base, tokens, ByteRanks(ranks, tokens))
    return bpe_tokenizer(name, model, special_tokens, split=split, library=True)


def is_like(data: bytes) -> bool:
    """Whether the first non-empty line has the form of a rank file's.

    >>> is_like(b"IQ== 0\\nIg== 1\\n"), is_like(b"[PAD]\\n[UNK]\\n")
    (True, False)
    """
    return _LINE.fullmatch(data.removeprefix(BOM_UTF8).lstrip(b"\r\n").split(b"\n", 1)[0]) is not None


def unproven_token(tokenizer: Tokenizer) -> int | None:
    """First token that ranks could build from other parts than its merges do; None proves that no text differs.

    Ranks join two adjacent tokens only if the bytes of the result, encoded by ranks, end in these two before the last
    merge (see ByteRanks.rows). If these are the pair of every token, ranks and pairs merge identically in every text.

    >>> from bpe_core import TrainConfig, load_pretrained, train
    >>> unproven_token(load_pretrained("gpt2")) is None
    True
    >>> pairs = [(97, 98), (98, 99), (97, 257)]  # ab, bc, and abc of a and bc; by rank, abc is ab and c as well
    >>> unproven_token(train("", TrainConfig(vocab_size=259), forced=pairs).tokenizer())
    258
    """
    if isinstance(tokenizer.model.merges, ByteRanks):
        return None
    if tokenizer not in _UNPROVEN:
        _UNPROVEN[tokenizer] = _first_unproven(tokenizer)
    return _UNPROVEN[tokenizer]


def _first_unproven(tokenizer: Tokenizer) -> int | None:
    ids = plain_byte_tokens(tokenizer, KIND)
    merges = bpe_model(tokenizer).merges
    tokens = _tokens(ids, tokenizer.vocab_size)
    pairs: dict[int, set[tuple[int, int]]] = {}
    before = -1
    for left, right, token_id in merges.rows:
        if token_id < before or tokens[token_id] is None:
            return token_id  # a lower rank merged later, or a special token, which has no rank
        before = token_id
        pairs.setdefault(token_id, set()).add((left, right))
    shown = ShownPairs(pairs, [token_id for token, token_id in ids.items() if len(token) == 1])
    for token, token_id in _by_rank(ids):
        if len(token) == 1 or shown.add(token_id):
            continue
        last = last_pair(token, ids, tokens)
        if last is not None and last in pairs.get(token_id, ()):
            shown.put(token_id, last)
        elif last is not None or not merges.takes_wholes:
            return token_id
    return None


def rank_order_differs(tokenizer: Tokenizer, text: str) -> RankDifference | None:
    """First word of a text with other ids when merges are looked up by spelling, or None.

    Raises FormatError for a tokenizer that is not byte-level BPE, or has two ids for the same bytes.

    >>> from bpe_core import TrainConfig, train
    >>> tokenizer = train("aaabdaaabac", TrainConfig(split="none", vocab_size=259)).tokenizer()
    >>> rank_order_differs(tokenizer, "aaabdaaabac")
    """
    ids = plain_byte_tokens(tokenizer, KIND)
    tokens = _tokens(ids, tokenizer.vocab_size)
    by_ranks = Tokenizer(
        tokenizer.name,
        model=BpeModel(bpe_model(tokenizer).base, tokens, ByteRanks(ids, tokens)),
        normalizer=tokenizer.normalizer,
        split=tokenizer.split,
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


def _tokens(ids: Mapping[bytes, int], size: int) -> list[bytes | None]:
    """Tokens by id, None for special tokens."""
    tokens: list[bytes | None] = [None] * size
    for token, token_id in ids.items():
        tokens[token_id] = token
    return tokens


def _by_rank(tokens: Mapping[bytes, int]) -> list[tuple[bytes, int]]:
    return sorted(tokens.items(), key=lambda item: item[1])


def _check_unique(tokens: list[bytes | None], ranks: Mapping[bytes, int]) -> None:
    if len(ranks) < sum(token is not None for token in tokens):
        twice = next(token for rank, token in enumerate(tokens) if token is not None and ranks[token] != rank)
        refuse(message("The file has the token {token} twice.", token=quoted(twice)), message("A token has one rank."))


_A_LINE = message("A line is a token in base64, a space, and its rank.")


def _lines(data: bytes, problems: Problems) -> Iterator[tuple[int, bytes, int]]:
    """Number, token and rank of each non-empty line."""
    check_lines(data)
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            if not problems.again(number, _A_LINE):
                problem = message("Line {number:,} is {line}.", number=number, line=quoted(line))
                problems.at(number, problem, _A_LINE)
            continue
        try:
            token = b"" if found[1] == _EMPTY else binascii.a2b_base64(found[1], strict_mode=True)
        except binascii.Error:
            problem = message("Line {number:,}: {token} is not base64.", number=number, token=quoted(found[1]))
            problems.at(number, problem, message("Tokens are written in base64."))
            continue
        rank = int(found[2])
        if rank > HIGHEST_ID:
            problem = message("Line {number:,} has the rank {rank:,}.", number=number, rank=rank)
            problems.at(
                number, problem, message("The highest allowed is {highest:,}.", highest=HIGHEST_ID), FEWER_TOKENS
            )
            continue
        yield number, token, rank
