"""Mistral's tekken.json: tiktoken's ranks in JSON, with their split; ids begin after the special tokens.

The ids are those of Mistral's own library: special tokens first, then tokens by rank. Only the first ranks of the file
are used; their number is in its configuration.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Mapping
from functools import partial
from typing import Any

from bpe_core.errors import quoted, refuse
from bpe_core.formats.problems import Problems
from bpe_core.formats.progress import NO_PROGRESS, SLICE, Share
from bpe_core.formats.reading import (
    FEWER_TOKENS,
    HIGHEST_ID,
    MOST_SPECIAL,
    MOST_TOKENS,
    a_list,
    a_text,
    an_id,
    an_object,
    check_length,
)
from bpe_core.formats.tiktoken_file import ranks_tokenizer
from bpe_core.language import message
from bpe_core.tokenizer.tokenizer import Tokenizer

KIND = "tekken.json"
_LAST_WITHOUT = 7
"""Last version without special tokens in the file; these versions have the tokens below."""

_UNNAMED = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
]


def is_like(content: dict[str, Any]) -> bool:
    """Whether this is the content of a tekken.json file.

    >>> is_like({"config": {"pattern": "."}, "vocab": []}), is_like({"model": {}})
    (True, False)
    """
    return isinstance(content.get("config"), dict) and "pattern" in content["config"] and "vocab" in content


def read(content: dict[str, Any], name: str = "", share: Share = NO_PROGRESS) -> Tokenizer:
    r"""Read a tekken.json parsed to `content`. Raises FormatError with the invalid key.

    >>> from base64 import b64encode
    >>> tokens = [*(bytes([value]) for value in range(256)), b"lo"]
    >>> vocab = [{"rank": i, "token_bytes": b64encode(token).decode()} for i, token in enumerate(tokens)]
    >>> config = {"pattern": r"\w+|\W+", "default_vocab_size": 279, "default_num_special_tokens": 22, "version": "v3"}
    >>> tokenizer = read({"config": config, "vocab": vocab})
    >>> tokenizer.encode("<s>low<SPECIAL_21>", special="parse").ids.tolist()
    [1, 278, 141, 21]
    """
    problems = Problems()
    config = an_object("config", content["config"])
    pattern = problems.of(lambda: a_text("config.pattern", config.get("pattern"))) or ""
    first, size = (
        problems.of(partial(an_id, f"config.{key}", config.get(key), highest)) or 0
        for key, highest in (("default_num_special_tokens", MOST_SPECIAL), ("default_vocab_size", HIGHEST_ID))
    )
    entries = problems.of(lambda: a_list("vocab", content["vocab"])) or []
    if problems:  # the rest depends on these numbers
        problems.refuse_if_any()
    if not 0 <= size - first <= min(len(entries), MOST_TOKENS):
        refuse(
            message(
                "config.default_vocab_size is {size:,} with {special:,} special tokens, and vocab has "
                "{entries:,} entries.",
                size=size,
                special=first,
                entries=len(entries),
            ),
            message(
                "Special tokens and entries are at least as many together, and the entries at most {most:,}.",
                most=MOST_TOKENS,
            ),
        )
    found = _ranked(entries, size - first, share.part(0.0, 0.9), problems)
    special = problems.of(lambda: _special(content, first)) or {}
    problems.refuse_if_any()
    tokens: list[bytes | None] = [*[None] * first, *found]
    return ranks_tokenizer(
        tokens,
        name,
        split=f"(?V1){pattern}" if "&&" in pattern else pattern,  # V1 supports set intersection and difference
        special_tokens=special,
    )


def _ranked(entries: list[Any], count: int, share: Share, problems: Problems) -> list[bytes]:
    """Tokens of the first `count` ranks."""
    tokens: list[bytes | None] = [None] * count
    total = 0
    for at, entry in enumerate(entries):
        if not at % SLICE:
            share.reached(at, len(entries))
        written_at = _written(at, entry, problems)
        if written_at is None:
            continue
        rank, written = written_at
        if rank >= count:
            continue
        try:
            token = b64decode(written, validate=True)
        except (binascii.Error, ValueError):
            problems.at(
                at,
                message("vocab[{entry}].token_bytes is {value}.", entry=at, value=quoted(written)),
                message("Tokens are written in base64."),
            )
            continue
        if not token or tokens[rank] is not None:
            empty = message("vocab[{entry}] has a token without bytes.", entry=at)
            twice = message("vocab[{entry}] has the rank {rank:,} a second time.", entry=at, rank=rank)
            problems.at(at, twice if token else empty, message("Every rank has one token, of at least one byte."))
            continue
        total += len(token)
        if problems.of(partial(_within, at, len(token), total)) is None:
            break
        tokens[rank] = token
    found = [token for token in tokens if token is not None]
    if len(found) < count and not problems:  # refused entries leave gaps too
        problems.add(
            message("vocab has no token of the rank {rank:,}.", rank=tokens.index(None)),
            message("config asks for the ranks from 0 to {last:,}.", last=count - 1),
        )
    return found


def _written(at: int, entry: Any, problems: Problems) -> tuple[int, str] | None:
    """Rank and base64 token of an entry; None, with a recorded problem, if either is missing."""
    if type(entry) is not dict:
        problem = message("vocab[{entry}] is {value}.", entry=at, value=quoted(entry))
        limit = message("It must be an object, written {{ … }}.")
    elif type(rank := entry.get("rank")) is not int or rank < 0:
        problem = message("vocab[{entry}].rank is {value}.", entry=at, value=quoted(rank))
        limit = message("It must be a whole number from 0 on.")
    elif type(written := entry.get("token_bytes")) is not str:
        problem = message("vocab[{entry}].token_bytes is {value}.", entry=at, value=quoted(written))
        limit = message("It must be a text.")
    else:
        return rank, written
    problems.at(at, problem, limit)
    return None


def _within(at: int, length: int, total: int) -> bool:
    check_length(f"vocab[{at}]", length, total)
    return True


def _special(content: dict[str, Any], count: int) -> dict[str, int]:
    """Special tokens by name: the file's or its version's, padded with generated names to `count`."""
    listed = content.get("special_tokens")
    if listed is None:
        version = content["config"].get("version")
        number = version[1:] if isinstance(version, str) else ""
        if not number.isdecimal() or len(number) > 3 or int(number) > _LAST_WITHOUT:
            refuse(
                message("The file has no special_tokens, and config.version is {version}.", version=quoted(version)),
                message(
                    "Files without them have a version up to v{last}, whose special tokens are known.",
                    last=_LAST_WITHOUT,
                ),
            )
        return _filled(dict(enumerate(_UNNAMED)), count)
    names: dict[int, str] = {}
    for at, entry in enumerate(a_list("special_tokens", listed, MOST_SPECIAL)):
        place = f"special_tokens[{at}]"
        name = a_text(f"{place}.token_str", an_object(place, entry, ("token_str",))["token_str"])
        rank = an_id(f"{place}.rank", entry.get("rank", at), MOST_SPECIAL)
        if rank in names:
            refuse(
                message(
                    "{place}.rank is {rank:,}, as that of {token}.", place=place, rank=rank, token=quoted(names[rank])
                ),
                message("Every special token has its own rank, which is its id."),
            )
        names[rank] = name
    return _filled(names, count)


def _filled(names: Mapping[int, str], count: int) -> dict[str, int]:
    """Special tokens by name; unnamed ids below `count` get the names of Mistral's library."""
    last = max(names, default=-1)
    if last >= count:
        refuse(
            message(
                "The special token {token} has the id {id:,}, and config leaves special tokens {ids:,} ids.",
                token=quoted(names[last]),
                id=last,
                ids=count,
            ),
            message("Each has an id."),
            FEWER_TOKENS,
        )
    ids: dict[str, int] = {}
    for token_id in range(count):
        name = names.get(token_id, f"<SPECIAL_{token_id}>")
        if name in ids:
            refuse(message("special_tokens names {token} twice.", token=quoted(name)), message("A token has one id."))
        ids[name] = token_id
    return ids
