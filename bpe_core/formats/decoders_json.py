"""Decoders of tokenizer.json: all those of the tokenizers library, read and written one to one."""

from __future__ import annotations

from bpe_core.errors import quoted, refuse
from bpe_core.formats.reading import Json, a_flag, a_list, a_text, an_id, an_object, made
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
from bpe_core.huggingface.oniguruma_reading import translated
from bpe_core.language import listed, message
from bpe_core.tokenizer.decoders import Decoder

MOST_STEPS = 50
"""Maximum number of decoders in one Sequence."""

DEEPEST = 20
"""Maximum nesting depth of Sequences."""

HIGHEST_COUNT = 2**64 - 1
"""Maximum count in the library's files."""


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
        case ByteLevelDecoder(space, trims, pattern):
            return {"type": "ByteLevel", "add_prefix_space": space, "trim_offsets": trims, "use_regex": pattern}
        case WordPiece(prefix, cleanup):
            return {"type": "WordPiece", "prefix": prefix, "cleanup": cleanup}
        case MetaspaceDecoder(mark, scheme, split):
            return {"type": "Metaspace", "replacement": mark, "prepend_scheme": scheme, "split": split}
        case BPEDecoder(suffix):
            return {"type": "BPEDecoder", "suffix": suffix}
        case CTC(pad, delimiter, cleanup):
            return {"type": "CTC", "pad_token": pad, "word_delimiter_token": delimiter, "cleanup": cleanup}
        case StripDecoder(content, start, stop):
            return {"type": "Strip", "content": content, "start": start, "stop": stop}
        case ReplaceDecoder(old, new, pattern):
            kind = "String" if pattern is None else "Regex"
            return {"type": "Replace", "pattern": {kind: old}, "content": new}
        case ByteFallback() | Fuse():
            return {"type": type(decoder).__name__}
        case _:
            refuse(
                message("The decoder is {decoder}.", decoder=quoted(decoder)),
                message("In a tokenizer.json it is one of the tokenizers library."),
                message('Save it as "bpe-lab".'),
            )


def _read(value: object, place: str, depth: int) -> LibraryDecoder:
    given = an_object(place, value, ("type",))
    kind = given["type"]
    if kind == "Sequence":
        if depth == DEEPEST:
            refuse(
                message("{place} is a Sequence in {most} others.", place=place, most=DEEPEST),
                message("The most allowed is {most}.", most=DEEPEST),
            )
        each = a_list(f"{place}.decoders", given.get("decoders"), MOST_STEPS)
        return DecoderSequence(tuple(_read(part, f"{place}.decoders[{at}]", depth + 1) for at, part in enumerate(each)))
    if not isinstance(kind, str) or kind not in _KEYS:
        refuse(
            message("{place}.type is {kind}.", place=place, kind=quoted(kind)),
            message("Known: {known}.", known=listed([*_KEYS, "Sequence"], last="")),
        )
    an_object(place, given, ("type", *_KEYS[kind]))
    return _step(kind, given, place)


_KEYS = {
    "ByteLevel": ("add_prefix_space", "trim_offsets"),
    "WordPiece": ("prefix", "cleanup"),
    "Metaspace": ("replacement",),
    "BPEDecoder": ("suffix",),
    "CTC": ("pad_token", "word_delimiter_token", "cleanup"),
    "ByteFallback": (),
    "Fuse": (),
    "Strip": ("content", "start", "stop"),
    "Replace": ("pattern", "content"),
}
"""Required keys of each decoder of the library."""


def _step(kind: str, given: Json, place: str) -> LibraryDecoder:
    def flag(key: str) -> bool:
        return a_flag(f"{place}.{key}", given.get(key, True))

    def text(key: str) -> str:
        return a_text(f"{place}.{key}", given[key])

    match kind:
        case "ByteLevel":
            return ByteLevelDecoder(flag("add_prefix_space"), flag("trim_offsets"), flag("use_regex"))
        case "WordPiece":
            return WordPiece(text("prefix"), flag("cleanup"))
        case "Metaspace":
            return _metaspace(given, place)
        case "BPEDecoder":
            return BPEDecoder(text("suffix"))
        case "CTC":
            return CTC(text("pad_token"), text("word_delimiter_token"), flag("cleanup"))
        case "Strip":
            start, stop = (an_id(f"{place}.{key}", given[key], HIGHEST_COUNT) for key in ("start", "stop"))
            return StripDecoder(_character(f"{place}.content", given["content"]), start, stop)
        case "Replace":
            return _replace(given, place)
        case _:
            return Fuse() if kind == "Fuse" else ByteFallback()


def _metaspace(given: Json, place: str) -> MetaspaceDecoder:
    """Read a Metaspace decoder; old files also have `add_prefix_space`."""
    adds = given.get("add_prefix_space")
    adds = None if adds is None else a_flag(f"{place}.add_prefix_space", adds)
    scheme = given.get("prepend_scheme", "always")
    if not isinstance(scheme, str) or scheme not in PREPEND_SCHEMES:
        refuse(
            message("{place}.prepend_scheme is {value}.", place=place, value=quoted(scheme)),
            message("Known: {known}.", known=listed(PREPEND_SCHEMES, last="")),
        )
    if adds is False and scheme != "never":
        refuse(
            message(
                "{place}.prepend_scheme is {value}, and add_prefix_space is false.", place=place, value=quoted(scheme)
            ),
            message('Where no space is added, the scheme is "never".'),
        )
    replacement, splits = _character(f"{place}.replacement", given["replacement"]), given.get("split")
    splits = True if splits is None else a_flag(f"{place}.split", splits)
    return MetaspaceDecoder(replacement, scheme, splits)  # type: ignore[arg-type]


def _replace(given: Json, place: str) -> ReplaceDecoder:
    new = a_text(f"{place}.content", given["content"])
    kinds = an_object(f"{place}.pattern", given["pattern"])
    if len(kinds) != 1 or not {*kinds} <= {"String", "Regex"}:
        refuse(
            message("{place}.pattern has {keys}.", place=place, keys=quoted(sorted(kinds))),
            message("It has String or Regex."),
        )
    [(kind, pattern)] = kinds.items()
    pattern_place = f"{place}.pattern.{kind}"
    old = a_text(pattern_place, pattern)
    if kind == "String":
        return ReplaceDecoder(old, new)
    return made(pattern_place, lambda: ReplaceDecoder(old, new, translated(old, pattern_place)))


def _character(place: str, value: object) -> str:
    text = a_text(place, value)
    if len(text) != 1:
        refuse(message("{place} is {value}.", place=place, value=quoted(text)), message("It must be one character."))
    return text
