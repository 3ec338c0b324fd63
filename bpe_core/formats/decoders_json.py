"""Decoders of tokenizer.json: all those of the tokenizers library, read and written one to one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

from bpe_core.errors import quoted, refuse
from bpe_core.formats.json_parts import a_character, a_pattern, one_of, parts_of, typed
from bpe_core.formats.reading import Json, a_flag, a_text, an_id, an_object, made
from bpe_core.huggingface.decoder_steps import LibraryDecoder
from bpe_core.huggingface.decoders import (
    CTC,
    PREPEND_SCHEMES,
    BPEDecoder,
    ByteFallback,
    ByteLevelDecoder,
    DecoderSequence,
    Fuse,
    JoinSpaces,
    MetaspaceDecoder,
    ReplaceDecoder,
    StripDecoder,
    WordPiece,
)
from bpe_core.language import message
from bpe_core.tokenizer.decoders import Decoder

HIGHEST_COUNT = 2**64 - 1
"""Maximum of a count in the library's files."""


def read_decoder(value: object, place: str = "decoder") -> LibraryDecoder:
    """Read a decoder; null joins tokens by spaces.

    Ignores the keys that the library ignores. Raises FormatError, with the place, for input that the library rejects
    and for a pattern that may have another meaning here.

    >>> read_decoder({"type": "WordPiece", "prefix": "##", "cleanup": True})
    WordPiece(prefix='##', cleanup=True)
    >>> read_decoder({"type": "Strip", "content": "ab", "start": 1, "stop": 0})
    Traceback (most recent call last):
        ...
    bpe_core.errors.FormatError: decoder.content is 'ab'. It must be one character. If its own library...
    """
    return JoinSpaces() if value is None else _read(value, place, 0)


def write_decoder(decoder: Decoder) -> Json | None:
    """A decoder in the library's form; None for null. Raises FormatError for a decoder that the library lacks.

    >>> write_decoder(WordPiece())
    {'type': 'WordPiece', 'prefix': '##', 'cleanup': True}
    """
    match decoder:
        case JoinSpaces():
            return None
        case DecoderSequence(decoders):
            return {"type": "Sequence", "decoders": [write_decoder(each) for each in decoders]}
        case ReplaceDecoder(old, new, pattern):
            kind = "String" if pattern is None else "Regex"
            return {"type": "Replace", "pattern": {kind: old}, "content": new}
    for kind, (plain, _keys) in _KINDS.items():
        if isinstance(decoder, plain):
            return {"type": kind, **{field.name: getattr(decoder, field.name) for field in fields(plain)}}
    refuse(
        message("The decoder is {decoder}.", decoder=quoted(decoder)),
        message("In a tokenizer.json it is one of the tokenizers library."),
        message('Save it as "bpe-lab".'),
    )


_A_COUNT = partial(an_id, highest=HIGHEST_COUNT)
_KINDS: dict[str, tuple[type[Any], dict[str, Callable[[str, Any], object]]]] = {
    "ByteLevel": (ByteLevelDecoder, {"add_prefix_space": a_flag, "trim_offsets": a_flag, "use_regex": a_flag}),
    "WordPiece": (WordPiece, {"prefix": a_text, "cleanup": a_flag}),
    "Metaspace": (MetaspaceDecoder, {"replacement": a_character}),
    "BPEDecoder": (BPEDecoder, {"suffix": a_text}),
    "CTC": (CTC, {"pad_token": a_text, "word_delimiter_token": a_text, "cleanup": a_flag}),
    "ByteFallback": (ByteFallback, {}),
    "Fuse": (Fuse, {}),
    "Strip": (StripDecoder, {"content": a_character, "start": _A_COUNT, "stop": _A_COUNT}),
    "Replace": (ReplaceDecoder, {"pattern": a_pattern, "content": a_text}),
}
"""Each decoder of the library with its keys, which are also the names of its fields. Only `use_regex` is optional."""

_UNTYPED = {kind: _KINDS[kind][1] for kind in ("BPEDecoder", "WordPiece", "CTC", "Replace", "Strip")}
"""Decoders that the library recognizes by their keys, in its order."""


def _read(value: object, place: str, depth: int) -> LibraryDecoder:
    kind, given = typed(place, value, (*_KINDS, "Sequence"), _UNTYPED, lambda kind, given: _step(kind, given, place))
    if kind == "Sequence":
        return DecoderSequence(
            tuple(_read(part, at, depth + 1) for at, part in parts_of(given, place, "decoders", depth))
        )
    kind = one_of(f"{place}.type", kind or an_object(place, given, ("type",))["type"], (*_KINDS,))
    an_object(place, given, [key for key in _KINDS[kind][1] if key != "use_regex"])
    return _step(kind, given, place)


def _step(kind: str, given: Json, place: str) -> LibraryDecoder:
    make, keys = _KINDS[kind]
    if kind == "Replace":
        new, (at, old, regex) = (
            a_text(f"{place}.content", given["content"]),
            a_pattern(f"{place}.pattern", given["pattern"]),
        )
        return made(at, lambda: ReplaceDecoder(old, new, regex))
    found = [read(f"{place}.{key}", given.get(key, True)) for key, read in keys.items()]
    if kind == "Metaspace":
        found += _scheme_and_split(given, place)
    decoder: LibraryDecoder = make(*found)
    return decoder


def _scheme_and_split(given: Json, place: str) -> tuple[str, bool]:
    """Settings of a Metaspace decoder; old files also have `add_prefix_space`."""
    adds = given.get("add_prefix_space")
    adds = None if adds is None else a_flag(f"{place}.add_prefix_space", adds)
    scheme = one_of(f"{place}.prepend_scheme", given.get("prepend_scheme", "always"), PREPEND_SCHEMES)
    if adds is False and scheme != "never":
        refuse(
            message(
                "{place}.prepend_scheme is {value}, and add_prefix_space is false.", place=place, value=quoted(scheme)
            ),
            message('Where no space is added, the scheme is "never".'),
        )
    splits = given.get("split")
    return scheme, True if splits is None else a_flag(f"{place}.split", splits)
