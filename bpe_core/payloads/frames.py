"""Frames: how a payload reaches a view in the browser.

A frame is a line of small, changing values, then a body that rarely changes. Streamlit would encode a dictionary to
JSON twice in every rerun but passes bytes on unchanged. So the body is encoded once, and the browser parses it again
only when its content hash `rev` changes. The browser's side is frontend/src/bridge/payload.ts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from bpe_core.language import current_language, translate
from bpe_core.payloads.captions import NO_CAPTIONS, Captions
from bpe_core.text.character_names import unseen_characters

T = TypeVar("T")


class Body(NamedTuple):
    """Encoded data and its content hash.

    >>> encode_body({}).data
    b'{}'
    """

    rev: str
    data: bytes


def encode_body(payload: dict[str, Any]) -> Body:
    """Encode a payload as JSON, in ASCII (so that a lone surrogate survives), with its hash.

    >>> encode_body({"id": 7}).data
    b'{"id":7}'
    """
    return encode_text(json.dumps(payload, separators=(",", ":")))


def encode_text(payload: str) -> Body:
    """Encode JSON that is ASCII already, with its hash.

    >>> encode_text("[1, 2]") == encode_text("[1, 2]")
    True
    """
    data = payload.encode("ascii")
    return Body(blake2b(data, digest_size=8).hexdigest(), data)


def frame(head: dict[str, Any], body: Body) -> bytes:
    """Frame for a component: a JSON header line (messages translated), then the body.

    >>> frame({"label": "Tokens"}, encode_body({"ids": [1]})).partition(b"\\n")[2]
    b'{"ids":[1]}'
    """
    translated = {name: translate(value) if isinstance(value, str) else value for name, value in head.items()}
    return json.dumps({**translated, "rev": body.rev}, separators=(",", ":")).encode("ascii") + b"\n" + body.data


EMPTY_BODY = encode_body({})


class TranslatedBody(Generic[T]):
    """Property for a body with words, cached in its object per language.

    >>> from bpe_core.language import message
    >>> class Greeting:
    ...     @TranslatedBody
    ...     def body(self) -> Body:
    ...         return encode_body({"says": translate(message("hello"))})
    >>> greeting = Greeting()
    >>> greeting.body.data, greeting.body is greeting.body
    (b'{"says":"hello"}', True)
    """

    def __init__(self, make: Callable[[T], Body]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __get__(self, of: T, owner: type[T]) -> Body:
        bodies: dict[str, Body] = of.__dict__.setdefault("_bodies", {})
        language = current_language()
        if language not in bodies:
            bodies[language] = self._make(of)
        return bodies[language]


def unseen_names(text: str) -> dict[str, dict[str, str]]:
    """Field of a head or a body with the names of a text's invisible characters; empty without any.

    >>> unseen_names("a\\u200b"), unseen_names("low")
    ({'unseen': {'\\u200b': 'zero-width space'}}, {})
    """
    return unseen_field(unseen_characters(text))


def unseen_field(names: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The same field from known names, as `unseen_characters` returns them.

    >>> unseen_field({"\u200b": "zero-width space"}), unseen_field({})
    ({'unseen': {'\u200b': 'zero-width space'}}, {})
    """
    return {"unseen": {char: translate(name) for char, name in names.items()}} if names else {}


def step_frame(
    step: int,
    symbols: Body,
    *,
    of: str,
    part: tuple[int, int] | None,
    unseen: Mapping[str, str] = MappingProxyType({}),
    key: str,
    label: str,
    captions: Captions = NO_CAPTIONS,
    height: int | None = None,
) -> bytes:
    """Frame of a text at a step of its training, for the view `key`: the browser computes the tokens itself.

    of: name of the training; while the page's player is ahead, the view shows the player's step. symbols: the text,
    as encoded by `symbols_body`. part: start of the text in the whole text and length of the whole, in characters;
    the symbols are then sent with the step, and the caption begins with the position; `unseen` are the names of its
    invisible characters. None: it is the whole text, whose symbols are published under `symbols_key`.

    >>> b'"step":1' in step_frame(1, EMPTY_BODY, of="lesson", part=None, key="text", label="Text")
    True
    """
    head = {
        **asdict(captions),
        "name": key,
        "label": label,
        "height": height,
        "step": step,
        "of": of,
        "symbols": symbols.rev,
        "part": part,
        **unseen_field(unseen),
    }
    return frame(head, symbols if part else EMPTY_BODY)


def symbols_key(key: str) -> str:
    """Key under which a relay publishes the symbols of the view `key`.

    >>> symbols_key("text")
    'text: symbols'
    """
    return f"{key}: symbols"


def relayed(key: str) -> bytes:
    """Payload of a view that draws the relayed messages under its key.

    >>> b'"relayed":"story"' in relayed("story")
    True
    """
    return frame({"relayed": key}, EMPTY_BODY)


def together(frames: Mapping[str, bytes], **more: Any) -> bytes:
    """Pack frames for several views into one message: a line of their names and sizes (and more), then the frames.

    >>> together({"story": b"{}"})
    b'{"frames":[["story",2]]}\\n{}'
    """
    head = {"frames": [[key, len(data)] for key, data in frames.items()], **more}
    return b"".join((json.dumps(head, separators=(",", ":")).encode("ascii"), b"\n", *frames.values()))


def apart(data: bytes) -> dict[str, bytes]:
    """Unpack frames, for tests that inspect messages.

    >>> apart(together({"story": b"one", "text": b"two"}))
    {'story': b'one', 'text': b'two'}
    """
    head, _, rest = _unaddressed(data).partition(b"\n")
    frames: dict[str, bytes] = {}
    for key, size in json.loads(head)["frames"]:
        frames[key], rest = rest[:size], rest[size:]
    return frames


def unframe(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Head and body of a payload, for tests that inspect messages.

    >>> unframe(frame({"label": "Tokens"}, encode_body({"ids": [1]})))[1]
    {'ids': [1]}
    """
    head, _, body = _unaddressed(data).partition(b"\n")
    return json.loads(head), json.loads(body)


def _unaddressed(data: bytes) -> bytes:
    """A payload without the line that addresses it to a view."""
    return data if data.startswith(b"{") else data.partition(b"\n")[2]
