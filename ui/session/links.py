"""Links: a view as a URL query, and parsing. Draws nothing.

    /compare?text=aaab&with=gpt2&with=cl100k_base
    /?corpus.z=eJxLTEpO…&vocab_size=300&step=12

Names and values are those of the view's plain form. A short text is written literally, a long one compressed (".z").
A text too long for that is given only by its digest (".id"): the server that made the link caches the text for a
while, so that a reload keeps it. A lesson file holds texts of any length.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote_plus, urlencode

from bpe_core import FormatError
from bpe_core.errors import quoted
from bpe_core.language import message
from bpe_core.text.normalization import replace_surrogates
from ui.session.choices import PAGES, ValueKind
from ui.session.shared_view import SETTINGS, Plain, SharedView, from_plain, to_plain
from ui.session.training import FIRST_SAMPLE

LONGEST_QUERY = 8_000
"""Maximum characters of a query. Browsers and servers accept this; some chats truncate much shorter links."""

LONGEST_PACKED = 32_000
"""Maximum decompressed bytes of a text in a link. Decompression stops at this limit, and the link is rejected."""

_PLAIN = 300

Params = Mapping[str, Sequence[str]]


class Link(NamedTuple):
    """A URL query, and whether it is complete: False if a text is given only by its digest."""

    query: str
    whole: bool


def to_link(view: SharedView, keep: Callable[[str], str]) -> Link:
    """Link to a view. `keep` caches a text too long for a link and returns its digest."""
    flat = _flat(to_plain(view))
    kinds = _kinds(view.page)
    texts = {name: packed(value) for name, value in flat.items() if kinds[name] == "text"}
    rest = [(name, part) for name, value in flat.items() if name not in texts for part in _written(value, kinds[name])]
    room = LONGEST_QUERY - len(urlencode(rest))
    whole = True
    params = []
    for name, packing in sorted(texts.items(), key=lambda text: len(text[1] or "") or LONGEST_QUERY):
        if packing is not None and len(packing) < room:
            room -= len(packing) + len(name) + 4
            params.append(f"{name}{packing}")
        else:
            whole = False
            params.append(f"{name}.id={keep(flat[name])}")
    return Link("&".join(params + ([urlencode(rest)] if rest else [])), whole)


def from_params(page: str, params: Params, cached_text: Callable[[str], str | None]) -> SharedView | None:
    """The view in a URL query; None if it has no parameters of a link.

    `cached_text` returns the cached text of a digest, or None. Unknown parameters are ignored.
    Raises FormatError for a damaged, forged or incompatible link; the message is one sentence.
    """
    kinds = _kinds(page)
    flat: Plain = {}
    for key, values in params.items():
        name, _, form = key.partition(".")
        if name not in kinds or (form and kinds[name] != "text"):
            continue
        if name in flat:
            raise FormatError(message("It holds {name} more than once.", name=quoted(name)))
        flat[name] = _unpacked(name, form, values[-1], cached_text) if form else _read(name, kinds[name], values)
    return from_plain(_nested(page, flat)) if flat else None


# -- one text --------------------------------------------------------------------------------------------------


def packed(text: str) -> str | None:
    """Encode a text for a query, as "=…" or ".z=…" after its name; None if it is too long.

    >>> packed("aaab")
    '=aaab'
    >>> len(packed("low, lower, lowest! " * 100)) < 70
    True
    """
    if len(text) > LONGEST_PACKED:
        return None
    safe = replace_surrogates(text)[0].encode()
    if len(safe) > LONGEST_PACKED:
        return None
    plain = "=" + quote_plus(safe)
    if len(plain) <= _PLAIN and safe.decode().isprintable():
        return plain
    code = base64.urlsafe_b64encode(zlib.compress(safe)).decode().rstrip("=")
    return f".z={code}" if len(code) <= LONGEST_QUERY else None


def unpacked(code: str) -> str:
    """Decode a ".z" text. Raises FormatError if invalid; decompresses no more than LONGEST_PACKED bytes.

    >>> unpacked("eJxLTExMAgADzwGG")
    'aaab'
    """
    if len(code) > LONGEST_QUERY or not re.fullmatch(r"[\w-]*", code, re.ASCII):
        raise FormatError(message("Its text is damaged."))
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), LONGEST_PACKED + 1)
        text = data.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise FormatError(message("Its text is damaged.")) from None
    if len(data) > LONGEST_PACKED:
        raise FormatError(
            message("Its text is longer than the {most:,} bytes that a link may hold.", most=LONGEST_PACKED)
        )
    if not unpacker.eof or unpacker.unused_data:
        raise FormatError(message("Its text is damaged."))
    return text


def _unpacked(name: str, form: str, code: str, cached_text: Callable[[str], str | None]) -> str:
    if form == "z":
        return unpacked(code)
    text = cached_text(code) if form == "id" and re.fullmatch(r"[0-9a-f]{32}", code) else None
    if text is None:
        raise FormatError(
            message("Its {name} was too long for a link and is no longer known here; use a lesson file.", name=name)
        )
    return text


# -- everything else -------------------------------------------------------------------------------------------


def _kinds(page: str) -> dict[str, ValueKind]:
    """Parameter names and kinds in links to this page."""
    choices: dict[str, ValueKind] = {each.name: each.kind for each in PAGES[page]}
    if page == "lessons":
        return choices
    return choices | SETTINGS | {"sample": "word", "corpus": "text", "file": "word", "step": "number", "forks": "words"}


def _flat(plain: Plain) -> Plain:
    """The plain form with settings and choices at the top level; their names do not clash."""
    flat = {name: value for name, value in plain.items() if name not in ("page", "settings", "choices")}
    if "forks" in flat:
        flat["forks"] = [".".join(map(str, fork)) for fork in flat["forks"]]
    flat |= plain.get("settings", {})
    flat |= plain.get("choices", {})
    return flat


def _nested(page: str, flat: Plain) -> Plain:
    choices = {each.name for each in PAGES[page]}
    plain: Plain = {"page": page}
    for name, value in flat.items():
        if name in choices:
            plain.setdefault("choices", {})[name] = value
        elif name in SETTINGS:
            plain.setdefault("settings", {})[name] = value
        elif name == "forks":
            plain[name] = [_numbers(fork) for fork in value]
        else:
            plain[name] = value
    if plain.keys() & {"settings", "step", "forks"} and not plain.keys() & {"sample", "corpus"}:
        plain["sample"] = FIRST_SAMPLE
    return plain


def _numbers(fork: str) -> list[int]:
    if not re.fullmatch(r"\d{1,8}(\.\d{1,8}){2}", fork, re.ASCII):
        raise FormatError(message("Its forks hold {value}, which is not valid.", value=quoted(fork)))
    return [int(number) for number in fork.split(".")]


def _written(value: Any, kind: ValueKind) -> list[str]:
    if kind == "words":
        return value or [""]
    if kind == "range":
        return ["-".join(map(str, value))]
    return [str(int(value)) if kind in ("number", "flag") else value]


def _read(name: str, kind: ValueKind, values: Sequence[str]) -> Any:
    if kind == "words":
        return [] if list(values) == [""] else list(values)
    if len(values) != 1:
        raise FormatError(message("It holds {name} more than once.", name=quoted(name)))
    value = values[0]
    if kind == "range" and re.fullmatch(r"\d{1,8}-\d{1,8}", value, re.ASCII):
        return [int(number) for number in value.split("-")]
    if kind not in ("number", "flag"):
        return value
    if not re.fullmatch(r"\d{1,8}", value, re.ASCII) or (kind == "flag" and value not in ("0", "1")):
        raise FormatError(message("Its {name} is {value}, which is not valid.", name=quoted(name), value=quoted(value)))
    return value == "1" if kind == "flag" else int(value)
