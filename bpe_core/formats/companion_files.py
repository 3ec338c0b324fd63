"""Companion files of a vocabulary and its merges, with the special tokens as transformers saves them.

special_tokens_map.json has the special tokens by role, added_tokens.json the ids of tokens added later, and
tokenizer_config.json has both, in newer files with all flags.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from bpe_core.errors import quoted, refuse
from bpe_core.formats.careful_json import parsed_json
from bpe_core.formats.file_choice import COMPANIONS
from bpe_core.formats.problems import Problems
from bpe_core.formats.reading import FEWER_TOKENS, MOST_SPECIAL, Json, a_flag, a_list, a_text, an_id, an_object, at_most
from bpe_core.language import message
from bpe_core.tokenizer.special_tokens import HIGHEST_ID

_MAP, _ADDED, _CONFIG = COMPANIONS
_FLAGS = ("single_word", "lstrip", "rstrip", "normalized")
_LISTS = ("additional_special_tokens", "extra_special_tokens")


class NamedTokens(NamedTuple):
    """Added tokens in the form of tokenizer.json, by id, and whether a space is added before a text.

    `roles`: the token of each role that the files name; None for a role that they set to null.

    >>> named_tokens({"added_tokens.json": b'{"<s>": 5}'}, {"a": 0}).tokens[0]["normalized"]
    True
    """

    tokens: Sequence[Json]
    add_prefix_space: bool = False
    roles: Mapping[str, str | None] = MappingProxyType({})


def named_tokens(files: Mapping[str, bytes], vocab: Mapping[str, int], problems: Problems | None = None) -> NamedTokens:
    """Read the companions among `files`; without any, there are no tokens. `vocab`: the ids of all other tokens.

    `problems`: collects errors for the caller; without it, FormatError names every invalid key.

    >>> named = named_tokens({"special_tokens_map.json": b'{"eos_token": "</s>"}'}, {"a": 0, "</s>": 1})
    >>> [(token["content"], token["id"], token["special"]) for token in named.tokens]
    [('</s>', 1, True)]
    """
    found = Problems(of_files=True) if problems is None else problems
    contents = {name: found.of(partial(_content, name, files[name])) or {} for name in COMPANIONS if name in files}
    config = contents.get(_CONFIG, {})
    tokens: dict[str, Json] = {}
    given: dict[str, int] = {}
    found.of(lambda: _read_added(contents.get(_ADDED, {}), tokens, given))
    found.of(lambda: _read_used(_MAP, contents.get(_MAP, {}), tokens))
    found.of(lambda: _read_used(_CONFIG, config, tokens))
    found.of(lambda: _read_listed(config.get("added_tokens_decoder") or {}, tokens, given))
    prefix_space = found.of(lambda: a_flag(f"{_CONFIG}.add_prefix_space", config.get("add_prefix_space") or False))
    if problems is None:
        found.refuse_if_any()
    at_most(
        len(tokens),
        MOST_SPECIAL,
        message("The files name {tokens:,} special tokens.", tokens=len(tokens)),
        FEWER_TOKENS,
    )
    roles = _roles(contents.get(_MAP, {})) | _roles(config)
    return NamedTokens(_with_ids(tokens, given, vocab), prefix_space or False, roles)


def _content(name: str, data: bytes) -> Json:
    return an_object(name, parsed_json(data, name, limit=message("It is an object.")))


def _read_added(content: Json, tokens: dict[str, Json], given: dict[str, int]) -> None:
    """Read the tokens and ids of added_tokens.json."""
    place = message("A token of {place}", place=_ADDED)
    for token, token_id in content.items():
        given[a_text(place, token)] = an_id(f"{_ADDED}[{quoted(token)}]", token_id, HIGHEST_ID)
        tokens[token] = _token(token, {}, special=False)


def _read_used(name: str, content: Json, tokens: dict[str, Json]) -> None:
    """Read the tokens with a role in special_tokens_map.json or tokenizer_config.json."""
    for place, entry in _used(name, content):
        token, flags = _flags(place, entry)
        tokens[token] = _token(token, flags, special=True)


def _read_listed(value: object, tokens: dict[str, Json], given: dict[str, int]) -> None:
    """Read the tokens that tokenizer_config.json lists by id, with all flags."""
    listed = f"{_CONFIG}.added_tokens_decoder"
    for number, entry in an_object(listed, value).items():
        place = f"{listed}[{quoted(number)}]"
        token, flags = _flags(place, an_object(place, entry, ("content",)))
        given[token] = an_id(place, int(number) if number.isdecimal() and len(number) < 9 else number, HIGHEST_ID)
        tokens[token] = _token(token, flags, special=a_flag(f"{place}.special", entry.get("special", False)))


def _used(name: str, content: Json) -> Iterator[tuple[str, object]]:
    """Place and entry of every token with a role."""
    for key, value in content.items():
        if key.endswith("_token") and isinstance(value, str | dict):
            yield f"{name}.{key}", value
        elif key in _LISTS and isinstance(value, list | dict):
            entries = list(value.values()) if isinstance(value, dict) else value
            for at, entry in enumerate(a_list(f"{name}.{key}", entries, MOST_SPECIAL)):
                yield f"{name}.{key}[{at}]", entry


def _roles(content: Json) -> dict[str, str | None]:
    """The token of each role, None for null."""
    named = {key: value for key, value in content.items() if key.endswith("_token")}
    texts = {key: value.get("content") if isinstance(value, dict) else value for key, value in named.items()}
    return {key: text for key, text in texts.items() if isinstance(text, str | None)}


def _flags(place: str, entry: object) -> tuple[str, Json]:
    """A token's text and flags; missing flags are false."""
    fields = entry if isinstance(entry, dict) else {"content": entry}
    token = a_text(f"{place}.content", an_object(place, fields, ("content",))["content"])
    if not token:
        refuse(
            message("{place} is empty.", place=place), message("A special token is a text of at least one character.")
        )
    return token, {flag: a_flag(f"{place}.{flag}", fields.get(flag, False)) for flag in _FLAGS}


def _token(content: str, flags: Json, *, special: bool) -> Json:
    defaults = {**dict.fromkeys(_FLAGS, False), "normalized": not special}
    return {"id": 0, "content": content, **defaults, **flags, "special": special}


def _with_ids(tokens: Mapping[str, Json], given: Mapping[str, int], vocab: Mapping[str, int]) -> list[Json]:
    """The tokens ordered by id: the vocabulary's id, else the given one, else the next free one."""
    known = {token: vocab.get(token, given.get(token, -1)) for token in tokens}
    following = max((*known.values(), *vocab.values()), default=-1) + 1
    for token, token_id in known.items():
        if token_id < 0:
            known[token], following = following, following + 1
    return sorted(({**entry, "id": known[token]} for token, entry in tokens.items()), key=lambda entry: entry["id"])
